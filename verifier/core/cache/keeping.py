"""Where cached texts are kept for several processes: a file, or a server at an address."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from verifier.core.cache.file import CacheFile

__all__ = ["Keeper", "opened"]


class Keeper(Protocol):
    """Keeps texts under digests where several processes find them. No fault of its own reaches who asks."""

    notes: list[str]
    """What happened that its owner should know."""

    def get(self, digest: bytes, now: float) -> tuple[str, float] | None:
        """The text that is fresh at ``now`` and when it was stored, or ``None``."""

    def put(self, digest: bytes, text: str, now: float) -> None:
        """Keep ``text``."""

    def clear(self) -> None:
        """Delete every entry."""

    def close(self) -> None:
        """Close it, for good."""


def opened(path: Path | str, *, max_size: int, ttl: float) -> Keeper:
    """The file at a path, or the server at an address.

    Args:
        path: a path, or ``redis://...`` as text.
        max_size: entries kept by a file; a server bounds its memory by itself.
        ttl: seconds that an entry is fresh.

    Raises:
        ConfigError: it cannot be opened, or holds something else.
        StateUnavailable: the server cannot be reached.
    """
    if isinstance(path, Path) or "://" not in path:
        return CacheFile(Path(path), max_size=max_size, ttl=ttl)
    from verifier.core.cache.server import CacheServer

    return CacheServer(path, ttl=ttl)
