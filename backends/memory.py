"""Texts in, exact cosine rankings out, in this process; the default encoder needs no model."""

from __future__ import annotations

from backends.embedding import EmbeddingBackend
from backends.encoders import Encoder, HashingEncoder

__all__ = ["InMemoryBackend"]


class InMemoryBackend(EmbeddingBackend):
    """Exact search over the vectors of any encoder; the oracle for backends that approximate.

    Args:
        encoder: what turns texts into vectors; ``HashingEncoder()`` by default.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        super().__init__()
        self._encoder = encoder or HashingEncoder()

    @property
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""
        return self._encoder
