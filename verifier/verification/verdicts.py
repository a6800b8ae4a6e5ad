"""What a report says of each claim, of how the claims were read, and of what they were checked against."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from verifier.core.errors import BackendError, VerifierError, failing_as
from verifier.readers import State
from verifier.types import ClaimVerdict, Edit, Evidence, Status, UnknownSource, Verdict
from verifier.verification.cited_sources import unknown_sources
from verifier.verification.consultation.consulting import Consultant, notes_of, said_by_reader
from verifier.verification.consultation.quotations import sentence_of
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.verdict import Fusion
from verifier.verification.edits.search import Judged
from verifier.verification.explanation.ledger import ledger_of
from verifier.verification.explanation.reasons import explain
from verifier.verification.retrieve import KnowledgeSource
from verifier.verification.unchecked import unread

__all__ = [
    "described",
    "notes_on",
    "notes_on_disabled",
    "notes_on_signals",
    "notes_on_weights",
    "sources_not_there",
    "verdict_of",
]


def verdict_of(item: Judged, fusion: Fusion, fix: Edit | None, *, sought: bool) -> ClaimVerdict:
    """What was decided of a claim, with its reason, the passages that it rests on and its ledger.

    Args:
        item: the claim as it was read and decided.
        fusion: the weights by which it was.
        fix: the edit that would make it pass, if one is known.
        sought: whether one was looked for.
    """
    case, decided = item.case, item.decided
    consulted = case.consulted
    said = None if consulted is None else said_by_reader(consulted)
    if consulted is not None and consulted.reading.state is State.FAILED:
        return unread(case.claim, consulted.reading.note, said)
    sought = sought and decided.verdict is Verdict.CONTRADICTED
    ledger = replace(ledger_of(case, decided, fusion), fix=fix, fix_sought=sought)
    reading = case.con if decided.verdict is Verdict.CONTRADICTED and case.con else case.pro
    if case.unasserted is not None and decided.verdict is not Verdict.SUPPORTED:
        reading = case.unasserted
    spoken = (*(case.dispute or ()), reading) if decided.conflict else (reading, case.pro, case.con)
    return ClaimVerdict(
        text=case.claim.text,
        start=case.claim.start,
        end=case.claim.end,
        status=Status.CHECKED,
        verdict=decided.verdict,
        reason=explain(case, decided),
        confidence=decided.confidence,
        support=decided.probabilities[Verdict.SUPPORTED],
        conflict=decided.conflict,
        decided_by=decided.decided_by,
        hypothesis=case.claim.hypothesis,
        signals=dict(reading.scores) if reading else {},
        evidence=_evidence(spoken, () if consulted is None else map(sentence_of, consulted.quoted)),
        ledger=ledger,
        reader=said,
    )


def _evidence(
    readings: Iterable[WindowScores | None], quoted: Iterable[Evidence] = ()
) -> tuple[Evidence, ...]:
    """What a reader quotes, then the passages of the windows that speak about the claim, the deciding one first, each
    place once."""
    windows = (reading.window.as_evidence() for reading in readings if reading is not None)
    return tuple({(item.doc_id, item.start, item.end): item for item in (*quoted, *windows)}.values())


def notes_on(verdicts: Sequence[ClaimVerdict], consultant: Consultant | None, *, sought: bool) -> list[str]:
    """What is to be said of how the claims of a report were read; ``sought``: whether fixes were asked for."""
    notes = []
    unread = {
        finding.note
        for verdict in verdicts
        for score in verdict.signals.values()
        for finding in score.findings
        if finding.kind == "unread"
    }
    if sought and consultant is not None:
        notes.append("no edits were searched for: with a reader, each edit would have to be read as well")
    notes += [f"evidence that the NLI model could not read: {reason}" for reason in sorted(unread)]
    if consultant is not None:
        notes += notes_of(consultant, verdicts)
    fallen_back = sum(
        any(item.retrieved_by == "keyword" for item in verdict.evidence) for verdict in verdicts
    )
    if fallen_back:
        notes.append(f"vector search found nothing for {fallen_back} claims; keyword search was used instead")
    return notes


def notes_on_signals(signals: Iterable[str], available: Container[str]) -> Iterator[str]:
    """What is to be said of a missing NLI model: ``signals`` are asked for by name, some of them are available."""
    names = set(signals)
    if "nli" in names and "nli" not in available:
        yield (
            "no NLI model is installed: verdicts rest on the rule signals alone and are more cautious; "
            "set signals.nli.model to a model folder or hub id"
        )
    if "nli" not in names:
        yield "the NLI signal is switched off: verdicts rest on the rule signals alone"


def notes_on_disabled(checks: Set[str]) -> Iterator[str]:
    """What is to be said of features that are switched off."""
    if checks:
        yield f"switched off, and fed to the weights as 0: {', '.join(sorted(checks))}"


def sources_not_there(response: str, source: KnowledgeSource, namespace: str) -> tuple[UnknownSource, ...]:
    """The sources that are cited and not there; none where names cannot be asked for, which the claims tell."""
    try:
        with failing_as(BackendError, "the knowledge source"):
            return unknown_sources(response, source, namespace)
    except VerifierError:
        return ()


def described(source: KnowledgeSource, namespace: str) -> dict[str, object]:
    """What a report says of the knowledge base that it was checked against."""
    try:
        with failing_as(BackendError, "the knowledge source"):
            return {
                "content_hash": source.content_hash(namespace),
                "namespace": namespace,
                "passages": source.passage_count(namespace),
            }
    except VerifierError as error:
        return {"namespace": namespace, "error": str(error)}


def notes_on_weights(given: Fusion | None) -> Iterator[str]:
    """What is to be said of weights that were given."""
    if given is not None and (said := given.learnt_from.get("note")):
        yield str(said)
