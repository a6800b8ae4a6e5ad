"""A table of vectors goes in; the same in 4 bits, with a scale for each block of a row, comes out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK", "four_bit", "packed"]

BLOCK = 32
"""Values in a row that share a scale, unless said otherwise."""


def four_bit(table: NDArray[np.float32], block: int = BLOCK) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Values -8 to 7 of ``table``'s shape, and a scale for each ``block`` of a row, of least square error.

    The scale's sign puts the largest value of a block at -8, the one step more that two's complement has.
    """
    rows = table.reshape(-1, block)
    largest = rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)]
    best_scale = np.ones(len(rows), dtype=np.float32)
    best_error = np.full(len(rows), np.inf)
    for part in np.linspace(0.6, 1.05, 19):
        for steps in (-8, 7):
            scale = (largest * part / steps).astype(np.float16).astype(np.float32)
            scale[scale == 0] = 1e-4
            error = ((_steps(rows, scale) * scale[:, None] - rows) ** 2).sum(axis=1)
            better = error < best_error
            best_scale[better], best_error[better] = scale[better], error[better]
    values = _steps(rows, best_scale).astype(np.int8).reshape(table.shape)
    return values, best_scale.reshape(len(table), -1).astype(np.float16)


def _steps(rows: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.clip(np.rint(rows / scale[:, None]), -8, 7)


def packed(values: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two values a byte, the low half first: (rows, columns / 2)."""
    halves = values.astype(np.uint8) & 15
    bytes_: NDArray[np.uint8] = halves[:, 0::2] | halves[:, 1::2] << 4
    return bytes_
