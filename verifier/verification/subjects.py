"""A claim and the windows of its evidence go in; what they say of another than the claim's subject comes out.

One window tells a thing of one, another something else of the claim's subject, perhaps in another document: only all of
them together tell whether what the claim says is said of its own subject (:mod:`signals.roles.bound`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from signals.roles.bound import bound
from signals.roles.told import Told, told_in
from signals.types import Finding, Outcome, Relation
from verifier.core.deadline import each
from verifier.types import Span
from verifier.verification.features import WindowScores
from verifier.verification.windows import Window

__all__ = ["OfAnother", "marked", "told_of_another"]

_SIGNAL = "entity"


@dataclass(frozen=True, slots=True)
class OfAnother:
    """That ``window`` says of another, named at ``theirs`` in its premise, what a claim says of its subject (``ours``).

    ``conflict``: the evidence says something else in its place of the claim's own subject.
    """

    window: Window
    ours: Span
    theirs: Span
    conflict: bool


def told_of_another(claim: str, windows: Sequence[Window]) -> OfAnother | None:
    """What is told of another than the claim's subject, and nowhere of that subject; ``None`` where nothing is.

    Args:
        claim: as its signals read it.
        windows: all of its evidence that the documents assert.
    """
    told = _smallest(windows)
    found = bound(claim, [window.premise for window in told])
    if found is None:
        return None
    return OfAnother(told[found.other], found.ours, found.theirs, found.conflict)


def _smallest(windows: Sequence[Window]) -> list[Window]:
    """The windows of one statement, in their documents' order; one that opens with a pronoun together with the one
    before, which tells what it stands for."""
    ordered = sorted(windows, key=lambda one: (one.evidence.doc_id, one.evidence.start, one.start, one.end))
    found: list[Window] = []
    for one in each(ordered):
        alone = not any(_within(other, one) for other in ordered)
        if alone and any(map(_points_back, told_in(one.premise))):
            one = next((other for other in ordered if other.end == one.end and other.holds(one)), one)
            alone = True
        if alone:
            found.append(one)
    return found


def _within(one: Window, other: Window) -> bool:
    return other.holds(one) and not one.holds(other)


def _points_back(told: Told) -> bool:
    return any(one.pronoun or (one.owner is not None and one.owner.pronoun) for one in told.subjects)


def marked(readings: Sequence[WindowScores], other: OfAnother | None) -> tuple[WindowScores, ...]:
    """The readings with a conflict of roles in those that hold what is told of another, where it is one."""
    if other is None or not other.conflict:
        return tuple(readings)
    return tuple(
        _marked(reading, other)
        if reading.window.holds(other.window) or other.window.holds(reading.window)
        else reading
        for reading in readings
    )


def _marked(reading: WindowScores, other: OfAnother) -> WindowScores:
    score = reading.scores.get(_SIGNAL)
    if score is None or score.features["role_conflict"]:
        return reading
    findings = score.findings
    if reading.window is other.window:
        span = other.theirs
        value = other.window.premise[slice(*span)]
        findings = (
            Finding("role", Relation.CONFLICT, "", other.ours, value, span, "it is said of another"),
            *findings,
        )
    changed = replace(
        score,
        outcome=Outcome.CONFLICTING,
        support=0.0,
        findings=findings,
        features={**score.features, "role_conflict": 1.0},
    )
    return replace(reading, scores={**reading.scores, _SIGNAL: changed})
