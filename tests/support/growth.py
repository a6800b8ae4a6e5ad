"""Measure how the processor time of some work grows with its size, whatever else the machine is doing."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

__all__ = ["growth"]

_TIMES = 4
_LEAST = 0.01
"""Processor seconds below which the clock says nothing."""


def growth(work: Callable[[int], object], size: int, enough: float) -> float:
    """The processor time of ``work(size)`` over that of a quarter of the size, the best of three runs each.

    The large size is not run again once the quotient is below ``enough``: further runs could only lessen it.
    No garbage is collected meanwhile: that takes the longer, the more other tests have left in memory. About 4 where
    time is proportional to size, about 16 where it is to its square.
    """
    small = max(min(_seconds(work, max(size // _TIMES, 1)) for _ in range(3)), _LEAST)
    large = math.inf
    for _ in range(3):
        large = min(large, _seconds(work, size))
        if large / small < enough:
            break
    return large / small


def _seconds(work: Callable[[int], object], size: int) -> float:
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        work(size)
        return time.process_time() - began
    finally:
        gc.enable()
