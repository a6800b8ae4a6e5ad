"""Token vectors of a sentence encoder for late interaction, each of length 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from verifier_backends.late.tokens import TokenEncoder, TokenVectors

__all__ = ["EmbeddedTokens", "unit"]


class EmbeddedTokens:
    """A ``LateEncoder`` over any ``TokenEncoder``: queries and documents are read alike, every token counts alike.

    Args:
        encoder: gives the token vectors.
    """

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder

    @property
    def identity(self) -> str:
        """The encoder's, and that its vectors are taken whole, not projected as they once were."""
        return f"{self._encoder.identity}:whole"

    @property
    def dimension(self) -> int:
        """The encoder's own."""
        return self._encoder.dimension

    def query_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Vectors of length 1."""
        return self.document_vectors(texts)

    def document_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Vectors of length 1."""
        return [unit(vectors) for vectors in self._encoder.token_vectors(texts)]


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows brought to length 1; a row of zeros stays one."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)
    directions: NDArray[np.float32] = vectors / np.maximum(norms, np.float32(1e-12))
    return directions
