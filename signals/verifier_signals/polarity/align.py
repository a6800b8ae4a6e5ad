"""A statement of the claim and one of the premise go in, how far they speak of the same thing comes out."""

from __future__ import annotations

from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.items import Item
from verifier_signals.polarity.statement import Statement
from verifier_signals.polarity.statements import Context
from verifier_signals.polarity.ties import Ties

__all__ = ["Alignment", "align"]


_BECOMING = lexicon("becom grow turn")
"""Stems of verbs that only lead to an adjective (``grew darker``)."""


class Alignment(NamedTuple):
    """How two statements lie on each other.

    ``shared`` stems of the claim and those that synonyms meet, the premise's stems that ``matched`` them as
    synonyms, ``opposed`` pairs of words, stems that the premise has ``beside`` the statement. ``score``: the share
    of the claim's statement that the premise speaks of; ``covered``: the share of the premise's that the claim
    speaks of; ``mutual``: the share in common where what only one side says is left out of account. All in [0, 1].
    """

    shared: frozenset[str]
    matched: frozenset[str]
    opposed: tuple[tuple[Item, Item], ...]
    beside: frozenset[str]
    score: float
    covered: float
    mutual: float


_NOTHING = Alignment(frozenset(), frozenset(), (), frozenset(), 0.0, 0.0, 0.0)


def align(
    claim: Statement, premise: Statement, context: Context, whole: frozenset[str], ties: Ties
) -> Alignment:
    """Compare two statements.

    Args:
        context: what the premise says around its statement. Words that the claim shares with a heading count
            on neither side, for they hold of everything below it.
        whole: the stems of the whole claim.
    """
    shared = claim.stems & premise.stems
    if not shared and claim.stems.isdisjoint(context.near):
        return _NOTHING
    opposed, synonyms, matched = _pairs(claim, premise, shared)
    led = _BECOMING - shared if any(first.low.endswith("er") for first, _ in opposed) else frozenset[str]()
    shared |= synonyms
    exact = len(shared) - len(synonyms)
    met = {first.stem for first, _ in opposed}
    given = (claim.stems & context.above) - shared - met
    beside = (claim.stems & context.near) - shared - met - given
    implied = (claim.names - premise.stems - context.near - given) - met
    rest = len(claim.stems - led) - len(met) - len(given) - (1.0 - ties.implied) * len(implied)
    if rest <= 0:
        return Alignment(shared, matched, opposed, beside, 0.0, 0.0, 0.0)
    score = min(1.0, (exact + ties.synonym * len(synonyms) + ties.beside * len(beside)) / rest)
    if score < ties.least and not (premise.denied or premise.modal):
        return Alignment(shared, matched, opposed, beside, score, 0.0, 0.0)
    common = shared | matched | met | {second.stem for _, second in opposed}
    ours = claim.beyond(common | given | beside) - led
    theirs = premise.beyond(common | context.above | whole) - led
    if claim.sweeping and claim.subjects & premise.subjects:
        theirs -= premise.subjects
    if claim.existence and premise.existence:
        ours, theirs = ours - claim.predicates, theirs - premise.predicates
        if claim.existing & premise.existing:
            ours, theirs = ours - claim.beside_existing, theirs - premise.beside_existing
    if _names_apart(claim, ours, premise, theirs):
        return Alignment(shared, matched, opposed, beside, 0.0, 0.0, 0.0)
    if _stands_for(premise, theirs, claim, ours):
        ours, theirs = ours - claim.subjects, theirs - premise.subjects
    wanted = len(premise.stems - context.above) + len(premise.numbers)
    missing = len(theirs) + len(premise.numbers - claim.numbers)
    covered = 1.0 - missing / wanted if wanted else 0.0
    mutual = len(shared) / (len(shared) + min(len(ours), len(theirs))) if shared else 0.0
    return Alignment(shared, matched, opposed, beside, score, max(covered, 0.0), mutual)


def _names_apart(claim: Statement, ours: frozenset[str], premise: Statement, theirs: frozenset[str]) -> bool:
    """Whether each side names somebody, in the same place of the statement, whom the other does not name."""
    mine, other = ours & claim.capitals, theirs & premise.capitals
    before = mine & claim.subjects and other & premise.subjects
    return bool(before or (mine - claim.subjects and other - premise.subjects))


def _stands_for(premise: Statement, theirs: frozenset[str], claim: Statement, ours: frozenset[str]) -> bool:
    """Whether the premise's subject (``the company``) may stand for the one that the claim names."""
    unmatched, named = theirs & premise.subjects, ours & claim.subjects
    return bool(unmatched and named) and named <= claim.capitals and not unmatched & premise.capitals


def _pairs(
    claim: Statement, premise: Statement, shared: frozenset[str]
) -> tuple[tuple[tuple[Item, Item], ...], frozenset[str], frozenset[str]]:
    """Opposite words, the claim's stems that a synonym in the premise meets, and these synonyms' stems."""
    mine, other = claim.related, premise.related
    opposed: dict[str, tuple[Item, Item]] = {}
    for form in mine.opposites.keys() & other.forms.keys():
        second = other.forms[form]
        for first in mine.opposites[form]:
            if first not in shared and second not in shared:
                opposed.setdefault(first, (claim.items[first], premise.items[second]))
    senses = mine.senses.keys() & other.senses.keys()
    found = {mine.senses[sense]: other.senses[sense] for sense in sorted(senses)}
    matched = {one: met for one, met in found.items() if one not in shared and one not in opposed}
    ordered = tuple(opposed[one] for one in sorted(opposed))
    return ordered, frozenset(matched), frozenset(matched.values())
