"""What a gate or an editor is to be told of a checked text, one finding for each place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from verifier.core.reasoning import OPEN_REASONING
from verifier.interfaces.formats.base import Checked
from verifier.interfaces.formats.changes import Changes, Kind
from verifier.types import ClaimVerdict, Decision, Status
from verifier.verification.grounded import fails, rule_of
from verifier.verification.render.summary import difference_line, label

__all__ = ["RULES", "Finding", "State", "findings"]

RULES = {
    "supported": "The evidence entails the claim, and no number, date, name, role or negation in it conflicts.",
    "contradicted": "Evidence about the same thing says otherwise.",
    "fabricated": "The claim asserts specifics that the knowledge base never mentions.",
    "unverifiable": "The knowledge base neither confirms nor denies the claim.",
    "abstained": "The text says that the sources do not tell something.",
    "error": "The claim could not be checked.",
    "hidden": "A sentence is said where whoever reads the rendered text does not see it.",
    "unknown-source": "The text cites a source that is not there.",
    "open-reasoning": "A block of reasoning is not closed: what is in it was not checked.",
    "nothing-to-check": "The text holds no claim that could be checked.",
    "baseline": "The text as a whole is worse than in the baseline.",
}
"""What a finding is about, by the name of its rule: verdicts, and what beside them can stop a text."""


class State(StrEnum):
    """What a finding means for the gate."""

    FAILS = "fails"
    ERROR = "error"
    """It could not be checked, which never passes."""
    KNOWN = "known"
    """It fails, and did so in the baseline."""
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
    kind: Kind | None = None
    was: str = ""
    """What has become of it since the baseline, and the verdict that a claim had there; nothing without one."""


def findings(checked: Checked) -> list[Finding]:
    """Of each claim one finding, whether it passes or not, then one of each thing beside them, in text order."""
    found = sorted([*_of_claims(checked), *_beside(checked)], key=lambda one: (one.start, one.end))
    if checked.report.decision is Decision.NOTHING_TO_CHECK:
        state = State.ERROR if checked.incomplete else State.KNOWN
        found.append(Finding("nothing-to-check", state, "nothing to check", kind=_kind(checked, state)))
    if checked.changes and not checked.passes and not any(one.state in _STOPPING for one in found):
        said = "; ".join(checked.changes.reasons)
        found.append(Finding("baseline", State.FAILS, said, kind="worse"))
    return found


_STOPPING = frozenset({State.FAILS, State.ERROR})


def _of_claims(checked: Checked) -> Iterator[Finding]:
    report, rule = checked.report, rule_of(checked.report.config)
    before = checked.changes.before if checked.changes else None
    for n, claim in enumerate(report.claims):
        span = claim.text, claim.start, claim.end
        if claim.status is not Status.SKIPPED:
            failed = not report.approved and fails(claim, report, rule)
            kind, was = _since(checked.changes, n)
            state, told = _state(claim, kind, failed=failed), _told(claim, kind, was)
            yield Finding(label(claim), state, told, *span, claim=claim, kind=kind, was=was)
        elif claim.reason == OPEN_REASONING:
            state = State.KNOWN if before and before.open_reasoning else State.FAILS
            said = "a block of reasoning that is not closed"
            yield Finding("open-reasoning", state, said, *span, kind=_kind(checked, state))


def _since(changes: Changes | None, n: int) -> tuple[Kind | None, str]:
    """What has become of a report's ``n``-th claim since the baseline, and its verdict there."""
    return (None, "") if changes is None else (changes.kinds[n], changes.was.get(n, ""))


def _state(claim: ClaimVerdict, kind: Kind | None, *, failed: bool) -> State:
    if claim.status is Status.ERROR:
        return State.ERROR
    if kind == "worse" or (failed and kind in (None, "new")):
        return State.FAILS
    if failed:
        return State.KNOWN
    return State.PASSES if label(claim) in ("supported", "abstained") else State.DOUBTFUL


def _told(claim: ClaimVerdict, kind: Kind | None, was: str) -> str:
    """The verdict, why, what differs, and what the verdict was, on one line."""
    lines = [claim.reason, difference_line(claim)]
    if kind in ("worse", "better"):
        lines.append(f"{was} in the baseline")
    return " ".join(f"{label(claim)}: {'; '.join(filter(None, lines))}".split())


def _beside(checked: Checked) -> Iterator[Finding]:
    rule = rule_of(checked.report.config)
    before = checked.changes.before if checked.changes else None
    for one in checked.report.hidden:
        known = before is not None and one.text in before.hidden
        state = _unless(rule.allow_hidden, known)
        said = f"said in hidden text: {one.where}"
        yield Finding("hidden", state, said, one.text, one.start, one.end, kind=_kind(checked, state))
    for source in checked.report.unknown_sources:
        known = before is not None and source.text in before.unknown
        state = _unless(not rule.strict, known)
        said = f"cites a source that is not there: {source.why}"
        kind = _kind(checked, state)
        yield Finding("unknown-source", state, said, source.text, source.start, source.end, kind=kind)


def _unless(allowed: bool, known: bool) -> State:
    return State.DOUBTFUL if allowed else State.KNOWN if known else State.FAILS


def _kind(checked: Checked, state: State) -> Kind | None:
    """What has become of something that the baseline holds as it is, or does not hold."""
    return None if checked.changes is None else "new" if state in _STOPPING else "same"
