"""The scale on which two values are compared, from unrelated to equal, with the reason where it does not show."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

__all__ = ["Comparison", "Fit"]


class Fit(IntEnum):
    """How a claim's value stands to a value of the evidence, best last."""

    UNRELATED = 0
    """Not comparable: other dimensions, other codes, fields of dates that do not meet."""
    DIFFERENT = 1
    COMPATIBLE = 2
    """Not denied, but not said either: a point inside a range, a day inside the month that is stated."""
    EQUAL = 3


class Comparison(NamedTuple):
    """The fit and, only where the two texts do not show it, why."""

    fit: Fit
    note: str = ""
