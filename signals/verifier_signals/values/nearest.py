"""A claim and evidence with too many values to compare each with each in; groups of those nearest to each other, out.

A list of numbers against a list of numbers would else take time by the square of their length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from verifier_signals.values.context import ValueText
from verifier_signals.values.figures import Figures
from verifier_signals.values.types import Value

__all__ = ["MOST_OF_CLAIM", "MOST_OF_EVIDENCE", "MOST_PAIRS", "Group", "are_many", "groups", "left_out"]

MOST_PAIRS = 2048
"""So many pairs of values are compared one by one, at 0.1 ms each: forty of a claim against fifty of a window."""
MOST_OF_CLAIM = 128
"""So many values of a claim are compared, its first ones; with all that is near to them that takes 0.3 s."""
MOST_OF_EVIDENCE = 256
"""Of more values in the evidence, only the nearest are compared."""
_GROUP = 8
"""Values of a claim that are compared together."""
_NEAREST = 16, 64
"""Values of the evidence that a group is compared with: the fewest, of a claim with many, and the most."""


class Group(NamedTuple):
    """Some values of a claim with those of the evidence that they are compared with."""

    claim: ValueText
    evidence: ValueText


def are_many(claim: ValueText, evidence: ValueText) -> bool:
    """Whether two texts have too many values to compare each with each."""
    mine, theirs = len(claim.values), len(evidence.values)
    return mine > MOST_OF_CLAIM or theirs > MOST_OF_EVIDENCE or mine * theirs > MOST_PAIRS


def left_out(claim: ValueText) -> Sequence[Value]:
    """The values of a claim that are in no group."""
    return claim.values[MOST_OF_CLAIM:]


def groups(claim: ValueText, evidence: ValueText) -> Iterator[Group]:
    """The first values of a claim, a few at a time, each time with the nearest of the evidence.

    Nearest are those of the same figure or date, then those of the next larger and smaller figures, then those of the
    sentences and rows that share most words with the claim.
    """
    index = _Index(claim, evidence)
    for first in range(0, min(len(claim.values), MOST_OF_CLAIM), _GROUP):
        mine = claim.values[first : first + _GROUP]
        yield Group(claim.narrowed(mine), evidence.narrowed(index.nearest(mine)))


class _Index:
    """The values of the evidence by their figures and dates, and by the words around them.

    What another value of the claim says is no rival of one, whichever group that one is in.
    """

    def __init__(self, claim: ValueText, evidence: ValueText) -> None:
        said = Figures(claim.values)
        fewest, most = _NEAREST
        self._most = max(fewest, min(most, MOST_PAIRS // max(1, len(claim.values))))
        self.values = evidence.values
        self._taken = {place for place, value in enumerate(evidence.values) if said.same(value)}
        self._by_words = _by_words(claim, evidence)
        self._figures = Figures(evidence.values, self._by_words)

    def nearest(self, mine: Sequence[Value]) -> list[Value]:
        """The values to compare a few of the claim with, in reading order."""
        places = dict.fromkeys(place for one in mine for place in self._figures.same(one)[:1])
        for place in chain(*map(self._figures.beside, mine), self._by_words):
            if len(places) >= self._most:
                break
            if place not in self._taken:
                places[place] = None
        return [self.values[place] for place in sorted(places)]


def _by_words(claim: ValueText, evidence: ValueText) -> list[int]:
    """The places of all values, those first whose sentence or row shares most words with the claim."""
    shared: dict[tuple[int, int], int] = {}
    stretches = [evidence.row_span(one) or evidence.sentence(one) for one in evidence.values]
    for stretch in stretches:
        if stretch not in shared:
            shared[stretch] = len(claim.keys & evidence.keys_in(stretch))
    return sorted(range(len(stretches)), key=lambda place: -shared[stretches[place]])
