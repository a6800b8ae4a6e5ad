"""Comparison of two texts in every respect of this package: all clashes of a claim and a premise.

Statements are only compared where a cheap look at their words finds a cue or opposites; most texts have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.alignment import OPEN_FEATURES, PolarityClash, Thresholds, learnt_thresholds
from verifier_signals.polarity.causes import cause_clashes
from verifier_signals.polarity.comparison import compare_measures
from verifier_signals.polarity.conditions import condition_clashes, names_exception
from verifier_signals.polarity.cues import cues_in
from verifier_signals.polarity.opposition import both_deny, contrary_word_clashes, oppositions
from verifier_signals.polarity.overstatement import hedge_clashes, overreach_clashes
from verifier_signals.polarity.quantification import quantifier_clashes
from verifier_signals.polarity.statements import statements_in, stems_in
from verifier_signals.polarity.temporal_order import compare_orders
from verifier_signals.polarity.terms import without_prefix, word_relations
from verifier_signals.polarity.trend import trend_clashes
from verifier_signals.syntax import Reading, read
from verifier_signals.types import Span

__all__ = ["PolarityComparison", "compare"]


def _may_clash(claim: Reading, premise: Reading) -> bool:
    """Whether any two statements of the texts can clash, or bear on each other by a cue.

    They must have a word in common, and either a cue or a denying prefix on one side, or opposites on the two.
    """
    if _is_prefixed(premise):
        return True
    if stems_in(claim.text).isdisjoint(premise.stems):
        return False
    return bool(cues_in(premise) or _is_marked(claim.text) or _has_opposite(claim.text, premise))


def _is_prefixed(reading: Reading) -> bool:
    return any(without_prefix(low) is not None for low in reading.places)


@lru_cache(maxsize=1024)
def _is_marked(claim: str) -> bool:
    """Whether a claim has a cue or a denying prefix."""
    reading = read(claim)
    return bool(cues_in(reading)) or _is_prefixed(reading)


def _has_opposite(claim: str, premise: Reading) -> bool:
    opposites = _opposites_in(claim)
    return bool(opposites) and any(
        not opposites.isdisjoint(word_relations(low).forms) for low in premise.places
    )


@lru_cache(maxsize=1024)
def _opposites_in(claim: str) -> frozenset[str]:
    """The opposites of the content words of a claim."""
    terms = (term for statement in statements_in(claim) for term in statement.terms.values())
    return frozenset[str]().union(*(word_relations(term.low).opposites for term in terms))


class PolarityComparison(NamedTuple):
    """The clashes, whether there was any cue in statements about the same thing, and whether both texts deny it."""

    clashes: tuple[PolarityClash, ...]
    compared: bool
    denial: bool


_NOTHING = PolarityComparison((), compared=False, denial=False)


def compare(claim: str, premise: str, thresholds: Thresholds | None = None) -> PolarityComparison:
    """Compare two texts in every respect that this package knows, by default with the constants that ship."""
    thresholds = thresholds or learnt_thresholds()
    ours = statements_in(claim)
    if not ours:
        return _NOTHING
    mine, other = read(claim), read(premise)
    whole = stems_in(claim)
    theirs = statements_in(premise) if _may_clash(mine, other) else ()
    opposition = oppositions(mine, ours, other, theirs, whole, thresholds)
    contrary, agreed = _relations(claim, premise, thresholds)
    clashes = [
        *(
            clash
            for clash in opposition.clashes
            if not _in_exception(clash, claim, premise) and not _is_one_relation(clash, agreed)
        ),
        *contrary,
        *quantifier_clashes(mine, ours, other, theirs, whole, thresholds),
        *condition_clashes(claim, premise, thresholds),
        *trend_clashes(claim, premise, thresholds),
        *hedge_clashes(mine, ours, other, theirs, whole, thresholds),
        *overreach_clashes(claim, premise),
        *cause_clashes(claim, premise),
    ]
    if all(clash.feature in OPEN_FEATURES for clash in clashes):
        clashes += contrary_word_clashes(claim, premise)
    if (clashes or agreed) and not statements_in(premise):
        return _NOTHING
    denial = both_deny(ours, theirs, thresholds)
    return PolarityComparison(tuple(clashes), opposition.compared or bool(clashes or agreed), denial)


def _relations(claim: str, premise: str, thresholds: Thresholds) -> tuple[list[PolarityClash], list[Span]]:
    """Contrary orders and comparisons, and the spans of those that agree."""
    orders, in_order = compare_orders(claim, premise, thresholds)
    measures, as_measured = compare_measures(claim, premise, thresholds)
    return [*orders, *measures], [*in_order, *as_measured]


def _is_one_relation(clash: PolarityClash, agreed: Sequence[Span]) -> bool:
    """Whether opposites are those of one relation told from its two sides: ``heavier``, ``lighter than``."""
    return any(begin <= clash.claim[0] < end for begin, end in agreed)


def _in_exception(clash: PolarityClash, claim: str, premise: str) -> bool:
    """Whether one text names the case that the other's sentence excepts (``unless a specialist ...``)."""
    return names_exception(claim, premise, clash.evidence[0]) or names_exception(
        premise, claim, clash.claim[0]
    )
