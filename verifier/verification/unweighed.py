"""A piece of a response that nothing is to be weighed for goes in; its verdict, or why it has none, comes out."""

from __future__ import annotations

from dataclasses import replace

from verifier.core.errors import VerifierError
from verifier.types import Claim, ClaimVerdict, ReaderSaid, SkippedSpan, Status, Verdict

__all__ = ["errored", "foreign", "skipped", "unread", "unresolved"]


def skipped(span: SkippedSpan) -> ClaimVerdict:
    """What is no claim."""
    return ClaimVerdict(span.text, span.start, span.end, Status.SKIPPED, None, span.reason)


def errored(claim: Claim, error: VerifierError) -> ClaimVerdict:
    """A claim that a backend or a signal failed over: an error, never a pass."""
    return _bare(claim, f"could not be checked: {error}")


def unread(claim: Claim, reason: str, said: ReaderSaid | None) -> ClaimVerdict:
    """A claim that the reader was asked about and gave no usable reply on: an error, never a pass."""
    return replace(_bare(claim, f"could not be read: {reason}"), reader=said)


def foreign(claim: Claim, language: str) -> ClaimVerdict:
    """A claim in a language that the models do not know: unverifiable, and never approved."""
    return replace(
        _bare(claim, f"written in {language}, which cannot be read here"),
        status=Status.CHECKED,
        verdict=Verdict.UNVERIFIABLE,
        support=0.0,
        decided_by="language",
    )


def unresolved(verdict: ClaimVerdict, claim: Claim) -> ClaimVerdict:
    """The verdict as it stands, unless it supports a claim of which nothing tells whom it is about."""
    if not claim.unresolved or verdict.verdict is not Verdict.SUPPORTED:
        return verdict
    reason = (
        f"nothing before it tells what “{claim.unresolved}” stands for; of something the evidence says so"
    )
    return replace(verdict, verdict=Verdict.UNVERIFIABLE, support=0.0, reason=reason, decided_by="reference")


def _bare(claim: Claim, reason: str) -> ClaimVerdict:
    return ClaimVerdict(
        claim.text, claim.start, claim.end, Status.ERROR, None, reason, hypothesis=claim.hypothesis
    )
