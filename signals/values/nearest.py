"""A claim and evidence with too many values to compare each with each in; groups of those nearest to each other, out.

A list of numbers against a list of numbers would else take time by the square of their length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from signals.values.context import ValueText
from signals.values.types import Value

__all__ = ["MOST_OF_CLAIM", "MOST_OF_EVIDENCE", "MOST_PAIRS", "Group", "are_many", "groups", "left_out"]

MOST_PAIRS = 2048
"""So many pairs of values are compared one by one, at 0.1 ms each: forty of a claim against fifty of a window."""
MOST_OF_CLAIM = 128
"""So many values of a claim are compared, its first ones; with all that is near to them that takes 0.3 s."""
MOST_OF_EVIDENCE = 256
"""Of more values in the evidence, only the nearest are compared."""
_GROUP = 8
"""Values of a claim that are compared together."""
_NEAREST = 40
"""Values of the evidence that a group is compared with."""
_BESIDE = 2
"""Figures of the evidence on either side, by size, that one of the claim is compared with at least."""

_Figure = tuple[str, float]


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
    """The values of the evidence by their figures and dates, and by the words around them."""

    def __init__(self, claim: ValueText, evidence: ValueText) -> None:
        self.claim, self.evidence = claim, evidence

    def nearest(self, mine: Sequence[Value]) -> list[Value]:
        """The values to compare a few of the claim with, in reading order."""
        places: dict[int, None] = {}
        for place in chain(*map(self._alike, mine), *map(self._of_next_size, mine), self._by_words):
            if len(places) == _NEAREST:
                break
            places[place] = None
        return [self.evidence.values[place] for place in sorted(places)]

    def _alike(self, value: Value) -> Iterable[int]:
        """The place of the value with the same figure or date whose sentence shares most words."""
        same = [self._by_sign[sign] for sign in _signs(value) if sign in self._by_sign]
        return [min(chain(*same), key=self._rank.__getitem__)] if same else []

    def _of_next_size(self, value: Value) -> Iterator[int]:
        """The places of the figures next to one in size, of the same dimension."""
        for one in value.quantities:
            at = bisect_left(self._by_size, ((one.dimension, one.low), -1))
            around = self._by_size[max(0, at - _BESIDE) : at + _BESIDE]
            yield from (place for (dimension, _), place in around if dimension == one.dimension)

    @cached_property
    def _by_sign(self) -> dict[object, list[int]]:
        found: dict[object, list[int]] = {}
        for place, value in enumerate(self.evidence.values):
            for sign in _signs(value):
                found.setdefault(sign, []).append(place)
        return found

    @cached_property
    def _by_size(self) -> list[tuple[_Figure, int]]:
        """Every figure of the evidence once, with the best place that has it."""
        best: dict[_Figure, int] = {}
        for place in self._by_words:
            for one in self.evidence.values[place].quantities:
                best.setdefault((one.dimension, one.low), place)
        return sorted(best.items())

    @cached_property
    def _by_words(self) -> list[int]:
        """The places of all values, those first whose sentence or row shares most words with the claim."""
        shared: dict[tuple[int, int], int] = {}
        stretches = [
            self.evidence.row_span(one) or self.evidence.sentence(one) for one in self.evidence.values
        ]
        for stretch in stretches:
            if stretch not in shared:
                shared[stretch] = len(self.claim.keys & self.evidence.keys_in(stretch))
        return sorted(range(len(stretches)), key=lambda place: -shared[stretches[place]])

    @cached_property
    def _rank(self) -> dict[int, int]:
        return {place: rank for rank, place in enumerate(self._by_words)}


def _signs(value: Value) -> list[object]:
    """What equal values share: each figure in its dimension, each date."""
    return [
        *(
            (one.dimension, one.unit if one.dimension.startswith("code:") else one.low)
            for one in value.quantities
        ),
        *(date.start for date in value.dates),
    ]
