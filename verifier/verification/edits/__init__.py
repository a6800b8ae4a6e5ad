"""Propose single edits that might make a contradicted claim pass, the likeliest and smallest first."""

from __future__ import annotations

from collections.abc import Iterator

from verifier_signals.types import Finding, Relation

from verifier.verification.decision.features import WindowScores, conflict_in
from verifier.verification.edits.deny import affirmed, denied
from verifier.verification.edits.gap import filled_gaps
from verifier.verification.edits.limits import conditioned, other_modal, other_quantity, unlike_cues
from verifier.verification.edits.proposal import Proposal
from verifier.verification.edits.swap import swapped_names, swapped_values, swapped_words

__all__ = ["Proposal", "proposals"]

_RULES = ("number", "entity", "negation")


def proposals(claim: str, reading: WindowScores, feature: str) -> list[Proposal]:
    """Edits of a claim from what a window says against it.

    First those that change what decided, then those that change the other conflicts of the window; then, resting on
    no conflict that a signal named, those that take over the evidence's modals and quantifiers where no conflict is
    named at all, or its words where the claim's are missing. In each group the smallest is first. None repeats the
    words of another.
    """
    decisive = conflict_in(reading, feature)
    first = [] if decisive is None else [decisive[1]]
    others = [
        item
        for signal in _RULES
        for item in reading.findings(signal)
        if item.relation is Relation.CONFLICT and item not in first
    ]
    premise = reading.window.premise
    groups = (
        [made for item in first for made in _of(claim, premise, item)],
        [made for item in others for made in _of(claim, premise, item)],
        [made._replace(loose=True) for made in _unnamed(claim, premise, reading, named=bool(first))],
    )
    ordered = [made for group in groups for made in sorted(group, key=lambda made: made.words)]
    return list({made.apply(claim): made for made in reversed(ordered)}.values())[::-1]


def _unnamed(claim: str, premise: str, reading: WindowScores, *, named: bool) -> Iterator[Proposal]:
    """Edits where no signal points at a word."""
    if not named:
        for finding in unlike_cues(claim, premise):
            yield from _of(claim, premise, finding)
    yield from filled_gaps(claim, premise, reading.findings("traceability"))


def _is_name(finding: Finding) -> bool:
    """Whether a row has another name where the claim has one."""
    values = finding.claim_value, finding.evidence_value or ""
    return not finding.note and finding.claim_span[0] > 0 and all(value[:1].isupper() for value in values)


def _are_words(finding: Finding) -> bool:
    """Whether a conflict is of one word with another: the case of which it is granted, and its opposite."""
    return all(len(value.split()) == 1 for value in (finding.claim_value, finding.evidence_value or ""))


def _of(claim: str, premise: str, finding: Finding) -> Iterator[Proposal]:
    """The edits for one conflict, by its kind."""
    match finding.kind:
        case "name" | "role":
            yield from swapped_names(claim, finding)
        case "antonym" if _is_name(finding):
            yield from swapped_names(claim, finding)
        case "polarity":
            yield from affirmed(claim, finding)
            yield from denied(claim, finding)
            yield from swapped_words(claim, premise, finding) if finding.note else ()
        case "antonym":
            yield from swapped_words(claim, premise, finding)
            yield from affirmed(claim, finding)
            yield from denied(claim, finding)
        case "quantifier":
            yield from other_quantity(claim, premise, finding)
        case "modality":
            yield from other_modal(claim, premise, finding)
            yield from affirmed(claim, finding)
            yield from denied(claim, finding)
        case "condition" if _are_words(finding):
            yield from swapped_words(claim, premise, finding)
        case "condition":
            yield from conditioned(claim, finding)
        case _:
            yield from swapped_values(claim, premise, finding)
