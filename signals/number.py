"""Pairs in, scores out: does the evidence give the claim's values, other values for the same thing, or none?"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from signals.base import Signal
from signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from signals.values.compare import compare
from signals.values.context import ValueText, tie
from signals.values.fit import Comparison, Fit
from signals.values.types import Form, Value

__all__ = ["NumberSignal"]

_CONFLICT_TIE = {"date": 0.5, "time": 0.45, "code": 0.65, "ordinal": 0.6}
_CONFLICT_TIE_DEFAULT = 0.4
"""A different value is a conflict only when it measures the same thing this surely."""
_COMMON = 0.35
"""So much of it must come from words other than names: everything in a text is about its subject."""
_SURE_TIE = 0.2
"""Enough where the two figures are written alike, or the only ones of their kind in the row that is named."""
_APART = 0.1
"""Added to these where the two stand in different sentences, as nearness says less across sentences."""
_OTHER_HEAD = 0.3
"""Counts of other things (``4 towers``, ``3 piers``) keep this share of their tie."""
_FAR = 1000.0
_SAME_MONTH_TIE = 0.3
"""``March 2026`` and ``March 2027`` differ in the year alone."""
_DATE_FIELDS = 3
_OTHER_SIZE = 50.0
_OTHER_SIZE_TIE = 0.2
"""A figure more than 50 times as large is mostly another figure: its tie must be this much surer."""
_BETTER = 0.15
"""A different value must fit the claim's words better than an equal one by this much to outvote it."""
_PARTICULAR = 0.33
_UNIQUE = 0.45
"""The same where the equal value has three digits or is a year, and where it has five or is a full date: the
more particular it is, the less it is met by chance."""
_MATCH_TIE = 0.15
"""A small round number needs this much to be more than the same number by chance."""
_INSTANCE = re.compile(
    r"\b(?:with|at|of|aged?|old|late|after|if|when|who|whose|can|may|could|set|scor\w+|between|any|is)\b",
    re.IGNORECASE,
)


