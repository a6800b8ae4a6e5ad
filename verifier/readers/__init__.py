"""Readers: models that say whether pieces of evidence support a claim, contradict it or say nothing of it."""

from verifier.readers.base import Reader, Traits
from verifier.readers.types import Answer, Call, Case, Foretold, Piece, Quotation, Reading, State

__all__ = ["Answer", "Call", "Case", "Foretold", "Piece", "Quotation", "Reader", "Reading", "State", "Traits"]
