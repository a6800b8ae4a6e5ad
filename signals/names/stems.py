"""A text goes in, the stems of its words come out."""

from __future__ import annotations

from functools import lru_cache

from signals.syntax import read

__all__ = ["stems_in"]


@lru_cache(maxsize=2048)
def stems_in(text: str) -> frozenset[str]:
    """The stems of all words and marks of a text."""
    return frozenset([token.word.stem for token in read(text).tokens])
