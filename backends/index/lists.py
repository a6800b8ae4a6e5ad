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

_ROUNDS = 10
"""Rounds of k-means; more of them move the lists little (``benchmarks.ann``)."""

_SAMPLE = 64
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
        return (len(self.centroids) / 2) ** 2

    @staticmethod
    def build(rows: _Half) -> InvertedLists:
        """Learn centroids from ``rows`` [n, dimension] and put each of them into its list."""
        faiss = library()
        with _one_build:
            n_lists = max(1, round(2 * len(rows) ** 0.5))
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
            return empty._with(rows, _empty(faiss, means.centroids))

    def extended(self, rows: _Half) -> InvertedLists:
        """The lists with ``rows`` in the next slots, under the same centroids; these here stay as they are."""
        faiss = library()
        with _one_build:
            copy = _empty(faiss, self.centroids)
            self._index.copy_subset_to(copy, faiss.InvertedLists.SUBSET_TYPE_ID_RANGE, 0, self.size)
            return self._with(rows, copy)

    def kept(self, rows: _Half, alive: NDArray[np.bool_]) -> InvertedLists:
        """The lists of the slots that are ``alive`` alone, renumbered; ``rows`` are those of all slots."""
        faiss = library()
        with _one_build:
            empty = InvertedLists(self.centroids, _NONE, self.scale, None)
            return empty._with(rows[alive], _empty(faiss, self.centroids), self.assigned[alive])

    def _with(self, rows: _Half, index: Any, known: NDArray[np.int32] | None = None) -> InvertedLists:
        """Add ``rows`` behind the slots that ``index`` holds."""
        faiss = library()
        assigned = [self.assigned]
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK].astype(np.float32)
            if known is None:
                _, nearest = faiss.knn(block, self.centroids, 1, metric=faiss.METRIC_INNER_PRODUCT)
                lists = nearest[:, 0].astype(np.int64)
            else:
                lists = known[start : start + _BLOCK].astype(np.int64)
            slots = np.arange(self.size + start, self.size + start + len(block), dtype=np.int64)
            codes = np.clip(np.rint(block * np.float32(self.scale)), -_LEVELS, _LEVELS)
            index.add_core(len(block), *map(faiss.swig_ptr, (codes, slots, lists)))
            assigned.append(lists.astype(np.int32))
        return InvertedLists(self.centroids, np.concatenate(assigned), self.scale, index)

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
        order = np.argsort(-nearness, axis=1)
        held = np.cumsum(counts[order], axis=1)
        needed = (held < breadth).sum(axis=1) + 1
        width = min(int(needed.max()), order.shape[1], int(np.count_nonzero(counts)))
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


def _empty(faiss: Any, centroids: Matrix) -> Any:
    """An inverted file without vectors, its codes 8 bits a dimension."""
    dimension = centroids.shape[1]
    coarse = faiss.IndexFlatIP(dimension)
    coarse.add(centroids)
    # Whole numbers are stored as they are: their products are a third faster than those of other 8-bit codes.
    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    index = faiss.IndexIVFScalarQuantizer(
        coarse, dimension, len(centroids), kind, faiss.METRIC_INNER_PRODUCT, False
    )
    index.is_trained = True
    return index
