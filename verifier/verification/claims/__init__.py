"""A response goes in; self-contained claims with exact spans come out, and what was skipped, with why."""

from __future__ import annotations

from verifier.verification.claims.embedded_text import hidden_in
from verifier.verification.claims.extract import extract_claims
from verifier.verification.claims.responses import ClaimExtractor, ExtractedResponse, extract_answer

__all__ = ["ClaimExtractor", "ExtractedResponse", "extract_answer", "extract_claims", "hidden_in"]
