"""The ``memory`` backend: exact cosine search in this process."""

from __future__ import annotations

from collections.abc import Sequence

from verifier_backends.embedding import EmbeddingBackend
from verifier_backends.encoders import Encoder
from verifier_backends.index.exact import ExactIndex
from verifier_backends.vectors import Vector

__all__ = ["InMemoryBackend"]


class InMemoryBackend(EmbeddingBackend):
    """Exact search over the vectors of any encoder; the oracle for backends that approximate.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._exact = ExactIndex()
        super().__init__(encoder, self._exact)

    def vectors(self, doc_ids: Sequence[str]) -> list[Vector | None]:
        """The vectors of these ids as the encoder gave them; ``None`` where there is none."""
        return self._exact.vectors(doc_ids)
