"""The exit codes of errors and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.errors import (
    BackendError,
    IngestError,
    KnowledgeBaseLocked,
    KnowledgeBaseUnavailable,
    LLMUnavailable,
    SignalError,
    StateUnavailable,
    VerifierError,
)

if TYPE_CHECKING:
    from verifier.interfaces.formats.base import Run
    from verifier.types import Report

__all__ = ["INCOMPLETE", "OK", "REJECTED", "USAGE", "of_error", "of_report", "of_run"]

OK = 0
REJECTED = 1
USAGE = 2
INCOMPLETE = 3
"""Something could not be checked or reached."""


def of_error(error: VerifierError) -> int:
    """2 for what the caller can mend in the call or the configuration, 3 for what could not be done."""
    unreachable = (
        BackendError,
        SignalError,
        IngestError,
        KnowledgeBaseLocked,
        LLMUnavailable,
        StateUnavailable,
        KnowledgeBaseUnavailable,
    )
    return INCOMPLETE if isinstance(error, unreachable) else USAGE


def of_report(report: Report) -> int:
    """0 approved, 1 rejected by the gate, 3 nothing to check or a claim in error."""
    from verifier.types import Decision, Status

    if report.decision is Decision.APPROVED:
        return OK
    if report.decision is Decision.NOTHING_TO_CHECK:
        return INCOMPLETE
    failed = any(claim.status is Status.ERROR for claim in report.claims)
    return INCOMPLETE if failed else REJECTED


def of_run(run: Run) -> int:
    """0 every text approved, 1 one rejected, 3 something not read, not checked, or nothing to check in a text."""
    if run.incomplete:
        return INCOMPLETE
    return OK if run.passes else REJECTED
