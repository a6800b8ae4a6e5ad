"""Numbers as they are written: in digits, in words, with separators, fractions and powers of ten, and their precision.

``numeral_at`` reads the number at a position. Some figures show what their marks mean: ``1.234.567``, ``2,5 kg`` and
``1.234,50`` have the comma for decimals, ``1,234,567``, ``4,50,000`` and ``2.5 kg`` the point. Where none does, what is
counted tells (there is no 1.234th guest), and money has no third decimal; else both readings stay, the one with the
point for decimals first, and the other is doubtful.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier_signals.values.units import is_money, unit_after

__all__ = [
    "NUMBER_WORDS",
    "ORDINALS",
    "SCALES",
    "Numeral",
    "Power",
    "Spelled",
    "counts_after",
    "decimal_mark",
    "numeral_at",
    "spelled_at",
]


class Power(NamedTuple):
    """A power of ten and where it ends."""

    factor: float
    end: int


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_UP = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_EXPONENT = rf"(?:\s?(?:\^|\*\*)\s?[({{]?(?P<after>[-−+]?\d{{1,3}})[)}}]?|(?P<raised>[⁻⁺]?[{_UP}]{{1,3}}))(?![\d{_UP}])"
_ALONE = compiled_later(rf"10{_EXPONENT}")
_BEHIND = compiled_later(rf"\s?[×x·⋅*]\s?10{_EXPONENT}|[eE](?P<e>[-−+]?\d{{1,3}})(?![\w.]\w|\w)")
_LARGEST = 300
"""The largest power that a float holds, roughly; none is written that is not a slip."""


def _power_at(text: str, at: int) -> Power | None:
    """The power of ten that begins at a position, ``None`` for a plain 10.

    >>> _power_at("10⁵ cells", 0)
    Power(factor=100000.0, end=3)
    """
    return _power(_ALONE.match(text, at))


def _power_after(text: str, end: int) -> Power | None:
    """The power of ten by which the number that ends at ``end`` is multiplied.

    >>> _power_after("3 x 10^6 cells", 1), _power_after("3e6", 1), _power_after("3 eggs", 1)
    (Power(factor=1000000.0, end=8), Power(factor=1000000.0, end=3), None)
    """
    return _power(_BEHIND.match(text, end))


def _power(match: re.Match[str] | None) -> Power | None:
    if match is None:
        return None
    raised = next(found for found in match.groupdict().values() if found)
    exponent = int(raised.translate(_RAISED))
    return Power(10.0**exponent, match.end()) if abs(exponent) <= _LARGEST else None


_ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_ONES.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), start=2)
}
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "lakh": 1e5,
    "crore": 1e7,
}
_ORDINAL_ONES = """
zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth
"""
ORDINALS = {word: value for value, word in enumerate(_ORDINAL_ONES.split()) if value} | {
    word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS.split(), start=2)
}
_PARTS = {word: value for word, value in ORDINALS.items() if value > 2} | {
    "half": 2,
    "quarter": 4,
    "hundredth": 100,
    "thousandth": 1000,
}
_ADDED = frozenset({2, 4})
"""Parts that are put behind a number (``two and a quarter``); the others are ordinals as often."""
_PARTS |= {f"{word}s": value for word, value in _PARTS.items() if word != "half"} | {"halves": 2}

NUMBER_WORDS = frozenset(_SMALL) | frozenset(SCALES) | frozenset(ORDINALS) | frozenset(_PARTS)

_JOINTS = frozenset({"and", "a", "an", "of"})
_WORD = compiled_later(r"(?P<gap>[ \u00a0\u202f]|[-‑])?(?P<word>[A-Za-z]+)(?![\w'’])")


class Spelled(NamedTuple):
    """``kind`` is ``cardinal``, ``fraction`` or ``ordinal``; ``value`` is 2/3 for ``two-thirds``."""

    value: float
    end: int
    kind: str


class _Word(NamedTuple):
    text: str
    end: int


def _words(text: str, at: int) -> list[_Word]:
    """The words from a position on that a number may consist of."""
    found: list[_Word] = []
    while len(found) < 12 and (match := _WORD.match(text, at)):
        low = match["word"].lower()
        if (not found and match["gap"]) or not (low in NUMBER_WORDS or low in _JOINTS):
            break
        at = match.end()
        found.append(_Word(low, at))
    return found


def _cardinal(words: list[_Word]) -> tuple[float, int]:
    """Value and number of words used; 0 words when none is a number."""
    total = current = 0.0
    used = at = 0
    last = 0.0
    while at < len(words):
        word = words[at].text
        if word in _SMALL:
            value = _SMALL[word]
            fits = used == 0 or last >= 100 or (20 <= last < 100 and 0 < value < 10)
            if not fits:
                break
            current += value
            last = value
        elif word in SCALES and SCALES[word] <= 100:
            current = max(current, 1.0) * SCALES[word]
            last = SCALES[word]
        elif word in SCALES:
            total += max(current, 1.0) * SCALES[word]
            current, last = 0.0, SCALES[word]
        elif word in ("and", "a", "an"):
            follows = words[at + 1].text if at + 1 < len(words) else ""
            opens = word != "and" and used == 0 and follows in SCALES
            joins = word == "and" and last >= 100 and follows in _SMALL
            if not (opens or joins):
                break
            at += 1
            continue
        else:
            break
        at += 1
        used = at
    return total + current, used


def _is_ordinal(words: list[_Word], number: float, used: int) -> bool:
    """Whether an ordinal of ones stands behind a number in tens: ``twenty-fifth`` is no twenty fifths."""
    ordinal = ORDINALS.get(words[used].text, 0) if used and used < len(words) else 0
    return 0 < ordinal < 10 and number >= 20 and number % 10 == 0


def _fraction(words: list[_Word], number: float, used: int) -> tuple[float, int] | None:
    """``half``, ``a third``, ``three quarters``; ``number`` and ``used`` are the cardinal in front."""
    at = used
    if not used and words[0].text in ("a", "an"):
        at = 1
    part = _PARTS.get(words[at].text) if at < len(words) else None
    if part is None or (not used and not at and part != 2):
        return None
    return (number if used else 1.0) / part, at + 1


def _part_behind(words: list[_Word], used: int) -> tuple[float, int] | None:
    """``And a half``, ``and three quarters`` behind a cardinal of so many words; not a part of something else."""
    if used + 2 >= len(words) or words[used].text != "and":
        return None
    number, counted = (1.0, 1) if words[used + 1].text == "a" else _cardinal(words[used + 1 :])
    at = used + 1 + counted
    part = _PARTS.get(words[at].text) if counted and at < len(words) else None
    of = at + 1 < len(words) and words[at + 1].text == "of"
    return (number / part, at + 1) if part in _ADDED and number < part and not of else None


def _scaled(words: list[_Word], value: float, used: int) -> tuple[float, int]:
    """``half a million``, ``a quarter of a million``, ``half a dozen``."""
    at = used
    while at < len(words) and at < used + 2 and words[at].text in ("of", "a"):
        at += 1
    if at < len(words) and words[at].text in SCALES and at > used:
        return value * SCALES[words[at].text], at + 1
    return value, used


def spelled_at(text: str, at: int) -> Spelled | None:
    """The number spelled at a position, ``None`` when there is none.

    >>> spelled_at("sixty-nine million people", 0)
    Spelled(value=69000000.0, end=18, kind='cardinal')
    >>> spelled_at("two and a half hours", 0)
    Spelled(value=2.5, end=14, kind='cardinal')
    """
    words = _words(text, at)
    if not words:
        return None
    number, used = _cardinal(words)
    fraction = None if _is_ordinal(words, number, used) else _fraction(words, number, used)
    if fraction is not None:
        value, used = _scaled(words, *fraction)
        kind = "fraction" if value <= 1 else "cardinal"
        return Spelled(value, words[used - 1].end, kind)
    if used and (part := _part_behind(words, used)):
        number, used = number + part[0], part[1]
        if used < len(words) and words[used].text in SCALES:
            number, used = number * SCALES[words[used].text], used + 1
    if _is_ordinal(words, number, used) or (not used and words[0].text in ORDINALS):
        return Spelled(number + ORDINALS[words[used].text], words[used].end, "ordinal")
    if not used:
        return None
    return Spelled(number, words[used - 1].end, "cardinal")


_NO_DIGIT = r"(?<![\d.,])"
_COMMA_TELLS = compiled_later(
    rf"{_NO_DIGIT}(?:\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:\.\d{{3}}){{2,}}|\d+,\d{{1,2}}(?=\s?[%€£$°]|\s[a-z]))(?![\d]|[.,]\d)"
)
_POINT_TELLS = compiled_later(
    rf"{_NO_DIGIT}(?:\d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}|\d+\.\d{{1,2}}(?=\s?[%€£$°]|\s[a-z])|(?<=[€£$])\d+\.\d\d)(?![\d]|[.,]\d)"
)
_WORDS_BEHIND = compiled_later(r"\s+([a-z][a-z-]*)(?:\s+(?:of\s+)?([a-z][a-z-]*))?")
_PLURALS = lexicon("people men women children staff sheep fish cattle aircraft personnel crew")
_MEASURES = lexicon(
    "points marks goals times units degrees seconds goes is was has does as its this thus less across"
)
"""Words in ``s`` of which there may be parts, or that are no plural."""


@lru_cache(maxsize=1024)
def decimal_mark(text: str) -> str:
    """``.`` or ``,`` where the figures of a text show which mark stands before its decimals, else ``""``.

    >>> decimal_mark("2,5 kg or 1.234 guests"), decimal_mark("2.5 kg"), decimal_mark("1.234 guests")
    (',', '.', '')
    """
    comma, point = _COMMA_TELLS.search(text) is not None, _POINT_TELLS.search(text) is not None
    return "" if comma == point else "," if comma else "."


def _is_grouped(text: str, end: int, *, money: bool) -> bool:
    """Whether a figure with a mark before its last three digits is one in thousands, by what stands around it.

    A sum of money is, unless a scale follows (``€1.234 billion``); and the number of things that have no parts.

    >>> _is_grouped("1.234 guests", 5, money=False), _is_grouped("1.234 kg", 5, money=False)
    (True, False)
    """
    following = _WORDS_BEHIND.match(text, end)
    words = [word for word in following.groups() if word] if following else []
    if words and words[0] in SCALES:
        return False
    unit = unit_after(text, end)[0]
    if money or any(map(is_money, unit)):
        return True
    return counts_after(text, end)


def counts_after(text: str, end: int) -> bool:
    """Whether the figure that ends at ``end`` counts things that have no parts.

    >>> counts_after("1.234 guests", 5), counts_after("9.125 points", 5)
    (True, False)
    """
    following = _WORDS_BEHIND.match(text, end)
    if following is None or unit_after(text, end)[0]:
        return False
    return any(_is_counted(word) for word in following.groups() if word)


def _is_counted(word: str) -> bool:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word not in _MEASURES
    return plural or word in _PLURALS


class Numeral(NamedTuple):
    """``place`` is the worth of the last written digit, ``coarse`` that of the last digit that is not zero.

    ``kind`` is ``cardinal``, ``fraction`` or ``ordinal``; ``digits`` tells ``2`` from ``two``.
    """

    value: float
    place: float
    coarse: float
    end: int
    kind: str
    digits: bool
    scale: float = 1.0
    """The scale word or suffix at its end: 1e6 in ``3 million``."""
    doubtful: tuple[tuple[float, float], ...] = ()
    """Other readings, each with the worth of its last digit: 1234 of a ``1.234`` that is rather a decimal."""


_SPACE = "\u00a0\u202f\u2009 "
_DIGITS = compiled_later(
    rf"(?P<comma>\d{{1,3}}(?:,\d{{3}})+(?![\d])(?:\.\d+)?|\d{{1,2}}(?:,\d\d)+,\d{{3}}(?!\d)(?:\.\d+)?)"
    rf"|(?P<apostrophe>\d{{1,3}}(?:['’]\d{{3}})+(?!\d)(?:\.\d+)?)"
    rf"|(?P<european>\d{{1,3}}(?:\.\d{{3}})+,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d))"
    rf"|(?P<spaced>\d{{1,3}}(?:[{_SPACE}]\d{{3}})+(?![\d])(?:[.,]\d+)?)"
    rf"|(?P<tail>\d+,\d{{1,2}}(?![\d]|,\d))"
    rf"|(?P<plain>\d+(?:\.\d+)?)"
)
_FRACTION = compiled_later(
    rf"(?:(?P<whole>\d{{1,3}})[{_SPACE}-])?(?P<num>\d{{1,3}})[/⁄](?P<den>\d{{1,3}})(?![\d/.,]\d|[\w/])"
)
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_ORDINAL = compiled_later(r"(?:st|nd|rd|th|ST|ND|RD|TH)(?![A-Za-z])")
_SCALE = compiled_later(
    rf"[{_SPACE}-]?(?P<word>(?i:{'|'.join(SCALES)}))(?![\w])"
    rf"|[{_SPACE}]?(?P<short>bn|Bn|BN|mn|mln|mio|tn|trn)(?![\w/])"
    r"|(?P<letter>[kKMB])(?![\w/²³])"
)
_MONEY_SCALE = compiled_later(rf"[{_SPACE}]?(?P<letter>[mMbBkKT])(?![\w/²³])")
_SHORT = {"bn": 1e9, "mn": 1e6, "mln": 1e6, "mio": 1e6, "tn": 1e12, "trn": 1e12}
_LETTER = {"k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6, "b": 1e9, "B": 1e9, "T": 1e12}
_LONGEST = 24
"""Digits beyond this are an identifier, not a quantity."""


def numeral_at(text: str, at: int, money: bool = False) -> Numeral | None:
    """The number at a position. ``money``: a currency stands in front, so that ``3m`` is three million.

    >>> numeral_at("1.2k users", 0).value, numeral_at("2 1/2 cups", 0).value
    (1200.0, 2.5)
    """
    if text[at].isalpha():
        return _spelled(text, at)
    if text[at] in _VULGAR:
        return Numeral(unicodedata.numeric(text[at]), 0.01, 0.01, at + 1, "fraction", True)
    fraction = _FRACTION.match(text, at)
    if fraction is not None and 0 < int(fraction["num"]) < int(fraction["den"]):
        part = int(fraction["num"]) / int(fraction["den"])
        whole = int(fraction["whole"] or 0)
        return Numeral(whole + part, 0.01, 0.01, fraction.end(), "cardinal" if whole else "fraction", True)
    return _digits(text, at, money)


def _spelled(text: str, at: int) -> Numeral | None:
    found = spelled_at(text, at)
    if found is None:
        return None
    coarse = _worth_of_last_digit(found.value)
    place = 1e-6 if found.kind == "fraction" else (coarse if coarse >= 1e3 else min(coarse, 1.0))
    return Numeral(
        found.value,
        place,
        0.01 if found.kind == "fraction" else coarse,
        found.end,
        found.kind,
        False,
        coarse if coarse >= 1e3 else 1.0,
    )


def _digits(text: str, at: int, money: bool) -> Numeral | None:
    match = _DIGITS.match(text, at)
    if match is None or match.end() - at > _LONGEST:
        return None
    if (alone := _power_at(text, at)) is not None:
        return Numeral(alone.factor, alone.factor, alone.factor, alone.end, "cardinal", True)
    style = match.lastgroup
    figures = _readings(text, match, money) if _ONE_MARK.fullmatch(match[0]) else [_plain(match[0], style)]
    raw, end = figures[0], match.end()
    value = float(raw)
    decimals = len(raw.partition(".")[2])
    place = 10.0**-decimals
    coarse = place if decimals else _worth_of_last_digit(value)
    if end < len(text) and text[end] in _VULGAR:
        return Numeral(value + unicodedata.numeric(text[end]), 0.01, 0.01, end + 1, "cardinal", True)
    ordinal = None if decimals else _ORDINAL.match(text, end)
    if ordinal is not None:
        return Numeral(value, 1.0, 1.0, ordinal.end(), "ordinal", True)
    factor, end = _scale(text, end, money)
    others = tuple((float(one) * factor, 10.0 ** -len(one.partition(".")[2]) * factor) for one in figures[1:])
    return Numeral(value * factor, place * factor, coarse * factor, end, "cardinal", True, factor, others)


_ONE_MARK = compiled_later(r"[1-9]\d{0,2}[.,]\d{3}")
"""``1.234``: one mark before three digits, which may be either."""


def _readings(text: str, match: re.Match[str], money: bool) -> list[str]:
    """What a figure with one mark before its last three digits may be, as plain digits, the likelier first."""
    decimal, mark = decimal_mark(text), "," if "," in match[0] else "."
    parts, grouped = match[0].replace(",", "."), re.sub("[.,]", "", match[0])
    if decimal and decimal != mark:
        return [grouped]
    if decimal:
        return [parts, grouped] if _is_grouped(text, match.end(), money=money) else [parts]
    if mark == ",":
        return [grouped]
    if counts_after(text, match.end()) and not money:
        return [grouped]
    return [grouped, parts] if _is_grouped(text, match.end(), money=money) else [parts, grouped]


def _plain(raw: str, style: str | None) -> str:
    """A figure without its marks of thousands, with a point before its decimals."""
    if style in ("european", "tail"):
        raw = raw.replace(".", "").replace(",", ".")
    elif style == "spaced":
        raw = raw.replace(",", ".")
    return re.sub(rf"[,'’{_SPACE}]", "", raw)


def _scale(text: str, end: int, money: bool) -> tuple[float, int]:
    factor = 1.0
    if (power := _power_after(text, end)) is not None:
        factor, end = power.factor, power.end
    while (match := _SCALE.match(text, end)) is not None:
        word, short, letter = match["word"], match["short"], match["letter"]
        factor *= SCALES[word.lower()] if word else _SHORT[short.lower()] if short else _LETTER[letter]
        end = match.end()
    if money and factor == 1.0 and (match := _MONEY_SCALE.match(text, end)) is not None:
        return _LETTER[match["letter"]], match.end()
    return factor, end


def _worth_of_last_digit(value: float) -> float:
    """Worth of the last digit that is not zero: 100 for 4100."""
    if value <= 0 or value != int(value):
        return 1.0 if value == int(value) else 0.01
    place = 1.0
    while value % (place * 10) == 0:
        place *= 10
    return place
