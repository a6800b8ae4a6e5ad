"""Texts in, exact cosine rankings out, in this process."""

from __future__ import annotations

from verifier_backends.embedding import EmbeddingBackend
from verifier_backends.encoders import EmbeddedEncoder, Encoder

__all__ = ["InMemoryBackend"]


class InMemoryBackend(EmbeddingBackend):
    """Exact search over the vectors of any encoder; the oracle for backends that approximate.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        super().__init__()
        self._encoder = encoder or EmbeddedEncoder()

    @property
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""
        return self._encoder
