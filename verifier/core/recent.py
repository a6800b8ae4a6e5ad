"""A bounded cache, keyed by texts, that forgets what was not used for the longest time."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["RecentlyUsed", "digest"]

V = TypeVar("V")


class RecentlyUsed(Generic[V]):
    """The values used last, kept under digests of 16 bytes; safe to share by threads.

    Args:
        size: how much is kept, in units of ``cost``; 0 keeps nothing.
        cost: what one value takes; 1 by default.
    """

    def __init__(self, size: int, cost: Callable[[V], int] = lambda _: 1) -> None:
        self.size, self._cost = size, cost
        self._kept: OrderedDict[bytes, V] = OrderedDict()
        self.used = 0
        """What is kept now, in units of ``cost``."""
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> V | None:
        """The value kept, which thereby counts as used; ``None`` when there is none."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def update(self, found: Iterable[tuple[bytes, V]]) -> None:
        """Keep these values, and let those go that were not used for the longest time."""
        with self._lock:
            for key, value in found:
                self._forget(key)
                self._kept[key] = value
                self.used += self._cost(value)
            while self.used > self.size:
                self._forget(next(iter(self._kept)))

    def _forget(self, key: bytes) -> None:
        if key in self._kept:
            self.used -= self._cost(self._kept.pop(key))


def digest(*texts: str) -> bytes:
    """Names texts in this order, and where each one ends."""
    made = hashlib.blake2b(digest_size=16)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        made.update(len(encoded).to_bytes(8, "big"))
        made.update(encoded)
    return made.digest()
