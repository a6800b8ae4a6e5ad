"""Posting lists of a saved part, by word; and how those of several parts become one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.mapped import forget, raw, stored
from verifier_backends.index.postings import Segment

__all__ = ["WordPostings", "write_merged"]

_CHUNK = 1 << 22
"""Postings that are merged at a time; bounds the memory of a merge."""

_Counts = NDArray[np.int32]


@dataclass(frozen=True)
class WordPostings:
    """Who contains which word how often, sorted by word and then by slot. Never changed.

    Attributes:
        words: the words in UTF-8, ascending, one behind the other.
        ends: where each word ends, shape [w].
        starts: the postings of word ``i`` are ``starts[i]:starts[i + 1]``, shape [w + 1].
        slots: slot of the document of each posting, shape [p].
        counts: occurrences in that document, shape [p].
        lengths: terms of each document, shape [documents].
    """

    words: NDArray[np.uint8]
    ends: NDArray[np.int64]
    starts: NDArray[np.int64]
    slots: _Counts
    counts: _Counts
    lengths: _Counts

    @staticmethod
    def of(segment: Segment, vocabulary: Sequence[str], lengths: NDArray[Any]) -> WordPostings:
        """The postings of a segment, whose terms are numbered as in ``vocabulary``."""
        names = [_encoded(vocabulary[term]) for term in segment.terms.tolist()]
        order = sorted(range(len(names)), key=names.__getitem__)
        spans = np.diff(segment.starts)[order]
        starts = _from_zero(spans)
        picked = np.repeat(segment.starts[:-1][order] - starts[:-1], spans) + np.arange(starts[-1])
        names = [names[place] for place in order]
        return WordPostings(
            np.frombuffer(b"".join(names), dtype=np.uint8),
            np.cumsum([len(name) for name in names], dtype=np.int64),
            starts,
            segment.slots[picked],
            segment.counts[picked],
            lengths.astype(np.int32),
        )

    @staticmethod
    def open(folder: Path) -> WordPostings:
        """What ``write_merged`` wrote.

        Raises:
            BackendRejected: the files do not fit each other.
        """
        found = WordPostings(
            raw(folder / "words.bin", np.uint8),
            stored(folder / "words.npy"),
            stored(folder / "postings.npy"),
            raw(folder / "slots.bin", np.int32),
            raw(folder / "counts.bin", np.int32),
            stored(folder / "lengths.npy"),
        )
        fit = len(found.starts) == len(found.ends) + 1 and found.starts[-1] == len(found.slots)
        if not fit or len(found.slots) != len(found.counts):
            raise BackendRejected(f"the postings in {folder} do not fit each other; build it anew")
        return found

    def of_word(self, word: str) -> tuple[_Counts, _Counts]:
        """Slots and counts of one word; empty where it does not occur."""
        wanted = _encoded(word)
        at = bisect_left(range(len(self.ends)), wanted, key=self.word)
        if at == len(self.ends) or self.word(at) != wanted:
            return self.slots[:0], self.counts[:0]
        span = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.slots[span], self.counts[span]

    def word(self, place: int) -> bytes:
        """A word by its place in the order, in UTF-8."""
        start = self.ends[place - 1] if place else 0
        return self.words[start : self.ends[place]].tobytes()

    def all_words(self) -> Iterator[bytes]:
        """Every word, ascending."""
        whole, start = self.words.tobytes(), 0
        for end in self.ends.tolist():
            yield whole[start:end]
            start = end

    def between(
        self, numbers: NDArray[np.int64], first: int, last: int
    ) -> tuple[NDArray[np.int64], _Counts, _Counts]:
        """The postings of the words that are numbered from ``first`` up to ``last``: number, slot and count of each.

        Args:
            numbers: of all words here, ascending.
            first: the lowest number.
            last: the number after the highest.
        """
        low, high = (int(place) for place in np.searchsorted(numbers, [first, last]))
        span = slice(int(self.starts[low]), int(self.starts[high]))
        terms = np.repeat(numbers[low:high], np.diff(self.starts[low : high + 1]))
        return terms, np.array(self.slots[span]), np.array(self.counts[span])

    def forget(self) -> None:
        """Give back the memory of what was read of the postings."""
        forget(self.slots)
        forget(self.counts)


def write_merged(folder: Path, parts: Sequence[WordPostings], alive: Sequence[NDArray[np.bool_]]) -> None:
    """Write the postings of the live documents of all parts, renumbered over those alone.

    Args:
        folder: where the files go, for ``WordPostings.open``.
        parts: in the order of their slots, each numbered from 0.
        alive: which documents of each part are left, shape [documents] each.
    """
    words, numbers = _united(parts)
    renumbered = np.cumsum(np.concatenate([np.zeros(0, dtype=bool), *alive])) - 1
    firsts = _from_zero([len(mask) for mask in alive])
    spans = np.zeros(len(words), dtype=np.int64)
    with (folder / "slots.bin").open("wb") as slots, (folder / "counts.bin").open("wb") as counts:
        for first, last in _chunks(parts, numbers, len(words)):
            found = [part.between(own, first, last) for part, own in zip(parts, numbers, strict=True)]
            kept = [mask[slot] for mask, (_, slot, _) in zip(alive, found, strict=True)]
            terms = np.concatenate([term[keep] for keep, (term, _, _) in zip(kept, found, strict=True)])
            order = np.argsort(terms, kind="stable")
            now = [
                renumbered[start + slot[keep]]
                for start, keep, (_, slot, _) in zip(firsts, kept, found, strict=False)
            ]
            often = [count[keep] for keep, (_, _, count) in zip(kept, found, strict=True)]
            slots.write(np.concatenate(now)[order].astype(np.int32).tobytes())
            counts.write(np.concatenate(often)[order].astype(np.int32).tobytes())
            spans[first:last] = np.bincount(terms - first, minlength=last - first)
            for part in parts:
                part.forget()
    lengths = [part.lengths[mask] for part, mask in zip(parts, alive, strict=True)]
    np.save(folder / "lengths.npy", np.concatenate([np.zeros(0, dtype=np.int32), *lengths]))
    left = np.flatnonzero(spans)
    names = [words[place] for place in left.tolist()]
    (folder / "words.bin").write_bytes(b"".join(names))
    np.save(folder / "words.npy", np.cumsum([len(name) for name in names], dtype=np.int64))
    np.save(folder / "postings.npy", _from_zero(spans[left]))


def _united(parts: Sequence[WordPostings]) -> tuple[list[bytes], list[NDArray[np.int64]]]:
    """All words, ascending, and the numbers among them of the words of each part."""
    own = [list(part.all_words()) for part in parts]
    words = own[0] if len(own) == 1 else sorted(set().union(*own))
    number = {word: place for place, word in enumerate(words)}
    return words, [
        np.fromiter(map(number.__getitem__, some), dtype=np.int64, count=len(some)) for some in own
    ]


def _chunks(
    parts: Sequence[WordPostings], numbers: Sequence[NDArray[np.int64]], n_words: int
) -> Iterator[tuple[int, int]]:
    """Ranges of words with about ``_CHUNK`` postings each."""
    spans = np.zeros(n_words, dtype=np.int64)
    for part, own in zip(parts, numbers, strict=True):
        spans[own] += np.diff(part.starts)
    chunk = (np.cumsum(spans) - spans) // _CHUNK
    cuts = [0, *(np.flatnonzero(np.diff(chunk)) + 1).tolist(), n_words] if n_words else []
    yield from pairwise(cuts)


def _from_zero(lengths: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """Where each of these begins, one behind the other, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
