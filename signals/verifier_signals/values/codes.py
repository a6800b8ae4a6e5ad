"""Identifiers: codes, version and section numbers, Roman numerals, names with a number, scores and telephone numbers.

``Chapter IV``, ``chapter four`` and ``the fourth chapter`` are one; so are ``Aldric IV`` and ``Aldric the Fourth``.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import FUNCTION_WORDS
from verifier_signals.values.modifiers import LABEL
from verifier_signals.values.numerals import ORDINALS, numeral_at, spelled_at
from verifier_signals.values.types import Date, Day, Form, Quantity, Value
from verifier_signals.values.units import unit_after

__all__ = [
    "PHONE",
    "PHONE_NUMBERS",
    "ROMAN",
    "code",
    "code_in_digits",
    "label_code",
    "labelled_code",
    "name_with_number",
    "numbered_in_words",
    "phone",
    "roman_number",
    "same_phone",
    "with_part_number",
]

PHONE_NUMBERS = "code:phone"
"""The dimension of telephone numbers."""

_GAP = r"[ \u00a0./‑–-]?"
PHONE = (
    rf"(?<![\w.])(?:(?:\+|00(?=[1-9]))\d{{1,3}}(?:{_GAP}\(?\d{{1,10}}\)?){{2,6}}"
    r"|\(?0[1-9]\d{1,3}\)?(?:[ \u00a0‑–-]?\d{2,8}){1,4}|\(?\d{3}\)?[ .‑–-]\d{3}[ .‑–-]\d{4})(?![\w])"
)
"""With a country's prefix, with the 0 of a national number, or in the groups of North America."""
_DATE_OR_DECIMAL = compiled_later(r"\d{1,2}([-/.])\d{1,2}\1\d{4}|\d+\.\d+(?![ .‑–-]\d)")
_FEWEST, _MOST = 9, 15
"""Digits: of national numbers in Europe, and of the longest that ITU-T E.164 allows."""
_SHORTEST_OWN = 8
"""Digits that two numbers must share at their ends where one of them leaves out the country."""


def phone(text: str, start: int, end: int) -> Value | None:
    """The telephone number at ``start:end``, ``None`` where the digits are too few or too many, or a date.

    >>> text = "+44 20 7946 0123"
    >>> phone(text, 0, len(text)).quantities[0].unit
    '442079460123'
    """
    written = text[start:end].replace("(0)", "")
    digits = re.sub(r"\D", "", written).removeprefix("00")
    if not _FEWEST <= len(digits) <= _MOST or _DATE_OR_DECIMAL.match(text, start):
        return None
    number = Quantity(PHONE_NUMBERS, 0.0, 0.0, 0.0, 0.0, digits)
    return Value(start, end, (start, end), "code", Form.POINT, (number,))


def same_phone(one: str, two: str) -> bool:
    """Whether two numbers, as digits, are one, though one may leave out the country's prefix.

    >>> same_phone("442079460123", "02079460123"), same_phone("2025550147", "2025550174")
    (True, False)
    """
    short, long = sorted((one.lstrip("0"), two.lstrip("0")), key=len)
    return short == long or (len(short) >= _SHORTEST_OWN and long.endswith(short))


ROMAN = r"(?-i:(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3}))(?![\w'’])"
"""From 1 to 39, in capitals."""
_WORTH = {"I": 1, "V": 5, "X": 10}
_PARTS = lexicon("""
    chapter section article part volume book act scene phase stage title annex appendix level type class grade category
    tier step schedule
    """)
"""What is numbered in Roman figures as well as in others."""
_PART_BEFORE = compiled_later(rf"\b(?P<part>{'|'.join(sorted(_PARTS))})[ \u00a0]\Z", re.IGNORECASE)
_PART_BEHIND = compiled_later(rf"[ \u00a0](?P<part>{'|'.join(sorted(_PARTS))})\b", re.IGNORECASE)
_NAME_BEFORE = compiled_later(r"\b(?P<name>[A-Z][a-zà-ÿ]{2,})[ \u00a0]\Z")
_NAME_THE = compiled_later(r"\b(?P<name>[A-Z][a-zà-ÿ]{2,})[ \u00a0]the[ \u00a0]\Z")
_NTH = compiled_later(r"(?P<word>[A-Z][a-z]+(?:-[a-z]+)?)(?![\w'’])")
_WORD_BEHIND = compiled_later(r"\s+([a-z]+)")
_LOOK_BACK = 24
_PRONOUN = 1
"""``I`` behind a name is mostly a pronoun: it takes a verb of one thing, or of the past, or a mark behind it."""


