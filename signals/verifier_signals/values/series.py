"""A value that the claim gives to the third of several in; the third value of the evidence's list of as many out."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier_signals.values.compare import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.fit import Fit
from verifier_signals.values.tie import tie
from verifier_signals.values.types import Form, Value

__all__ = ["Place", "place_in_series"]

_JOINT = re.compile(
    r"\s*(?:,\s*|\s)(?:and\s+|then\s+){0,2}(?:(?:on|at|in|after|from|for|of)\s+)?(?:the\s+|days?\s+)?",
    re.IGNORECASE,
)
"""What stands between two members of a list: ``on days 0, 7 and 21``; ``at noon, at 3 and at 6``."""


class Place(NamedTuple):
    """The value of the evidence that a claim's ordinal points to.

    ``fit`` compares the claim's value with it, ``sure`` in [0, 1] is how surely the list measures the same thing.
    """

    value: Value
    fit: Fit
    sure: float


def place_in_series(claim: ValueText, value: Value, evidence: ValueText) -> Place | None:
    """``The second dose is given on day 7``, of ``three doses, given on days 0, 7 and 21``: the second of these values.

    Only where the evidence counts what the claim's ordinal counts, and as many values follow the count in a list.
    """
    found = _ordinal(claim, value)
    if found is None:
        return None
    place, counted = found
    for count in evidence.values:
        if count.kind != "number" or count.form is not Form.POINT or not counted & evidence.head(count):
            continue
        number = count.quantities[0].low
        members = _members(evidence, count)
        if len(members) == number > 1 and place <= number:
            other = members[place - 1]
            fit = compare(value, other).fit
            return Place(other, fit, max(tie(claim, value, evidence, one).strength for one in members))
    return None


def _ordinal(claim: ValueText, value: Value) -> tuple[int, frozenset[str]] | None:
    """The number of the ordinal before a value in its sentence, and the stems of what it counts."""
    start, _ = claim.sentence(value)
    before = [one for one in claim.values if start <= one.start < value.start]
    if value.kind == "ordinal" or not before or before[-1].kind != "ordinal":
        return None
    counted = next((head for one in reversed(before) if (head := claim.head(one))), frozenset())
    return (round(before[-1].quantities[0].low), counted) if counted else None


def _members(evidence: ValueText, count: Value) -> list[Value]:
    """The values of the first list behind a count in its sentence; none where another value stands between."""
    _, end = evidence.sentence(count)
    behind = [one for one in evidence.values if count.end <= one.start < end]
    found = behind[:1]
    for one in behind[1:]:
        if one.kind != found[-1].kind or not _JOINT.fullmatch(evidence.text, found[-1].end, one.start):
            break
        found.append(one)
    return found
