"""A passage's sentences in; what it states with them, and whether it asserts that, out."""

from verifier.verification.statements.bearing import bar_of
from verifier.verification.statements.build import row_factuality, statements_of
from verifier.verification.statements.questions import asked_topic
from verifier.verification.statements.types import Factuality, Framed, Piece, Statement

__all__ = [
    "Factuality",
    "Framed",
    "Piece",
    "Statement",
    "asked_topic",
    "bar_of",
    "row_factuality",
    "statements_of",
]