_QUOTE_LENGTH = 120
"""Code points; two ends that stand further apart are not quoted as one stretch."""
_DIFFERENCE = re.compile(
    r"\s+(?:more|fewer|less)\s+\w|(?:\s+\w+){0,2}?\s+(?:more|fewer|less|higher|lower|longer|shorter|older|younger|earlier"
    r"|later|faster|slower|larger|smaller|heavier|lighter|taller|cheaper)(?:\s+\w+){0,3}?\s+than\b",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(r"\b(?:not|never|cannot|nobody|no one|none|\w+n['’]t)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\bnot|\brather than|\binstead of|n['’]t)\s+(?:(?:in|on|at|by|after|for|within|the)\s+){0,2}\Z",
    re.IGNORECASE,
)


class _Candidate(NamedTuple):
    comparison: Comparison
    tie: float
    value: Value
    rival: bool
    """Whether a difference to it can be a conflict: it measures the same thing by more than its subject."""


class NumberSignal(Signal):
    """Compares every value of the claim with the value of the evidence that measures the same thing.

    Features: ``conflict``, the surest conflict; ``match`` and ``absent``, the shares of the claim's values.
    """

    name = "number"
    feature_names = ("conflict", "match", "absent")

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair; each distinct text is read once a call."""
        texts: dict[str, ValueText] = {}
        scores = []
        for premise, hypothesis in pairs:
            claim = texts.setdefault(hypothesis, ValueText(hypothesis))
            evidence = texts.setdefault(premise, ValueText(premise))
            scores.append(_score(claim, evidence))
        return scores


def _score(claim: ValueText, evidence: ValueText) -> SignalScore:
    findings: list[Finding] = []
    surest = 0.0
    table = _candidates(claim, evidence) if claim.values else []
    for at, value in enumerate(claim.values):
        finding, strength = _judge(claim, value, evidence, _free(table, at))
        if finding is not None:
            findings.append(finding)
            surest = max(surest, strength)
    if not findings:
        return _answer(Outcome.NOT_APPLICABLE, None, (), 0.0)
    relations = [finding.relation for finding in findings]
    if Relation.CONFLICT in relations:
        outcome = Outcome.CONFLICTING
    elif Relation.ABSENT in relations:
        outcome = Outcome.ABSENT
    else:
        outcome = Outcome.CONSISTENT
    share = relations.count(Relation.MATCH) / len(relations)
    support = 0.0 if outcome is Outcome.CONFLICTING else share
    return _answer(outcome, support, tuple(findings), surest)


def _answer(
    outcome: Outcome, support: float | None, findings: tuple[Finding, ...], surest: float
) -> SignalScore:
    shares = [
        sum(finding.relation is relation for finding in findings) / len(findings) if findings else 0.0
        for relation in (Relation.MATCH, Relation.ABSENT)
    ]
    features = dict(zip(NumberSignal.feature_names, (surest, *shares), strict=True))
    return SignalScore(NumberSignal.name, outcome, support, findings, features)


def _candidates(claim: ValueText, evidence: ValueText) -> list[list[_Candidate]]:
    """For each value of the claim, the comparable values of the evidence."""
    table = []
    for mine in claim.values:
        row = []
        for theirs in evidence.values:
            comparison = compare(mine, theirs)
            if comparison.fit is not Fit.UNRELATED:
                row.append(_candidate(claim, mine, evidence, theirs, comparison))
        table.append(row)
    return table


def _candidate(
    claim: ValueText, mine: Value, evidence: ValueText, theirs: Value, comparison: Comparison
) -> _Candidate:
    found = tie(claim, mine, evidence, theirs)
    strength = found.strength
    if mine.quantities and mine.quantities[0].dimension in ("", "ordinal"):
        strength *= _same_count(claim, mine, evidence, theirs)
    if comparison.fit is Fit.EQUAL:
        return _Candidate(comparison, strength, theirs, False)
    needed = _CONFLICT_TIE.get(mine.kind, _CONFLICT_TIE_DEFAULT)
    needed = min(needed, _SAME_MONTH_TIE) if _shared_fields(mine, theirs, "month") else needed
    titled = mine.kind == "date" and evidence.in_title(theirs)
    named = not titled and not evidence.in_label(theirs) and evidence.row_is_named(theirs, claim.near(mine))
    if not named or not _same_sort(claim, mine, evidence, theirs) or _far(mine, theirs):
        return _Candidate(comparison, strength, theirs, False)
    if _same_figure(mine, theirs) or evidence.sole_in_row(theirs, claim.near(mine)):
        return _Candidate(comparison, strength, theirs, strength >= _SURE_TIE)
    needed += _OTHER_SIZE_TIE if _other_size(mine, theirs) else 0.0
    return _Candidate(comparison, strength, theirs, strength >= needed and found.common >= _COMMON)


def _same_sort(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Not a difference (``10 more points than``) against a figure, nor a case that the claim itself rules out."""
    difference = _DIFFERENCE.match(claim.text, mine.core[1]) is not None
    if difference != (_DIFFERENCE.match(evidence.text, theirs.core[1]) is not None):
        return False
    limited = mine.form is Form.POINT and theirs.form is not Form.POINT
    return not (limited and _RULED_OUT.search(claim.text, *claim.sentence(mine)))


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


def _far(mine: Value, theirs: Value) -> bool:
    """Whether one figure is so much larger than the other that no slip can explain it, but for a slip of scale."""
    if not mine.quantities or not theirs.quantities:
        return False
    one, two = abs(mine.quantities[0].low), abs(theirs.quantities[0].low)
    return bool(one and two) and max(one / two, two / one) > _FAR and _other_size(mine, theirs)


def _same_count(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> float:
    """1 when both count the same things, as far as can be seen; else ``_OTHER_HEAD``."""
    one, two = claim.head(mine), evidence.head(theirs)
    if mine.kind == "ordinal":
        return 1.0 if one & two and 1.0 not in (mine.quantities[0].low, theirs.quantities[0].low) else 0.0
    if not one and not two:
        return 1.0
    if not one or not two:
        around = evidence.near(theirs) if one else claim.near(mine)
        return 1.0 if any(around.get(key, 0.0) >= 0.5 for key in one or two) else _OTHER_HEAD
    return 1.0 if one & two else _OTHER_HEAD


def _other_size(mine: Value, theirs: Value) -> bool:
    """Whether two figures are of another order of size and not one figure with another scale word."""
    if not mine.quantities or not theirs.quantities:
        return False
    one, two = abs(mine.quantities[0].low), abs(theirs.quantities[0].low)
    if not one or not two or (one / two < _OTHER_SIZE and two / one < _OTHER_SIZE):
        return False
    scale = math.log10(one / two)
    return abs(scale - round(scale)) > 1e-6


def _free(table: list[list[_Candidate]], at: int) -> list[_Candidate]:
    """The candidates of one value, without differing ones that another value of the claim equals."""
    taken = {
        candidate.value.start
        for other, row in enumerate(table)
        if other != at
        for candidate in row
        if candidate.comparison.fit is Fit.EQUAL
    }
    return [
        candidate
        for candidate in table[at]
        if candidate.comparison.fit is not Fit.DIFFERENT or candidate.value.start not in taken
    ]


def _best(candidates: list[_Candidate], fit: Fit) -> _Candidate | None:
    found = [candidate for candidate in candidates if candidate.comparison.fit is fit]
    return max(found, key=lambda one: (one.rival, one.tie, -one.value.start), default=None)


def _judge(
    claim: ValueText, value: Value, evidence: ValueText, candidates: list[_Candidate]
) -> tuple[Finding | None, float]:
    """The finding for one value of the claim and how sure its conflict is."""
    equal, near, other = (_best(candidates, fit) for fit in (Fit.EQUAL, Fit.COMPATIBLE, Fit.DIFFERENT))
    if equal is None and value.form is Form.RANGE and (ends := _both_ends(value, evidence)) is not None:
        return _stated(claim, value, evidence, ends), 0.0
    agreeing = equal or near
    if other and other.rival and (agreeing is None or _outdoes(value, evidence, other, agreeing)):
        return _finding(Relation.CONFLICT, claim, value, evidence, other), other.tie
    if equal and (equal.tie >= _MATCH_TIE or _particular(value) or (value.kind == "unit" and not other)):
        return _finding(Relation.MATCH, claim, value, evidence, equal), 0.0
    if near and _is_instance(claim, value, near):
        return _finding(Relation.MATCH, claim, value, evidence, near), 0.0
    if value.weak or _DENIED.search(claim.text[max(0, value.start - 24) : value.start]):
        return None, 0.0
    if near:
        return _finding(Relation.ABSENT, claim, value, evidence, near), 0.0
    return _finding(Relation.ABSENT, claim, value, evidence, None), 0.0


def _outdoes(value: Value, evidence: ValueText, other: _Candidate, agreeing: _Candidate) -> bool:
    """Whether a differing value fits the claim's words so much better that the agreeing one is about else."""
    margin = _BETTER
    if evidence.in_prose(other.value) and (particular := _particular(value)):
        margin = _UNIQUE if particular > 1 else _PARTICULAR
        if evidence.sentence(other.value) != evidence.sentence(agreeing.value):
            margin += _APART
    return other.tie > agreeing.tie + margin


def _both_ends(value: Value, evidence: ValueText) -> tuple[Value, Value] | None:
    """The two values of the evidence that state the ends of the claim's range (``4.1 in 2021 ... 4.9 in 2023``)."""
    found: list[Value] = []
    for end in _ends(value):
        match = next((other for other in evidence.values if compare(end, other).fit is Fit.EQUAL), None)
        if match is None:
            return None
        found.append(match)
    return found[0], found[1]


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


def _stated(claim: ValueText, value: Value, evidence: ValueText, ends: tuple[Value, Value]) -> Finding:
    spans = [(end.start, end.end) for end in ends]
    quote = min(spans)[0], max(spans)[1]
    if quote[1] - quote[0] > _QUOTE_LENGTH:
        quote = spans[0]
    span = (value.start, value.end)
    return Finding(
        value.kind,
        Relation.MATCH,
        claim.text[slice(*span)],
        span,
        evidence.text[slice(*quote)],
        quote,
        "both ends are stated",
    )


def _particular(value: Value) -> int:
    """How little a value is met by chance: 0 (``12``), 1 (``412``, ``2024``), 2 (``15,882``, ``3 May 2024``)."""
    if value.dates:
        day = value.dates[0].start
        return int(day.year is not None) + int(day.year is not None and day.day is not None)
    if value.kind == "code":
        return 1
    first = value.quantities[0]
    digits = abs(first.low) / first.coarse if first.coarse else 0.0
    return int(digits >= 100) + int(digits >= 10_000)


def _is_instance(claim: ValueText, value: Value, other: _Candidate) -> bool:
    """Whether the claim speaks of one case that a range of the evidence covers (``a student with 64 marks``)."""
    form = other.value.form
    needed = _MATCH_TIE if form is Form.RANGE else _CONFLICT_TIE_DEFAULT
    if value.form is not Form.POINT or form is Form.POINT or other.tie < needed:
        return False
    start, end = claim.sentence(value)
    window = claim.text[max(start, value.start - 24) : min(end, value.end + 12)]
    return bool(_INSTANCE.search(window))


def _finding(
    relation: Relation, claim: ValueText, value: Value, evidence: ValueText, found: _Candidate | None
) -> Finding:
    span = (value.start, value.end)
    kind = value.kind if value.kind != "fraction" else "number"
    quoted = claim.text[value.start : value.end]
    if found is None:
        return Finding(kind, relation, quoted, span)
    other = (found.value.start, found.value.end)
    note = found.comparison.note
    if found.comparison.fit is Fit.COMPATIBLE and not note:
        note = (
            "within what the evidence states" if relation is Relation.MATCH else "compatible, but not stated"
        )
    return Finding(kind, relation, quoted, span, evidence.text[slice(*other)], other, note)
