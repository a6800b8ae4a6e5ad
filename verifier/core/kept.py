"""What models have read of texts, kept beside a knowledge base: who reads asks here first, whatever it reads for.

The block that works over a knowledge base says where its readings are (:func:`keeping`); what reads a text deep below
it, also in threads of that block, finds them (:func:`kept`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from verifier.core.release import RELEASE

__all__ = ["Readings", "code_stamp", "keeping", "kept"]


class Readings(Protocol):
    """Keeps short values under digests of all that they depend on. No fault of its own reaches who asks."""

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that have one."""

    def put(self, found: Mapping[bytes, bytes]) -> None:
        """Keep these values, at the latest when the block of :func:`keeping` ends."""

    def flush(self) -> None:
        """See that what was put is kept."""


_KEPT: ContextVar[Readings | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(readings: Readings | None) -> Iterator[None]:
    """Let what is read in this block be found in, and kept by, ``readings``; ``None``: nowhere."""
    token = _KEPT.set(readings)
    try:
        yield
    finally:
        _KEPT.reset(token)
        if readings is not None:
            readings.flush()


def kept() -> Readings | None:
    """Where this block keeps its readings."""
    return _KEPT.get()


@cache
def code_stamp(*folders: Path) -> str:
    """Names the Python files in some folders and below them, by release, size and time: another rule, another stamp."""
    named = blake2b(RELEASE.encode(), digest_size=16)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            state = path.stat()
            named.update(f"{path.relative_to(folder)} {state.st_size} {state.st_mtime_ns}\n".encode())
    return named.hexdigest()
