"""Notice that evidence speaks of another subject than the claim does.

One window tells a thing of one, another something else of the claim's subject, perhaps in another document: only all of
them together tell whether what the claim says is said of its own subject (:mod:`verifier_signals.roles.predication`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from verifier_signals.checks import SAID_OF_ANOTHER
from verifier_signals.roles.predication import assertions_in, said_of_another, tells_of_subjects
from verifier_signals.types import Finding, Outcome, Relation

from verifier.core.deadline import each
from verifier.types import Span
from verifier.verification.decision.features import WindowScores
from verifier.verification.evidence.windows import Window

__all__ = ["OfAnother", "marked", "told_of_another"]

_SIGNAL = "entity"
_NOTE = "it is said of another"


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
    if not tells_of_subjects(claim):
        return None
    told = _smallest(windows)
    found = said_of_another(claim, [window.premise for window in told])
    if found is None:
        return None
    return OfAnother(told[found.other], found.ours, found.theirs, found.conflict)


def _smallest(windows: Sequence[Window]) -> list[Window]:
    """The windows of one statement, in their documents' order; one that opens with a pronoun together with the one
    before, which tells what it stands for."""
    found: list[Window] = []
    by_document: defaultdict[str, list[Window]] = defaultdict(list)
    for window in windows:
        by_document[window.evidence.doc_id].append(window)
    for _, beside in sorted(by_document.items()):
        beside.sort(key=lambda one: (one.evidence.start, one.start, one.end))
        spans = sorted((one.start, one.end) for one in beside)
        for one in each(beside):
            alone = not _has_smaller(spans, one)
            if alone and _has_pronoun(one.premise):
                one = next((other for other in beside if other.end == one.end and other.holds(one)), one)
            if alone:
                found.append(one)
    return found


def _has_smaller(spans: Sequence[Span], window: Window) -> bool:
    """Whether one of some spans, in order, lies in that of a window and is another."""
    own = (window.start, window.end)
    inside = takewhile(lambda span: span[0] < own[1], spans[bisect_left(spans, (own[0], 0)) :])
    return any(span[1] <= own[1] and span != own for span in inside)


@lru_cache(maxsize=4096)
def _has_pronoun(premise: str) -> bool:
    """Whether a text says something of what a pronoun stands for."""
    subjects = (phrase for told in assertions_in(premise) for phrase in told.subjects)
    return any(one.pronoun or (one.owner is not None and one.owner.pronoun) for one in subjects)


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
            Finding("role", Relation.CONFLICT, "", other.ours, value, span, _NOTE, SAID_OF_ANOTHER),
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
