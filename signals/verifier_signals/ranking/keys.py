"""Tokens in, the keys by which a claim and the cells of a table name the same thing out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from verifier_signals.ranking.types import Keys
from verifier_signals.stems import word_key
from verifier_signals.syntax import Reading, tokenise

__all__ = ["keys_at", "keys_of", "years_in"]

_YEAR_DIGITS = 4
_POSSESSIVE = re.compile(r"['’]s?$")
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_PARTS_OF_YEARS = {"quarter": "q", "half": "h"}
"""How a table calls the parts of a year: ``Q3``, ``H1``."""


def keys_at(reading: Reading, places: Iterable[int]) -> Keys:
    """The keys of some tokens of a claim."""
    found = set()
    for at in places:
        token = reading.tokens[at]
        if part := _part_of_year(reading, at):
            found.add(part)
            continue
        surface = reading.text[token.start : token.end]
        named = surface[:1].isupper() and at not in reading.heads
        if named and len(surface) == 1:
            found.add(surface)
        elif not token.word.punct and (named or not token.word.function):
            found.add(_key(surface) or token.word.low)
    return frozenset(found)


def _part_of_year(reading: Reading, at: int) -> str:
    """``q3`` for the ``third`` of a ``third quarter``, and of a ``third`` that leaves the word to another such one."""
    low, lows = reading.lows[at], reading.lows
    if low not in _ORDINALS:
        return ""
    following = lows[at + 1] if at + 1 < len(lows) else "."
    if following in _PARTS_OF_YEARS:
        return _PARTS_OF_YEARS[following] + _ORDINALS[low]
    if following.isalpha() and following != "of":
        return ""
    named = [
        _PARTS_OF_YEARS[word]
        for before, word in pairwise(lows)
        if before in _ORDINALS and word in _PARTS_OF_YEARS
    ]
    return named[0] + _ORDINALS[low] if named else ""


def _key(surface: str) -> str:
    return word_key(_POSSESSIVE.sub("", surface))


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
            found.add(_key(surface) or token.word.low)
    return frozenset(found)


def years_in(keys: Keys) -> Keys:
    """The keys that are years."""
    return frozenset(key for key in keys if len(key) == _YEAR_DIGITS and key.isdecimal() and key[0] in "12")
