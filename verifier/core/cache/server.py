"""Digests and texts go to a server that speaks the Redis protocol, and come from it: a cache of several machines."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from verifier.core.cache.file import checksum
from verifier.core.errors import StateUnavailable
from verifier.core.state.redis import Connection

__all__ = ["CacheServer"]

_PREFIX = "verifier:answer:"


class CacheServer:
    """Entries on a server. One that cannot be reached later keeps nothing and finds nothing, and a note says so.

    Args:
        address: ``redis://HOST:PORT/DB``.
        ttl: seconds that an entry is fresh; the server forgets it then.

    Raises:
        MissingExtra: the client is not installed.
        StateUnavailable: the server cannot be reached now.
    """

    def __init__(self, address: str, *, ttl: float) -> None:
        self.ttl = ttl
        self.notes: list[str] = []
        self._server = Connection(address)

    def get(self, digest: bytes, now: float) -> tuple[str, float] | None:
        """The text that is fresh at ``now`` and when it was stored, or ``None``."""
        kept = self._asked(lambda client: client.get(_key(digest)))
        if not isinstance(kept, str):
            return None
        mark, _, rest = kept.partition("\n")
        told, _, text = rest.partition("\n")
        stored = _number(told)
        if mark != checksum(digest, text, stored).hex():
            self._note(f"a damaged entry of {self._server.name} was left out")
            return None
        return (text, stored) if 0 <= now - stored < self.ttl else None

    def put(self, digest: bytes, text: str, now: float) -> None:
        """Keep ``text`` for ``ttl`` seconds."""
        kept = f"{checksum(digest, text, now).hex()}\n{now!r}\n{text}"
        milliseconds = max(1, int(1000 * self.ttl))
        self._asked(lambda client: client.set(_key(digest), kept, px=milliseconds))

    def clear(self) -> None:
        """Delete every entry, those of other processes too."""
        keys = self._asked(lambda client: list(client.scan_iter(match=f"{_PREFIX}*")))
        if keys:
            self._asked(lambda client: client.delete(*keys))

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def _asked(self, ask: Callable[[Any], Any]) -> Any:
        try:
            return self._server.call(ask)
        except StateUnavailable:
            self._note(f"an answer was not kept, or not found, since {self._server.name} cannot be reached")
        return None

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _key(digest: bytes) -> str:
    return _PREFIX + digest.hex()


def _number(text: str) -> float:
    """NaN where it is none, which fits no checksum."""
    try:
        return float(text)
    except ValueError:
        return math.nan
