"""Comparison of two dates or periods, field by field, as far as both state them.

A claim of some days of the week (``Monday to Friday``) says nothing of the others.
"""

from __future__ import annotations

from datetime import date

from verifier_signals.values.types import Date, Day, Fit, Form, Value, ValueComparison

__all__ = ["compare_dates"]

_WEEK = 7


def compare_dates(claim: Value, mine: Date, evidence: Value, theirs: Date) -> ValueComparison:
    """Compare one reading of the claim's date with one of the evidence's, with the words that limit them."""
    if mine.end and theirs.end:
        fits = (_days(mine.start, theirs.start), _days(mine.end, theirs.end))
        return ValueComparison(min(fits))
    if mine.end:
        fit = _fit_in_period(theirs.start, mine, Fit.COMPATIBLE)
        other_day = fit is Fit.DIFFERENT and mine.start.weekday is not None
        return ValueComparison(Fit.UNRELATED if other_day else fit)
    if theirs.end:
        return ValueComparison(_date_in_period(claim, mine.start, theirs))
    return ValueComparison(_two_days(claim, mine.start, evidence, theirs.start))


def _two_days(claim: Value, mine: Day, evidence: Value, theirs: Day) -> Fit:
    fit = _days(mine, theirs)
    order = _order_of_days(mine, theirs)
    if claim.form is Form.POINT:
        if fit is Fit.DIFFERENT and claim.approx and _are_near_years(mine, theirs):
            return Fit.EQUAL
        return Fit.COMPATIBLE if fit is Fit.DIFFERENT and _within_limit(evidence.form, order) else fit
    if evidence.form is not Form.POINT:
        return fit
    if claim.form in (Form.ABOVE, Form.BELOW) and order is not None:
        if not order:
            return min(fit, Fit.COMPATIBLE)
        return Fit.EQUAL if (order > 0) == (claim.form is Form.ABOVE) else Fit.DIFFERENT
    if claim.form is Form.AT_MOST and fit is Fit.DIFFERENT and order == -1:
        return Fit.COMPATIBLE
    return fit


def _within_limit(limit: Form, order: int | None) -> bool:
    """Whether a date lies on the side that a limit leaves open; ``order`` is where the limit lies from it."""
    if limit in (Form.BELOW, Form.AT_MOST):
        return order == 1
    return limit in (Form.ABOVE, Form.AT_LEAST) and order == -1


def _date_in_period(claim: Value, day: Day, period: Date) -> Fit:
    """A single date of the claim against a period: a limit is compared with the matching end."""
    last = period.end or period.start
    if claim.form in (Form.AT_MOST, Form.BELOW):
        return _days(day, _with_fields_of(last, period.start))
    if claim.form in (Form.AT_LEAST, Form.ABOVE):
        return _days(day, _with_fields_of(period.start, last))
    ends = max(
        _days(day, _with_fields_of(period.start, last)), _days(day, _with_fields_of(last, period.start))
    )
    return ends if ends is Fit.EQUAL else _fit_in_period(day, period, Fit.COMPATIBLE)


def _with_fields_of(day: Day, other: Day) -> Day:
    return Day(day.year or other.year, day.month or other.month, day.day, day.weekday, day.part, day.span)


def _fit_in_period(day: Day, period: Date, inside: Fit) -> Fit:
    until = period.end or period.start
    start, end = _with_fields_of(period.start, until), _with_fields_of(until, period.start)
    if start.weekday is not None and end.weekday is not None:
        return _in_week(day, start.weekday, end.weekday, inside)
    if start.year is None and start.month and end.month and start.month > end.month:
        return _over_new_year(day, start.month, end.month, inside)
    first, last = _order_of_days(start, day), _order_of_days(day, end)
    if first is None or last is None:
        return Fit.UNRELATED
    return inside if first >= 0 and last >= 0 else Fit.DIFFERENT


def _over_new_year(day: Day, low: int, high: int, inside: Fit) -> Fit:
    """A day against a yearly period from ``low`` to ``high`` (``from mid-November to April``)."""
    if day.month is None:
        return Fit.UNRELATED
    return inside if _in_months(day.month, low, high) else Fit.DIFFERENT


def _in_week(day: Day, first: int, last: int, inside: Fit) -> Fit:
    """A day against a stretch of the week, which may go on over its end (``Friday to Monday``)."""
    if day.weekday is None:
        return Fit.UNRELATED
    return inside if (day.weekday - first) % _WEEK <= (last - first) % _WEEK else Fit.DIFFERENT


def _order_of_days(one: Day, two: Day) -> int | None:
    """1 when ``two`` is later, -1 when earlier, 0 when their shared fields are equal; ``None``: no order."""
    for a, b in ((one.year, two.year), (one.month, two.month), (one.day, two.day)):
        if a is not None and b is not None:
            if a != b:
                return 1 if b > a else -1
        elif (a is None) != (b is None):
            return 0 if one.year is not None and two.year is not None and one.year == two.year else None
    return 0


def _are_near_years(one: Day, two: Day) -> bool:
    return (
        one.year is not None and two.year is not None and abs(one.year - two.year) <= 2 and one.month is None
    )


