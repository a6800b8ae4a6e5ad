"""Tokens in, the keys by which a claim and the cells of a table name the same thing out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from signals.ranking.types import Keys
from signals.stems import word_key
from signals.syntax import Reading, tokenise

__all__ = ["keys_at", "keys_of", "years_in"]

_YEAR_DIGITS = 4


def keys_at(reading: Reading, places: Iterable[int]) -> Keys:
    """The keys of some tokens of a claim."""
    found = set()
    for at in places:
        token = reading.tokens[at]
        surface = reading.text[token.start : token.end]
        named = surface[:1].isupper() and at not in reading.heads
        if named and len(surface) == 1:
            found.add(surface)
        elif not token.word.punct and (named or not token.word.function):
            found.add(word_key(surface) or token.word.low)
    return frozenset(found)


@lru_cache(maxsize=8192)
def keys_of(text: str) -> Keys:
    """The keys of a cell or a label.

    >>> sorted(keys_of("Trench C")), sorted(keys_of("seats 2024"))
    (['C', 'trench'], ['2024', 'seat'])
    """
    found = set()
    for token in tokenise(text):
        surface = text[token.start : token.end]
        if len(surface) == 1 and surface.isupper():
            found.add(surface)
        elif not token.word.punct and (surface[:1].isupper() or not token.word.function):
            found.add(word_key(surface) or token.word.low)
    return frozenset(found)


def years_in(keys: Keys) -> Keys:
    """The keys that are years."""
    return frozenset(key for key in keys if len(key) == _YEAR_DIGITS and key.isdecimal() and key[0] in "12")
