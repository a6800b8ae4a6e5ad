"""A query and a text go in as a key, their score comes out, as long as it was used not too long ago."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

__all__ = ["ScoreCache"]


class ScoreCache:
    """The scores of the pairs used last, kept as digests of 16 bytes; safe to share by threads.

    Args:
        size: how many are kept, about 200 bytes each; 0 keeps none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._kept: OrderedDict[bytes, float] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, query: str, text: str) -> float | None:
        """The score kept for a pair, which thereby counts as used; ``None`` when there is none."""
        key = _digest(query, text)
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def update(self, found: Iterable[tuple[str, str, float]]) -> None:
        """Keep these scores, and let those go that were not used for the longest time."""
        keyed = [(_digest(query, text), score) for query, text, score in found]
        with self._lock:
            for key, score in keyed:
                self._kept[key] = score
                self._kept.move_to_end(key)
            while len(self._kept) > self.size:
                self._kept.popitem(last=False)


def _digest(query: str, text: str) -> bytes:
    """Of both texts and of where the first one ends."""
    first = query.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(len(first).to_bytes(8, "big"), digest_size=16)
    digest.update(first)
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()
