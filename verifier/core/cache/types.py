"""What a score cache is asked by, what it gives, and how values become text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

__all__ = ["CacheKey", "CacheStats", "Cached", "Codec"]

T = TypeVar("T")


@dataclass(frozen=True)
class CacheKey:
    """Everything that a score depends on.

    Args:
        prompt, response: what is scored.
        revision: names what the knowledge base says, such as ``GroundTruthStore.content_hash(namespace)``.
        fingerprint: names the configuration: thresholds, weights, the identities of all models, the release.
        namespace: the part of the knowledge base that is read.
    """

    prompt: str
    response: str
    revision: str
    fingerprint: str
    namespace: str = "default"

    @property
    def digest(self) -> bytes:
        """A hash that no two different keys share; it tells nothing of the texts."""
        parts = [self.prompt, self.response, self.revision, self.fingerprint, self.namespace]
        return hashlib.sha256(json.dumps(parts).encode()).digest()


@dataclass(frozen=True)
class Codec(Generic[T]):
    """How a value becomes JSON values and is made of them again; ``from_json(to_json(value)) == value``."""

    to_json: Callable[[T], Any]
    from_json: Callable[[Any], T]

    def encode(self, value: T) -> str:
        """``value`` as text."""
        return json.dumps(self.to_json(value))

    def decode(self, text: str) -> T:
        """The value that ``text`` was made of."""
        return self.from_json(json.loads(text))


@dataclass(frozen=True)
class Cached(Generic[T]):
    """A value, and where it comes from: ``computed`` for this call, ``shared`` with an equal call at the same time, or
    kept in ``memory`` or in the ``file``."""

    value: T
    source: Literal["computed", "shared", "memory", "file"]

    @property
    def cached(self) -> bool:
        """Whether another call computed it."""
        return self.source != "computed"


@dataclass(frozen=True)
class CacheStats:
    """What was asked of a cache since it was made.

    ``hits``, ``shared`` and ``misses`` are calls that gave a value; ``failed`` are computations that gave none.
    """

    hits: int = 0
    shared: int = 0
    misses: int = 0
    failed: int = 0
    not_kept: int = 0
    evicted: int = 0
    expired: int = 0
    size: int = 0

    @property
    def hit_rate(self) -> float | None:
        """Share of the calls that gave a value without computing it; ``None`` before the first."""
        calls = self.hits + self.shared + self.misses
        return (self.hits + self.shared) / calls if calls else None
