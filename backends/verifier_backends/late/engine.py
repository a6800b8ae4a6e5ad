"""The engine below the ``colbert`` backend: the contract, and our own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from verifier_backends.index.records import checked_item
from verifier_backends.late.codecs import CodecName
from verifier_backends.late.index import LateIndex
from verifier_backends.late.tokens import LateEncoder
from verifier_backends.types import Hit, Item, Where

__all__ = ["LateEngine", "TokenEngine"]


class LateEngine(ABC):
    """Keeps texts and ranks them; the contract is that of ``VectorBackend``, whose work it does."""

    @property
    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """What decides the content of the index besides the texts; JSON values."""

    @abstractmethod
    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Check and encode now, store when the result is called."""

    @abstractmethod
    def search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One ranking for each text, none of which is blank; ``n_results`` is at least 1."""

    @abstractmethod
    def count(self) -> int:
        """Number of stored texts."""

    @abstractmethod
    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""

    @abstractmethod
    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""

    @abstractmethod
    def save(self, directory: Path) -> None:
        """Write the index into an empty directory."""

    @abstractmethod
    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote."""


class TokenEngine(LateEngine):
    """Our own index over the vectors of an encoder: texts come and go without a rebuild.

    Args:
        encoder: gives the token vectors.
        compression: how they are stored.
        candidates: texts that are scored in a large index.
        exact_tokens: how many tokens make it large.
    """

    def __init__(
        self, encoder: LateEncoder, *, compression: CodecName, candidates: int, exact_tokens: int
    ) -> None:
        self.encoder = encoder
        self._compression, self._candidates, self._exact_tokens = compression, candidates, exact_tokens
        self._made: LateIndex | None = None
        self._lock = threading.Lock()

    @property
    def index(self) -> LateIndex:
        """The index, made on first use, since its width is the encoder's."""
        with self._lock:
            if self._made is None:
                self._made = LateIndex(
                    self.encoder.dimension,
                    compression=self._compression,
                    candidates=self._candidates,
                    exact_tokens=self._exact_tokens,
                )
            return self._made

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder, and how its vectors are stored."""
        return {"encoder": self.encoder.identity, "compression": self._compression}

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, pack and store when the result is called."""
        checked = [checked_item(item) for item in items]
        if not checked:
            return lambda: None
        vectors = self.encoder.document_vectors([item.text for item in checked])
        return lambda: self.index.upsert(checked, vectors)

    def search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One batch through the encoder, then MaxSim query by query."""
        return self.index.search(self.encoder.query_vectors(texts), n_results, where)

    def count(self) -> int:
        """Number of stored texts; loads nothing."""
        return self._made.count() if self._made is not None else 0

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        return self.index.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        return self.index.delete(doc_ids)

    def save(self, directory: Path) -> None:
        """Write the items, the packed vectors and the codec."""
        self.index.save(directory)

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote."""
        self.index.load(directory)
