"""Arithmetic on the values of a text: differences, ratios, shares, sums, products and periods, with their sources."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR
from typing import NamedTuple

from verifier_signals.values.types import Date, Day, Form, Quantity, Value

__all__ = [
    "Derived",
    "changes",
    "dates_apart",
    "derived",
    "differences",
    "periods",
    "products",
    "quotients",
    "ratios",
    "remainders",
    "shares_of",
    "step_ends",
    "sums",
]

MOST_VALUES = 8
"""Of more values than this some two give any figure by chance."""
_YEAR = 31557600.0
_DAY_MINUTES = 1440.0
_FINE = 1e-9
_NEAR_YEAR = 0.01
_OLDEST = 122
"""Years of the longest life on record, Jeanne Calment's: a count above it is no age."""
_NO_AMOUNT = frozenset({"ordinal", "clock", "interval"})


class Derived(NamedTuple):
    """A figure that a text does not state, but from which it follows: ``value`` has no place of its own."""

    value: Value
    sources: tuple[Value, ...]


def derived(dimension: str, number: float, *sources: Value, unit: str = "", fine: bool = True) -> Derived:
    """A derived quantity; ``fine``: exact, however its sources were rounded."""
    place = _FINE * max(1.0, abs(number)) if fine else 1.0
    quantity = Quantity(dimension, number, number, place, place, unit)
    return Derived(Value(0, 0, (0, 0), "number", Form.POINT, (quantity,)), sources)


def _amounts(values: Sequence[Value], dimension: str | None = None) -> list[tuple[Value, Quantity]]:
    """The amounts that may be reckoned with, each in one reading, of one dimension where one is asked for."""
    found = []
    for value in values:
        for one in value.quantities:
            usable = one.dimension not in _NO_AMOUNT and not one.dimension.startswith("code:")
            usable = usable and not (one.dimension == "" and value.may_be_age)
            if usable and value.form is not Form.RANGE and dimension in (None, one.dimension):
                found.append((value, one))
                break
    return found if len(found) <= MOST_VALUES else []


def _pairs(values: Sequence[Value]) -> Iterator[tuple[Value, Quantity, Value, Quantity]]:
    """Two amounts in the first dimension that they share, in reading order."""
    usable = [value for value, _ in _amounts(values) if not value.weak]
    for one, two in itertools.combinations(usable, 2):
        shared = (
            (one, a, two, b)
            for a, b in itertools.product(one.quantities, two.quantities)
            if a.dimension == b.dimension and a.dimension not in _NO_AMOUNT
        )
        yield from itertools.islice(shared, 1)


def differences(values: Sequence[Value], dimension: str) -> Iterator[Derived]:
    """``75 minutes`` from ``3 h 10`` and ``1 h 55``; percentage points from two percentages."""
    of = "share" if dimension == "points" else dimension
    for one, a, two, b in _pairs(values):
        if a.dimension == of:
            yield derived(dimension, abs(b.low - a.low), one, two, unit=a.unit if dimension == of else "")


def ratios(values: Sequence[Value], dimension: str, large: bool) -> Iterator[Derived]:
    """How many times the smaller goes into the larger of two amounts (``large``), or the other way round."""
    for one, a, two, b in _pairs(values):
        small, great = sorted((abs(a.low), abs(b.low)))
        if small and a.dimension not in ("times", "ratio"):
            yield derived(dimension, great / small if large else small / great, one, two)


def shares_of(values: Sequence[Value]) -> Iterator[Derived]:
    """``2.5 %`` from ``16`` of ``640``."""
    return ratios(values, "share", large=False)


def remainders(values: Sequence[Value]) -> Iterator[Derived]:
    """What a share leaves of the whole: a third, of ``two thirds``."""
    for value, one in _amounts(values, "share"):
        if 0.0 < one.low < 1.0:
            yield derived("share", 1.0 - one.low, value, unit=one.unit)


def changes(values: Sequence[Value]) -> Iterator[Derived]:
    """The relative change from the first to the second of two amounts; of a multiple (``doubled``), ``100 %``."""
    for first, a, last, b in _pairs(values):
        if a.low:
            yield derived("share", abs(b.low - a.low) / abs(a.low), first, last)
    for value, one in _amounts(values):
        if one.dimension == "times" and one.low > 1:
            yield derived("share", one.low - 1.0, value)


