"""A value in its sentence in; whether it is where a change began, where it ended, or the step between, out."""

from __future__ import annotations

import re
from enum import StrEnum

from verifier_signals.values.cues import CHANGE
from verifier_signals.values.types import Form, Value

__all__ = ["Part", "part_of"]


class Part(StrEnum):
    """What a value is to a change: ``rose from 100 (start) by 20 (step) to 120 (end)``."""

    NONE = "none"
    START = "start"
    STEP = "step"
    END = "end"

    def excludes(self, other: Part) -> bool:
        """Whether two values cannot be the same figure: both parts are known, and differ."""
        return Part.NONE not in (self, other) and self is not other


_REACH = 90
"""Code points in front of a value in which the words of a change are looked for."""
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?\Z", re.IGNORECASE)
_TO = re.compile(r"\bto\s+(?:only\s+|just\s+)?\Z", re.IGNORECASE)
_BY = re.compile(r"\bby\s+(?:a\s+further\s+|another\s+|only\s+|just\s+)?\Z", re.IGNORECASE)
_STEP = re.compile(
    r"\b(?:rise|increase|fall|drop|cut|growth|gain|loss|reduction|decrease|decline)\s+of\s+\Z"
    r"|\b(?:gained|lost|saved|added)\s+\Z|(?:,|\b(?:is|was|are|were))\s+(?:up|down)\s+\Z",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:r[io]se|risen|rising|grew|grow[ns]?|growing|f[ae]ll|fallen|falls|falling|dropp?(?:ed|ing|s)?|increas(?:e[sd]?|ing)"
    r"|decreas(?:e[sd]?|ing)|climb(?:ed|ing|s)?|declin(?:e[sd]?|ing)|jump(?:ed|ing|s)?|slipp?(?:ed|ing|s)?|shr[aiu]nk"
    r"|slump(?:ed|ing|s)?|soar(?:ed|ing|s)?|plung(?:e[sd]?|ing)|surg(?:e[sd]?|ing))\s+(?:only\s+|just\s+|a\s+further\s+)?\Z",
    re.IGNORECASE,
)
"""``Profit fell 13 %``: a share right behind a verb of change is its step."""
_REACHED = re.compile(
    r"\b(?:reach(?:ed|es)?|hit|totall?ed|now\s+(?:at|is|stands\s+at|costs?))\s+\Z", re.IGNORECASE
)
_LATE = re.compile(r"\b(?:now|today|currently|nowadays|new)\b", re.IGNORECASE)
_EARLY = re.compile(
    r"\b(?:old|former(?:ly)?|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|before(?:hand)?|once)\b",
    re.IGNORECASE,
)


def part_of(text: str, value: Value, sentence: tuple[int, int]) -> Part:
    """The part that a value of the sentence at ``sentence`` plays in a change.

    >>> from verifier_signals.values.grammar import parse
    >>> text = "Fares rose from 40 to 45 crowns."
    >>> [part_of(text, value, (0, len(text))).value for value in parse(text)]
    ['start', 'end']
    """
    if value.form is Form.RANGE or not value.quantities:
        return Part.NONE
    before = text[max(sentence[0], value.start - _REACH) : value.start]
    share = all(one.dimension in ("share", "points") for one in value.quantities)
    if _STEP.search(before) or (share and _MOVED.search(before)):
        return Part.STEP
    if _REACHED.search(before):
        return Part.END
    if CHANGE.search(before):
        for pattern, part in ((_FROM, Part.START), (_TO, Part.END), (_BY, Part.STEP)):
            if pattern.search(before):
                return part
    if any(map(str.isdigit, before)):
        return Part.NONE
    late, early = _LATE.search(before), _EARLY.search(before)
    if bool(late) == bool(early):
        return Part.NONE
    return Part.END if late else Part.START
