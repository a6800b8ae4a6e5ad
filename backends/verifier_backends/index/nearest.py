"""The steps that exact and approximate search share: check, score, choose and rescore."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected

__all__ = ["Matrix", "candidates", "checked", "rescored", "scored"]

Matrix = NDArray[np.float32]

BLOCK_BYTES = 64 << 20
"""Size of one block of the score matrix in a batched search; bounds its memory, whatever the batch."""

_TOLERANCE = 1e-5
"""How far a float32 matrix product of unit vectors may lie from the true cosine, with room to spare."""

_CHUNK = 2048
"""Rows scored again at a time; bounds the memory where very many are tied."""

_DECIMALS = 6
"""Scores are rounded to this: below it lies the noise of encoders and BLAS, which must not break a tie."""


def checked(vectors: Matrix, n_rows: int, dimension: int | None) -> Matrix:
    """The vectors as one float32 matrix [n_rows, dimension].

    Raises:
        BackendRejected: they are not finite, not one for each text, or of another dimension.
    """
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


def scored(matrix: Matrix, queries: Matrix, forbidden: NDArray[np.bool_] | None) -> Iterator[Matrix]:
    """For each query its approximate cosine to every row; ``-inf`` where ``forbidden``."""
    step = max(1, BLOCK_BYTES // (4 * max(1, len(matrix))))
    for start in range(0, len(queries), step):
        block = queries[start : start + step]
        scores = (matrix @ block[0])[None] if len(block) == 1 else block @ matrix.T
        if forbidden is not None:
            scores[:, forbidden] = -np.inf
        yield from scores


def candidates(scores: Matrix, k: int) -> NDArray[np.intp]:
    """The rows that may be among the ``k`` best, ties at the cut included; ``k`` of them at least."""
    kth = np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.flatnonzero(scores >= kth - _TOLERANCE)


def rescored(matrix: NDArray[np.floating], slots: NDArray[np.intp], query: Matrix) -> NDArray[np.float64]:
    """The cosine of ``query`` to the rows at ``slots``, to 6 decimals, by a sum that is the same for equal rows.

    BLAS may add up two equal rows in different orders, according to where they lie in the matrix.
    """
    exact = np.empty(len(slots))
    for start in range(0, len(slots), _CHUNK):
        chunk = slots[start : start + _CHUNK]
        exact[start : start + len(chunk)] = (matrix[chunk].astype(np.float64) * query).sum(axis=1)
    # Adding 0.0 turns -0.0 into 0.0.
    return np.round(exact, _DECIMALS) + 0.0
