"""Words at a position in, the number they spell out: cardinals, fractions, ordinals, scales."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NUMBER_WORDS", "ORDINALS", "SCALES", "Spelled", "spelled_at"]

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
_WORD = re.compile(r"(?P<gap>[ \u00a0\u202f]|[-‑])?(?P<word>[A-Za-z]+)(?![\w'’])")


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
