"""Claim extraction: a response becomes self-contained claims with exact spans; the rest is skipped with a reason.

Start at ``extract``. It reads the layout of a response (``typography``, ``html``, ``structure``, ``headings``,
``markup``, ``citations``, ``records``, ``embedded_text``), asks of each sentence whether it is a factual claim
(``checkworthiness``, ``opinions``, ``abstention``, ``presupposition``), takes it apart by
:mod:`verifier.verification.grammar`, and completes what it leaves out (``ellipsis``, ``headings``). ``llm`` lets a
language model refine the result.
"""

from __future__ import annotations

from verifier.verification.claims.embedded_text import hidden_in
from verifier.verification.claims.extract import RuleExtractor, extract_claims
from verifier.verification.claims.responses import ClaimExtractor, ExtractedResponse, extract_answer, name_of

__all__ = [
    "ClaimExtractor",
    "ExtractedResponse",
    "RuleExtractor",
    "extract_answer",
    "extract_claims",
    "hidden_in",
    "name_of",
]
