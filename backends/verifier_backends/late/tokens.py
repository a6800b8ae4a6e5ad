"""What gives the token vectors that late interaction compares: the protocols between encoders and the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["LateEncoder", "TokenEncoder", "TokenVectors"]

TokenVectors = NDArray[np.float32]
"""The vectors of one text's tokens, shape [tokens, dimension]."""


@runtime_checkable
class TokenEncoder(Protocol):
    """Reads queries and documents alike; a plain sentence encoder that gives out its token vectors."""

    @property
    def identity(self) -> str:
        """Names the function computed: equal identities give equal vectors, on any machine."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The vectors of each text's tokens; those of a text do not depend on the other texts, to within 1e-5."""


@runtime_checkable
class LateEncoder(Protocol):
    """Reads queries in one way and documents in another. All vectors have length 1."""

    @property
    def identity(self) -> str:
        """Names the function computed: equal identities give equal vectors, on any machine."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    def query_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The vectors of each query, every token of which looks for its like."""

    def document_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The vectors of each document, among which the query's tokens look."""