def roman_number(text: str, start: int, end: int) -> Value | None:
    """The number in Roman figures at ``start:end``, with the name or the word in front that it numbers.

    >>> value = roman_number("King Aldric IV", 12, 14)
    >>> value.start, value.quantities[0].dimension, value.quantities[0].unit
    (5, 'code:aldric', '4')
    """
    number = _number(text[start:end])
    low = max(0, start - _LOOK_BACK)
    part = _PART_BEFORE.search(text[low:start])
    if part is not None:
        return _numbered_code(low + part.start("part"), end, part["part"], number, weak=False)
    name = _NAME_BEFORE.search(text[low:start])
    if name is None or name["name"].lower() in FUNCTION_WORDS:
        return None
    if number == _PRONOUN and not _continues_as_name(text, end):
        return None
    return _numbered_code(low + name.start("name"), end, name["name"], number, weak=True)


def numbered_in_words(text: str, start: int) -> Value | None:
    """The number in words at a position behind such a name or word: ``Aldric the Fourth``, ``chapter four``."""
    low = max(0, start - _LOOK_BACK)
    name, nth = _NAME_THE.search(text[low:start]), _NTH.match(text, start)
    if name is not None and nth is not None and (number := _ordinal(nth["word"])):
        return _numbered_code(low + name.start("name"), nth.end(), name["name"], number, weak=True)
    part = _PART_BEFORE.search(text[low:start])
    spelled = spelled_at(text, start) if part is not None else None
    if part is None or spelled is None or spelled.kind != "cardinal":
        return None
    return _numbered_code(
        low + part.start("part"), spelled.end, part["part"], round(spelled.value), weak=False
    )


def with_part_number(text: str, value: Value) -> Value:
    """``The fourth chapter``: an ordinal that is also the number of what stands behind it."""
    part = _PART_BEHIND.match(text, value.core[1])
    if part is None:
        return value
    number = Quantity(_dimension(part["part"]), 0.0, 0.0, 0.0, 0.0, f"{value.quantities[0].low:.0f}")
    span = (value.core[0], part.end())
    return Value(value.start, part.end(), span, "code", Form.POINT, (number, *value.quantities), weak=True)


def _number(figures: str) -> int:
    worth = [_WORTH[figure] for figure in figures]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _ordinal(word: str) -> int:
    tens, _, ones = word.lower().partition("-")
    if not ones:
        return ORDINALS.get(tens, 0)
    before = spelled_at(tens, 0)
    return round(before.value) + ORDINALS.get(ones, 0) if before is not None else 0


def _continues_as_name(text: str, end: int) -> bool:
    word = _WORD_BEHIND.match(text, end)
    verb = verb_of(word[1]) if word is not None else None
    return word is None or word[1] in ("was", "is", "of") or (verb is not None and verb.form in ("s", "past"))


def _dimension(name: str) -> str:
    return f"code:{name.lower()}"


def _numbered_code(start: int, end: int, name: str, number: int, *, weak: bool) -> Value:
    quantity = Quantity(_dimension(name), 0.0, 0.0, 0.0, 0.0, str(number))
    return Value(start, end, (start, end), "code", Form.POINT, (quantity,), weak=weak)


_DIGIT_CODE = compiled_later(r"\d+(?:[A-Za-z]+\d[\w-]*|[A-Z]{1,3}(?![\w/])|[A-Za-z]{2,}\b)")
_COLON_RATIO = compiled_later(r"(\d{1,3}):(\d{1,3})(?![\d:])")
_SCORE = compiled_later(r"(\d{1,3})[-–](\d{1,3})(?![\w-]|[.,]\d|\s?%)")
_CODE_PARTS = compiled_later(r"(?P<prefix>.*?[A-Za-z#.])[\s‑–-]*(?P<number>\d.*)\Z", re.DOTALL)
_LABEL_NUMBER = compiled_later(r"\d+(?:[.-]\d+)*[a-z]?(?![\w%°]|,\d)")
_LONGEST_YEAR_OF_SCHOOL = 2
"""Digits: ``Year 9`` is a name, ``Year 2024`` a date."""
_NAME = compiled_later(r"(?<![.!?:|] )\b(?P<name>[A-Z][\w'’]*)[ \u00a0]\Z")
_NAME_NUMBER = compiled_later(r"\d{1,4}(?![\w%°]|[.,:]\d|\s?[-–/]\s?\d)")
_YEARS = range(1900, 2100)
_LEAD = compiled_later(r"(\w[\w'’-]*)\s+\Z")
_WORD = compiled_later(r"\s+([^\W\d_]+)")
_PLURALS = lexicon(
    "people children men women staff police sheep fish feet crew cattle aircraft personnel strong"
)
_MOSTLY = 0.6
"""A form that is a verb at least this often is taken for one."""
_COUNTED = compiled_later(r"\s+(?:of\s+the\s+)?(?P<word>(?!\w+ly\b)[a-z][\w-]+)")
_THE_NAME = compiled_later(
    r"\b(?:the|an?|this|that|each|every|any|its|their|his|her|our|your|my|\w+['’]s)\s+(?:[A-Z][\w'’-]*\s+){0,2}\Z",
    re.IGNORECASE,
)
"""``The Aridon ...``: behind an article a name goes on with its number."""


