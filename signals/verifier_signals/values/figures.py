"""The values of a text in; without a search, those out that may equal a value, or are next to it in size."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain

from verifier_signals.values.types import Value

__all__ = ["Figures"]

_BESIDE = 2
"""Figures on either side, by size, that are near."""

_Figure = tuple[str, float]


class Figures:
    """Values by what they say. A place is an index into them; of several that say the same, the first ``order`` counts.

    Args:
        values: the values.
        order: every place once, the best first; reading order by default.
    """

    def __init__(self, values: Sequence[Value], order: Sequence[int] | None = None) -> None:
        self._same: dict[object, list[int]] = {}
        best: dict[_Figure, int] = {}
        for place in range(len(values)) if order is None else order:
            for sign in _signs(values[place]):
                self._same.setdefault(sign, []).append(place)
            for one in values[place].quantities:
                best.setdefault((one.dimension, one.low), place)
        self._sizes = sorted(best.items())

    def same(self, value: Value) -> list[int]:
        """The places of the values with the same figure or date, in order."""
        found = [self._same[sign] for sign in _signs(value) if sign in self._same]
        return found[0] if len(found) == 1 else list(dict.fromkeys(chain(*found)))

    def beside(self, value: Value) -> Iterator[int]:
        """The places of the figures next to it in size, of the same dimension, one for each figure."""
        for one in value.quantities:
            at = bisect_left(self._sizes, ((one.dimension, one.low), -1))
            around = self._sizes[max(0, at - _BESIDE) : at + _BESIDE]
            yield from (place for (dimension, _), place in around if dimension == one.dimension)


def _signs(value: Value) -> list[object]:
    """What equal values share: each figure in its dimension, each code, each date."""
    figures = [
        (one.dimension, one.unit if one.dimension.startswith("code:") else one.low)
        for one in value.quantities
    ]
    return [*figures, *(date.start for date in value.dates)]
