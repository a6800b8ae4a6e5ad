"""A statement of the claim and one of the premise go in, how far they speak of the same thing comes out."""

from __future__ import annotations

from typing import NamedTuple

from signals.polarity.statements import Context, Item, Statement

__all__ = ["Alignment", "align"]

SAME = 0.5
"""From this share of common content words on, two statements are about the same thing."""
_CONTEXT = 0.5
"""What a word counts that the evidence has in the same sentence, but in another clause."""

_IMPLIED = 0.5
"""What a name counts that the claim adds where the evidence has none: a text need not repeat where it speaks of."""


class Alignment(NamedTuple):
    """``shared`` stems of the claim, the premise's stems that ``matched`` them as synonyms, ``opposed`` pairs of
    words, and the ``score`` in [0, 1]: the share of content in common."""

    shared: frozenset[str]
    matched: frozenset[str]
    opposed: tuple[tuple[Item, Item], ...]
    score: float


_NOTHING = Alignment(frozenset(), frozenset(), (), 0.0)


def align(claim: Statement, premise: Statement, context: Context) -> Alignment:
    """Compare two statements.

    Args:
        context: what the premise says around its statement. Words that the claim shares with a heading count
            on neither side, for they hold of everything below it.
    """
    shared = claim.stems & premise.stems
    if not shared and claim.stems.isdisjoint(context.near):
        return _NOTHING
    opposed, synonyms, matched = _pairs(claim, premise, shared)
    shared |= synonyms
    met = {first.stem for first, _ in opposed}
    given = (claim.stems & context.above) - shared - met
    implied = (claim.names - premise.stems - context.near - given) - met
    rest = len(claim.stems) - len(met) - len(given) - (1.0 - _IMPLIED) * len(implied)
    if rest <= 0:
        return Alignment(shared, matched, opposed, 0.0)
    beside = (claim.stems & context.near) - shared - met - given
    if _denial_covered(claim, premise, shared | matched, context):
        return Alignment(shared, matched, opposed, 1.0)
    forward = (len(shared) + _CONTEXT * len(beside)) / rest
    return Alignment(shared, matched, opposed, min(1.0, forward))


def _denial_covered(claim: Statement, premise: Statement, common: frozenset[str], context: Context) -> bool:
    """Whether the premise denies, in general, what the claim affirms in particular (``nothing was measured there``)."""
    if not premise.denied or claim.denied or not premise.predicates or not premise.numbers <= claim.numbers:
        return False
    wanted = premise.stems - context.above
    if premise.existence and claim.existence and premise.subjects:
        wanted -= premise.predicates
    leans = bool(claim.subjects & context.near - premise.stems)
    return bool(wanted) and wanted <= common and (len(premise.stems) > 1 or leans)


def _pairs(
    claim: Statement, premise: Statement, shared: frozenset[str]
) -> tuple[tuple[tuple[Item, Item], ...], frozenset[str], frozenset[str]]:
    """Opposite words, the claim's stems that a synonym in the premise meets, and these synonyms' stems."""
    opposed: dict[str, tuple[Item, Item]] = {}
    for form in claim.opposites.keys() & premise.forms.keys():
        second = premise.forms[form]
        for first in claim.opposites[form]:
            if first not in shared and second not in shared:
                opposed.setdefault(first, (claim.items[first], premise.items[second]))
    senses = claim.senses.keys() & premise.senses.keys()
    matched = {claim.senses[sense]: premise.senses[sense] for sense in sorted(senses)}
    matched = {one: other for one, other in matched.items() if one not in shared and one not in opposed}
    ordered = tuple(opposed[one] for one in sorted(opposed))
    return ordered, frozenset(matched), frozenset(matched.values())
