"""Cut items into requests of bounded size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["batches"]


def batches(weights: Sequence[int], *, most: int, limit: int) -> Iterator[slice]:
    """Slices of at most ``most`` rows and a weight of at most ``limit``; a row above it stands alone.

    >>> [(part.start, part.stop) for part in batches([3, 3, 3, 9, 1, 1, 1], most=2, limit=7)]
    [(0, 2), (2, 3), (3, 4), (4, 6), (6, 7)]
    """
    start, size = 0, 0
    for row, weight in enumerate(weights):
        if row > start and (row - start == most or size + weight > limit):
            yield slice(start, row)
            start, size = row, 0
        size += weight
    if weights:
        yield slice(start, len(weights))
