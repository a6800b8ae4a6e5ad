"""A report as a table with a row for each of its claims."""

from __future__ import annotations

from verifier.core.frames import Table
from verifier.types import ClaimVerdict, Report, Status

__all__ = ["claim_table"]

COLUMNS = (
    *(
        "text",
        "start",
        "end",
        "status",
        "verdict",
        "confidence",
        "support",
        "conflict",
        "decided_by",
        "reason",
    ),
    *("claim_says", "evidence_says", "source", "page", "evidence_start", "evidence_end", "evidence"),
)


def claim_table(report: Report) -> Table:
    """The claims that were checked, could not be, or say that something is not told, in text order.

    Each with its verdict, the values that differ, and the nearest evidence.
    """
    rows = [_row(claim) for claim in report.claims if claim.status is not Status.SKIPPED]
    return Table([dict(zip(COLUMNS, row, strict=True)) for row in rows], COLUMNS)


def _row(claim: ClaimVerdict) -> tuple[object, ...]:
    pair = claim.ledger.pair if claim.ledger is not None else None
    says = (pair.claim.text, pair.evidence.text if pair.evidence else None) if pair else (None, None)
    verdict = claim.verdict.value if claim.verdict else None
    figures = (claim.confidence, claim.support, claim.conflict, claim.decided_by, claim.reason)
    nearest: tuple[object, ...] = (None,) * 5
    if claim.evidence:
        item = claim.evidence[0]
        nearest = (item.source, item.page, item.start, item.end, item.text)
    return (claim.text, claim.start, claim.end, claim.status.value, verdict, *figures, *says, *nearest)
