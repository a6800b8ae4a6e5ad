"""A report in; the same without what each signal found and weighed, a third of its JSON, out."""

from __future__ import annotations

from dataclasses import replace

from verifier.types import ClaimVerdict, Detail, Ledger, Report

__all__ = ["claim_in_detail", "in_detail"]


def in_detail(report: Report, detail: Detail) -> Report:
    """The report in that detail; what a brief one lacks does not come back.

    A brief one keeps verdicts, reasons, offsets, evidence, probabilities, edits, the deciding values, outcome and
    support of each signal, and everything that is said of the whole response.
    """
    if detail is Detail.FULL:
        return report
    claims = tuple(claim_in_detail(claim, detail) for claim in report.claims)
    return replace(report, claims=claims, detail=detail)


def claim_in_detail(claim: ClaimVerdict, detail: Detail) -> ClaimVerdict:
    """The claim as it stands in a report of that detail."""
    if detail is Detail.FULL:
        return claim
    signals = {name: replace(score, findings=(), features={}) for name, score in claim.signals.items()}
    return replace(claim, signals=signals, ledger=claim.ledger and _brief_ledger(claim.ledger))


def _brief_ledger(ledger: Ledger) -> Ledger:
    return replace(ledger, contributions=(), aligned=())
