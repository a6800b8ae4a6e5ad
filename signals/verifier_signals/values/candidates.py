"""Candidates: for each value of a claim, the values of the evidence that it may be confirmed or contradicted by.

In a row whose columns are headed by dates or quantities, it is the value in the column that the claim names: ``H1 2025:
1,146; H1 2024: 1,203`` denies that there were 1,203 in June 2025; ``40 mg: 19; 20 mg: 11`` denies that 19 were on 20
mg.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from heapq import nlargest
from typing import NamedTuple

from verifier_signals.syntax import read
from verifier_signals.values.alignment import AgreeingPairs, contrast, tie
from verifier_signals.values.comparability import meant_end, measure_the_same, opposite_edges
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.derivation import goes_down, is_difference
from verifier_signals.values.ellipsis import is_bare
from verifier_signals.values.modifiers import ChangePart
from verifier_signals.values.quantities import says_negative
from verifier_signals.values.types import Fit, Form, Value, ValueComparison
from verifier_signals.values.weights import TieWeights

__all__ = [
    "Candidate",
    "candidates",
    "covered_cases",
    "fits_better",
    "is_nearer_to_a_limit",
    "is_since_alike",
    "specificity",
]

_FAR = 1000.0
_DATE_FIELDS = 3
_OTHER_SIZE = 50.0
_SAID_NEAR = 32
"""Code points on either side of a figure, in which a word says that it is a loss."""

_EXCEPT = "unless"
_PART_OF = re.compile(r"\s+of\s+(?:the|these|those|them|its|their|his|her|which|whom|our)\b")
_SIDE = {Form.AT_LEAST: ChangePart.END, Form.ABOVE: ChangePart.END, Form.BELOW: ChangePart.START}
"""On which side of a dated change a claim speaks that holds ``since`` or ``before`` its date."""


class Candidate(NamedTuple):
    """A value of the evidence beside one of the claim."""

    comparison: ValueComparison
    tie: float
    value: Value
    rival: bool
    """Whether a difference to it can be a conflict: it measures the same thing by more than its subject."""


def candidates(claim: ValueText, evidence: ValueText) -> tuple[list[list[Candidate]], AgreeingPairs]:
    """For each value of the claim, the comparable values of the evidence, in order; and the pairs that name the case.

    A value that does not equal it is left out where another value of the claim does.
    """
    compared = [
        [
            (theirs, comparison)
            for theirs in evidence.values
            if (comparison := _compared(claim, mine, evidence, theirs)).fit is not Fit.UNRELATED
            and not _is_other_part(claim, mine, evidence, theirs)
        ]
        for mine in claim.values
    ]
    equal = [[theirs for theirs, found in row if found.fit is Fit.EQUAL] for row in compared]
    beside = [(mine, row[0]) for mine, row in zip(claim.values, equal, strict=True) if len(row) == 1]
    table = [
        [_candidate(claim, mine, evidence, theirs, found, beside) for theirs, found in row]
        for mine, row in zip(claim.values, compared, strict=True)
    ]
    return _without_taken(claim.values, table), beside


def _compared(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> ValueComparison:
    return compare(_with_sign_of(claim, mine, evidence, theirs), meant_end(claim, mine, evidence, theirs))


def _with_sign_of(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> Value:
    """The claim's figure with the sign that the evidence has: ``fell by 2 %`` and ``a loss of 2 %`` are ``-2 %``."""
    signs = [{math.copysign(1.0, one.low) for one in value.quantities if one.low} for value in (mine, theirs)]
    if signs[0] == signs[1] or -1.0 not in signs[0] | signs[1] or not signs[0] or not signs[1]:
        return mine
    step = claim.part(mine) is ChangePart.STEP and goes_down(claim, mine)
    if not step and not _is_said_negative(claim, mine) and not _is_said_negative(evidence, theirs):
        return mine
    turned = [replace(one, low=-one.high, high=-one.low) for one in mine.quantities]
    return replace(mine, quantities=tuple(turned))