def _days(claim: Day, evidence: Day) -> Fit:
    """Field by field: a field both have must agree; one that only the claim has is not confirmed."""
    if claim.span > 1 or evidence.span > 1:
        return _compare_spans(claim, evidence)
    shared = 0
    missing = False
    for mine, theirs in (
        (claim.year, evidence.year),
        (claim.month, evidence.month),
        (claim.weekday, _weekday(evidence) if claim.weekday is not None else None),
    ):
        if mine is not None and theirs is not None:
            if mine != theirs:
                return Fit.DIFFERENT
            shared += 1
        elif mine is not None:
            missing = True
    fit = _part(claim, evidence)
    if fit is Fit.DIFFERENT:
        return fit
    if not shared and not (fit is Fit.EQUAL and (claim.day is not None or claim.part)):
        return Fit.UNRELATED
    return Fit.COMPATIBLE if missing or fit is Fit.COMPATIBLE else Fit.EQUAL


def _weekday(day: Day) -> int | None:
    """The day of the week, as it is stated, or as it follows from a full date."""
    if day.weekday is not None or day.year is None or day.month is None or day.day is None:
        return day.weekday
    try:
        return date(day.year, day.month, day.day).weekday()
    except ValueError:
        return None


_THIRDS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31), "H1": (1, 15), "H2": (16, 31)}
_MONTHS_OF = {
    "Q1": (1, 3),
    "Q2": (4, 6),
    "Q3": (7, 9),
    "Q4": (10, 12),
    "H1": (1, 6),
    "H2": (7, 12),
    "early": (1, 5),
    "mid": (4, 9),
    "late": (8, 12),
}
_VAGUE = frozenset({"early", "mid", "late"})
"""Parts that are told from each other, though what each may mean overlaps."""
_SEASONS = {"spring": (3, 6), "summer": (6, 9), "autumn": (9, 12), "winter": (12, 3)}
"""First and last month, in the north, as calendars and the weather service together have it."""
_SHARE_OF = {"early": (0.0, 0.5), "mid": (0.3, 0.8), "late": (0.5, 1.0), "H1": (0.0, 0.5), "H2": (0.5, 1.0)}
"""The share of a decade or century that its part may mean."""


def _part(claim: Day, evidence: Day) -> Fit:
    """Days of the month, thirds of a month, quarters and seasons; ``EQUAL`` also when the claim names none."""
    if claim.day is not None and evidence.day is not None:
        return Fit.EQUAL if claim.day == evidence.day else Fit.DIFFERENT
    if claim.part and claim.part == evidence.part:
        return Fit.EQUAL
    for one, two, inside in ((claim, evidence, Fit.EQUAL), (evidence, claim, Fit.COMPATIBLE)):
        if one.part in _MONTHS_OF and one.month is None and two.month is not None:
            low, high = _MONTHS_OF[one.part]
            return inside if low <= two.month <= high else Fit.DIFFERENT
        if one.part in _THIRDS and one.month is not None and two.day is not None:
            low, high = _THIRDS[one.part]
            return inside if low <= two.day <= high else Fit.DIFFERENT
        if one.part in _SEASONS and one.month is None and two.month is not None:
            low, high = _SEASONS[one.part]
            return inside if _in_months(two.month, low, high) else Fit.DIFFERENT
    if claim.part and evidence.part:
        return _two_parts(claim, evidence)
    named = claim.day is not None or bool(claim.part)
    return Fit.COMPATIBLE if named else Fit.EQUAL


def _two_parts(claim: Day, evidence: Day) -> Fit:
    """Two parts of a year: the third quarter lies in its second half, which says less than the quarter."""
    whole_years = claim.month is None and evidence.month is None
    if (
        not whole_years
        or {claim.part, evidence.part} <= _VAGUE
        or not {claim.part, evidence.part} <= _MONTHS_OF.keys()
    ):
        return Fit.DIFFERENT
    (low, high), (first, last) = _MONTHS_OF[claim.part], _MONTHS_OF[evidence.part]
    if low <= first and last <= high:
        return Fit.EQUAL
    return Fit.COMPATIBLE if first <= high and low <= last else Fit.DIFFERENT


def _in_months(month: int, low: int, high: int) -> bool:
    """Whether a month lies between two, which may stand on either side of the turn of the year."""
    return low <= month <= high if low <= high else month >= low or month <= high


def _compare_spans(claim: Day, evidence: Day) -> Fit:
    """Decades and centuries against years."""
    if claim.year is None or evidence.year is None:
        return Fit.UNRELATED
    if (claim.year, claim.span) == (evidence.year, evidence.span):
        return Fit.EQUAL if claim.part in ("", evidence.part) else Fit.COMPATIBLE
    for one, two, inside in ((claim, evidence, Fit.EQUAL), (evidence, claim, Fit.COMPATIBLE)):
        if one.part in _SHARE_OF and one.span > two.span and one.year is not None and two.year is not None:
            low, high = (one.year + share * one.span for share in _SHARE_OF[one.part])
            return inside if low <= two.year < high else Fit.DIFFERENT
    if claim.span >= evidence.span:
        return Fit.EQUAL if claim.year <= evidence.year < claim.year + claim.span else Fit.DIFFERENT
    return Fit.COMPATIBLE if evidence.year <= claim.year < evidence.year + evidence.span else Fit.DIFFERENT
