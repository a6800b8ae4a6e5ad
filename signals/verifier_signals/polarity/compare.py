"""A claim and a premise go in, all their clashes of polarity, quantity, modality, reserve, cause ... come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.polarity.bearing import may_bear
from verifier_signals.polarity.broken import condition_clashes, names_exception
from verifier_signals.polarity.causes import cause_clashes
from verifier_signals.polarity.clash import OPEN, Clash, Span
from verifier_signals.polarity.comparison import compare_measures
from verifier_signals.polarity.concord import denial_shared
from verifier_signals.polarity.hedge import hedges_lost
from verifier_signals.polarity.membership import membership_clashes
from verifier_signals.polarity.opposition import oppositions
from verifier_signals.polarity.order import compare_orders
from verifier_signals.polarity.quantity import quantity_clashes
from verifier_signals.polarity.reach import reaches_beyond
from verifier_signals.polarity.rows import row_clashes
from verifier_signals.polarity.statements import statements_in, stems_in
from verifier_signals.polarity.ties import Ties, learnt_ties
from verifier_signals.polarity.trend import trend_clashes
from verifier_signals.polarity.turned import turned
from verifier_signals.syntax import read

__all__ = ["Comparison", "compare"]


class Comparison(NamedTuple):
    """The clashes, whether there was any cue in statements about the same thing, and whether both texts deny it."""

    clashes: tuple[Clash, ...]
    compared: bool
    denial: bool


_NOTHING = Comparison((), compared=False, denial=False)


def compare(claim: str, premise: str, ties: Ties | None = None) -> Comparison:
    """Compare two texts in every respect that this package knows, by default with the constants that ship."""
    ties = ties or learnt_ties()
    ours = statements_in(claim)
    if not ours:
        return _NOTHING
    mine, other = read(claim), read(premise)
    whole = stems_in(claim)
    theirs = statements_in(premise) if may_bear(mine, other) else ()
    opposition = oppositions(mine, ours, other, theirs, whole, ties)
    contrary, agreed = _relations(claim, premise, ties)
    clashes = [
        *(
            clash
            for clash in opposition.clashes
            if not _in_exception(clash, claim, premise) and not _settled(clash, agreed)
        ),
        *contrary,
        *quantity_clashes(mine, ours, other, theirs, whole, ties),
        *condition_clashes(claim, premise, ties),
        *row_clashes(mine, ours, other),
        *trend_clashes(claim, premise, ties),
        *membership_clashes(claim, premise),
        *hedges_lost(mine, ours, other, theirs, whole, ties),
        *reaches_beyond(claim, premise),
        *cause_clashes(claim, premise),
    ]
    if all(clash.feature in OPEN for clash in clashes):
        clashes += turned(claim, premise)
    if (clashes or agreed) and not statements_in(premise):
        return _NOTHING
    denial = denial_shared(ours, theirs, ties)
    return Comparison(tuple(clashes), opposition.compared or bool(clashes or agreed), denial)


def _relations(claim: str, premise: str, ties: Ties) -> tuple[list[Clash], list[Span]]:
    """Contrary orders and comparisons, and the spans of those that agree."""
    orders, in_order = compare_orders(claim, premise, ties)
    measures, as_measured = compare_measures(claim, premise, ties)
    return [*orders, *measures], [*in_order, *as_measured]


def _settled(clash: Clash, agreed: Sequence[Span]) -> bool:
    """Whether opposites are those of one relation told from its two sides: ``heavier``, ``lighter than``."""
    return any(begin <= clash.claim[0] < end for begin, end in agreed)


def _in_exception(clash: Clash, claim: str, premise: str) -> bool:
    """Whether one text names the case that the other's sentence excepts (``unless a specialist ...``)."""
    return names_exception(claim, premise, clash.evidence[0]) or names_exception(
        premise, claim, clash.claim[0]
    )
