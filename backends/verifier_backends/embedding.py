"""What backends of vectors share: an encoder, the place of a database, an index in this process. None is one itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from verifier_backends.base import VectorBackend
from verifier_backends.encoders import EmbeddedEncoder, Encoder
from verifier_backends.index.exact import ExactIndex
from verifier_backends.index.records import checked_item
from verifier_backends.local import LocalBackend, Store
from verifier_backends.types import Hit, Item, Where

__all__ = ["EmbeddingBackend", "EncodingBackend", "PlacedBackend"]


class EncodingBackend(VectorBackend):
    """Keeps vectors that ``encoder`` makes, ``EmbeddedEncoder()`` by default."""

    def __init__(self, encoder: Encoder | None) -> None:
        self._encoder = encoder or EmbeddedEncoder()

    @property
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""
        return self._encoder

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors."""
        return {**super().identity, "encoder": self._encoder.identity}


class Residence(Protocol):
    """Where the vectors of a database lie."""

    resident: bool


class PlacedBackend(EncodingBackend):
    """Keeps its vectors in a database, in this process or on a server: in ``_place``."""

    _place: Residence

    @property
    def resident(self) -> bool:
        """Whether they lie on a server, and outlive this object."""
        return self._place.resident


class VectorIndex(Store, Protocol):
    """Keeps items with their vectors and finds the nearest; ``ExactIndex`` says what each method promises."""

    def upsert(self, items: Sequence[Item], vectors: NDArray[np.float32]) -> None: ...
    def search(
        self, queries: NDArray[np.float32], n_results: int, where: Where | None
    ) -> list[list[Hit]]: ...


class EmbeddingBackend(EncodingBackend, LocalBackend):
    """Cosine search over the vectors of ``encoder``, exact by default. Scores are cosines in [-1, 1]."""

    def __init__(self, encoder: Encoder | None = None, index: VectorIndex | None = None) -> None:
        super().__init__(encoder)
        self._index = index or ExactIndex()

    @property
    def _store(self) -> Store:
        return self._index

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called."""
        checked = [checked_item(item) for item in items]
        if not checked:
            return lambda: None
        vectors = self.encoder.encode([item.text for item in checked])
        return lambda: self._index.upsert(checked, vectors)

    @property
    def goes_on_from_files(self) -> bool:
        """Whether the index is in parts."""
        return isinstance(self._index, ExactIndex)

    def saved_in(self, directory: Path) -> None:
        """Go on from the files of the index instead of what is in memory, if the index is in parts."""
        if self.goes_on_from_files:
            self.attach(directory)

    def _search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One batch through the encoder, then blocks of matrix products."""
        return self._index.search(self.encoder.encode(texts), n_results, where)
