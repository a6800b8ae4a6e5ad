"""A position in a text in, the number of a ruler, a chapter or the like that stands there out, in any form.

``Chapter IV``, ``chapter four`` and ``the fourth chapter`` are one; so are ``Aldric IV`` and ``Aldric the Fourth``.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import FUNCTION_WORDS
from verifier_signals.values.spelled import ORDINALS, spelled_at
from verifier_signals.values.types import Form, Quantity, Value

__all__ = ["ROMAN", "numbered", "of_part", "roman"]

ROMAN = r"(?-i:(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3}))(?![\w'’])"
"""From 1 to 39, in capitals."""
_WORTH = {"I": 1, "V": 5, "X": 10}
_PARTS = lexicon("""
    chapter section article part volume book act scene phase stage title annex appendix level type class grade category
    tier step schedule
    """)
"""What is numbered in Roman figures as well as in others."""
_PART_BEFORE = re.compile(rf"\b(?P<part>{'|'.join(sorted(_PARTS))})[ \u00a0]\Z", re.IGNORECASE)
_PART_BEHIND = re.compile(rf"[ \u00a0](?P<part>{'|'.join(sorted(_PARTS))})\b", re.IGNORECASE)
_NAME_BEFORE = re.compile(r"\b(?P<name>[A-Z][a-zà-ÿ]{2,})[ \u00a0]\Z")
_NAME_THE = re.compile(r"\b(?P<name>[A-Z][a-zà-ÿ]{2,})[ \u00a0]the[ \u00a0]\Z")
_NTH = re.compile(r"(?P<word>[A-Z][a-z]+(?:-[a-z]+)?)(?![\w'’])")
_WORD_BEHIND = re.compile(r"\s+([a-z]+)")
_LOOK_BACK = 24
_PRONOUN = 1
"""``I`` behind a name is mostly a pronoun: it takes a verb of one thing, or of the past, or a mark behind it."""


def roman(text: str, start: int, end: int) -> Value | None:
    """The number in Roman figures at ``start:end``, with the name or the word in front that it numbers.

    >>> value = roman("King Aldric IV", 12, 14)
    >>> value.start, value.quantities[0].dimension, value.quantities[0].unit
    (5, 'code:aldric', '4')
    """
    number = _number(text[start:end])
    low = max(0, start - _LOOK_BACK)
    part = _PART_BEFORE.search(text[low:start])
    if part is not None:
        return _code(low + part.start("part"), end, part["part"], number, weak=False)
    name = _NAME_BEFORE.search(text[low:start])
    if name is None or name["name"].lower() in FUNCTION_WORDS:
        return None
    if number == _PRONOUN and not _goes_on(text, end):
        return None
    return _code(low + name.start("name"), end, name["name"], number, weak=True)


def numbered(text: str, start: int) -> Value | None:
    """The number in words at a position behind such a name or word: ``Aldric the Fourth``, ``chapter four``."""
    low = max(0, start - _LOOK_BACK)
    name, nth = _NAME_THE.search(text[low:start]), _NTH.match(text, start)
    if name is not None and nth is not None and (number := _ordinal(nth["word"])):
        return _code(low + name.start("name"), nth.end(), name["name"], number, weak=True)
    part = _PART_BEFORE.search(text[low:start])
    spelled = spelled_at(text, start) if part is not None else None
    if part is None or spelled is None or spelled.kind != "cardinal":
        return None
    return _code(low + part.start("part"), spelled.end, part["part"], round(spelled.value), weak=False)


def of_part(text: str, value: Value) -> Value:
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


def _goes_on(text: str, end: int) -> bool:
    word = _WORD_BEHIND.match(text, end)
    verb = verb_of(word[1]) if word is not None else None
    return word is None or word[1] in ("was", "is", "of") or (verb is not None and verb.form in ("s", "past"))


def _dimension(name: str) -> str:
    return f"code:{name.lower()}"


def _code(start: int, end: int, name: str, number: int, *, weak: bool) -> Value:
    quantity = Quantity(_dimension(name), 0.0, 0.0, 0.0, 0.0, str(number))
    return Value(start, end, (start, end), "code", Form.POINT, (quantity,), weak=weak)
