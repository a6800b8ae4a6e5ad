"""How each value of a claim stands to the evidence: stated, contradicted or not mentioned, and by which check."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

from verifier_signals.types import NEAREST_ONLY, NOT_COMPARED
from verifier_signals.values.alignment import (
    AgreeingPairs,
    are_too_many,
    nearest_groups,
    not_compared,
)
from verifier_signals.values.candidates import (
    Candidate,
    candidates,
    covered_cases,
    fits_better,
    is_nearer_to_a_limit,
    is_since_alike,
    specificity,
)
from verifier_signals.values.comparability import within_hours
from verifier_signals.values.context import ValueText
from verifier_signals.values.costs import is_for_several
from verifier_signals.values.derivation import derive, speaks_of_remainder
from verifier_signals.values.types import Fit, Form, Value
from verifier_signals.values.units import is_currency
from verifier_signals.values.zero import zero_statement_for

__all__ = [
    "FOLLOWS",
    "LEFT",
    "NONE",
    "JudgedValue",
    "Standing",
    "judge",
]

_RECKONED = "reckoned from what the evidence states"
LEFT = "reckoned as what is left of it"
"""``30 are not volunteers``, of 40 of whom 10 are."""
NONE = "none and 0 are one"
_WITHIN = "within what the evidence states"
"""``At 840 °C``, of ``at 820 to 860 °C``."""
FOLLOWS = frozenset({_RECKONED, LEFT, NONE, _WITHIN})
"""What follows from the evidence by more than reading: a model that cannot reckon does not see it."""


_OF_KIND = {"date": "number.other-date", "code": "number.other-code"}


def _check_of_difference(value: Value, other: Value) -> str:
    """The id of the check that tells a value of the claim from another one of the evidence."""
    if value.kind in _OF_KIND:
        return _OF_KIND[value.kind]
    mine = {one.dimension for one in value.quantities}
    theirs = {one.dimension for one in other.quantities}
    if mine.isdisjoint(theirs):
        return _of_dimensions(mine | theirs)
    if value.per != other.per:
        return "number.other-rate"
    return "number.other-value" if other.form is Form.POINT else "number.outside-limits"


def _of_dimensions(dimensions: set[str]) -> str:
    if all(map(is_currency, dimensions)):
        return "number.currency-mismatch"
    return "number.percentage-points" if "points" in dimensions else "number.unit-mismatch"


class Standing(Enum):
    """How a value of the claim stands to the evidence."""

    STATED = auto()
    DENIED = auto()
    UNTOLD = auto()


class JudgedValue(NamedTuple):
    """What becomes of one value of the claim. ``span`` quotes the evidence; ``sure`` is a conflict's tie."""

    value: Value
    standing: Standing
    span: tuple[int, int] | None = None
    note: str = ""
    sure: float = 0.0
    elsewhere: bool = False
    """Whether the evidence gives a denied value for something else."""
    check: str = "number.not-stated"
    """The id of the check that says so."""


