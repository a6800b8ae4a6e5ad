"""Files as arrays: small ones read, large ones mapped, so that opening an index reads little of it."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = ["forget", "raw", "stored"]

_READ = 1 << 20
"""Bytes up to which a file is read: each mapped one takes a descriptor as long as it is open."""


def raw(path: Path, dtype: DTypeLike) -> NDArray[Any]:
    """The numbers of a file without a header."""
    if path.stat().st_size <= _READ:
        return np.fromfile(path, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode="r")


def stored(path: Path) -> NDArray[Any]:
    """The array of a ``.npy`` file.

    Raises:
        ValueError: it is no such file.
    """
    array: NDArray[Any] = np.load(path, mmap_mode=None if path.stat().st_size <= _READ else "r")
    return array


def forget(array: NDArray[Any]) -> None:
    """Give back the memory of what was read of a mapped file; it is read again where it is asked for again."""
    base: object = array.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
