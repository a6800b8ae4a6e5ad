"""Vectors in, exact nearest neighbours out: cosine over the rows of one growing float32 matrix."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backends.index.records import Records, grown
from backends.types import Hit, Item, Where
from verifier.core.errors import BackendRejected

__all__ = ["ExactIndex"]

_Matrix = NDArray[np.float32]

_BLOCK_BYTES = 64 << 20
"""Size of one block of the score matrix in a batched search; bounds its memory, whatever the batch."""

_TOLERANCE = 1e-5
"""How far a float32 matrix product of unit vectors may lie from the true cosine, with room to spare."""

_CANDIDATES = 2048
"""Rows scored again at a time; bounds the memory where very many are tied."""

_DECIMALS = 6
"""Scores are rounded to this: below it lies the noise of encoders and BLAS, which must not break a tie."""


@dataclass(frozen=True)
class _State:
    records: Records = field(default_factory=Records)
    buffer: _Matrix = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))

    @property
    def matrix(self) -> _Matrix:
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

    def upsert(self, items: Sequence[Item], vectors: _Matrix) -> None:
        """Store ``vectors`` [n, dimension] under the ids of ``items``, all at once; the last of an id wins.

        Raises:
            BackendRejected: the vectors are not finite, not one for each item, or of another dimension.
        """
        last = {item.doc_id: row for row, item in enumerate(items)}
        rows = list(last.values())
        with self._write_lock:
            state = self._state
            vectors = _checked(vectors, len(items), state.buffer.shape[1] if state.records.size else None)
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

    def search(self, queries: _Matrix, n_results: int, where: Where | None = None) -> list[list[Hit]]:
        """The ``n_results`` nearest items to each row of ``queries`` [m, dimension], best first, ties by id.

        A zero row has no direction and so no neighbours. Scores are cosines in [-1, 1], to 6 decimals.
        """
        state = self._state
        allowed = state.records.mask(where)
        k = min(n_results, int(np.count_nonzero(allowed)))
        if not k:
            return [[] for _ in queries]
        queries = _checked(queries, len(queries), state.buffer.shape[1])
        forbidden = None if allowed.all() else ~allowed
        return [
            _nearest(state, query, scores, k) if query.any() else []
            for query, scores in _scored(state.matrix, queries, forbidden)
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


def _checked(vectors: _Matrix, n_rows: int, dimension: int | None) -> _Matrix:
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != n_rows:
        raise BackendRejected(f"the encoder gave an array of shape {vectors.shape} for {n_rows} texts")
    if dimension is not None and vectors.shape[1] != dimension:
        raise BackendRejected(
            f"the encoder gives {vectors.shape[1]} dimensions, the index has {dimension}; build it anew"
        )
    if not np.isfinite(vectors).all():
        raise BackendRejected("the encoder gave a vector that is not finite")
    return vectors


def _scored(
    matrix: _Matrix, queries: _Matrix, forbidden: NDArray[np.bool_] | None
) -> Iterator[tuple[_Matrix, _Matrix]]:
    """Each query with its approximate cosine to every row; ``-inf`` where ``forbidden``."""
    step = max(1, _BLOCK_BYTES // (4 * len(matrix)))
    for start in range(0, len(queries), step):
        block = queries[start : start + step]
        scores = (matrix @ block[0])[None] if len(block) == 1 else block @ matrix.T
        if forbidden is not None:
            scores[:, forbidden] = -np.inf
        yield from zip(block, scores, strict=True)


def _nearest(state: _State, query: _Matrix, scores: _Matrix, k: int) -> list[Hit]:
    """The best ``k``: candidates by the matrix product, their order by a sum that is the same for equal rows.

    BLAS may add up two equal rows in different orders, according to where they lie in the matrix.
    """
    kth = np.partition(scores, len(scores) - k)[len(scores) - k]
    candidates = np.flatnonzero(scores >= kth - _TOLERANCE)
    exact = np.empty(len(candidates))
    for start in range(0, len(candidates), _CANDIDATES):
        chunk = candidates[start : start + _CANDIDATES]
        exact[start : start + len(chunk)] = (state.matrix[chunk].astype(np.float64) * query).sum(axis=1)
    # Adding 0.0 turns -0.0 into 0.0.
    return state.records.best(candidates, np.round(exact, _DECIMALS) + 0.0, k)