_INSTANCE = re.compile(
    r"\b(?:with|at|of|aged?|old|late|after|if|when|who|whose|can|may|might|could|set|scor\w+|between|any|is)\b",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(r"\b(?:the|these|those)\s+\Z", re.IGNORECASE)
"""``The two quays``: how many there are is not what the claim asserts."""
_QUOTE_LENGTH = 120
"""Code points; two values that stand further apart are not quoted as one stretch."""
_NEGATED = re.compile(
    r"(?:\bnot|\brather than|\binstead of|n['’]t)\s+(?:(?:in|on|at|by|after|for|within|the)\s+){0,2}\Z",
    re.IGNORECASE,
)


def judge(claim: ValueText, evidence: ValueText, disabled: Set[str] = frozenset()) -> list[JudgedValue]:
    """Judge every value of the claim, but those that say too little to be missed (``one``, ``not in May``).

    Where there are too many to compare each with each, only the nearest are, nothing is reckoned from them, and what is
    left out counts as untold. Checks that are ``disabled``, by id, say nothing: the next one is asked.
    """
    if are_too_many(claim, evidence):
        return _among_many(claim, evidence, disabled)
    return [one for one in _judged(claim, evidence, disabled) if one.check not in disabled]


def _judged(claim: ValueText, evidence: ValueText, disabled: Set[str]) -> list[JudgedValue]:
    none = _none_is_zero(claim, evidence, disabled)
    if not evidence.values:
        known = {it.value for it in none}
        untold = [one for one in claim.values if one not in known and not _may_be_missing(claim, one)]
        return [*none, *(JudgedValue(one, Standing.UNTOLD) for one in untold)]
    table, beside = candidates(claim, evidence)
    confirming = [*beside, *covered_cases(claim, table)]
    found = []
    for value, row in zip(claim.values, table, strict=True):
        one = next((told for told in none if told.value == value), None)
        one = one or _judge(claim, value, evidence, row, confirming, disabled)
        if one is None or one.standing is not Standing.STATED or _is_for_one(claim, one, evidence):
            one = _reckoned(claim, value, evidence, disabled) or one
        if one is not None:
            found.append(one)
    found += [one for one in none if one.value not in claim.values]
    return _unless_another_case(found)


def _among_many(claim: ValueText, evidence: ValueText, disabled: Set[str]) -> list[JudgedValue]:
    """What the nearest values of the evidence say of the first values of a claim; all others are untold."""
    none = {one.value.start: one for one in _none_is_zero(claim, evidence, disabled)}
    found = list(none.values())
    for mine, theirs in nearest_groups(claim, evidence):
        table, beside = candidates(mine, theirs)
        confirming = [*beside, *covered_cases(mine, table)]
        for value, row in zip(mine.values, table, strict=True):
            one = None if value.start in none else _judge(mine, value, theirs, row, confirming, disabled)
            if one is not None:
                found.append(one._replace(note=one.note or NEAREST_ONLY))
    untold = [one for one in not_compared(claim) if one.start not in none and not _may_be_missing(claim, one)]
    return _unless_another_case(found) + [
        JudgedValue(one, Standing.UNTOLD, note=NOT_COMPARED) for one in untold
    ]


def _none_is_zero(claim: ValueText, evidence: ValueText, disabled: Set[str]) -> list[JudgedValue]:
    """``No members`` of the one text where the other has ``0 members``."""
    if "number.none-is-zero" in disabled:
        return []
    found = [
        JudgedValue(value, Standing.STATED, told.span, NONE, check="number.none-is-zero")
        for value in claim.values
        if (told := zero_statement_for(value, claim, evidence)) is not None
    ]
    for value in evidence.values:
        if (told := zero_statement_for(value, evidence, claim)) is not None:
            said = replace(value, start=told.span[0], end=told.span[1], core=told.span)
            found.append(
                JudgedValue(
                    said, Standing.STATED, (value.start, value.end), NONE, check="number.none-is-zero"
                )
            )
    return found


def _is_for_one(claim: ValueText, judged: JudgedValue, evidence: ValueText) -> bool:
    """Whether the evidence states for one what the claim says of several."""
    stated = [one for one in evidence.values if judged.span == (one.start, one.end)]
    return is_for_several(claim, judged.value) and not any(is_for_several(evidence, one) for one in stated)


def _unless_another_case(judged: list[JudgedValue]) -> list[JudgedValue]:
    """Where a claim's date differs and its other values differ too, it speaks of another case: nothing denies it."""
    denied = [one for one in judged if one.standing is Standing.DENIED]
    dated = len({one.value.kind == "date" for one in denied}) > 1
    found = any(one.standing is Standing.STATED or one.elsewhere for one in judged)
    if len(denied) < 2 or not dated or found:
        return judged
    return [
        one._replace(standing=Standing.UNTOLD, span=None, note="", sure=0.0, check="number.not-stated")
        for one in judged
    ]


def _reckoned(claim: ValueText, value: Value, evidence: ValueText, disabled: Set[str]) -> JudgedValue | None:
    """What arithmetic says of a value that the evidence does not state."""
    reckoned = "number.reckoned"
    found = None if reckoned in disabled else derive(claim, value, evidence)
    if found is None:
        return None
    span = quoted(list(found.sources))
    if found.denied:
        note = "as reckoned from its two figures"
        return JudgedValue(value, Standing.DENIED, span, note, found.tie, check=reckoned)
    note = LEFT if speaks_of_remainder(claim, value) else _RECKONED
    return JudgedValue(value, Standing.STATED, span, note, check=reckoned)


def _judge(
    claim: ValueText,
    value: Value,
    evidence: ValueText,
    row: list[Candidate],
    beside: AgreeingPairs,
    disabled: Set[str],
) -> JudgedValue | None:
    equal, near = _best(row, Fit.EQUAL), _best(row, Fit.COMPATIBLE)
    agreeing = equal or near
    differing = [one for one in row if one.comparison.fit is Fit.DIFFERENT]
    rivals = [
        one
        for one in differing
        if one.rival
        and _check_of_difference(value, one.value) not in disabled
        and (
            agreeing is None
            or (equal is None and is_since_alike(value, one.value, agreeing.value))
            or fits_better(claim, value, evidence, one, agreeing, beside)
        )
    ]
    presupposed = value.weak and value.kind not in ("ordinal", "code")
    if rivals and presupposed and _PRESUPPOSED.search(claim.text[max(0, value.start - 6) : value.start]):
        return None
    if rivals:
        other = max(rivals, key=lambda one: (one.tie, -one.value.start))
        check = _check_of_difference(value, other.value)
        denied = _judged_by(check, value, Standing.DENIED, other, other.comparison.note, other.tie)
        return denied._replace(elsewhere=equal is not None)
    certain = equal and (
        equal.tie >= claim.ties.match or specificity(value) or (_is_rare(value) and not differing)
    )
    if equal and certain and "number.stated" not in disabled:
        return _judged_by("number.stated", value, Standing.STATED, equal, equal.comparison.note)
    if (
        near
        and "number.within-limits" not in disabled
        and _is_instance(claim, value, near)
        and not is_nearer_to_a_limit(claim, value, evidence, near, differing)
    ):
        return _judged_by(
            "number.within-limits", value, Standing.STATED, near, near.comparison.note or _WITHIN
        )
    hours = None if "number.within-hours" in disabled else within_hours(claim, value, evidence)
    if hours is not None:
        span = (hours.start, hours.end)
        return JudgedValue(
            value,
            Standing.STATED,
            span,
            "within the hours that it begins",
            check="number.within-hours",
        )
    if _may_be_missing(claim, value):
        return None
    if near:
        note = near.comparison.note or "compatible, but not stated"
        return _judged_by("number.not-stated", value, Standing.UNTOLD, near, note)
    return JudgedValue(value, Standing.UNTOLD)


def _may_be_missing(claim: ValueText, value: Value) -> bool:
    """Whether a value of the claim is not missed where the evidence lacks it."""
    return value.weak or _NEGATED.search(claim.text[max(0, value.start - 24) : value.start]) is not None


def _is_rare(value: Value) -> bool:
    """Whether a value is met by chance less often than a small whole number: it has a unit, or decimals."""
    return value.kind == "unit" or any(not one.low.is_integer() for one in value.quantities)


def _judged_by(
    check: str, value: Value, standing: Standing, found: Candidate, note: str, sure: float = 0.0
) -> JudgedValue:
    return JudgedValue(value, standing, (found.value.start, found.value.end), note, sure, check=check)


def _best(row: list[Candidate], fit: Fit) -> Candidate | None:
    found = [candidate for candidate in row if candidate.comparison.fit is fit]
    return max(found, key=lambda one: (one.rival, one.tie, -one.value.start), default=None)


def quoted(values: list[Value]) -> tuple[int, int]:
    """The stretch of the evidence that quotes several values, or only the first where they stand far apart."""
    start, end = min(value.start for value in values), max(value.end for value in values)
    return (start, end) if end - start <= _QUOTE_LENGTH else (values[0].start, values[0].end)


def _is_instance(claim: ValueText, value: Value, other: Candidate) -> bool:
    """Whether the claim speaks of one case that a range of the evidence covers (``a student with 64 marks``)."""
    form = other.value.form
    needed = claim.ties.match if form is Form.RANGE else claim.ties.instance
    if value.form is not Form.POINT or form is Form.POINT or other.tie < needed:
        return False
    start, end = claim.sentence(value)
    window = claim.text[max(start, value.start - 24) : min(end, value.end + 12)]
    return bool(_INSTANCE.search(window))
