"""Wait until Pinecone shows a write, or fail when it does not in time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from verifier.core.errors import BackendUnavailable

__all__ = ["Waiting"]

_FIRST, _LONGEST = 0.05, 2.0
"""Seconds between the first two questions, which double up to the second value."""


@dataclass(frozen=True)
class Waiting:
    """Asks until it is so, for ``seconds`` at most."""

    seconds: float
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def until(self, is_so: Callable[[], bool], otherwise: str) -> None:
        """Return as soon as ``is_so()``.

        Raises:
            BackendUnavailable: it is not so in time; the message begins with ``otherwise``.
        """
        end, pause = self.clock() + self.seconds, _FIRST
        while not is_so():
            left = end - self.clock()
            if left <= 0:
                raise BackendUnavailable(f"{otherwise} after {self.seconds:g} seconds")
            self.sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST)
