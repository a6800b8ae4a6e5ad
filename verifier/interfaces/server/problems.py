"""Errors as a status and one clear sentence; nothing of the inside reaches a client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.core.errors import (
    BackendRejected,
    BackendUnavailable,
    ConfigError,
    IngestError,
    KnowledgeBaseLocked,
    KnowledgeBaseNotFound,
    KnowledgeBaseUnavailable,
    LLMRejected,
    LLMUnavailable,
    MissingExtra,
    SignalError,
    StateUnavailable,
    UnsupportedOperation,
    VerifierError,
)
from verifier.interfaces.server.work import Busy

__all__ = ["Problem", "problem_of"]


@dataclass(eq=False)
class Problem(Exception):
    """An answer that is no success: its status, a word for programs, a sentence for people."""

    status: int
    code: str
    message: str
    headers: dict[str, str] = field(default_factory=dict)

    def body(self, request_id: str) -> dict[str, Any]:
        """The JSON that is sent."""
        return {"error": {"code": self.code, "message": self.message, "request_id": request_id}}


_OURS: tuple[tuple[type[VerifierError], int, str], ...] = (
    (KnowledgeBaseNotFound, 503, "no_knowledge_base"),
    (KnowledgeBaseLocked, 503, "busy"),
    (KnowledgeBaseUnavailable, 503, "knowledge_base_unavailable"),
    (BackendUnavailable, 503, "backend_unavailable"),
    (BackendRejected, 502, "backend_failed"),
    (UnsupportedOperation, 501, "not_supported"),
    (LLMUnavailable, 503, "model_unavailable"),
    (StateUnavailable, 503, "state_unavailable"),
    (LLMRejected, 502, "model_failed"),
    (MissingExtra, 501, "not_installed"),
    (ConfigError, 501, "not_configured"),
    (IngestError, 422, "unreadable"),
    (SignalError, 500, "signal_failed"),
)
"""The first that fits counts. A request cannot change the configuration, so what it lacks is the server's affair."""

_KEPT = frozenset({"unreadable", "not_supported"})
"""Errors whose own text is about what the client sent; the others may name paths and servers of ours."""

_SENTENCES = {
    "no_knowledge_base": "the server has no knowledge base",
    "busy": "another process is writing to the knowledge base; try again",
    "knowledge_base_unavailable": "the knowledge base cannot be reached; try again",
    "backend_unavailable": "the search index cannot be reached; try again",
    "backend_failed": "the search index failed",
    "model_unavailable": "the language model cannot be reached; try again",
    "model_failed": "the language model refused",
    "state_unavailable": "the shared state of the servers cannot be reached; try again",
    "not_installed": "the server lacks an optional part that this needs",
    "not_configured": "the server is not configured for this",
    "signal_failed": "a signal failed",
}


def problem_of(error: Exception) -> Problem:
    """What a client is told of an error; anything unknown is ``internal``."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Busy):
        return Problem(503, "busy", str(error), {"Retry-After": str(error.retry_after)})
    if isinstance(error, TimeoutError):
        return Problem(504, "timeout", "the request took too long and was given up")
    for kind, status, code in _OURS:
        if isinstance(error, kind):
            headers = {"Retry-After": "1"} if status == 503 else {}
            return Problem(status, code, str(error) if code in _KEPT else _SENTENCES[code], headers)
    return Problem(500, "internal", "something went wrong here; the request id finds it in the log")