def sums(values: Sequence[Value], dimension: str) -> Iterator[Derived]:
    """Of two or more neighbours in a row of amounts of one dimension."""
    found = _amounts(values, dimension)
    for start, end in itertools.combinations(range(len(found) + 1), 2):
        if end - start > 1:
            parts = found[start:end]
            total = sum(one.low for _, one in parts)
            yield derived(dimension, total, *(value for value, _ in parts), unit=parts[0][1].unit)


def products(values: Sequence[Value], dimension: str) -> Iterator[Derived]:
    """An amount times a count, or a share of an amount (``half of the 36 flats``)."""
    for value, one in _amounts(values, dimension):
        for other, two in _amounts(values):
            if other is not value and two.dimension in ("", "share") and (dimension or two.dimension):
                yield derived(dimension, one.low * two.low, value, other, unit=one.unit)


def quotients(values: Sequence[Value], dimension: str) -> Iterator[Derived]:
    """An amount divided by a count (``two equal instalments``)."""
    for value, one in _amounts(values, dimension):
        for other, two in _amounts(values, ""):
            if other is not value and two.low > 1:
                yield derived(dimension, one.low / two.low, value, other, unit=one.unit)


def step_ends(step: Value, sign: int, known: Value, begins: bool, dimension: str) -> Iterator[Derived]:
    """What lies a step beside an amount: ``9`` from ``14, five more than``; ``15`` from ``45, three times as much``.

    Args:
        step: how far, as a difference, a share or a multiple.
        sign: 1 upwards, -1 downwards, 0 where the step is a share of the amount (``a fifth of that``).
        known: the amount.
        begins: whether the amount is where the step begins; else it is where it ends.
        dimension: the dimension asked for.
    """
    for move, one in itertools.product(step.quantities, known.quantities):
        if one.dimension != dimension or not one.low or not move.low:
            continue
        number = None
        if move.dimension == "times" or (move.dimension == "share" and not sign):
            number = one.low * move.low if begins or not sign else one.low / move.low
        elif move.dimension == "share" and (factor := 1 + sign * move.low) > 0:
            number = one.low * factor if begins else one.low / factor
        elif move.dimension == dimension or (move.dimension, dimension) == ("points", "share"):
            number = one.low + (sign if begins else -sign) * move.low
        if number is not None:
            yield derived(dimension, number, known, step, unit=one.unit)


def periods(values: Sequence[Value]) -> Iterator[Derived]:
    """The time between two times of day, or between two years: as a duration, and as an age."""
    clocks = [(value, one) for value in values for one in value.quantities[:1] if one.dimension == "clock"]
    for (opens, low), (closes, high) in itertools.combinations(clocks, 2):
        yield derived("time", (high.low - low.low) % _DAY_MINUTES * 60.0, opens, closes, unit="minutes")
    years = [
        (value, year)
        for value in values
        for date in value.dates[:1]
        for day in (date.start, date.end)
        if day is not None and (year := day.year) is not None and day.span == 1
    ]
    for (first, a), (last, b) in itertools.combinations(years, 2):
        for number in {abs(b - a), abs(b - a) - (first is not last)}:
            yield derived("time", number * _YEAR, first, last, unit="years")
            yield derived("age", float(number), first, last)
            yield derived("", float(number), first, last)


def dates_apart(values: Sequence[Value], bare: Sequence[Value]) -> Iterator[Derived]:
    """The year that lies a number of years behind or before another (``added three years later``).

    ``bare`` are counts that stand alone, which may be ages (``who was then 29``).
    """
    lengths = [(value, years) for value in values if (years := _whole_years(value))]
    lengths += [(value, round(age)) for value in bare if 0 < (age := value.quantities[0].low) <= _OLDEST]
    for value in values:
        year = value.dates[0].start.year if value.dates and value.kind == "date" else None
        if year is None:
            continue
        for length, number in lengths:
            for moved in (Date(Day(to)) for to in (year + number, year - number) if 0 < to <= MAXYEAR):
                yield Derived(Value(0, 0, (0, 0), "date", Form.POINT, (), (moved,)), (value, length))


def _whole_years(value: Value) -> int:
    """A duration or an age in years, 0 where it is not a whole number of them."""
    for one in value.quantities:
        years = one.low / _YEAR if one.dimension == "time" else one.low if one.dimension == "age" else 0.0
        if years >= 1 and abs(years - round(years)) < _NEAR_YEAR:
            return round(years)
    return 0
