"""A piece of a response that nothing was weighed for goes in, with the reason; its verdict, or why it has none, out."""

from __future__ import annotations

from dataclasses import replace

from verifier.core.errors import VerifierError
from verifier.types import Claim, ClaimVerdict, SkippedSpan, Status, Verdict

__all__ = ["errored", "foreign", "skipped"]


def skipped(span: SkippedSpan) -> ClaimVerdict:
    """What is no claim."""
    return ClaimVerdict(span.text, span.start, span.end, Status.SKIPPED, None, span.reason)


def errored(claim: Claim, error: VerifierError) -> ClaimVerdict:
    """A claim that a backend or a signal failed over: an error, never a pass."""
    return _bare(claim, f"could not be checked: {error}")


def foreign(claim: Claim, language: str) -> ClaimVerdict:
    """A claim in a language that the models do not know: unverifiable, and never approved."""
    return replace(
        _bare(claim, f"written in {language}, which cannot be read here"),
        status=Status.CHECKED,
        verdict=Verdict.UNVERIFIABLE,
        support=0.0,
        decided_by="language",
    )


def _bare(claim: Claim, reason: str) -> ClaimVerdict:
    return ClaimVerdict(
        claim.text, claim.start, claim.end, Status.ERROR, None, reason, hypothesis=claim.hypothesis
    )
