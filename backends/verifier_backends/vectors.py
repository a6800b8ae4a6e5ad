"""Keep vectors that an index holds, so that an encoder encodes only what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from verifier_backends.base import VectorBackend
from verifier_backends.encoders import Encoder

__all__ = ["KeepsVectors", "Remembering", "Vector", "keepers"]

Vector = NDArray[np.float32]


@runtime_checkable
class KeepsVectors(Protocol):
    """A backend that can say which vector its encoder gave for a text."""

    @property
    def encoder(self) -> Encoder:
        """The encoder of documents and queries."""

    def vectors(self, doc_ids: Sequence[str]) -> list[Vector | None]:
        """The vectors of these ids as the encoder gave them, to within 1e-6; ``None`` where there is none."""


def keepers(backend: VectorBackend) -> Iterator[KeepsVectors]:
    """The backend, or those parts of a composite one, that keep vectors."""
    if isinstance(backend, KeepsVectors):
        yield backend
    for part in getattr(backend, "parts", {}).values():
        yield from keepers(part)


class Remembering:
    """An encoder over another one, with the same identity, that asks first for what is known.

    Args:
        inner: encodes the texts that are not known.
        known: the vector of each text, ``None`` for one that is not known.

    Attributes:
        taken: texts whose vectors were known.
        encoded: texts that were encoded.
    """

    def __init__(self, inner: Encoder, known: Callable[[Sequence[str]], Sequence[Vector | None]]) -> None:
        self._inner, self._known = inner, known
        self.taken = self.encoded = 0

    @property
    def identity(self) -> str:
        """That of the encoder below."""
        return self._inner.identity

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._inner.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row for each text, shape [n, dimension]."""
        rows = list(self._known(texts))
        missing = [at for at, row in enumerate(rows) if row is None]
        for at, row in zip(
            missing, self._inner.encode([texts[at] for at in missing]) if missing else (), strict=True
        ):
            rows[at] = row
        self.taken += len(texts) - len(missing)
        self.encoded += len(missing)
        return np.array(rows, dtype=np.float32).reshape(len(texts), -1)
