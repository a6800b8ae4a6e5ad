"""What the in-process vector backends share: an encoder in front of an index. No backend by itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backends.base import VectorBackend
from backends.encoders import Encoder
from backends.index.exact import ExactIndex
from backends.index.records import checked_item, checked_n_results
from backends.index.storage import read_manifest, writing
from backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["EmbeddingBackend"]


class VectorIndex(Protocol):
    """Keeps items with their vectors and finds the nearest; ``ExactIndex`` says what each method promises."""

    def count(self) -> int: ...
    def upsert(self, items: Sequence[Item], vectors: NDArray[np.float32]) -> None: ...
    def delete(self, doc_ids: Iterable[str]) -> int: ...
    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]: ...
    def search(
        self, queries: NDArray[np.float32], n_results: int, where: Where | None
    ) -> list[list[Hit]]: ...
    def save(self, directory: Path) -> int: ...
    def load(self, directory: Path) -> None: ...


class EmbeddingBackend(VectorBackend):
    """Cosine search over the vectors of ``encoder``, exact by default. Scores are cosines in [-1, 1]."""

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)

    def __init__(self, index: VectorIndex | None = None) -> None:
        self._index = index or ExactIndex()

    @property
    @abstractmethod
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors."""
        return {**super().identity, "encoder": self.encoder.identity}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. Many at once go faster through ``add_many``."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; all become visible at once."""
        self.stage(items)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called."""
        checked = [checked_item(item) for item in items]
        if not checked:
            return lambda: None
        vectors = self.encoder.encode([item.text for item in checked])
        return lambda: self._index.upsert(checked, vectors)

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The nearest texts by cosine."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch through the encoder, then blocks of matrix products."""
        hits: list[list[Hit]] = [[] for _ in texts]
        asked = [i for i, text in enumerate(texts) if text.strip()]
        if checked_n_results(n_results) and asked and self.count():
            vectors = self.encoder.encode([texts[i] for i in asked])
            for i, found in zip(asked, self._index.search(vectors, n_results, where), strict=True):
                hits[i] = found
        return hits

    def count(self) -> int:
        """Number of stored texts."""
        return self._index.count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        return self._index.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        return self._index.delete(doc_ids)

    def save(self, directory: Path) -> None:
        """Write the whole index into an empty or new directory."""
        with writing(directory, self.identity):
            self._index.save(directory)

    def load(self, directory: Path) -> None:
        """Replace the content by an index that ``save`` wrote with the same encoder."""
        read_manifest(directory, self.identity)
        self._index.load(directory)
