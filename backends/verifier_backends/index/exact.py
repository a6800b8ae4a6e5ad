"""Exact nearest neighbours by cosine over the rows of one growing float32 matrix."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from verifier.core.errors import BackendRejected
from verifier_backends.index.nearest import Matrix, candidates, checked, rescored, scored
from verifier_backends.index.records import Records, grown
from verifier_backends.types import Hit, Item, Where

__all__ = ["ExactIndex"]


@dataclass(frozen=True)
class _State:
    records: Records = field(default_factory=Records)
    buffer: Matrix = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))

    @property
    def matrix(self) -> Matrix:
        return self.buffer[: self.records.size]


class ExactIndex:
    """Exact cosine search over unit vectors, safe for any number of reading threads beside one writer.

    Every write ends in the swap of one reference, so a reader works on one state from beginning to end.
    Appending is amortised O(1): states share the matrix, and rows that a state can see are never rewritten.
    """

    def __init__(self) -> None:
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
        last = {item.doc_id: row for row, item in enumerate(items)}
        rows = list(last.values())
        with self._write_lock:
            state = self._state
            vectors = checked(vectors, len(items), state.buffer.shape[1] if state.records.size else None)
            buffer = state.buffer if state.records.size else np.zeros((0, vectors.shape[1]), dtype=np.float32)
            size = state.records.size
            buffer = grown(buffer, size, len(rows))
            buffer[size : size + len(rows)] = vectors[rows]
            self._publish(_State(state.records.append([items[row] for row in rows]), buffer))

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids, all at once; returns how many were there."""
        with self._write_lock:
            before = self._state.records
            after = before.remove(doc_ids)
            self._publish(_State(after, self._state.buffer))
            return before.live - after.live

    def _publish(self, state: _State) -> None:
        if state.records.wasteful:
            state = _State(state.records.compacted(), state.matrix[state.records.alive])
        self._state = state

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """The stored items under these ids, in this order."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def vectors(self, doc_ids: Iterable[str]) -> list[Matrix | None]:
        """The vectors of these ids, in this order, ``None`` where there is none."""
        with self._write_lock:
            slots, matrix = self._state.records.slots(doc_ids), self._state.matrix
        return [None if slot is None else matrix[slot] for slot in slots]

    def search(self, queries: Matrix, n_results: int, where: Where | None = None) -> list[list[Hit]]:
        """The ``n_results`` nearest items to each row of ``queries`` [m, dimension], best first, ties by id.

        A zero row has no direction and so no neighbours. Scores are cosines in [-1, 1], to 6 decimals.
        """
        state = self._state
        allowed = state.records.mask(where)
        k = min(n_results, int(np.count_nonzero(allowed)))
        if not k:
            return [[] for _ in queries]
        queries = checked(queries, len(queries), state.buffer.shape[1])
        forbidden = None if allowed.all() else ~allowed
        return [
            _nearest(state, query, scores, k) if query.any() else []
            for query, scores in zip(queries, scored(state.matrix, queries, forbidden), strict=True)
        ]

    def save(self, directory: Path) -> int:
        """Write ``records.jsonl`` and ``vectors.npy``; returns the number of items."""
        state = self._state
        state.records.save(directory / "records.jsonl")
        alive = state.records.alive
        np.save(directory / "vectors.npy", state.matrix if alive.all() else state.matrix[alive])
        return state.records.live

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote. The matrix is mapped until it is written to."""
        records = Records.load(directory / "records.jsonl")
        matrix = np.load(directory / "vectors.npy", mmap_mode="r" if records.size else None)
        if len(matrix) != records.size:
            raise BackendRejected(f"{directory} has {records.size} items and {len(matrix)} vectors")
        with self._write_lock:
            self._state = _State(records, matrix)


def _nearest(state: _State, query: Matrix, scores: Matrix, k: int) -> list[Hit]:
    """The best ``k``: candidates by the matrix product, their order by a sum that is the same for equal rows."""
    found = candidates(scores, k)
    return state.records.best(found, rescored(state.matrix, found, query), k)
