"""The syntax that signals share: the tokens, clauses and verbs of a text."""

from __future__ import annotations

from verifier_signals.syntax.clauses import Clause, Reading, is_common, read
from verifier_signals.syntax.verbs import BE, VerbGroup
from verifier_signals.syntax.words import FUNCTION_WORDS, Token, Word, fold_word, stem, tokenise

__all__ = [
    "BE",
    "FUNCTION_WORDS",
    "Clause",
    "Reading",
    "Token",
    "VerbGroup",
    "Word",
    "fold_word",
    "is_common",
    "read",
    "stem",
    "tokenise",
]
