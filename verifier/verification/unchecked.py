"""The verdicts of pieces of a response that need no evidence, and why the others have none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from verifier.core.errors import VerifierError
from verifier.types import Claim, ClaimVerdict, Evidence, ReaderSaid, SkippedSpan, Status, Verdict
from verifier.verification.claim_checks import skip_check
from verifier.verification.decision.verbatim import repeats
from verifier.verification.explanation.reasons import locate
from verifier.verification.grammar.coreference import sole_antecedent
from verifier.verification.report import UNREAD_FILES

__all__ = ["abstained", "errored", "foreign", "skipped", "unread", "unresolved", "untraced"]


def skipped(span: SkippedSpan) -> ClaimVerdict:
    """What is no claim."""
    return ClaimVerdict(
        span.text, span.start, span.end, Status.SKIPPED, None, span.reason, checks=_checks_of(span)
    )


def _checks_of(span: SkippedSpan) -> tuple[str, ...]:
    """The check that skips it; none for markup and reasoning, which are no sentences of the answer."""
    check = skip_check(span.reason)
    return (check,) if check else ()


def abstained(span: SkippedSpan, told: Evidence | None) -> ClaimVerdict:
    """What says that something is not told; ``told`` is where the sources do tell it."""
    reason = "says that the sources do not state this, and no source was found that does"
    if told is not None:
        reason = f"the sources do state it: “{' '.join(told.text.split())}” ({locate(told)})"
    return ClaimVerdict(
        span.text,
        span.start,
        span.end,
        Status.ABSTAINED,
        None,
        reason,
        evidence=() if told is None else (told,),
        checks=_checks_of(span),
    )


def errored(claim: Claim, error: VerifierError) -> ClaimVerdict:
    """A claim that a backend or a signal failed over: an error, never a pass."""
    return _bare(claim, f"could not be checked: {error}")


def unread(claim: Claim, reason: str, said: ReaderSaid | None) -> ClaimVerdict:
    """A claim that the reader was asked about and gave no usable reply on: an error, never a pass."""
    return replace(_bare(claim, f"the reader gave no usable answer: {reason}"), reader=said)


def foreign(claim: Claim, language: str) -> ClaimVerdict:
    """A claim in a language that the models do not know: unverifiable, and never approved."""
    return replace(
        _bare(claim, f"written in {language}, which is not supported here"),
        status=Status.CHECKED,
        verdict=Verdict.UNVERIFIABLE,
        support=0.0,
        decided_by="language",
    )


def unresolved(verdict: ClaimVerdict, claim: Claim, passages: Iterable[str] = ()) -> ClaimVerdict:
    """The verdict as it stands, unless it supports a claim of which nothing tells whom it is about.

    ``passages`` are those found for it: where one has the claim behind the same sentence as the response, or where they
    speak of one thing only, the pronoun stands for the same.
    """
    if not claim.unresolved or verdict.verdict is not Verdict.SUPPORTED:
        return verdict
    passages = list(passages)
    if claim.context and any(repeats(passage, claim.context) for passage in passages):
        return verdict
    if meant := sole_antecedent(claim.unresolved, passages):
        told = f"“{claim.unresolved}” is taken to mean “{meant}”, the only subject in the evidence"
        return replace(verdict, reason=f"{verdict.reason}; {told}")
    reason = (
        f"nothing before it tells what “{claim.unresolved}” refers to; the evidence says this about something"
    )
    return replace(verdict, verdict=Verdict.UNVERIFIABLE, support=0.0, reason=reason, decided_by="reference")


def untraced(verdict: ClaimVerdict, unread_files: int) -> ClaimVerdict:
    """The verdict as it stands, *unverifiable* in place of *fabricated* while so many files were not read.

    They may hold what the claim says. Such a claim lets no response through that *fabricated* would not.
    """
    if not unread_files or verdict.verdict is not Verdict.FABRICATED:
        return verdict
    files = "1 file was" if unread_files == 1 else f"{unread_files} files were"
    return replace(
        verdict,
        verdict=Verdict.UNVERIFIABLE,
        reason=f"not mentioned in what was read, but {files} not read; {verdict.reason}",
        confidence=None,
        support=0.0,
        decided_by=UNREAD_FILES,
        ledger=None,
    )


def _bare(claim: Claim, reason: str) -> ClaimVerdict:
    return ClaimVerdict(
        claim.text, claim.start, claim.end, Status.ERROR, None, reason, hypothesis=claim.hypothesis
    )
