"""A claim's values and the evidence's in; which value of the evidence decides on each of the claim's, and how, out."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

from signals.values.compare import compare
from signals.values.context import ValueText
from signals.values.derive import reckon
from signals.values.fit import Fit
from signals.values.rivals import Candidate, candidates, particular
from signals.values.sorts import within_hours
from signals.values.tie import Beside, contrast
from signals.values.types import Form, Value

__all__ = ["Judged", "Standing", "judge"]


class Standing(Enum):
    """How a value of the claim stands to the evidence."""

    STATED = auto()
    DENIED = auto()
    UNTOLD = auto()


class Judged(NamedTuple):
    """What becomes of one value of the claim. ``span`` quotes the evidence; ``sure`` is a conflict's tie."""

    value: Value
    standing: Standing
    span: tuple[int, int] | None = None
    note: str = ""
    sure: float = 0.0
    elsewhere: bool = False
    """Whether the evidence gives a denied value for something else."""


_INSTANCE = re.compile(
    r"\b(?:with|at|of|aged?|old|late|after|if|when|who|whose|can|may|might|could|set|scor\w+|between|any|is)\b",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(r"\b(?:the|these|those)\s+\Z", re.IGNORECASE)
"""``The two quays``: how many there are is not what the claim asserts."""
_PART_OF = re.compile(r"\s+of\s+(?:the|these|those|them|its|their|his|her|which|whom|our)\b")
_QUOTE_LENGTH = 120
"""Code points; two values that stand further apart are not quoted as one stretch."""
_NEGATED = re.compile(
    r"(?:\bnot|\brather than|\binstead of|n['’]t)\s+(?:(?:in|on|at|by|after|for|within|the)\s+){0,2}\Z",
    re.IGNORECASE,
)


def judge(claim: ValueText, evidence: ValueText) -> list[Judged]:
    """Judge every value of the claim, but those that say too little to be missed (``one``, ``not in May``)."""
    table, beside = candidates(claim, evidence)
    found = []
    for value, row in zip(claim.values, table, strict=True):
        one = _judge(claim, value, evidence, row, beside)
        if one is None or one.standing is not Standing.STATED:
            one = _reckoned(claim, value, evidence) or one
        if one is not None:
            found.append(one)
    return _another_case(found)


def _another_case(judged: list[Judged]) -> list[Judged]:
    """Where a claim's date differs and its other values differ too, it speaks of another case: nothing denies it."""
    denied = [one for one in judged if one.standing is Standing.DENIED]
    dated = any(one.value.kind == "date" for one in denied)
    found = any(one.standing is Standing.STATED or one.elsewhere for one in judged)
    if len(denied) < 2 or not dated or found:
        return judged
    return [one._replace(standing=Standing.UNTOLD, sure=0.0) for one in judged]


def _reckoned(claim: ValueText, value: Value, evidence: ValueText) -> Judged | None:
    """What arithmetic says of a value that the evidence does not state."""
    found = reckon(claim, value, evidence)
    if found is None:
        return None
    span = quoted(list(found.sources))
    if found.denied:
        return Judged(value, Standing.DENIED, span, "as reckoned from its two figures", found.tie)
    return Judged(value, Standing.STATED, span, "reckoned from what the evidence states")


def _judge(
    claim: ValueText, value: Value, evidence: ValueText, row: list[Candidate], beside: Beside
) -> Judged | None:
    equal, near = _best(row, Fit.EQUAL), _best(row, Fit.COMPATIBLE)
    if equal is None and value.form is Form.RANGE and (ends := _both_ends(value, evidence)) is not None:
        return Judged(value, Standing.STATED, ends, "both ends are stated")
    agreeing = equal or near
    differing = [one for one in row if one.comparison.fit is Fit.DIFFERENT]
    rivals = [
        one
        for one in differing
        if one.rival and (agreeing is None or _outdoes(claim, value, evidence, one, agreeing, beside))
    ]
    if rivals and value.weak and _PRESUPPOSED.search(claim.text[max(0, value.start - 6) : value.start]):
        return None
    if rivals:
        other = max(rivals, key=lambda one: (one.tie, -one.value.start))
        denied = _of(value, Standing.DENIED, other, other.comparison.note, other.tie)
        return denied._replace(elsewhere=equal is not None)
    certain = equal and (
        equal.tie >= claim.ties.match or particular(value) or (_told_apart(value) and not differing)
    )
    if equal and certain:
        return _of(value, Standing.STATED, equal, equal.comparison.note)
    if near and _is_instance(claim, value, near):
        return _of(value, Standing.STATED, near, near.comparison.note or "within what the evidence states")
    if hours := within_hours(claim, value, evidence):
        return Judged(value, Standing.STATED, (hours.start, hours.end), "within the hours that it begins")
    if value.weak or _NEGATED.search(claim.text[max(0, value.start - 24) : value.start]):
        return None
    if near:
        return _of(value, Standing.UNTOLD, near, near.comparison.note or "compatible, but not stated")
    return Judged(value, Standing.UNTOLD)


def _told_apart(value: Value) -> bool:
    """Whether a value is met by chance less often than a small whole number: it has a unit, or decimals."""
    return value.kind == "unit" or any(not one.low.is_integer() for one in value.quantities)


def _of(value: Value, standing: Standing, found: Candidate, note: str, sure: float = 0.0) -> Judged:
    return Judged(value, standing, (found.value.start, found.value.end), note, sure)


def _best(row: list[Candidate], fit: Fit) -> Candidate | None:
    found = [candidate for candidate in row if candidate.comparison.fit is fit]
    return max(found, key=lambda one: (one.rival, one.tie, -one.value.start), default=None)


def _outdoes(
    claim: ValueText,
    value: Value,
    evidence: ValueText,
    other: Candidate,
    agreeing: Candidate,
    beside: Beside,
) -> bool:
    """Whether a differing value fits the claim's words so much better that the agreeing one is about else."""
    if _is_part(claim, value) and _is_part(evidence, agreeing.value) and not _is_part(evidence, other.value):
        return False
    ties = claim.ties
    margin, needed = ties.better, ties.contrast
    if evidence.in_prose(other.value) and (rare := particular(value)):
        margin = ties.unique if rare > 1 else ties.particular
        needed = ties.contrast_unique if rare > 1 else ties.contrast_particular
        if evidence.sentence(other.value) != evidence.sentence(agreeing.value):
            margin += ties.apart
    if other.tie > agreeing.tie + margin:
        return True
    return contrast(claim, value, evidence, agreeing.value, other.value, beside) > needed


def _is_part(text: ValueText, value: Value) -> bool:
    """``Seven of the premieres``, ``seven of them``: a count of some among many."""
    return value.kind == "number" and _PART_OF.match(text.text, value.core[1]) is not None


def _both_ends(value: Value, evidence: ValueText) -> tuple[int, int] | None:
    """Where the evidence states the ends of the claim's range as two values (``4.1 in 2021 ... 4.9 in 2023``)."""
    found: list[Value] = []
    for end in _ends(value):
        match = next((other for other in evidence.values if compare(end, other).fit is Fit.EQUAL), None)
        if match is None:
            return None
        found.append(match)
    return quoted(found)


def quoted(values: list[Value]) -> tuple[int, int]:
    """The stretch of the evidence that quotes several values, or only the first where they stand far apart."""
    start, end = min(value.start for value in values), max(value.end for value in values)
    return (start, end) if end - start <= _QUOTE_LENGTH else (values[0].start, values[0].end)


def _ends(value: Value) -> tuple[Value, Value]:
    """The ends of a range as single values."""
    low = [replace(one, high=one.low) for one in value.quantities]
    high = [replace(one, low=one.high) for one in value.quantities]
    first = [replace(date, end=None) for date in value.dates]
    last = [replace(date, start=date.end or date.start, end=None) for date in value.dates]
    point = replace(value, form=Form.POINT)
    return (
        replace(point, quantities=tuple(low), dates=tuple(first)),
        replace(point, quantities=tuple(high), dates=tuple(last)),
    )


def _is_instance(claim: ValueText, value: Value, other: Candidate) -> bool:
    """Whether the claim speaks of one case that a range of the evidence covers (``a student with 64 marks``)."""
    form = other.value.form
    needed = claim.ties.match if form is Form.RANGE else claim.ties.instance
    if value.form is not Form.POINT or form is Form.POINT or other.tie < needed:
        return False
    start, end = claim.sentence(value)
    window = claim.text[max(start, value.start - 24) : min(end, value.end + 12)]
    return bool(_INSTANCE.search(window))