def code(text: str, start: int, end: int) -> Value:
    """The identifier at ``start:end``: comparable with those of the same prefix (``AES-128``, ``AES-256``)."""
    parts = _CODE_PARTS.match(text[start:end])
    prefix = re.sub(r"[\s‑–-]+", "", parts["prefix"]).lower().rstrip(".") if parts else ""
    number = (parts["number"] if parts else text[start:end]).lower()
    unit = re.sub(r"[\s‑–-]+", "-", number).rstrip(".-")
    quantity = Quantity(f"code:{prefix}", 0.0, 0.0, 0.0, 0.0, unit)
    return Value(start, end, (start, end), "code", Form.POINT, (quantity,))


def labelled_code(text: str, start: int) -> Value | None:
    """``version 3``, ``ISO 27001``: the label belongs to the value."""
    low = max(0, start - 24)
    label = LABEL.search(text[low:start])
    number = _LABEL_NUMBER.match(text, start) if label else None
    if label is None or number is None or unit_after(text, number.end())[0]:
        return None
    if label["label"] == "Year" and number.end() - start > _LONGEST_YEAR_OF_SCHOOL:
        return None
    return code(text, low + label.start("label"), number.end())


def label_code(label: str, number: str) -> Quantity | None:
    """What ``Risk class: 6`` says as an identifier (``class 6``); ``None`` where the label ends with no such word."""
    text = f"{label.replace('_', ' ')} {number}"
    value = labelled_code(text, len(label) + 1) if number.isdecimal() else None
    return value.quantities[0] if value is not None else None


def name_with_number(text: str, start: int) -> Value | None:
    """``Blade Runner 2049``, ``Easter 2020``: a number that belongs to a name. Weak, because names are not figures."""
    low = max(0, start - 24)
    name, number = _NAME.search(text[low:start]), _NAME_NUMBER.match(text, start)
    if (
        name is None
        or number is None
        or name["name"].lower() in FUNCTION_WORDS
        or unit_after(text, number.end())[0]
    ):
        return None
    if _counts_what_follows(text, low + name.start("name"), number.end()):
        return None
    quantity = Quantity(f"code:{name['name'].lower()}", 0.0, 0.0, 0.0, 0.0, number[0])
    span = (low + name.start("name"), number.end())
    year = (Date(Day(int(number[0]))),) if int(number[0]) in _YEARS else ()
    return Value(*span, span, "code", Form.POINT, (quantity,), year, weak=True)


def _counts_what_follows(text: str, name: int, end: int) -> bool:
    """Whether the number behind the name that begins at ``name`` counts what follows it (``In Osk 300 people live``),
    and is no part of the name (``the Osk 300 pump``, ``Osk 300 weighs``, ``Veltra Osk 300 pump: manual``)."""
    counted = _COUNTED.match(text, end)
    if counted is None or counted["word"] in FUNCTION_WORDS:
        return False
    before = text[max(0, name - 60) : name]
    if _THE_NAME.search(before):
        return False
    lead = _LEAD.search(before)
    if lead is not None and lead[1].lower() in FUNCTION_WORDS:
        return True
    return not (
        _is_finite_verb(counted["word"])
        or (lead and lead[1][0].isupper() and _is_singular_noun(text, counted))
    )


def _is_finite_verb(word: str) -> bool:
    """Whether a word is the verb of one thing, or of the past: no plural of what is counted."""
    verb = verb_of(word)
    return verb is not None and verb.form in ("s", "past") and verb.share >= _MOSTLY


def _is_singular_noun(text: str, counted: re.Match[str]) -> bool:
    """Whether a noun for one thing stands behind a number, and no other noun behind it."""
    word = counted["word"]
    following = _WORD.match(text, counted.end())
    alone = following is None or following[1].lower() in FUNCTION_WORDS
    return alone and not word.endswith("s") and word not in _PLURALS


def code_in_digits(text: str, start: int) -> Value | None:
    """Ratios, scores and tokens such as ``3D`` that only look like quantities."""
    score = _SCORE.match(text, start)
    if score is not None and int(score[1]) > int(score[2]) and not unit_after(text, score.end())[0]:
        quantity = Quantity("code:score", 0.0, 0.0, 0.0, 0.0, f"{score[1]}-{score[2]}")
        return Value(start, score.end(), score.span(), "code", Form.POINT, (quantity,))
    ratio = _COLON_RATIO.match(text, start)
    if ratio is not None and int(ratio[2]):
        value = int(ratio[1]) / int(ratio[2])
        return Value(
            start,
            ratio.end(),
            ratio.span(),
            "number",
            Form.POINT,
            (Quantity("ratio", value, value, 0.01, 0.01),),
        )
    token = _DIGIT_CODE.match(text, start)
    if token is not None:
        numeral = numeral_at(text, start)
        if numeral is None or (numeral.end < token.end() and unit_after(text, numeral.end)[1] < token.end()):
            return code(text, start, token.end())
    return None