def _is_said_negative(text: ValueText, value: Value) -> bool:
    """Whether the words at a figure without a minus, or its label, say that it is one of less."""
    if any(one.low < 0 for one in value.quantities) and not text.in_field(value):
        return False
    start, end = text.sentence(value)
    around = text.text[max(start, value.start - _SAID_NEAR) : min(end, value.end + _SAID_NEAR)]
    return says_negative(around) or says_negative(text.label(value))


def covered_cases(claim: ValueText, table: Sequence[Sequence[Candidate]]) -> AgreeingPairs:
    """The claim's single values, each with the only limit or range of the evidence that it lies within: the case that
    the claim puts (``a month after``) with the rule for it (``within 60 days``)."""
    found = [
        (mine, [one.value for one in row if one.comparison.fit is Fit.COMPATIBLE])
        for mine, row in zip(claim.values, table, strict=True)
        if mine.form is Form.POINT and not mine.dates
    ]
    return [
        (mine, within[0]) for mine, within in found if len(within) == 1 and within[0].form is not Form.POINT
    ]


def _is_other_part(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether the two are different parts of a change or period, or one is the distance between two figures."""
    if opposite_edges(claim, mine, evidence, theirs) or _is_exception(claim, mine, evidence, theirs):
        return True
    part = evidence.part(theirs)
    own = claim.part(mine)
    if own is ChangePart.NONE and part in (ChangePart.START, ChangePart.END):
        own = _part_by_date(claim, mine, evidence, theirs)
    if own.excludes(part):
        return True
    return is_difference(claim.text, mine) and evidence.part(theirs) in (ChangePart.START, ChangePart.END)


def _is_exception(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether a limit says for whom a rule does not hold (``unless they hold fewer than 200``), and the claim, which
    makes no such exception, puts a case."""
    if mine.form is not Form.POINT or theirs.form is Form.POINT:
        return False
    return _opener(evidence.text, theirs.start) == _EXCEPT != _opener(claim.text, mine.start)


def _opener(text: str, at: int) -> str:
    """The word that opens the clause which a place of the text is in."""
    reading = read(text)
    inside = [one for one in reading.clauses if reading.tokens[one.first].start <= at]
    return inside[-1].opener if inside else ""


def _part_by_date(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> ChangePart:
    """The part that the claim's date gives its figure in the change that the evidence tells of.

    ``In 1990`` is the beginning of ``between 1990 and 2020``, and what holds ``since July`` the end of ``was raised in
    July``.
    """
    told = evidence.sentence(theirs)
    dates = [one for one in evidence.values if one.dates and told[0] <= one.start < told[1]]
    for own in claim.values:
        year = own.dates[0].start.year if own.dates and claim.sentence(own) == claim.sentence(mine) else None
        if year is None or own.form is Form.RANGE:
            continue
        for date in dates:
            first, last = date.dates[0].start.year, date.dates[0].end
            if last is not None and year in (first, last.year) and first != last.year:
                return ChangePart.START if year == first else ChangePart.END
            if last is None and year == first and date.form is Form.POINT and own.form in _SIDE:
                return _SIDE[own.form]
    return ChangePart.NONE


def _without_taken(values: Sequence[Value], table: list[list[Candidate]]) -> list[list[Candidate]]:
    """The candidates that no other value of the claim equals; a year (``the 2025 rules``) takes no day of that year
    from a claim's other day."""
    takers: dict[int, list[tuple[int, int]]] = {}
    for at, row in enumerate(table):
        for start in {one.value.start for one in row if one.comparison.fit is Fit.EQUAL}:
            takers.setdefault(start, []).append((_date_fields(values[at]), at))
    fullest = {start: nlargest(2, found) for start, found in takers.items()}
    return [
        [
            candidate
            for candidate in row
            if candidate.comparison.fit is Fit.EQUAL
            or not any(
                other != at and fields >= _date_fields(values[at])
                for fields, other in fullest.get(candidate.value.start, ())
            )
        ]
        for at, row in enumerate(table)
    ]


def _date_fields(value: Value) -> int:
    """How many of year, month and day a date gives; of all else, as many as a date can."""
    if not value.dates:
        return _DATE_FIELDS
    start = value.dates[0].start
    return sum(field is not None for field in (start.year, start.month, start.day))


def _candidate(
    claim: ValueText,
    mine: Value,
    evidence: ValueText,
    theirs: Value,
    comparison: ValueComparison,
    beside: AgreeingPairs,
) -> Candidate:
    ties = claim.ties
    found = tie(claim, mine, evidence, theirs, beside)
    strength = found.strength
    if mine.quantities and mine.quantities[0].dimension in ("", "ordinal"):
        strength *= _same_count(claim, mine, evidence, theirs)
    if comparison.fit is Fit.EQUAL:
        return Candidate(comparison, strength, theirs, False)
    needed = _needed_tie(ties, mine)
    needed = min(needed, ties.same_month) if _shared_fields(mine, theirs, "month") else needed
    titled = bool(mine.kind == "date" or theirs.dates) and evidence.in_title(theirs)
    named = not titled and not evidence.in_label(theirs) and evidence.row_is_named(theirs, claim.near(mine))
    if not named or not measure_the_same(claim, mine, evidence, theirs) or _is_far(mine, theirs):
        return Candidate(comparison, strength, theirs, False)
    if _same_figure(mine, theirs) or evidence.sole_in_row(theirs, claim.near(mine)):
        return Candidate(comparison, strength, theirs, strength >= ties.sure)
    needed += ties.other_size if _other_size(mine, theirs) else 0.0
    return Candidate(comparison, strength, theirs, strength >= needed and found.common >= ties.common)


def _needed_tie(ties: TieWeights, mine: Value) -> float:
    """The tie from which a difference is a conflict."""
    by_kind = {
        "date": ties.conflict_date,
        "time": ties.conflict_time,
        "code": ties.conflict_code,
        "ordinal": ties.conflict_ordinal,
    }
    return by_kind.get(mine.kind, ties.conflict)


def _same_figure(mine: Value, theirs: Value) -> bool:
    """``742 MWh`` and ``742 GWh``, ``10 March 2025`` and ``10 May 2025``: so much alike is hardly met by chance."""
    if _shared_fields(mine, theirs, "day") == _DATE_FIELDS - 1:
        return True
    return any(
        one.written == two.written != 0.0 and one.unit != two.unit and one.dimension == two.dimension
        for one in mine.quantities
        for two in theirs.quantities
    )


def _shared_fields(mine: Value, theirs: Value, needed: str) -> int:
    """How many of year, month and day two dates share; 0 when they do not share the field that is needed."""
    if not mine.dates or not theirs.dates or mine.dates[0].end or theirs.dates[0].end:
        return 0
    one, two = mine.dates[0].start, theirs.dates[0].start
    shared = [
        field for field in ("year", "month", "day") if getattr(one, field) == getattr(two, field) is not None
    ]
    return len(shared) if needed in shared else 0


def _is_far(mine: Value, theirs: Value) -> bool:
    """Whether one figure is so much larger than the other that no slip can explain it, but for a slip of scale."""
    if not mine.quantities or not theirs.quantities:
        return False
    one, two = abs(mine.quantities[0].low), abs(theirs.quantities[0].low)
    return bool(one and two) and max(one / two, two / one) > _FAR and _other_size(mine, theirs)


def _same_count(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> float:
    """1 when both count the same things, as far as can be seen; else the share of the tie that is left."""
    one, two = claim.head(mine), evidence.head(theirs)
    if mine.kind == "ordinal":
        same = bool(one & two) or not (one or two)
        return float(same and 1.0 not in (mine.quantities[0].low, theirs.quantities[0].low))
    if not one and not two:
        return 1.0
    ties = claim.ties
    if one and two and not one & two and is_bare(evidence.text, theirs):
        return 1.0 if any(evidence.near(theirs).get(key, 0.0) >= 0.5 for key in one) else ties.unsaid_head
    if not one or not two:
        around = evidence.near(theirs) if one else claim.near(mine)
        return 1.0 if any(around.get(key, 0.0) >= 0.5 for key in one or two) else claim.ties.other_head
    return 1.0 if one & two else claim.ties.other_head


def _other_size(mine: Value, theirs: Value) -> bool:
    """Whether two figures are of another order of size and not one figure with another scale word."""
    if not mine.quantities or not theirs.quantities:
        return False
    one, two = abs(mine.quantities[0].low), abs(theirs.quantities[0].low)
    if not one or not two or (one / two < _OTHER_SIZE and two / one < _OTHER_SIZE):
        return False
    scale = math.log10(one / two)
    return abs(scale - round(scale)) > 1e-6


def specificity(value: Value) -> int:
    """How little a value is met by chance: 0 (``12``), 1 (``412``, ``2024``), 2 (``15,882``, ``3 May 2024``)."""
    if value.dates:
        day = value.dates[0].start
        return int(day.year is not None) + int(day.year is not None and day.day is not None)
    if value.kind == "code":
        return 1
    first = value.quantities[0]
    digits = abs(first.low) / first.coarse if first.coarse else 0.0
    return int(digits >= 100) + int(digits >= 10_000)


def is_nearer_to_a_limit(
    claim: ValueText, value: Value, evidence: ValueText, near: Candidate, differing: list[Candidate]
) -> bool:
    """Whether the claim's words stand nearer to another limit, which rules its case out."""
    limits = [one for one in differing if one.rival and one.value.form is not Form.POINT]
    return any(contrast(claim, value, evidence, near.value, one.value) > 0 for one in limits)


def is_since_alike(value: Value, other: Value, agreeing: Value) -> bool:
    """Whether ``since 2021`` stands against ``since 2023``, which ``report 2023/24`` only does not rule out."""
    dated = value.kind == other.kind == "date" and value.form is not Form.POINT
    return dated and other.form is value.form is not agreeing.form


def fits_better(
    claim: ValueText,
    value: Value,
    evidence: ValueText,
    other: Candidate,
    agreeing: Candidate,
    beside: AgreeingPairs,
) -> bool:
    """Whether a differing value fits the claim's words so much better that the agreeing one is about else."""
    if _is_part(claim, value) and _is_part(evidence, agreeing.value) and not _is_part(evidence, other.value):
        return False
    if _confirmed_beside(claim, value, evidence, agreeing, other, beside):
        return False
    if _counts_alone(claim, value, evidence, agreeing.value, other.value):
        return False
    ties = claim.ties
    margin, needed = ties.better, ties.contrast
    if evidence.in_prose(other.value) and (rare := specificity(value)):
        margin = ties.unique if rare > 1 else ties.particular
        needed = ties.contrast_unique if rare > 1 else ties.contrast_particular
        if evidence.sentence(other.value) != evidence.sentence(agreeing.value):
            margin += ties.apart
    if other.tie > agreeing.tie + margin:
        return True
    return contrast(claim, value, evidence, agreeing.value, other.value, beside) > needed


def _confirmed_beside(
    claim: ValueText,
    value: Value,
    evidence: ValueText,
    agreeing: Candidate,
    other: Candidate,
    beside: AgreeingPairs,
) -> bool:
    """Whether another value of the claim's sentence stands in the sentence of the agreeing value, and only there.

    ``On Saturdays it closes at 13:00`` is told by ``on Saturdays from 9:00 to 13:00``, not by ``closed on Sundays``.
    """
    here, there = evidence.sentence(agreeing.value), evidence.sentence(other.value)
    return here != there and any(
        own is not value
        and claim.sentence(own) == claim.sentence(value)
        and evidence.sentence(theirs) == here
        for own, theirs in beside
    )


def _counts_alone(claim: ValueText, value: Value, evidence: ValueText, agreeing: Value, other: Value) -> bool:
    """Whether only the agreeing one is surely a figure of the claim's kind: the other has a unit, or is a bare count of
    one of several things named before it (``2,350 people at three works: 620 at Kelsund``)."""
    if agreeing.kind != "number" or value.kind != "number":
        return False
    if other.kind == "unit":
        return True
    counted = claim.head(value) & evidence.head(agreeing)
    if not counted or not is_bare(evidence.text, other):
        return False
    others = (evidence.head(third) for third in evidence.values if not is_bare(evidence.text, third))
    return any(some <= evidence.head(other) and not some & counted for some in others if some)


def _is_part(text: ValueText, value: Value) -> bool:
    """``Seven of the premieres``, ``seven of them``: a count of some among many."""
    return value.kind == "number" and _PART_OF.match(text.text, value.core[1]) is not None
