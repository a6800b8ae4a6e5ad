"""The ``ann`` backend: approximate nearest neighbours by cosine, a million texts in milliseconds (extra ``ann``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier_backends.embedding import EmbeddingBackend
from verifier_backends.encoders import Encoder, StaticEncoder
from verifier_backends.index.approximate import ApproximateIndex
from verifier_backends.index.lists import library
from verifier_backends.types import Item

__all__ = ["ANNBackend"]


class ANNBackend(EmbeddingBackend):
    """Approximate search over the vectors of any encoder, for bases too large to compare with every vector.

    A base of up to ``exact_below`` texts is searched exactly. Beyond, faiss reads the 4-bit codes of the ``scan``
    texts nearest by their list, and the best of them are scored again with float16 vectors. A filter never hides
    a match (``ApproximateIndex`` says how). Saved texts and vectors are mapped into memory, not read.

    Args:
        encoder: what turns texts into vectors; ``StaticEncoder()`` by default, since bases are large here.
        scan: texts whose codes are compared with a query; more find more and take longer.
        exact_below: so many texts are searched exactly.

    Raises:
        ConfigError: a parameter is out of its range (on construction).
        MissingExtra: faiss is not installed (on the first write, however small, or on ``load``).
    """

    needs_one_of = ("faiss",)

    def __init__(
        self, encoder: Encoder | None = None, *, scan: int = 98_304, exact_below: int = 8_192
    ) -> None:
        if scan < 1 or exact_below < 1:
            raise ConfigError(f"scan and exact_below must be at least 1; got {scan} and {exact_below}")
        super().__init__(encoder or StaticEncoder(), ApproximateIndex(scan, exact_below))

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called."""
        # Not when lists are first needed: that would be in the middle of an ingest.
        library()
        return super().stage(items)

    def load(self, directory: Path) -> None:
        """Replace the content by an index that ``save`` wrote with the same encoder."""
        library()
        super().load(directory)
