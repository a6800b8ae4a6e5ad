"""An inverted file of short codes, in lists by nearness (faiss, extra ``ann``)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier.core.registry import require
from verifier_backends.index.nearest import Matrix

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

_WORDS, _LEARNERS = 16, 8_192
"""What a code says of two dimensions is one of so many words (4 bits), learnt from so many vectors at most."""

_BLOCK_CODES = 32
"""Codes that faiss compares at a time."""

_NONE = np.zeros(0, dtype=np.int32)

_one_build = threading.Lock()
"""faiss counts its threads for the whole process; two builds at a time would only wait for each other."""


def library() -> Any:
    """faiss, or ``MissingExtra``."""
    return require("faiss", extra="ann", package="faiss-cpu")


@dataclass(frozen=True)
class InvertedLists:
    """Codes of the slots ``0 .. size``, each in the list of its nearest centroid. Never changed once made.

    A code says in 4 bits for every two dimensions how a vector differs from its centroid. What faiss adds up from
    it names candidates; it is too coarse to rank them.

    Attributes:
        centroids: of the lists, of length 1, shape [lists, dimension], the dimension made even by a zero.
        assigned: the list of each slot, shape [size].
    """

    centroids: Matrix
    assigned: NDArray[np.int32]
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
        """Learn centroids and codes from ``rows`` [n, dimension] and put each of them into its list."""
        with _one_build:
            return InvertedLists(*_learnt(rows))._with(rows)

    def extended(self, rows: _Half) -> InvertedLists:
        """The lists with ``rows`` in the next slots, under the same centroids; these here stay as they are."""
        with _one_build:
            return replace(self, _index=library().clone_index(self._index))._with(rows)

    def kept(self, rows: _Half) -> InvertedLists:
        """The lists of ``rows`` alone, under the same centroids."""
        with _one_build:
            index = library().clone_index(self._index)
            index.reset()
            return InvertedLists(self.centroids, _NONE, index)._with(rows)

    def _with(self, rows: _Half) -> InvertedLists:
        """These lists with ``rows`` in the next slots; their index, which must be of their own, is written to."""
        faiss = library()
        index, size = self._index, self.size
        for start in range(0, len(rows), _BLOCK):
            block = _even(rows[start : start + _BLOCK])
            index.add_with_ids(block, np.arange(size + start, size + start + len(block), dtype=np.int64))
        assigned = np.concatenate([self.assigned, np.empty(len(rows), dtype=np.int32)])
        for number, held in enumerate(np.bincount(self.assigned, minlength=len(self.centroids)).tolist()):
            now = index.invlists.list_size(number)
            if now > held:
                assigned[faiss.rev_swig_ptr(index.invlists.get_ids(number), now)[held:]] = number
        return InvertedLists(self.centroids, assigned, index)

    def counts(self, allowed: NDArray[np.bool_]) -> _Counts:
        """How many of the ``allowed`` slots [size] are in each list."""
        return np.bincount(self.assigned[allowed], minlength=len(self.centroids))

    def search(
        self, queries: Matrix, breadth: int, n_results: int, counts: _Counts, bitmap: NDArray[np.uint8] | None
    ) -> Iterator[_Slots]:
        """For each query the ``n_results`` best slots by their codes, fewer where fewer were read.

        faiss may also leave out a slot whose code says the least that any code can.

        Args:
            queries: shape [m, dimension].
            breadth: the nearest lists are read until they hold so many allowed slots.
            n_results: slots for each query.
            counts: allowed slots in each list.
            bitmap: the allowed slots, a bit each, lowest first; all where it is ``None``.
        """
        faiss = library()
        options = faiss.IVFSearchParameters()
        if bitmap is not None:
            selector = faiss.IDSelectorBitmap(bitmap)
            options.sel = selector
        distances = np.empty((1, n_results), dtype=np.float32)
        slots = np.empty((1, n_results), dtype=np.int64)
        # One at a time: how finely faiss adds up what the codes say depends on the lists of all queries of a call.
        for query in _even(queries):
            lists, nearness = self._nearest_lists(query, breadth, counts)
            options.nprobe = len(lists)
            arrays = (lists, nearness, distances, slots)
            try:
                self._index.search_preassigned_c(
                    1, faiss.swig_ptr(query), n_results, *map(faiss.swig_ptr, arrays), False, options, None
                )
            except RuntimeError as error:
                raise BackendRejected(f"faiss could not search: {error}") from error
            yield slots[slots >= 0]

    def _nearest_lists(self, query: Matrix, breadth: int, counts: _Counts) -> tuple[_Slots, Matrix]:
        """The lists to read for a query [dimension], nearest first, and their nearness."""
        nearness = self.centroids @ query
        nearness[counts == 0] = -np.inf
        filled = int(np.count_nonzero(counts))
        # Lists near a query hold more than others do, so that these are nearly always enough.
        guess = min(filled, 1 + int(1.25 * breadth * filled / counts.sum()))
        order = _highest(nearness, guess)
        if guess < filled and counts[order].sum() < breadth:
            order = _highest(nearness, filled)
        needed = int((np.cumsum(counts[order]) < breadth).sum()) + 1
        return order[:needed], nearness[order[:needed]]

    def save(self, directory: Path) -> None:
        """Write ``lists.faiss``, ``centroids.npy``, ``assigned.npy``."""
        faiss = library()
        try:
            faiss.write_index(self._index, str(directory / "lists.faiss"))
        except RuntimeError as error:
            raise BackendRejected(f"faiss cannot write into {directory}: {error}") from error
        np.save(directory / "centroids.npy", self.centroids)
        np.save(directory / "assigned.npy", self.assigned)

    @staticmethod
    def load(directory: Path) -> InvertedLists | None:
        """What ``save`` wrote; ``None`` where there are no lists.

        Raises:
            BackendRejected: the files cannot be read or do not fit each other.
        """
        if not (directory / "lists.faiss").exists():
            return None
        faiss = library()
        try:
            index = faiss.read_index(str(directory / "lists.faiss"))
            centroids, assigned = (np.load(directory / f"{name}.npy") for name in ("centroids", "assigned"))
        except (RuntimeError, OSError, ValueError) as error:
            raise BackendRejected(f"the lists in {directory} cannot be read: {error}") from error
        fits = index.ntotal == len(assigned) and (index.nlist, index.d) == centroids.shape
        if not fits or not isinstance(index, faiss.IndexIVFPQFastScan):
            raise BackendRejected(f"the lists in {directory} do not fit each other; build the index anew")
        return InvertedLists(centroids, assigned, index)


def _even(rows: NDArray[np.floating]) -> Matrix:
    """The rows as float32, with a column of zeros behind them where their dimension is odd."""
    odd = rows.shape[1] % 2
    return np.pad(rows.astype(np.float32), ((0, 0), (0, odd))) if odd else rows.astype(np.float32, order="C")


def _highest(scores: Matrix, n: int) -> _Slots:
    """Where the ``n`` highest scores are, highest first."""
    places = np.argpartition(-scores, n - 1)[:n]
    return np.asarray(places[np.argsort(-scores[places])], dtype=np.int64)


def _learnt(rows: _Half) -> tuple[Matrix, NDArray[np.int32], Any]:
    """Centroids of ``rows``, no slots, and an inverted file without vectors."""
    faiss = library()
    dimension = rows.shape[1] + rows.shape[1] % 2
    n_lists = max(1, min(len(rows), round(_LISTS * len(rows) ** 0.5)))
    chosen = np.sort(np.random.default_rng(_SEED).permutation(len(rows))[: _SAMPLE * n_lists])
    sample = np.zeros((len(chosen), dimension), dtype=np.float16)
    for start in range(0, len(chosen), _BLOCK):
        sample[start : start + _BLOCK, : rows.shape[1]] = rows[chosen[start : start + _BLOCK]]
    means = faiss.Clustering(dimension, n_lists)
    means.niter, means.spherical, means.seed = _ROUNDS, True, _SEED
    means.min_points_per_centroid, means.max_points_per_centroid = 1, _SAMPLE
    # As float32 the sample would be the most that a build holds beside the base: faiss reads it a block at a time.
    means.decode_block_size = _BLOCK
    coarse = faiss.IndexFlatIP(dimension)
    halves = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16)
    means.train_encoded(sample.view(np.uint8), halves, coarse)
    centroids = faiss.vector_to_array(means.centroids).reshape(n_lists, dimension)
    return centroids, _NONE, _empty(coarse, centroids, sample)


def _empty(coarse: Any, centroids: Matrix, sample: _Half) -> Any:
    """An inverted file without vectors whose codes are learnt from how ``sample`` differs from its centroids.

    Args:
        coarse: faiss's index of the centroids.
        centroids: shape [lists, dimension].
        sample: shape [n, dimension].
    """
    faiss = library()
    n_lists, dimension = centroids.shape
    index = faiss.IndexIVFPQFastScan(
        coarse, dimension, n_lists, dimension // 2, 4, faiss.METRIC_INNER_PRODUCT, _BLOCK_CODES
    )
    index.by_residual = True
    chosen = np.random.default_rng(_SEED).permutation(len(sample))[:_LEARNERS]
    learners = sample[chosen].astype(np.float32)
    _, nearest = coarse.search(learners, 1)
    differences = learners - centroids[nearest[:, 0]]
    index.pq.cp.min_points_per_centroid, index.pq.cp.seed = 1, _SEED
    # There must be a vector for each word, be it one of those there are again.
    index.pq.train(np.resize(differences, (max(len(differences), _WORDS), dimension)))
    index.is_trained = True
    return index
