"""Digests and texts go to a server that speaks the Redis protocol, and come from it: a cache of several machines."""

from __future__ import annotations

from typing import Any

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
        kept = self._asked("get", _key(digest))
        if not isinstance(kept, str):
            return None
        stored, _, text = kept.partition("\n")
        return (text, float(stored)) if 0 <= now - float(stored) < self.ttl else None

    def put(self, digest: bytes, text: str, now: float) -> None:
        """Keep ``text`` for ``ttl`` seconds."""
        self._asked("set", _key(digest), f"{now!r}\n{text}", px=max(1, int(1000 * self.ttl)))

    def clear(self) -> None:
        """Delete every entry, those of other processes too."""
        for key in list(self._asked("scan_iter", match=f"{_PREFIX}*") or ()):
            self._asked("delete", key)

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def _asked(self, command: str, *given: Any, **options: Any) -> Any:
        try:
            return self._server.call(lambda client: getattr(client, command)(*given, **options))
        except StateUnavailable:
            note = f"an answer was not kept, or not found, since {self._server.name} cannot be reached"
            if note not in self.notes:
                self.notes.append(note)
        return None


def _key(digest: bytes) -> str:
    return _PREFIX + digest.hex()
