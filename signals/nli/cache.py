"""Content goes in as a key, what was found for it comes out, as long as it was used not too long ago."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Generic, TypeVar

from signals.types import TextPair

__all__ = ["PairCache"]

Value = TypeVar("Value")


class PairCache(Generic[Value]):
    """The values of the pairs used last, safe to share by threads.

    Pairs are kept as digests of 16 bytes, so that the cache does not hold the texts.

    Args:
        size: how many pairs are kept; 0 keeps none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, pair: TextPair) -> Value | None:
        """The value kept for a pair, which thereby counts as used; ``None`` when there is none."""
        key = _digest(pair)
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def update(self, found: Mapping[TextPair, Value]) -> None:
        """Keep these values, and let the pairs go that were not used for the longest time."""
        keyed = {_digest(pair): value for pair, value in found.items()}
        with self._lock:
            for key, value in keyed.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)


def _digest(pair: TextPair) -> bytes:
    """Of both texts and of where the first one ends."""
    premise = pair.premise.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(len(premise).to_bytes(8, "big"), digest_size=16)
    digest.update(premise)
    digest.update(pair.hypothesis.encode("utf-8", "surrogatepass"))
    return digest.digest()
