"""A statement of the claim and one of the premise go in, how far they speak of the same thing comes out."""

from __future__ import annotations

from typing import NamedTuple

from signals.lexicon import antonyms_of, are_synonyms, verb_of
from signals.polarity.statements import Item, Statement

__all__ = ["Alignment", "align"]

SAME = 0.5
"""From this share of common content words on, two statements are about the same thing."""
_CONTEXT = 0.5
"""What a word counts that the evidence has in the same sentence, but in another clause."""


class Alignment(NamedTuple):
    """``shared`` stems, ``opposed`` pairs of words, and the ``score`` in [0, 1]: the share of content in common."""

    shared: frozenset[str]
    opposed: tuple[tuple[Item, Item], ...]
    score: float


def align(claim: Statement, premise: Statement, context: frozenset[str]) -> Alignment:
    """Compare two statements.

    Args:
        context: stems of the whole sentence that the premise's statement stands in.
    """
    shared = claim.stems & premise.stems
    ours, theirs = claim.stems - shared, premise.stems - shared
    opposed, matched = _pairs(claim, premise, ours, theirs)
    shared |= matched
    met = {first.stem for first, _ in opposed}
    rest = len(claim.stems) - len(met)
    if rest <= 0:
        return Alignment(shared, opposed, 0.0)
    beside = (claim.stems & context) - shared - met
    forward = (len(shared) + _CONTEXT * len(beside)) / rest
    return Alignment(shared, opposed, min(1.0, forward))


def _pairs(
    claim: Statement, premise: Statement, ours: frozenset[str], theirs: frozenset[str]
) -> tuple[tuple[tuple[Item, Item], ...], frozenset[str]]:
    """Opposite words, and the claim's stems that a synonym in the premise meets."""
    opposed: list[tuple[Item, Item]] = []
    matched: set[str] = set()
    for first in sorted(ours):
        one = claim.items[first]
        for second in sorted(theirs):
            other = premise.items[second]
            if _are_opposites(one.low, other.low):
                opposed.append((one, other))
                break
            if are_synonyms(_lemma(one.low), _lemma(other.low)):
                matched.add(first)
                break
    return tuple(opposed), frozenset(matched)


def _are_opposites(first: str, second: str) -> bool:
    if second in antonyms_of(first):
        return True
    one, other = _lemma(first), _lemma(second)
    return (one, other) != (first, second) and other in antonyms_of(one)


def _lemma(low: str) -> str:
    verb = verb_of(low)
    if verb is not None:
        return verb.lemma
    return low
