"""Readers: a claim with its pieces of evidence in, whether they bear it out, deny it or say nothing of it, out."""

from verifier.readers.base import Reader, Traits
from verifier.readers.types import Answer, Call, Case, Foretold, Piece, Quotation, Reading, State

__all__ = ["Answer", "Call", "Case", "Foretold", "Piece", "Quotation", "Reader", "Reading", "State", "Traits"]
