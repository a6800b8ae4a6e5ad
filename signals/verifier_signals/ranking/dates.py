"""A date or a time of day in, the stretch of time that it leaves open, as fields that can be put in order, out."""

from __future__ import annotations

from typing import NamedTuple

from verifier_signals.values import Value
from verifier_signals.values.types import Day, Form

__all__ = ["Moment", "moment_of"]

_PARTS = {
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "Q1": (1, 3),
    "Q2": (4, 6),
    "Q3": (7, 9),
    "Q4": (10, 12),
    "early": (1, 4),
    "mid": (5, 8),
    "late": (9, 12),
}
"""Months of a part of a year; a winter belongs to two years, and is left open."""

Fields = tuple[int | None, int | None, int | None, float | None]
"""Year, month, day, minutes after midnight."""


class Moment(NamedTuple):
    """The first and the last point of time that a value may mean; every field may be missing."""

    first: Fields
    last: Fields

    def order(self, other: Moment) -> int | None:
        """-1 where this one lies before the other, 1 where behind it, ``None`` where they may be the same or say
        nothing of each other.

        >>> from verifier_signals.values import parse
        >>> moment_of(parse("in May 2020")[0]).order(moment_of(parse("2021")[0]))
        -1
        """
        if _before(self.last, other.first):
            return -1
        return 1 if _before(other.last, self.first) else None


def _before(one: Fields, two: Fields) -> bool:
    """Whether one point lies before another, by the fields that both have; years only if both or neither have them."""
    if (one[0] is None) != (two[0] is None):
        return False
    for mine, theirs in zip(one, two, strict=True):
        if mine is None and theirs is None:
            continue
        if mine is None or theirs is None:
            return False
        if mine != theirs:
            return mine < theirs
    return False


def moment_of(value: Value) -> Moment:
    """The stretch of time of a date or a time of day; of several readings, of the first."""
    if value.dates:
        date = value.dates[-1]
        months = _PARTS.get(date.start.part)
        first, last = _fields(date.start), _fields(date.end or date.start)
        if months and date.start.month is None and date.end is None:
            first, last = (first[0], months[0], *first[2:]), (last[0], months[1], *last[2:])
        if date.start.span > 1 and last[0] is not None:
            last = (last[0] + date.start.span - 1, *last[1:])
        return Moment(first, last)
    clock = next((one for one in value.quantities if one.dimension == "clock"), None)
    if clock is None or len(value.quantities) > 1 or value.form is Form.RANGE:
        return Moment((None, None, None, None), (None, None, None, None))
    return Moment((None, None, None, clock.low), (None, None, None, clock.high))


def _fields(day: Day) -> Fields:
    return day.year, day.month, day.day, None
