"""Work of growing size in; how its processor time grows out, whatever else the machine is doing."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["growth"]

_TIMES = 4
_LEAST = 0.01
"""Processor seconds below which the clock says nothing."""


def growth(work: Callable[[int], object], size: int) -> float:
    """The processor time of ``work(size)`` over that of a quarter of the size, the better of two runs each.

    About 4 where time is proportional to size, about 16 where it is to its square.
    """
    small, large = (min(_seconds(work, each) for _ in range(2)) for each in (max(size // _TIMES, 1), size))
    return large / max(small, _LEAST)


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    work(size)
    return time.process_time() - began
