"""Words written out in one string go in, a frozen set of them comes out: how every word list here is kept."""

from __future__ import annotations

__all__ = ["lexicon"]


def lexicon(words: str) -> frozenset[str]:
    """The words of a list separated by white space.

    >>> sorted(lexicon("km  mi\\nm"))
    ['km', 'm', 'mi']
    """
    return frozenset(words.split())
