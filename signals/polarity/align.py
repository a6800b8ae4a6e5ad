"""A statement of the claim and one of the premise go in, how far they speak of the same thing comes out."""

from __future__ import annotations

from typing import NamedTuple

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


_NOTHING = Alignment(frozenset(), (), 0.0)


def align(claim: Statement, premise: Statement, context: frozenset[str]) -> Alignment:
    """Compare two statements.

    Args:
        context: stems of the whole sentence that the premise's statement stands in.
    """
    shared = claim.stems & premise.stems
    if not shared and claim.stems.isdisjoint(context):
        return _NOTHING
    opposed, matched = _pairs(claim, premise, shared)
    shared |= matched
    met = {first.stem for first, _ in opposed}
    rest = len(claim.stems) - len(met)
    if rest <= 0:
        return Alignment(shared, opposed, 0.0)
    beside = (claim.stems & context) - shared - met
    forward = (len(shared) + _CONTEXT * len(beside)) / rest
    return Alignment(shared, opposed, min(1.0, forward))


def _pairs(
    claim: Statement, premise: Statement, shared: frozenset[str]
) -> tuple[tuple[tuple[Item, Item], ...], frozenset[str]]:
    """Opposite words, and the claim's stems that a synonym in the premise meets."""
    opposed: dict[str, tuple[Item, Item]] = {}
    for form in claim.opposites.keys() & premise.forms.keys():
        second = premise.forms[form]
        for first in claim.opposites[form]:
            if first not in shared and second not in shared:
                opposed.setdefault(first, (claim.items[first], premise.items[second]))
    matched = {claim.senses[sense] for sense in claim.senses.keys() & premise.senses.keys()}
    ordered = tuple(opposed[one] for one in sorted(opposed))
    return ordered, frozenset(matched - shared - opposed.keys())
