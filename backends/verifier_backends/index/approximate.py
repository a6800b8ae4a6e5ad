"""Approximate nearest neighbours: exact over a small base, inverted lists with rescoring over a large one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.lists import InvertedLists
from verifier_backends.index.nearest import Matrix, candidates, checked, rescored, scored
from verifier_backends.index.records import Records, grown
from verifier_backends.types import Hit, Item, Where

__all__ = ["ApproximateIndex"]

_Half = NDArray[np.float16]
_Slots = NDArray[np.intp]

_GROWTH = 2
"""Centroids are learnt anew when the base is over this many times as large as when they were learnt."""

_STALE = 1.2
"""The same when the index is saved: what is written once is read many times."""

_FILTERS_KEPT = 16
"""Filters whose selection a state remembers: namespaces come again and again."""

_FEW = 4096
"""Selected vectors that are all compared by their float16 vectors: about as fast as reading the codes of many."""

_READ_FOR_EACH = 20
"""Codes read at least for each result that is asked for."""

_RESCORED_FOR_EACH, _RESCORED_AT_LEAST = 4, 200
"""Candidates whose float16 vectors are read, for each result asked for and in all."""


@dataclass(frozen=True)
class _Selection:
    """What a filter lets through in one state: which slots, how many, and where in the lists they are."""

    mask: NDArray[np.bool_]
    listed: int
    total: int
    counts: NDArray[np.int64]
    bitmap: NDArray[np.uint8] | None


@dataclass(frozen=True)
class _State:
    """One state. ``rows`` holds every slot; ``tail`` the same numbers, as float32, of those in no list yet."""

    records: Records = field(default_factory=Records)
    rows: _Half = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float16))
    tail: Matrix = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    lists: InvertedLists | None = None
    _selections: dict[str, _Selection] = field(default_factory=dict)

    @property
    def listed(self) -> int:
        """Slots that are in a list: the first so many."""
        return self.lists.size if self.lists else 0

    @cached_property
    def _everything(self) -> _Selection:
        return self._selected(self.records.alive)

    def selection(self, where: Where | None) -> _Selection:
        """What ``where`` lets through; remembered, since the same filters come again."""
        if not where:
            return self._everything
        key = json.dumps(sorted(where.items()), default=list)
        if key not in self._selections:
            for oldest in list(self._selections)[: 1 - _FILTERS_KEPT]:
                self._selections.pop(oldest, None)
            self._selections[key] = self._selected(self.records.mask(where))
        return self._selections[key]

    def _selected(self, mask: NDArray[np.bool_]) -> _Selection:
        listed = mask[: self.listed]
        everything = bool(listed.all())
        return _Selection(
            mask=mask,
            listed=int(np.count_nonzero(listed)),
            total=int(np.count_nonzero(mask)),
            counts=self.lists.counts(listed) if self.lists else np.zeros(0, dtype=np.int64),
            bitmap=None if everything else np.packbits(listed, bitorder="little"),
        )

    def compacted(self) -> _State:
        """A state of its own with the live items only, without learning anything anew."""
        alive = self.records.alive
        size, listed = self.records.size, self.listed
        rows, tail = self.rows[:size][alive], self.tail[: size - listed][alive[listed:]]
        lists = self.lists.kept(rows[: len(rows) - len(tail)]) if self.lists else None
        return _State(self.records.compacted(), rows, tail, lists)


class ApproximateIndex:
    """Cosine search over unit vectors of float16 precision, for any number of readers beside one writer.

    Up to ``exact_below`` vectors the search is exact. Beyond, an inverted file of 4-bit codes names candidates,
    which are scored again with the float16 vectors. Newly added vectors are searched exactly until there are
    more than ``exact_below`` of them; then they enter the lists. Vectors are rounded to float16 when they come
    in, so that a row's score does not depend on where it lies.

    **A filter never hides a match.** Where ``where`` selects few, they are searched exactly. Else the lists are
    read, nearest first, until ``scan`` *selected* vectors were compared, however thinly they are spread. There
    are always ``min(n_results, matches)`` hits.

    Like ``ExactIndex``, every write ends in the swap of one reference.

    Args:
        scan: codes compared with a query, at least: more of them, better recall, more time.
        exact_below: so many vectors are searched exactly.
    """

    def __init__(self, scan: int, exact_below: int) -> None:
        self._scan, self._exact_below = scan, exact_below
        self._state = _State()
        self._write_lock = threading.Lock()

    def count(self) -> int:
        """Number of stored vectors."""
        return self._state.records.live

    def upsert(self, items: Sequence[Item], vectors: Matrix) -> None:
        """Store ``vectors`` [n, dimension] under the ids of ``items``, all at once; the last of an id wins.

        Raises:
            BackendRejected: the vectors are not finite, not one for each item, or of another dimension.
        """
        last = list({item.doc_id: row for row, item in enumerate(items)}.values())
        with self._write_lock:
            state = self._state
            size = state.records.size
            vectors = checked(vectors, len(items), state.rows.shape[1] if size else None)[last]
            halves = vectors.astype(np.float16)
            rows = state.rows if size else np.zeros((0, vectors.shape[1]), dtype=np.float16)
            tail = state.tail if size > state.listed else np.zeros((0, vectors.shape[1]), dtype=np.float32)
            rows, tail = grown(rows, size, len(last)), grown(tail, size - state.listed, len(last))
            rows[size : size + len(last)] = halves
            tail[size - state.listed : size - state.listed + len(last)] = halves
            records = state.records.append([items[row] for row in last])
            self._publish(_State(records, rows, tail, state.lists))

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids, all at once; returns how many were there."""
        with self._write_lock:
            state = self._state
            after = state.records.remove(doc_ids)
            removed = state.records.live - after.live
            if removed:
                self._publish(_State(after, state.rows, state.tail, state.lists))
            return removed

    def _publish(self, state: _State) -> None:
        # What was written shows at once; putting it into lists may take a while.
        self._state = state
        if state.records.wasteful:
            self._state = state = state.compacted()
        if state.records.size - state.listed > self._exact_below:
            self._state = _listed(state)

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """The stored items under these ids, in this order."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def search(self, queries: Matrix, n_results: int, where: Where | None = None) -> list[list[Hit]]:
        """Near items for each row of ``queries`` [m, dimension], best first, ties by id.

        A zero row has no direction and so no neighbours. Scores are cosines in [-1, 1], to 6 decimals.
        """
        state = self._state
        selection = state.selection(where)
        k = min(n_results, selection.total)
        if not k:
            return [[] for _ in queries]
        queries = checked(queries, len(queries), state.rows.shape[1])
        found = zip(
            self._in_lists(state, queries, selection, k), _in_tail(state, queries, selection, k), strict=True
        )
        hits = []
        for query, parts in zip(queries, found, strict=True):
            slots = np.concatenate(parts)
            hits.append(
                state.records.best(slots, rescored(state.rows, slots, query), k) if query.any() else []
            )
        return hits

    def _in_lists(self, state: _State, queries: Matrix, selection: _Selection, k: int) -> list[_Slots]:
        """Candidates among the listed slots for each query: at least ``min(k, selected)`` of them."""
        wanted = max(_RESCORED_AT_LEAST, _RESCORED_FOR_EACH * k)
        if state.lists is None or selection.listed <= max(_FEW, wanted):
            return _among(state.rows, np.flatnonzero(selection.mask[: state.listed]), queries, k)
        breadth = max(self._scan, _READ_FOR_EACH * k)
        found = list(state.lists.search(queries, breadth, wanted, selection.counts, selection.bitmap))
        for number, slots in enumerate(found):
            if len(slots) < k:
                everything = np.flatnonzero(selection.mask[: state.listed])
                found[number] = _among(state.rows, everything, queries[number : number + 1], k)[0]
        return found

    def save(self, directory: Path) -> None:
        """Write the live items, their vectors and lists."""
        with self._write_lock:
            state = self._state
            if not state.records.alive.all():
                state = state.compacted()
            if state.lists and state.records.size > _STALE * state.lists.trained_on:
                self._state = state = _listed(state, _STALE)
        state.records.save(directory / "records.jsonl")
        np.save(directory / "vectors.npy", state.rows[: state.records.size])
        if state.lists:
            state.lists.save(directory)

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote. Texts and vectors are mapped, not read."""
        records = Records.load(directory / "records.jsonl")
        try:
            rows = np.load(directory / "vectors.npy", mmap_mode="r" if records.size else None)
        except (OSError, ValueError) as error:
            raise BackendRejected(f"the vectors in {directory} cannot be read: {error}") from error
        lists = InvertedLists.load(directory)
        listed = lists.size if lists else 0
        if len(rows) != records.size or listed > records.size:
            raise BackendRejected(
                f"{directory} has {records.size} items, {len(rows)} vectors and {listed} codes; build it anew"
            )
        with self._write_lock:
            self._state = _State(records, rows, rows[listed:].astype(np.float32), lists)


