"""The values of a text: quantities as intervals in base units, dates as fields, with spans; and how two of them fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

__all__ = ["Date", "Day", "Fit", "Form", "Quantity", "Value", "ValueComparison"]


class Form(StrEnum):
    """How a value is stated."""

    POINT = "point"
    RANGE = "range"
    """``5-10``, ``between 4 and 22 November``."""
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    """A limit that is itself allowed: ``up to 10``, ``no more than 10``."""
    ABOVE = "above"
    BELOW = "below"
    """A limit that is not: ``under 10``, ``before 1 November``."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One reading of a number with its unit. ``low`` and ``high`` are in the base unit of ``dimension``.

    ``dimension`` is ``""`` for plain counts; ``length``, ``EUR``, ``share`` (percent and fractions), ``clock``
    (minutes after midnight), ``ordinal``, ``rank`` (a place in a contest), ``code:<prefix>`` otherwise. ``place`` is
    what one unit of the last significant digit is worth, in base units, and ``coarse`` the same with trailing zeros
    taken as rounding.
    """

    dimension: str
    low: float
    high: float
    place: float
    coarse: float
    unit: str = ""
    written: float = 0.0
    """The figure in the unit it is written in; 0 where no unit is."""
    sure: bool = True
    """Whether the text may well mean it. A doubtful reading never confirms, and keeps others from denying."""


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as it is stated: every field may be missing. ``part`` is ``early``, ``mid``, ``late``, a
    season (``spring``), or a quarter (``Q3``). ``span`` is the number of years meant: 10 for a decade."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    part: str = ""
    span: int = 1


@dataclass(frozen=True, slots=True)
class Date:
    """One reading of a date or of a period from ``start`` to ``end``.

    ``order`` is ``dm`` or ``md`` for dates in figures alone (``24/5/2019``); such a reading is not ``sure`` where
    the text does not show which of the two is meant.
    """

    start: Day
    end: Day | None = None
    order: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a text: ``text[start:end]`` quotes it with its unit and its comparing words.

    ``core`` is the span without the comparing words (``30 days`` of ``at least 30 days``). ``approx`` is
    ``about``, ``under`` (``nearly``, ``almost``), ``over`` (``just over``) or empty. ``per`` names the unit of
    time or mass that a rate is stated for. A ``weak`` value (``one``, ``first``, ``once``) never counts as absent.
    A ``named`` limit is what the limit is said to be (``the minimum order is 25 euros``): no other figure meets it.
    """

    start: int
    end: int
    core: tuple[int, int]
    kind: str
    form: Form
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    approx: str = ""
    per: str = ""
    weak: bool = False
    named: bool = False

    @property
    def may_be_age(self) -> bool:
        """Whether it may say how old somebody is (``children under 4``: no four of anything)."""
        return any(one.dimension == "age" for one in self.quantities)


class Fit(IntEnum):
    """How a claim's value stands to a value of the evidence, best last."""

    UNRELATED = 0
    """Not comparable: other dimensions, other codes, fields of dates that do not meet."""
    DIFFERENT = 1
    COMPATIBLE = 2
    """Not denied, but not said either: a point inside a range, a day inside the month that is stated."""
    EQUAL = 3


class ValueComparison(NamedTuple):
    """The fit and, only where the two texts do not show it, why."""

    fit: Fit
    note: str = ""
