"""A response goes in; self-contained claims with exact spans come out, and what was skipped, with why."""

from __future__ import annotations

from verifier.verification.claims.extract import extract_claims
from verifier.verification.claims.hidden import hidden_in
from verifier.verification.claims.prompted import extract_answer
from verifier.verification.claims.types import ClaimExtractor, ExtractedResponse

__all__ = ["ClaimExtractor", "ExtractedResponse", "extract_answer", "extract_claims", "hidden_in"]
