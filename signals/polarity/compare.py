"""A claim and a premise go in, all their clashes of polarity, quantity, modality, condition and reserve come out."""

from __future__ import annotations

from typing import NamedTuple

from signals.polarity.clash import Clash
from signals.polarity.condition import condition_clashes, conditions_in
from signals.polarity.hedge import hedges_lost
from signals.polarity.opposition import oppositions
from signals.polarity.order import OrderComparison, compare_orders
from signals.polarity.quantity import quantity_clashes
from signals.polarity.rank import rank_clashes
from signals.polarity.rows import row_clashes
from signals.polarity.statements import statements_in
from signals.syntax import read

__all__ = ["Comparison", "compare"]


class Comparison(NamedTuple):
    """The clashes, and whether there was any cue in statements about the same thing."""

    clashes: tuple[Clash, ...]
    compared: bool


def compare(claim: str, premise: str) -> Comparison:
    """Compare two texts in every respect that this package knows."""
    ours, theirs = statements_in(claim), statements_in(premise)
    if not ours or not theirs:
        return Comparison((), compared=False)
    mine, other = read(claim), read(premise)
    opposition = oppositions(mine, ours, other, theirs)
    orders = compare_orders(claim, premise)
    clashes = [
        *(
            clash
            for clash in opposition.clashes
            if not _in_exception(clash, claim, premise) and not _settled(clash, orders)
        ),
        *orders.clashes,
        *quantity_clashes(mine, ours, other, theirs),
        *condition_clashes(claim, premise),
        *row_clashes(mine, ours, other),
        *rank_clashes(mine, other),
        *hedges_lost(mine, ours, other, theirs),
    ]
    return Comparison(tuple(clashes), opposition.compared or bool(clashes))


def _settled(clash: Clash, orders: OrderComparison) -> bool:
    """Whether opposites are those of one relation told from its two sides: ``heavier``, ``lighter than``."""
    return any(begin <= clash.claim[0] < end for begin, end in orders.agreed)


def _in_exception(clash: Clash, claim: str, premise: str) -> bool:
    """Whether one text names the case that the other's sentence excepts (``unless a specialist ...``)."""
    return _names_exception(claim, premise, clash.evidence[0]) or _names_exception(
        premise, claim, clash.claim[0]
    )


def _names_exception(text: str, excepting: str, at: int) -> bool:
    mine: set[str] | None = None
    for condition in conditions_in(excepting):
        if not condition.excepted:
            continue
        if mine is None:
            mine = {stem for statement in statements_in(text) for stem in statement.stems}
        begin, end = condition.span
        if len(mine & condition.content) >= 0.5 * len(condition.content) and not begin <= at < end:
            return True
    return False
