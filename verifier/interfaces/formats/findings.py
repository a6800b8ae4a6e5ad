"""A checked text in; what a gate or an editor is to be told of it, one finding a place, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from verifier.core.reasoning import OPEN_REASONING
from verifier.interfaces.formats.base import Checked
from verifier.types import ClaimVerdict, Decision, Status
from verifier.verification.grounded import fails, rule_of
from verifier.verification.render.summary import difference_line, label

__all__ = ["RULES", "Finding", "State", "findings"]

RULES = {
    "supported": "The evidence entails the claim, and no number, date, name, role or negation in it conflicts.",
    "contradicted": "Evidence about the same thing says otherwise.",
    "fabricated": "The claim asserts specifics of which the knowledge base holds no trace.",
    "unverifiable": "The knowledge base neither confirms nor denies the claim.",
    "abstained": "The text says that the sources do not tell something.",
    "error": "The claim could not be checked.",
    "hidden": "A sentence is said where whoever reads the rendered text does not see it.",
    "unknown-source": "The text cites a source that is not there.",
    "open-reasoning": "A block of reasoning is not closed: what is in it was not checked.",
    "nothing-to-check": "The text holds no claim that could be checked.",
}
"""What a finding is about, by the name of its rule: verdicts, and what beside them can stop a text."""


class State(StrEnum):
    """What a finding means for the gate."""

    FAILS = "fails"
    ERROR = "error"
    """It could not be checked, which never passes."""
    DOUBTFUL = "doubtful"
    """Not supported, and the rule lets it through."""
    PASSES = "passes"


@dataclass(frozen=True, slots=True)
class Finding:
    """A place of a text (``start`` to ``end``; both 0 for the whole of it), its rule and what is to be said."""

    rule: str
    state: State
    message: str
    text: str = ""
    start: int = 0
    end: int = 0
    claim: ClaimVerdict | None = None


def findings(checked: Checked) -> list[Finding]:
    """Of each claim one finding, whether it passes or not, then one of each thing beside them, in text order."""
    found = sorted([*_of_claims(checked), *_beside(checked)], key=lambda one: (one.start, one.end))
    if checked.report.decision is Decision.NOTHING_TO_CHECK:
        found.append(Finding("nothing-to-check", State.ERROR, "nothing to check"))
    return found


def _of_claims(checked: Checked) -> Iterator[Finding]:
    report, rule = checked.report, rule_of(checked.report.config)
    for claim in report.claims:
        span = claim.text, claim.start, claim.end
        if claim.status is not Status.SKIPPED:
            state = _state(claim, failed=not report.approved and fails(claim, report, rule))
            yield Finding(label(claim), state, _told(claim), *span, claim=claim)
        elif claim.reason == OPEN_REASONING:
            yield Finding("open-reasoning", State.FAILS, "a block of reasoning that is not closed", *span)


def _state(claim: ClaimVerdict, *, failed: bool) -> State:
    if claim.status is Status.ERROR:
        return State.ERROR
    if failed:
        return State.FAILS
    return State.PASSES if label(claim) in ("supported", "abstained") else State.DOUBTFUL


def _told(claim: ClaimVerdict) -> str:
    """The verdict, why, and what differs, on one line."""
    said = "; ".join(line for line in (claim.reason, difference_line(claim)) if line)
    return " ".join(f"{label(claim)}: {said}".split())


def _beside(checked: Checked) -> Iterator[Finding]:
    rule = rule_of(checked.report.config)
    unseen = State.DOUBTFUL if rule.allow_hidden else State.FAILS
    for one in checked.report.hidden:
        said = f"said in hidden text: {one.where}"
        yield Finding("hidden", unseen, said, one.text, one.start, one.end)
    lost = State.FAILS if rule.strict else State.DOUBTFUL
    for source in checked.report.unknown_sources:
        said = f"cites a source that is not there: {source.why}"
        yield Finding("unknown-source", lost, said, source.text, source.start, source.end)
