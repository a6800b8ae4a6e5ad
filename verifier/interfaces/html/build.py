"""Build what a person is shown of a report, from its text and the documents behind it."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.core.release import RELEASE
from verifier.interfaces.html.draft import draft_of
from verifier.interfaces.html.evidence import Documents, evidence_views
from verifier.interfaces.html.marks import WHOLE, Marks
from verifier.interfaces.html.types import ClaimView, Difference, Fix, Piece, Unread, View
from verifier.types import ClaimVerdict, Document, Report, Status, Verdict
from verifier.verification.render.summary import UNSURE, confidence, label, rows

__all__ = ["PROGRAM", "claim_view", "view_of"]

PROGRAM = f"rag-claim-verifier {RELEASE}"


def _none(_doc_id: str) -> Document | None:
    """No document is at hand."""
    return None


def view_of(
    report: Report,
    text: str,
    *,
    name: str = "",
    documents: Documents = _none,
    unread: Sequence[Unread] = (),
    checked_against: str = "",
) -> View:
    """What ``view.js`` shows of a report.

    Args:
        report: what was found.
        text: the text that it is about.
        name: what the text is called.
        documents: the documents that evidence is from, by id; without them there are no lines and no surroundings.
        unread: sources that could not be read, which are shown above everything else.
        checked_against: in a few words, what the text was checked against.
    """
    return View(
        draft=draft_of(text, name),
        claims=[claim_view(n, claim, documents) for n, claim in enumerate(rows(report), 1)],
        skipped=[
            Piece(start=one.start, end=one.end, why=one.reason)
            for one in report.claims
            if one.status is Status.SKIPPED
        ],
        hidden=[Piece(start=one.start, end=one.end, why=one.where) for one in report.hidden],
        unknown_sources=[Piece(start=one.start, end=one.end, why=one.why) for one in report.unknown_sources],
        unread=list(unread),
        checked_against=checked_against,
        decision=report.decision.value,
        rule=report.rule,
        groundedness=report.groundedness,
        notes=list(report.notes),
        program=PROGRAM,
    )


def claim_view(number: int, claim: ClaimVerdict, documents: Documents = _none) -> ClaimView:
    """What is shown of one claim, skipped spans aside; ``number`` is its place among those of the report, from 1."""
    sure = confidence(claim)
    return ClaimView(
        number=number,
        start=claim.start,
        end=claim.end,
        label=label(claim),
        sure="" if sure == UNSURE else sure,
        reading=_reading(claim),
        reason=claim.reason,
        conflict=claim.conflict,
        difference=_difference(claim),
        fix=_fix(claim),
        marks=Marks(claim).in_draft(),
        evidence=evidence_views(claim, documents),
    )


def _reading(claim: ClaimVerdict) -> str:
    """The claim as it was read, where other words than those of the draft are in it."""
    read = " ".join(claim.hypothesis.split())
    return "" if not read or read in " ".join(claim.text.split()) else read


def _difference(claim: ClaimVerdict) -> Difference | None:
    """The two values that decided against a claim."""
    pair = claim.ledger.pair if claim.ledger is not None else None
    against = claim.verdict is Verdict.CONTRADICTED or claim.conflict
    if pair is None or pair.evidence is None or pair.kind == WHOLE or not against:
        return None
    said, told = (" ".join(quote.text.split()).rstrip(".") for quote in (pair.claim, pair.evidence))
    return Difference(claim=said, evidence=told, note=pair.note) if said and told else None


def _fix(claim: ClaimVerdict) -> Fix | None:
    fix = claim.ledger.fix if claim.ledger is not None else None
    return None if fix is None else Fix(label=fix.label, text=fix.text, verdict=fix.verdict.value)
