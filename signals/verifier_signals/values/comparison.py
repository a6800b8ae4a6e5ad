"""Comparison of two values: equal within a tolerance, compatible, different, or about different things."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace

from verifier.core.deadline import checkpoint
from verifier.core.lexicon import lexicon
from verifier_signals.values.codes import PHONE_NUMBERS, same_phone
from verifier_signals.values.date_comparison import compare_dates
from verifier_signals.values.types import Fit, Form, Quantity, Value, ValueComparison
from verifier_signals.values.units import is_currency

__all__ = ["EXACT", "compare", "may_be_equal", "tolerance"]

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


def tolerance(claim: Value, one: Quantity, two: Quantity) -> tuple[float, float]:
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


_FINER = 0.01
"""The most by which a measure may be finer than the evidence has it: at two whole digits, half of the last one is more
than this on average."""
_UNITLESS = frozenset({"", "ordinal", "ratio", "share", "times", "clock"})


def compare(claim: Value, evidence: Value) -> ValueComparison:
    """Compare two values; ambiguous ones (``pounds``, ``03/04/2024``) by their best readings.

    >>> from verifier_signals.values.extraction import parse
    >>> compare(parse("about 70 million")[0], parse("69.3 million")[0]).fit.name
    'EQUAL'
    """
    checkpoint()
    best = ValueComparison(Fit.UNRELATED)
    alike = [one.low for one in claim.quantities] == [two.low for two in evidence.quantities]
    for one, two in _pairs(claim.quantities, evidence.quantities):
        found = _quantities(claim, one, evidence, two)
        best = max(
            best, found if alike or (one.sure and two.sure) else _unconfirmed(found, _what_is_doubtful(one))
        )
    for mine in claim.dates:
        for theirs in evidence.dates:
            found = compare_dates(claim, mine, evidence, theirs)
            if not (mine.sure and theirs.sure) and mine.order != theirs.order:
                found = _unconfirmed(found, "whether the day or the month stands first")
            if claim.kind == evidence.kind or found.fit is not Fit.DIFFERENT:
                best = max(best, found)
    return best


def may_be_equal(claim: Value, evidence: Value) -> bool:
    """Whether two values are of one sort, so that :func:`compare` can find them equal: a tenth of its time."""
    if claim.dates and evidence.dates:
        return True
    for one in claim.quantities:
        for two in evidence.quantities:
            if one.dimension == two.dimension:
                return True
    return False


def _what_is_doubtful(one: Quantity) -> str:
    return "which half of the day is meant" if one.dimension == "clock" else "what the mark in it means"


def _unconfirmed(found: ValueComparison, what: str) -> ValueComparison:
    """A fit of a reading that the text may not mean: it never confirms."""
    return ValueComparison(Fit.COMPATIBLE, f"it is not said {what}") if found.fit is Fit.EQUAL else found


def _pairs(mine: tuple[Quantity, ...], theirs: tuple[Quantity, ...]) -> list[tuple[Quantity, Quantity]]:
    """Every pair of readings; only ages where both can be ages."""
    pairs = list(itertools.product(mine, theirs))
    return [pair for pair in pairs if pair[0].dimension == pair[1].dimension == "age"] or pairs


def _quantities(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> ValueComparison:
    if one.dimension.startswith("code:"):
        if one.dimension != two.dimension:
            return ValueComparison(Fit.UNRELATED)
        if one.unit == two.unit or (one.dimension == PHONE_NUMBERS and same_phone(one.unit, two.unit)):
            return ValueComparison(Fit.EQUAL)
        part = one.unit.startswith(two.unit) or two.unit.startswith(one.unit)
        return ValueComparison(Fit.COMPATIBLE if part else Fit.DIFFERENT)
    if one.dimension != two.dimension:
        return _other_dimension(one, two)
    if one.dimension == "clock" and one.unit != two.unit:
        return _one_zoned(claim, one, evidence, two)
    if claim.per != evidence.per and (scale := _scale(claim.per, evidence.per)):
        two = Quantity(
            two.dimension, two.low / scale, two.high / scale, two.place / scale, two.coarse / scale, two.unit
        )
        note = f"a {claim.per} against a {evidence.per}"
        return ValueComparison(_fit(claim, one, evidence, two), note)
    fit = _fit(claim, one, evidence, two)
    return ValueComparison(fit, _note(one, two, fit))


def _one_zoned(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> ValueComparison:
    """Times of day of which one has a zone: a claim that leaves it out says less, one that adds it says more."""
    local = [replace(time, low=time.written, high=time.written) if time.unit else time for time in (one, two)]
    fit = _fit(claim, local[0], evidence, local[1])
    return ValueComparison(
        min(fit, Fit.COMPATIBLE) if one.unit else fit, "the zone is not stated" if one.unit else ""
    )


_PER_YEAR = {
    "second": 31557600.0,
    "minute": 525960.0,
    "hour": 8766.0,
    "day": 365.25,
    "night": 365.25,
    "week": 52.18,
    "fortnight": 26.09,
    "month": 12.0,
    "quarter": 4.0,
    "year": 1.0,
    "annum": 1.0,
    "decade": 0.1,
    "century": 0.01,
}
_PER_TONNE = {"gram": 1e6, "kg": 1e3, "tonne": 1.0}


def _scale(mine: str, theirs: str) -> float:
    """How many times one unit that a rate is stated for goes into another; 0 where they are no two of one sort."""
    for sort in (_PER_YEAR, _PER_TONNE):
        if mine in sort and theirs in sort:
            return sort[mine] / sort[theirs]
    return 0.0


_OF_SPACE = frozenset({"length", "area", "volume"})
"""What has the same figure in two of these (``420 m²``, ``420 m³``) is two statements about one thing."""


def _other_dimension(one: Quantity, two: Quantity) -> ValueComparison:
    """The same figure in another currency, or in working days, is another statement about the same thing."""
    pair = {one.dimension, two.dimension}
    if all(map(is_currency, pair)) and one.low == two.low and one.high == two.high:
        return ValueComparison(Fit.DIFFERENT, "the currencies differ")
    if pair == {"points", "share"} and one.unit and two.unit and abs(one.low - two.low) <= EXACT:
        return ValueComparison(Fit.DIFFERENT, "percentage points are not per cent")
    if pair <= _OF_SPACE and one.written == two.written != 0.0:
        return ValueComparison(Fit.DIFFERENT, "the units differ")
    if (
        pair == {"workdays", "time"}
        and "days" in (one.unit, two.unit)
        and one.low / _base(one) == two.low / _base(two)
    ):
        return ValueComparison(Fit.COMPATIBLE, "working days are not calendar days")
    return ValueComparison(Fit.UNRELATED)


def _base(quantity: Quantity) -> float:
    return 86400.0 if quantity.dimension == "time" else 1.0


def _note(one: Quantity, two: Quantity, fit: Fit) -> str:
    same = one.unit.rstrip("s").lower() == two.unit.rstrip("s").lower() or (
        one.low * two.written == two.low * one.written != 0.0  # ``m`` and ``metres``
    )
    if one.dimension in _UNITLESS or same or not one.unit or not two.unit:
        return ""
    return "the same in other units" if fit is Fit.EQUAL else "the units differ"


def _fit(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    if _on_two_sides(claim, one, evidence, two):
        return Fit.DIFFERENT
    points = claim.form is Form.POINT and evidence.form is Form.POINT
    if points:
        return _two_points(claim, one, evidence, two)
    if claim.form is Form.RANGE and evidence.form is Form.RANGE:
        return _two_ranges(claim, one, evidence, two)
    if claim.form is Form.POINT:
        return _point_in(claim, one, evidence, two)
    if evidence.form is Form.POINT:
        return _point_meets(claim, one, evidence, two)
    return _two_limits(claim, one, evidence, two)


_SIDES: Mapping[str, int] = {"under": -1, "over": 1}
_FORM_SIDES: Mapping[Form, int] = {Form.BELOW: -1, Form.AT_MOST: -1, Form.ABOVE: 1, Form.AT_LEAST: 1}


def _on_two_sides(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> bool:
    """Whether one is said to be a little under, or over, the figure on the other side of which the other one is.

    ``Nearly 300`` are not more than 300, and not at least 300; ``just over 2 km`` are not under 2 km.
    """
    if not (claim.approx in _SIDES or evidence.approx in _SIDES):
        return False
    mine, theirs = (_SIDES.get(value.approx) or _FORM_SIDES.get(value.form, 0) for value in (claim, evidence))
    below, above = tolerance(replace(claim, approx=""), one, two)
    return mine * theirs < 0 and abs(one.low - two.low) <= max(below, above)


def _two_points(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    """Two figures; an exact one is not confirmed by ``about 9,000``, but not denied either."""
    if _is_same_figure(claim, one, evidence, two):
        return Fit.EQUAL
    if (one.low < 0) != (two.low < 0):
        return Fit.DIFFERENT
    apart = abs(one.low - two.low)
    vague = evidence.approx == "about" and not claim.approx and apart <= 0.5 * two.coarse
    return Fit.COMPATIBLE if vague or _is_finer(one, two, apart) else Fit.DIFFERENT


def _is_finer(one: Quantity, two: Quantity, apart: float) -> bool:
    """Whether the claim's measure is one that the evidence may have rounded: 46.7 km, of 47 km."""
    measured = bool(one.unit and two.unit) and not (one.dimension.isupper() or one.dimension in _UNITLESS)
    rounded = one.place < 0.11 * two.place and apart <= 0.5 * two.place
    return measured and rounded and apart <= _FINER * abs(two.low)


