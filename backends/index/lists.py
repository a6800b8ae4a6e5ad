"""Vectors in, an inverted file out (faiss, extra ``ann``): int8 codes in lists by nearness, searched by the slot."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.index.nearest import Matrix
from verifier.core.errors import BackendRejected
from verifier.core.registry import require

__all__ = ["InvertedLists", "library"]

_Half = NDArray[np.float16]
_Slots = NDArray[np.int64]
_Counts = NDArray[np.int64]

_LISTS = 4
"""Lists for each unit of the square root of the number of vectors. Twice as many find the same by reading a quarter
less, but take twice as long to build and to choose from."""

_ROUNDS = 6
"""Rounds of k-means."""

_SAMPLE = 40
"""Vectors for each list that k-means learns from."""

_BLOCK = 16_384
"""Rows turned to float32 at a time; bounds the memory of a build."""

_SEED = 20_090_604

_LEVELS = 127
"""Codes go from minus this to this, for the largest component of the sample; larger ones are cut to it."""

_NONE = np.zeros(0, dtype=np.int32)

_one_build = threading.Lock()
"""faiss counts its threads for the whole process; two builds at a time would only wait for each other."""


def library() -> Any:
    """faiss, or ``MissingExtra``."""
    return require("faiss", extra="ann", package="faiss-cpu")


@dataclass(frozen=True)
class InvertedLists:
    """Codes of the slots ``0 .. size``, each in the list of its nearest centroid. Never changed once made.

    Attributes:
        centroids: of the lists, of length 1, shape [lists, dimension].
        assigned: the list of each slot, shape [size].
        scale: what a component is multiplied by before it is rounded to its code.
    """

    centroids: Matrix
    assigned: NDArray[np.int32]
    scale: float
    _index: Any

    @property
    def size(self) -> int:
        """Number of slots."""
        return len(self.assigned)

    @property
    def trained_on(self) -> float:
        """About so many vectors there were when the centroids were learnt."""
        return (len(self.centroids) / _LISTS) ** 2

    @staticmethod
    def build(rows: _Half) -> InvertedLists:
        """Learn centroids from ``rows`` [n, dimension] and put each of them into its list."""
        faiss = library()
        with _one_build:
            n_lists = max(1, min(len(rows), round(_LISTS * len(rows) ** 0.5)))
            chosen = np.random.default_rng(_SEED).permutation(len(rows))[: _SAMPLE * n_lists]
            sample = rows[np.sort(chosen)].astype(np.float32)
            means = faiss.Kmeans(
                rows.shape[1],
                n_lists,
                niter=_ROUNDS,
                spherical=True,
                seed=_SEED,
                min_points_per_centroid=1,
                max_points_per_centroid=_SAMPLE,
            )
            means.train(sample)
            largest = float(np.abs(sample).max()) or 1.0
            empty = InvertedLists(means.centroids, _NONE, _LEVELS / largest, None)
            return empty._with(rows, _nearest_centroids(rows, means.centroids))

    def extended(self, rows: _Half) -> InvertedLists:
        """The lists with ``rows`` in the next slots, under the same centroids; these here stay as they are."""
        with _one_build:
            return self._with(rows, _nearest_centroids(rows, self.centroids))

    def kept(self, rows: _Half, alive: NDArray[np.bool_]) -> InvertedLists:
        """The lists of the slots that are ``alive`` alone, renumbered; ``rows`` are those of all slots."""
        with _one_build:
            empty = InvertedLists(self.centroids, _NONE, self.scale, None)
            return empty._with(rows[alive], self.assigned[alive])

    def _with(self, rows: _Half, nearest: NDArray[np.int32]) -> InvertedLists:
        """These lists, copied, with ``rows`` in the next slots, each in the list that ``nearest`` says."""
        faiss = library()
        assigned = np.concatenate([self.assigned, nearest])
        index = _empty(faiss, self.centroids, np.bincount(assigned, minlength=len(self.centroids)))
        if self.size:
            self._index.copy_subset_to(index, faiss.InvertedLists.SUBSET_TYPE_ID_RANGE, 0, self.size)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK].astype(np.float32)
            lists = nearest[start : start + _BLOCK].astype(np.int64)
            slots = np.arange(self.size + start, self.size + start + len(block), dtype=np.int64)
            codes = np.clip(np.rint(block * np.float32(self.scale)), -_LEVELS, _LEVELS)
            index.add_core(len(block), *map(faiss.swig_ptr, (codes, slots, lists)))
        return InvertedLists(self.centroids, assigned, self.scale, index)

    def counts(self, allowed: NDArray[np.bool_]) -> _Counts:
        """How many of the ``allowed`` slots [size] are in each list."""
        return np.bincount(self.assigned[allowed], minlength=len(self.centroids))

    def search(
        self, queries: Matrix, breadth: int, n_results: int, counts: _Counts, bitmap: NDArray[np.uint8] | None
    ) -> Iterator[_Slots]:
        """For each query the ``n_results`` best slots by the int8 codes, fewer where fewer were read.

        Args:
            queries: shape [m, dimension].
            breadth: the nearest lists are read until they hold so many allowed slots.
            n_results: slots for each query.
            counts: allowed slots in each list.
            bitmap: the allowed slots, a bit each, lowest first; all where it is ``None``.
        """
        faiss = library()
        lists, nearness = self._nearest_lists(queries, breadth, counts)
        # faiss rounds these too; the factor of a query changes nothing in its ranking.
        largest = np.abs(queries).max(axis=1, keepdims=True)
        rounded = np.rint(queries * (_LEVELS / np.where(largest > 0, largest, 1))).astype(np.float32)
        options = faiss.IVFSearchParameters(nprobe=lists.shape[1])
        selector = None
        if bitmap is not None:
            selector = faiss.IDSelectorBitmap(bitmap)
            options.sel = selector
        distances = np.empty((len(queries), n_results), dtype=np.float32)
        slots = np.empty((len(queries), n_results), dtype=np.int64)
        try:
            self._index.search_preassigned_c(
                len(queries),
                faiss.swig_ptr(rounded),
                n_results,
                *map(faiss.swig_ptr, (lists, nearness, distances, slots)),
                False,
                options,
                None,
            )
        except RuntimeError as error:
            raise BackendRejected(f"faiss could not search: {error}") from error
        for found in slots:
            yield found[found >= 0]

    def _nearest_lists(self, queries: Matrix, breadth: int, counts: _Counts) -> tuple[_Slots, Matrix]:
        """The lists to read for each query, nearest first and ``-1`` behind the last, and their nearness."""
        nearness = queries @ self.centroids.T
        nearness[:, counts == 0] = -np.inf
        filled = int(np.count_nonzero(counts))
        # Lists near a query hold more than others do, so that these are nearly always enough.
        guess = min(filled, 1 + int(1.25 * breadth * filled / counts.sum()))
        order = _best_columns(nearness, guess)
        if guess < filled and counts[order].sum(axis=1).min() < breadth:
            order = _best_columns(nearness, filled)
        held = np.cumsum(counts[order], axis=1)
        needed = np.minimum((held < breadth).sum(axis=1) + 1, order.shape[1])
        width = int(needed.max())
        order = np.where(np.arange(width) < needed[:, None], order[:, :width], -1)
        return np.ascontiguousarray(order, dtype=np.int64), np.zeros(order.shape, dtype=np.float32)

    def save(self, directory: Path) -> None:
        """Write ``lists.faiss``, ``centroids.npy``, ``assigned.npy``."""
        faiss = library()
        try:
            faiss.write_index(self._index, str(directory / "lists.faiss"))
        except RuntimeError as error:
            raise BackendRejected(f"faiss cannot write into {directory}: {error}") from error
        np.save(directory / "centroids.npy", self.centroids)
        np.save(directory / "assigned.npy", self.assigned)
        np.save(directory / "scale.npy", self.scale)

    @staticmethod
    def load(directory: Path) -> InvertedLists | None:
        """What ``save`` wrote, its codes mapped from the file; ``None`` where there are no lists.

        Raises:
            BackendRejected: the files cannot be read or do not fit each other.
        """
        if not (directory / "lists.faiss").exists():
            return None
        faiss = library()
        try:
            index = faiss.read_index(str(directory / "lists.faiss"), faiss.IO_FLAG_MMAP)
            centroids, assigned, scale = (
                np.load(directory / f"{name}.npy") for name in ("centroids", "assigned", "scale")
            )
        except (RuntimeError, OSError, ValueError) as error:
            raise BackendRejected(f"the lists in {directory} cannot be read: {error}") from error
        if index.ntotal != len(assigned) or (index.nlist, index.d) != centroids.shape:
            raise BackendRejected(f"the lists in {directory} do not fit each other; build the index anew")
        return InvertedLists(centroids, assigned, float(scale), index)


def _best_columns(scores: Matrix, n: int) -> _Slots:
    """The ``n`` columns of the highest score in each row, best first."""
    columns = np.argpartition(-scores, n - 1, axis=1)[:, :n]
    within = np.argsort(-np.take_along_axis(scores, columns, axis=1), axis=1)
    return np.take_along_axis(columns, within, axis=1)


def _nearest_centroids(rows: _Half, centroids: Matrix) -> NDArray[np.int32]:
    """The list in which each of ``rows`` belongs."""
    faiss = library()
    nearest = np.empty(len(rows), dtype=np.int32)
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK].astype(np.float32)
        _, found = faiss.knn(block, centroids, 1, metric=faiss.METRIC_INNER_PRODUCT)
        nearest[start : start + _BLOCK] = found[:, 0]
    return nearest


def _empty(faiss: Any, centroids: Matrix, room: _Counts) -> Any:
    """An inverted file without vectors, its codes 8 bits a dimension, with room for so many in each list."""
    dimension = centroids.shape[1]
    coarse = faiss.IndexFlatIP(dimension)
    coarse.add(centroids)
    # Whole numbers are stored as they are: their products are a third faster than those of other 8-bit codes.
    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    index = faiss.IndexIVFScalarQuantizer(
        coarse, dimension, len(centroids), kind, faiss.METRIC_INNER_PRODUCT, False
    )
    index.is_trained = True
    # Room made at once is no larger than it must be; lists that grow would take half as much again.
    for number, size in enumerate(room.tolist()):
        index.invlists.resize(number, size)
        index.invlists.resize(number, 0)
    return index
