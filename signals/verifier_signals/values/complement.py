"""A value of a claim and the evidence's in; the limit or period of which the claim speaks of the other side, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from verifier_signals.values.compare import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.cues import is_denied
from verifier_signals.values.fit import Fit
from verifier_signals.values.rivals import Candidate
from verifier_signals.values.types import Form, Value

__all__ = ["ends_of", "other_side"]

_COMPLEMENTS = ({Form.AT_LEAST, Form.BELOW}, {Form.AT_MOST, Form.ABOVE})
_DENIAL = re.compile(
    r"\b(?:not|never|cannot|nobody|none|nothing|without|no(?!\s+(?:more|less|fewer|later|earlier|longer)\b))\b|n['’]t\b",
    re.IGNORECASE,
)


def other_side(
    claim: ValueText, value: Value, evidence: ValueText, row: Sequence[Candidate]
) -> Candidate | None:
    """The limit or period that a value of the claim lies beyond, where the claim denies what the evidence affirms.

    ``Less than 48 hours before, nothing is paid back`` is the other side of ``paid back at least 48 hours before``.

    One of the two must deny what the other affirms: who pays half ``under 6`` does not pay half ``from 6 on``.
    """
    for one in row:
        other = one.value
        if _outside(claim, value, one) or _no_case_of(claim, value, evidence, one):
            return one
        sides = {value.form, other.form}
        if sides not in _COMPLEMENTS or one.comparison.fit is not Fit.DIFFERENT or one.tie < claim.ties.match:
            continue
        same = compare(replace(value, form=Form.POINT), replace(other, form=Form.POINT)).fit is Fit.EQUAL
        if same and _denies(claim, value) is not _denies(evidence, other):
            return one
    return None


def _outside(claim: ValueText, value: Value, other: Candidate) -> bool:
    """Whether a claim denies for a day or period what the evidence states for a period that has nothing of it."""
    dated = bool(value.dates) and value.form in (Form.POINT, Form.RANGE) and other.value.form is Form.RANGE
    if not dated or other.tie < claim.ties.conflict or not is_denied(claim.text, value.start):
        return False
    inner = [value] if value.form is Form.POINT else [*ends_of(value)]
    apart = all(compare(end, other.value).fit is Fit.DIFFERENT for end in inner)
    return apart and all(compare(end, value).fit is not Fit.COMPATIBLE for end in ends_of(other.value))


def _no_case_of(claim: ValueText, value: Value, evidence: ValueText, other: Candidate) -> bool:
    """Whether a claim denies for one case what the evidence affirms for others only, or the other way round.

    ``A child of twelve may not dive`` is the other side of ``people aged 16 and over may dive``.
    """
    limited = value.form is Form.POINT and other.value.form is not Form.POINT
    aged = any(one.dimension == "age" for one in value.quantities)
    if not (limited and aged) or other.comparison.fit is not Fit.DIFFERENT or other.tie < claim.ties.conflict:
        return False
    return _denies(claim, value) is not _denies(evidence, other.value)


def _denies(text: ValueText, value: Value) -> bool:
    """Whether the part of the sentence that a value stands in, up to a semicolon, denies something."""
    start, end = text.sentence(value)
    start = max(start, text.text.rfind(";", start, value.start) + 1)
    stop = text.text.find(";", value.end, end)
    return len(_DENIAL.findall(text.text[start : stop if stop >= 0 else end])) % 2 == 1


def ends_of(value: Value) -> tuple[Value, Value]:
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
