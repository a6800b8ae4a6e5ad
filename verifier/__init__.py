"""Check a text against documents you trust, claim by claim. Public names load on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.lazy import names_from
from verifier.core.release import RELEASE

if TYPE_CHECKING:
    from verifier_backends.base import VectorBackend
    from verifier_backends.bm25 import BM25Backend
    from verifier_backends.dense import SentenceTransformerBackend
    from verifier_backends.hybrid import HybridBackend
    from verifier_backends.memory import InMemoryBackend
    from verifier_signals.base import Signal
    from verifier_signals.nli import NLIScorer

    from verifier.config import Settings, load
    from verifier.core.cache import ScoreCache
    from verifier.core.chat import (
        AnthropicChat,
        ChatModel,
        ChatReply,
        ChatRequest,
        OpenAIChat,
        PatientChat,
        ScriptedChat,
    )
    from verifier.core.errors import VerifierError
    from verifier.factory import build_backend, open_store
    from verifier.guard.coherence import CoherenceScorer
    from verifier.guard.judge import LLMJudge
    from verifier.guard.streaming import StreamingKernel
    from verifier.interfaces.asserting import assert_grounded
    from verifier.interfaces.library import averify, verify, verify_many
    from verifier.knowledge.ingest import discover, read_documents
    from verifier.knowledge.store import GroundTruthStore, VectorGroundTruthStore
    from verifier.measure.ready import build_scorer
    from verifier.types import (
        Claim,
        ClaimVerdict,
        Decision,
        Document,
        Evidence,
        Passage,
        Report,
        Status,
        Verdict,
    )
    from verifier.verification.grounded import NotGrounded
    from verifier.verification.render import render_json, render_markdown, render_table
    from verifier.verification.scorer import VerifiedScorer

__version__ = RELEASE

_HOME = {
    "AnthropicChat": "verifier.core.chat",
    "BM25Backend": "verifier_backends.bm25",
    "ChatModel": "verifier.core.chat",
    "ChatReply": "verifier.core.chat",
    "ChatRequest": "verifier.core.chat",
    "Claim": "verifier.types",
    "ClaimVerdict": "verifier.types",
    "CoherenceScorer": "verifier.guard.coherence",
    "Decision": "verifier.types",
    "Document": "verifier.types",
    "Evidence": "verifier.types",
    "GroundTruthStore": "verifier.knowledge.store",
    "HybridBackend": "verifier_backends.hybrid",
    "InMemoryBackend": "verifier_backends.memory",
    "LLMJudge": "verifier.guard.judge",
    "NLIScorer": "verifier_signals.nli",
    "NotGrounded": "verifier.verification.grounded",
    "OpenAIChat": "verifier.core.chat",
    "Passage": "verifier.types",
    "PatientChat": "verifier.core.chat",
    "Report": "verifier.types",
    "ScoreCache": "verifier.core.cache",
    "ScriptedChat": "verifier.core.chat",
    "SentenceTransformerBackend": "verifier_backends.dense",
    "Settings": "verifier.config",
    "Signal": "verifier_signals.base",
    "Status": "verifier.types",
    "StreamingKernel": "verifier.guard.streaming",
    "VectorBackend": "verifier_backends.base",
    "VectorGroundTruthStore": "verifier.knowledge.store",
    "Verdict": "verifier.types",
    "VerifiedScorer": "verifier.verification.scorer",
    "VerifierError": "verifier.core.errors",
    "assert_grounded": "verifier.interfaces.asserting",
    "averify": "verifier.interfaces.library",
    "build_backend": "verifier.factory",
    "build_scorer": "verifier.measure.ready",
    "discover": "verifier.knowledge.ingest",
    "load": "verifier.config",
    "open_store": "verifier.factory",
    "read_documents": "verifier.knowledge.ingest",
    "render_json": "verifier.verification.render",
    "render_markdown": "verifier.verification.render",
    "render_table": "verifier.verification.render",
    "verify": "verifier.interfaces.library",
    "verify_many": "verifier.interfaces.library",
}
"""Where each public name lives; nothing is imported before it is asked for."""

__all__ = [
    "AnthropicChat",
    "BM25Backend",
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "Claim",
    "ClaimVerdict",
    "CoherenceScorer",
    "Decision",
    "Document",
    "Evidence",
    "GroundTruthStore",
    "HybridBackend",
    "InMemoryBackend",
    "LLMJudge",
    "NLIScorer",
    "NotGrounded",
    "OpenAIChat",
    "Passage",
    "PatientChat",
    "Report",
    "ScoreCache",
    "ScriptedChat",
    "SentenceTransformerBackend",
    "Settings",
    "Signal",
    "Status",
    "StreamingKernel",
    "VectorBackend",
    "VectorGroundTruthStore",
    "Verdict",
    "VerifiedScorer",
    "VerifierError",
    "assert_grounded",
    "averify",
    "build_backend",
    "build_scorer",
    "discover",
    "load",
    "open_store",
    "read_documents",
    "render_json",
    "render_markdown",
    "render_table",
    "verify",
    "verify_many",
]


__getattr__ = names_from(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
