"""Two quantities in, how far one may lie from the other and still be what the claim says, out."""

from __future__ import annotations

import math

from verifier.core.lexicon import lexicon
from verifier_signals.values.types import Quantity, Value

__all__ = ["EXACT", "slack"]

_ABOUT = 0.05
"""Relative width that ``about`` allows where the digits themselves do not allow more."""
_ROUNDED = 0.05
"""Largest relative change by which a figure without ``about`` may be a rounded one (12 for 12.4)."""
_CONVERTED = 0.07
"""The most by which a bare converted figure may be off: ``6 feet`` are 1.83 m, and not 2 m."""
_DEGREES = 5.0
"""``About 20 °C`` allows half of this; relative widths mean nothing on a scale without a zero."""
_CALENDAR = 0.02
"""Months and years against days and weeks: a month has 28 to 31 days, 30 by custom, 30.44 on average."""
_CALENDAR_UNITS = lexicon("month months yr yrs year years decade decades century centuries")
_FRACTION = 0.0051
"""``Two-thirds`` is what 67 % is, as far as whole percentages can say."""
_ABOUT_FRACTION = 0.05
"""``Roughly four in five`` are 78 %, and not 71 %."""
EXACT = 1e-9
"""Relative width of what is one and the same figure, however it was reckoned."""


def slack(claim: Value, one: Quantity, two: Quantity) -> tuple[float, float]:
    """How far the evidence may lie below and above the claim's figure and still be what it says."""
    size = max(abs(one.low), abs(two.low))
    degrees = one.dimension == "temperature"
    tiny = EXACT * max(size, 1e-12)
    below = above = tiny
    if _converted(one, two):
        half = 0.5 * (
            min(one.coarse, one.place if degrees else max(_second_digit(one), one.place)) + two.place * 1e-3
        )
        below = above = max(below, half if degrees else min(half, _CONVERTED * size))
        if one.dimension == "time" and (one.unit in _CALENDAR_UNITS) != (two.unit in _CALENDAR_UNITS):
            below = above = max(below, _CALENDAR * size)
    elif one.dimension == "share" and not one.unit and two.unit:
        below = above = max(below, _FRACTION)
        below = max(below, 0.01 - tiny) if _is_cut_off(two, one) else below
    elif one.dimension == "share" and one.unit and not two.unit and _is_cut_off(one, two):
        above = max(below, 0.01 - tiny)
    elif two.place < one.place * 0.11 and abs(one.low - two.low) <= _ROUNDED * size:
        below = above = max(below, 0.5 * one.place)
    if claim.approx:
        width = 0.5 * min(one.coarse, _DEGREES)
        if not degrees:
            width = max(0.5 * one.coarse, _ABOUT * abs(one.low))
            width = min(width, 0.2 * abs(one.low)) if one.low else width
            if one.dimension == "share" and one.unit in ("", "ratio"):
                width = min(width, _ABOUT_FRACTION)
        below = max(below, width) if claim.approx != "over" else tiny + 0.0
        above = max(above, width) if claim.approx != "under" else tiny + 0.0
        if claim.approx == "about":
            below, above = max(below, width), max(above, width)
    return below, above


def _is_cut_off(percent: Quantity, fraction: Quantity) -> bool:
    """Whether a whole percentage is a fraction with its decimals cut off: 66 % of two thirds."""
    return abs(percent.low - math.floor(fraction.low * 100.0) / 100.0) <= EXACT and percent.place >= 0.01


def _second_digit(quantity: Quantity) -> float:
    """Worth of the second significant digit: the least precision that a bare converted figure claims."""
    size = abs(quantity.low)
    place = quantity.place
    while place * 100 <= size:
        place *= 10
    return place


def _converted(one: Quantity, two: Quantity) -> bool:
    return (
        one.unit != two.unit and bool(one.unit) and bool(two.unit) and one.dimension not in ("share", "times")
    )