def _listed(state: _State, growth: float = _GROWTH) -> _State:
    """The state with every slot in a list; centroids are those learnt unless the base grew by more than ``growth``."""
    rows, lists = state.rows[: state.records.size], state.lists
    if lists and len(rows) <= growth * lists.trained_on:
        lists = lists.extended(rows[lists.size :])
    else:
        lists = InvertedLists.build(rows)
    return _State(state.records, state.rows, np.zeros((0, rows.shape[1]), dtype=np.float32), lists)


def _in_tail(state: _State, queries: Matrix, selection: _Selection, k: int) -> list[_Slots]:
    """Exact candidates for each query among the slots that are in no list."""
    allowed = selection.mask[state.listed :]
    k = min(k, selection.total - selection.listed)
    if not k:
        return [np.zeros(0, dtype=np.intp)] * len(queries)
    forbidden = None if allowed.all() else ~allowed
    tail = state.tail[: state.records.size - state.listed]
    return [state.listed + candidates(scores, k) for scores in scored(tail, queries, forbidden)]


def _among(rows: _Half, slots: _Slots, queries: Matrix, k: int) -> list[_Slots]:
    """Exact candidates for each query among the rows at ``slots``."""
    k = min(k, len(slots))
    if not k:
        return [slots[:0]] * len(queries)
    return [slots[candidates(scores, k)] for scores in scored(rows[slots].astype(np.float32), queries, None)]
