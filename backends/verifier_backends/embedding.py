"""What the in-process vector backends share: an encoder in front of an index. No backend by itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from verifier_backends.encoders import Encoder
from verifier_backends.index.exact import ExactIndex
from verifier_backends.index.records import checked_item
from verifier_backends.local import LocalBackend, Store
from verifier_backends.types import Hit, Item, Where

__all__ = ["EmbeddingBackend"]


class VectorIndex(Store, Protocol):
    """Keeps items with their vectors and finds the nearest; ``ExactIndex`` says what each method promises."""

    def upsert(self, items: Sequence[Item], vectors: NDArray[np.float32]) -> None: ...
    def search(
        self, queries: NDArray[np.float32], n_results: int, where: Where | None
    ) -> list[list[Hit]]: ...


class EmbeddingBackend(LocalBackend):
    """Cosine search over the vectors of ``encoder``, exact by default. Scores are cosines in [-1, 1]."""

    def __init__(self, index: VectorIndex | None = None) -> None:
        self._index = index or ExactIndex()

    @property
    def _store(self) -> Store:
        return self._index

    @property
    @abstractmethod
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors."""
        return {**super().identity, "encoder": self.encoder.identity}

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called."""
        checked = [checked_item(item) for item in items]
        if not checked:
            return lambda: None
        vectors = self.encoder.encode([item.text for item in checked])
        return lambda: self._index.upsert(checked, vectors)

    def _search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One batch through the encoder, then blocks of matrix products."""
        return self._index.search(self.encoder.encode(texts), n_results, where)
