"""A sum of money in its text in; what it is said to be the total of out: counts, the price of one, its own parts."""

from __future__ import annotations

import re

from verifier_signals.values.context import ValueText
from verifier_signals.values.types import Form, Quantity, Value

__all__ = ["announces_sum", "counts_for", "money_of", "price_of_one"]

_SUM = re.compile(
    r"\b(?:total(?:s|led|ling)?|altogether|together|in\s+all|combined|overall|both|sum|took\s+part)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(r"[A-Z]{3}")
_ONE_OF = re.compile(
    r"\b(?:each|every|one|an?)\s+[^\W\d_]+(?:\s+[^\W\d_]+){0,3}\s+(?:[$£€]\s?)?\Z", re.IGNORECASE
)
_APIECE = re.compile(r"\s+(?:each|apiece|per|an?|every)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:whole|all|total(?:s|led)?|altogether|together|in\s+all|entire|full|comes?\s+to|add(?:s|ing)?\s+up)\b",
    re.IGNORECASE,
)
_SO = re.compile(r"\b(?:so|hence|thus|therefore|which\s+makes)\b", re.IGNORECASE)
_EVEN = 1e-6
"""Relative error by which a multiple may be off: that of binary fractions (``3 x 0.10``)."""


def money_of(value: Value) -> Quantity | None:
    """A value in the reading in which it is an amount of money."""
    for one in value.quantities:
        if _MONEY.fullmatch(one.dimension):
            return one
    return None


def counts_for(text: ValueText, value: Value) -> list[Value]:
    """The counts in front of a sum of money that it is paid for: ``two adults and a child pay 31 euros``."""
    if money_of(value) is None:
        return []
    start, _ = text.sentence(value)
    before = [one for one in text.values if start <= one.start < value.start and not _is_age(one)]
    counts = [one for one in before if one.kind == "number" and one.form is Form.POINT and text.head(one)]
    return counts if len(counts) == len(before) and any(one.quantities[0].low > 1 for one in counts) else []


def _is_age(value: Value) -> bool:
    return bool(value.quantities) and any(one.dimension == "age" for one in value.quantities)


def price_of_one(text: ValueText, value: Value) -> Value | None:
    """The price of one of several that a sum in the same sentence is a multiple of: ``each dose costs 64 pounds, so
    the whole course costs 192``."""
    start, end = text.sentence(value)
    if not value.quantities or not _MONEY.fullmatch(value.quantities[-1].dimension):
        return None
    for one in reversed([one for one in text.values if start <= one.start < value.start]):
        shared = [
            (mine.low, each.low)
            for mine in value.quantities
            for each in one.quantities
            if mine.dimension == each.dimension and _MONEY.fullmatch(mine.dimension) and each.low > 0
        ]
        behind = text.text[one.core[1] : end]
        apiece = _ONE_OF.search(text.text[start : one.start]) or _APIECE.match(behind)
        concludes = _WHOLE.search(behind) or _SO.search(text.text, one.core[1], value.start)
        if shared and apiece and concludes and _times_of(*shared[0]) > 1:
            return one
    return None


def announces_sum(text: ValueText, value: Value) -> bool:
    """Whether the sentence of a value says that it is a total (``altogether``, ``in all``)."""
    return bool(value.quantities) and _SUM.search(text.text, *text.sentence(value)) is not None


def _times_of(whole: float, part: float) -> int:
    """How many times a part goes into a whole, 0 where it does not go into it evenly."""
    number = round(whole / part)
    return number if abs(number * part - whole) <= _EVEN * whole else 0
