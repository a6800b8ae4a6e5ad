"""Exact nearest neighbours by cosine over float32 rows: those of saved parts in their files, the rest in one matrix."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.mapped import forget, stored
from verifier_backends.index.nearest import Matrix, candidates, checked, rescored, scored
from verifier_backends.index.parts import Part, has_parts, open_parts, records_of, save_parts
from verifier_backends.index.records import Records, grown
from verifier_backends.types import Hit, Item, Where

__all__ = ["ExactIndex"]

_WRITTEN = 8192
"""Rows that are written at a time."""


@dataclass(frozen=True)
class _State:
    """One state: the matrix of each saved part, and that of the tail with room for more rows."""

    records: Records = field(default_factory=Records)
    parts: tuple[Part, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    buffer: Matrix = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))

    @property
    def dimension(self) -> int | None:
        """Length of the vectors; ``None`` where there are none."""
        return next((len(matrix[0]) for matrix in (*self.matrices, self.tail) if len(matrix)), None)

    @property
    def tail(self) -> Matrix:
        """The rows that are in no part."""
        return self.buffer[: self.records.size - self.records.stored]

    def row(self, slot: int) -> Matrix:
        """The vector in a slot."""
        first, matrix = list(self.blocks())[bisect_right(self.records.bounds, slot) - 1]
        return np.asarray(matrix[slot - first])

    def blocks(self) -> Iterator[tuple[int, Matrix]]:
        """The first slot and the rows of each part and of the tail."""
        return zip(self.records.bounds, (*self.matrices, self.tail), strict=True)


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
            vectors = checked(vectors, len(items), state.dimension)
            size = state.records.size - state.records.stored
            buffer = state.buffer if size else np.zeros((0, vectors.shape[1]), dtype=np.float32)
            buffer = grown(buffer, size, len(rows))
            buffer[size : size + len(rows)] = vectors[rows]
            records = state.records.append([items[row] for row in rows])
            self._publish(replace(state, records=records, buffer=buffer))

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids, all at once; returns how many were there."""
        with self._write_lock:
            before = self._state.records
            after = before.remove(doc_ids)
            self._publish(replace(self._state, records=after))
            return before.live - after.live

    def _publish(self, state: _State) -> None:
        if state.records.untidy:
            alive = state.records.alive[state.records.stored :]
            state = replace(state, records=state.records.trimmed(), buffer=state.tail[alive])
        self._state = state

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """The stored items under these ids, in this order."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def vectors(self, doc_ids: Iterable[str]) -> list[Matrix | None]:
        """The vectors of these ids, in this order, ``None`` where there is none."""
        with self._write_lock:
            slots, state = self._state.records.slots(doc_ids), self._state
        return [None if slot is None else state.row(slot) for slot in slots]

    def search(self, queries: Matrix, n_results: int, where: Where | None = None) -> list[list[Hit]]:
        """The ``n_results`` nearest items to each row of ``queries`` [m, dimension], best first, ties by id.

        A zero row has no direction and so no neighbours. Scores are cosines in [-1, 1], to 6 decimals.
        """
        state = self._state
        allowed = state.records.mask(where)
        k = min(n_results, int(np.count_nonzero(allowed)))
        if not k:
            return [[] for _ in queries]
        queries = checked(queries, len(queries), state.dimension)
        found = [
            _nearest(matrix, first, allowed[first : first + len(matrix)], queries, k)
            for first, matrix in state.blocks()
        ]
        hits = []
        for query, parts in zip(queries, zip(*found, strict=True), strict=True):
            slots = np.concatenate([slots for slots, _ in parts])
            scores = np.concatenate([scores for _, scores in parts])
            hits.append(state.records.best(slots, scores, k) if query.any() else [])
        return hits

    def save(self, directory: Path) -> dict[str, Sequence[int]]:
        """Write the index in parts; returns the checksums of the files that were there before."""
        state = self._state
        return save_parts(directory, state.records, state.parts, partial(_write, state))

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote, or wrote before there were parts. Vectors are mapped."""
        if has_parts(directory):
            parts, alive = open_parts(directory)
            records = records_of(parts, alive)
            matrices = tuple(stored(part.folder / "vectors.npy") for part in parts)
        else:
            parts, records = [], Records.load(directory / "records.jsonl")
            matrices = (stored(directory / "vectors.npy"),)
        for items, matrix in zip(records.parts, matrices, strict=True):
            if len(matrix) != len(items):
                raise BackendRejected(f"{directory} has {len(items)} items and {len(matrix)} vectors")
        with self._write_lock:
            self._state = _State(records, tuple(parts), matrices)


def _nearest(
    matrix: Matrix, first: int, allowed: NDArray[np.bool_], queries: Matrix, k: int
) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
    """The slots of a matrix that may be among the best ``k`` of each query, and their scores.

    Candidates come from the matrix product, scores from a sum that is the same for equal rows.
    """
    k = min(k, int(np.count_nonzero(allowed)))
    if not k:
        return [(np.zeros(0, dtype=np.intp), np.zeros(0))] * len(queries)
    forbidden = None if allowed.all() else ~allowed
    found = []
    for query, scores in zip(queries, scored(matrix, queries, forbidden), strict=True):
        rows = candidates(scores, k)
        found.append((first + rows, rescored(matrix, rows, query)))
    return found


def _write(state: _State, folder: Path, start: int, stop: int) -> None:
    """Write the vectors of the live slots from ``start`` up to ``stop``."""
    alive = state.records.alive
    header = {
        "descr": np.lib.format.dtype_to_descr(np.dtype(np.float32)),
        "fortran_order": False,
        "shape": (int(np.count_nonzero(alive[start:stop])), state.dimension or 0),
    }
    with (folder / "vectors.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for first, matrix in state.blocks():
            for row in range(0, len(matrix) if start <= first < stop else 0, _WRITTEN):
                block = matrix[row : row + _WRITTEN]
                file.write(block[alive[first + row : first + row + len(block)]].tobytes())
                forget(matrix)
