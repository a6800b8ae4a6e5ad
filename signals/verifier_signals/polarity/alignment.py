"""Alignment of two statements: how far one of the claim and one of the premise speak of the same thing.

Here are also the result type of every comparison in this package (:class:`PolarityClash`) and the constants that say
from which likeness on two statements are compared. ``python -m benchmarks.polarity --choose`` chooses every one of
these on the tuning half of ``corpora/signals/negation.jsonl`` and writes ``thresholds.json``; none is set by hand.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.statements import Statement, StatementContext
from verifier_signals.polarity.terms import Term
from verifier_signals.syntax import Reading
from verifier_signals.types import Span

__all__ = [
    "OPEN_FEATURES",
    "Alignment",
    "PolarityClash",
    "Thresholds",
    "align",
    "learnt_thresholds",
    "main_span",
    "span_of",
]


class Thresholds(NamedTuple):
    """Shares of content words, in [0, 1] unless said otherwise."""

    same: float
    """Of the claim's statement that a statement of the premise must share before the two are compared."""
    firm: float
    """From which on their clash has its full strength."""
    beside: float
    """What a word counts that the premise has in the same sentence, but in another clause."""
    synonym: float
    """What a word counts that only a synonym meets."""
    implied: float
    """What a name counts that the claim adds behind its verb: a text need not repeat where it speaks of."""
    denied_covered: float
    """Of what one side denies that the other must affirm: not raising wages is not denied by raising prices."""
    denied_mutual: float
    """Of what the two statements have in common beside what each says alone, before a denial makes them clash."""
    antonym_mutual: float
    """The same for opposites."""
    modal_mutual: float
    """The same for modals."""
    quantity_same: float
    """Of the claim's statement, from which on two quantifiers count things of one kind."""
    quantity_noun: float
    """The same where both quantifiers stand before one noun."""
    quantity_mutual: float
    """Of what the statements have in common beside what each says alone, before their quantifiers clash."""
    condition_about: float
    """Of the claim that a condition's main statement must hold before the condition bears on the claim."""
    condition_whole: float
    """Of a condition's main statement that is enough instead."""
    condition_mentioned: float
    """Of a condition that makes a claim speak of it."""
    hedge_same: float
    """Of the claim's statement, from which on a reserve of the premise bears on it."""
    hedge_without_verb: float
    """The same where the two do not share a verb."""
    ahead: float
    """Sum of two coverages, in [0, 2], from which on two sides of a relation are the same two things."""
    clearly: float
    """By how much, in [0, 2], one way of pairing the sides must be better than the other."""

    @property
    def least(self) -> float:
        """The share of the claim's statement below which no comparison takes place."""
        return min(
            self.same, self.quantity_same, self.quantity_noun, self.hedge_same, self.hedge_without_verb
        )


@cache
def learnt_thresholds() -> Thresholds:
    """The constants that ship."""
    return Thresholds(**json.loads((files(__package__) / "thresholds.json").read_text("utf-8")))


OPEN_FEATURES = frozenset({"hedge", "reach", "cause"})
"""Features of what the evidence leaves open; the others are of what it denies."""


class PolarityClash(NamedTuple):
    """``check`` is the id of the one that found it, ``feature`` one of the negation signal's, ``strength`` in [0, 1].
    Spans are half-open, in each text."""

    check: str
    feature: str
    strength: float
    claim: Span
    evidence: Span
    note: str = ""


def span_of(reading: Reading, first: int, last: int) -> Span:
    """The characters of tokens ``first`` up to ``last``."""
    return reading.tokens[first].start, reading.tokens[last - 1].end


def main_span(reading: Reading, statement: Statement, shared: frozenset[str]) -> Span:
    """The word of a statement that a reader would point at: a shared predicate, else a shared word, else its first."""
    for stems in (statement.predicates & shared, shared & statement.stems, statement.stems):
        if stems:
            at = max(statement.terms[one].at for one in stems)
            return span_of(reading, at, at + 1)
    return span_of(reading, statement.first, statement.last)


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
    opposed: tuple[tuple[Term, Term], ...]
    beside: frozenset[str]
    score: float
    covered: float
    mutual: float


_NOTHING = Alignment(frozenset(), frozenset(), (), frozenset(), 0.0, 0.0, 0.0)


def align(
    claim: Statement,
    premise: Statement,
    context: StatementContext,
    whole: frozenset[str],
    thresholds: Thresholds,
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
    rest = len(claim.stems - led) - len(met) - len(given) - (1.0 - thresholds.implied) * len(implied)
    if rest <= 0:
        return Alignment(shared, matched, opposed, beside, 0.0, 0.0, 0.0)
    score = min(1.0, (exact + thresholds.synonym * len(synonyms) + thresholds.beside * len(beside)) / rest)
    if score < thresholds.least and not (premise.denied or premise.modal):
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
) -> tuple[tuple[tuple[Term, Term], ...], frozenset[str], frozenset[str]]:
    """Opposite words, the claim's stems that a synonym in the premise meets, and these synonyms' stems."""
    mine, other = claim.related, premise.related
    opposed: dict[str, tuple[Term, Term]] = {}
    for form in sorted(mine.opposites.keys() & other.forms.keys()):
        second = other.forms[form]
        for first in mine.opposites[form]:
            if first not in shared and second not in shared:
                opposed.setdefault(first, (claim.terms[first], premise.terms[second]))
    senses = mine.senses.keys() & other.senses.keys()
    found = {mine.senses[sense]: other.senses[sense] for sense in sorted(senses)}
    matched = {one: met for one, met in found.items() if one not in shared and one not in opposed}
    ordered = tuple(opposed[one] for one in sorted(opposed))
    return ordered, frozenset(matched), frozenset(matched.values())
