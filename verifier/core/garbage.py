"""How often the process looks for garbage that refers to itself: less often than Python does by itself."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collect_rarely", "left_alone"]

_NEW_OBJECTS = 20_000
"""Objects made before Python looks for cycles among them; its own choice is 700. Reading texts makes many small objects
that live on in caches, and no cycles to speak of: looking took a fifth of the processor time of a check against 10,000
passages, and takes a twentieth so (``python -m benchmarks.answer --collect-often`` has it the other way)."""


def collect_rarely() -> None:
    """Look for cycles seldom, from now on, in this process. For programs, not libraries: it concerns all code in it."""
    _, *older = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *older)


@contextmanager
def left_alone() -> Iterator[None]:
    """Look for no cycles in a block that imports modules: what they make stays, and looking takes a sixth of the time.

    For libraries, too: it ends with the block. Blocks of several threads must not overlap.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()