def _is_same_figure(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> bool:
    if (one.low < 0) != (two.low < 0):
        return False
    below, above = tolerance(claim, one, two)
    if one.low - below <= two.low <= one.low + above:
        return True
    if evidence.approx and not claim.approx:
        return one.coarse >= two.coarse and abs(one.low - two.low) <= 0.5 * two.coarse
    return False


def _point_in(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    """A figure of the claim against a range or limit of the evidence."""
    if evidence.form is Form.RANGE:
        return Fit.COMPATIBLE if two.low <= one.low <= two.high else Fit.DIFFERENT
    if _is_same_figure(claim, one, evidence, two):
        beyond = one.dimension == "age" and evidence.form in (Form.ABOVE, Form.BELOW)
        return Fit.DIFFERENT if beyond else Fit.EQUAL
    return Fit.COMPATIBLE if _is_within_limit(evidence.form, two.low, one.low, 0.0) else Fit.DIFFERENT


def _point_meets(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    """A range or limit of the claim against a figure of the evidence."""
    if claim.named:
        return Fit.EQUAL if _is_same_figure(claim, one, evidence, two) else Fit.DIFFERENT
    below, above = tolerance(claim, one, two)
    sizes = sorted((abs(one.low), abs(two.low)))
    if claim.form is not Form.RANGE and sizes[1] > _LOOSE * sizes[0] > 0:
        return Fit.COMPATIBLE if _is_within_limit(claim.form, one.low, two.low, 0.0) else Fit.DIFFERENT
    if claim.form is _NEARLY.get(evidence.approx) and abs(two.low - one.low) <= max(below, above):
        return Fit.EQUAL
    if claim.form is Form.RANGE:
        if min(abs(two.low - one.low), abs(two.low - one.high)) <= max(below, above):
            return Fit.COMPATIBLE
        return Fit.EQUAL if one.low < two.low < one.high else Fit.DIFFERENT
    beyond = claim.form in (Form.ABOVE, Form.BELOW) and abs(two.low - one.low) > EXACT * abs(one.low)
    if beyond and _is_within_limit(claim.form, one.low, two.low, 0.0):
        return Fit.EQUAL
    if abs(two.low - one.low) <= max(below, above):
        return Fit.EQUAL if claim.form in (Form.AT_LEAST, Form.AT_MOST) else Fit.COMPATIBLE
    if not _is_within_limit(claim.form, one.low, two.low, 0.0):
        return Fit.DIFFERENT
    return Fit.COMPATIBLE if claim.form is Form.AT_MOST else Fit.EQUAL


_LOOSE = 10.0
"""``More than a hundred`` is not said of two thousand: a limit so far off is about something else."""
_NEARLY = {"under": Form.BELOW, "over": Form.ABOVE}
"""``Nearly nine years`` are less than nine."""


def _is_within_limit(form: Form, limit: float, value: float, tolerance: float) -> bool:
    if form in (Form.AT_LEAST, Form.ABOVE):
        return value >= limit - tolerance
    return value <= limit + tolerance


def _two_ranges(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    low = _is_same_figure(claim, one, evidence, two)
    high = _is_same_figure(claim, _at_high(one), evidence, _at_high(two))
    if low or high:  # a range with one end changed is another one
        return Fit.EQUAL if low and high else Fit.DIFFERENT
    if one.low <= two.low and two.high <= one.high:
        return Fit.COMPATIBLE
    return Fit.DIFFERENT


def _at_high(quantity: Quantity) -> Quantity:
    return Quantity(
        quantity.dimension, quantity.high, quantity.high, quantity.place, quantity.coarse, quantity.unit
    )


_UPWARD = frozenset({Form.AT_LEAST, Form.ABOVE})


def _two_limits(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    """Limits against limits or ranges. Another limit of the same direction is another rule."""
    if claim.named and evidence.form is Form.RANGE:
        end = two if claim.form in _UPWARD else _at_high(two)
        return Fit.EQUAL if _is_same_figure(claim, one, evidence, end) else Fit.DIFFERENT
    if claim.form is Form.RANGE or evidence.form is Form.RANGE:
        return _limit_and_range(claim, one, evidence, two)
    up = claim.form in _UPWARD
    below, above = tolerance(claim, one, two)
    near = abs(one.low - two.low) <= max(below, above)
    if up == (evidence.form in _UPWARD):
        if near or _same_counts(claim, one, evidence, two):
            return Fit.EQUAL
        implied = two.low > one.low if up else two.low < one.low
        rounder = one.coarse > two.coarse
        told = claim.form in (Form.ABOVE, Form.BELOW) and one.dimension != "age" and rounder
        return Fit.COMPATIBLE if implied and told else Fit.DIFFERENT
    if near and one.dimension == "clock":
        return Fit.COMPATIBLE
    if near:
        # ``Up to 14 days before arrival`` and ``at least 14 days before`` are one rule; of other things they are two.
        told = {claim.form, evidence.form} == {Form.AT_LEAST, Form.AT_MOST} and one.dimension in _BEFOREHAND
        told = told and not (claim.per or evidence.per)
        return Fit.COMPATIBLE if told else Fit.DIFFERENT
    apart = one.low > two.low if up else one.low < two.low
    return Fit.DIFFERENT if apart else Fit.COMPATIBLE


_BEFOREHAND = frozenset({"time", "workdays", "interval"})
_COUNTED = frozenset({"", "age"})
"""Dimensions in which there is nothing between one whole number and the next."""


def _same_counts(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> bool:
    """``Six or more`` are ``more than five``, and ``five and under`` are ``under six``."""
    if one.dimension not in _COUNTED or not (one.low.is_integer() and two.low.is_integer()):
        return False
    return _first_allowed(claim.form, one.low) == _first_allowed(evidence.form, two.low)


def _first_allowed(form: Form, limit: float) -> float:
    """The whole number at which a limit begins to hold."""
    return limit + {Form.ABOVE: 1.0, Form.BELOW: -1.0}.get(form, 0.0)


def _limit_and_range(claim: Value, one: Quantity, evidence: Value, two: Quantity) -> Fit:
    if claim.form is Form.RANGE:
        limit_up = evidence.form in _UPWARD
        outside = one.high < two.low if limit_up else one.low > two.low
        return Fit.DIFFERENT if outside else Fit.COMPATIBLE
    edge = two.low if claim.form in _UPWARD else two.high
    if _is_same_figure(
        claim, one, evidence, Quantity(two.dimension, edge, edge, two.place, two.coarse, two.unit)
    ):
        return Fit.EQUAL
    if _is_within_limit(claim.form, one.low, edge, 0.0):
        return Fit.EQUAL if claim.form in (Form.ABOVE, Form.BELOW) else Fit.COMPATIBLE
    reaches = two.high > one.low if claim.form in _UPWARD else two.low < one.low
    return Fit.COMPATIBLE if reaches and claim.form in (Form.ABOVE, Form.BELOW) else Fit.DIFFERENT
