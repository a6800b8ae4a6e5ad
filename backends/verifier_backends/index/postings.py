"""Posting lists: immutable segments of an inverted index that merge as they grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Segment", "merged", "with_segment"]

_RATIO = 4
"""A segment is merged with the next unless it is more than this many times as large."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Who contains which term how often, sorted by term and then by slot.

    Attributes:
        terms: ids of the terms that occur, ascending, shape [t].
        starts: the postings of ``terms[i]`` are ``starts[i]:starts[i + 1]``, shape [t + 1].
        slots: slot of the document of each posting, shape [p].
        counts: occurrences in that document, shape [p].
    """

    terms: NDArray[np.int32]
    starts: NDArray[np.int64]
    slots: NDArray[np.int32]
    counts: NDArray[np.int32]

    @staticmethod
    def build(documents: Sequence[Sequence[int]], first_slot: int) -> Segment:
        """The segment of ``documents`` (term ids as they occur) in the slots from ``first_slot`` on."""
        lengths = [len(document) for document in documents]
        terms = np.fromiter((t for document in documents for t in document), np.int64, sum(lengths))
        keys = (terms << 32) | np.repeat(np.arange(first_slot, first_slot + len(documents)), lengths)
        keys, counts = np.unique(keys, return_counts=True)
        return _sorted_segment(keys >> 32, keys & 0xFFFFFFFF, counts)

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Slots and counts of one term; empty where it does not occur."""
        at = int(np.searchsorted(self.terms, term))
        if at == len(self.terms) or self.terms[at] != term:
            return self.slots[:0], self.counts[:0]
        span = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.slots[span], self.counts[span]


def _sorted_segment(terms: NDArray[np.int64], slots: NDArray[np.int64], counts: NDArray[np.int64]) -> Segment:
    """A segment from postings that are sorted by term and slot."""
    unique, starts = np.unique(terms, return_index=True)
    return Segment(
        unique.astype(np.int32),
        np.append(starts, len(terms)).astype(np.int64),
        slots.astype(np.int32),
        counts.astype(np.int32),
    )


def merged(segments: Sequence[Segment], alive: NDArray[np.bool_], *, renumber: bool = False) -> Segment:
    """One segment of the postings of all whose slots are ``alive``; on wish renumbered over those alone."""
    if len(segments) == 1 and alive.all():
        return segments[0]
    terms = np.concatenate([np.repeat(s.terms.astype(np.int64), np.diff(s.starts)) for s in segments])
    slots = np.concatenate([s.slots for s in segments]).astype(np.int64)
    counts = np.concatenate([s.counts for s in segments]).astype(np.int64)
    kept = alive[slots]
    terms, slots, counts = terms[kept], slots[kept], counts[kept]
    if renumber:
        slots = (np.cumsum(alive) - 1)[slots]
    order = np.argsort((terms << 32) | slots, kind="stable")
    return _sorted_segment(terms[order], slots[order], counts[order])


def with_segment(
    segments: tuple[Segment, ...], added: Segment, alive: NDArray[np.bool_]
) -> tuple[Segment, ...]:
    """``segments`` and ``added``, merged from the small end until each is over ``_RATIO`` times the next.

    So a posting is moved O(log n) times in its life, and a query visits O(log n) segments.
    """
    chain = [*segments, added]
    cut = len(chain) - 1
    size = len(added.slots)
    while cut and len(chain[cut - 1].slots) <= _RATIO * size:
        cut -= 1
        size += len(chain[cut].slots)
    return (*chain[:cut], merged(chain[cut:], alive)) if cut < len(chain) - 1 else tuple(chain)
