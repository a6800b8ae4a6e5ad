"""The ``dense`` backend: exact vector search over a sentence-transformers model (extra ``st``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.checkpoints import Checkpoint
from verifier_backends.embedding import EmbeddingBackend

__all__ = ["SentenceTransformerBackend", "SentenceTransformerEncoder"]

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT_REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
"""The commit of ``DEFAULT_MODEL`` that is taken where none is named."""


class SentenceTransformerEncoder:
    """Encodes with a sentence-transformers model, loaded on first use.

    A text longer than the model's window is cut by the model; keep passages below it.

    Args:
        model: a folder on disk, or the name of a model on the Hugging Face hub.
        device: ``cpu``, ``cuda`` ...; the library's choice by default.
        batch_size: texts that go through the model at a time.
        revision: the commit of a hub model, 40 hexadecimal digits, which it must have unless it is the default one; a
            folder needs none.

    Raises:
        MissingExtra: sentence-transformers is not installed (on first use).
        ConfigError: the model's folder does not exist or holds no such model, or a hub model has no commit (on first
            use).
        BackendUnavailable: the hub has no such model or cannot be reached (on first use).
    """

    needs_one_of = ("sentence_transformers",)

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        device: str | None = None,
        batch_size: int = 32,
        revision: str | None = None,
    ) -> None:
        self._checkpoint = Checkpoint(
            "SentenceTransformer",
            model,
            device=device,
            revision=revision or (DEFAULT_REVISION if model == DEFAULT_MODEL else None),
            pinned=True,
        )
        self._batch_size = batch_size

    @property
    def identity(self) -> str:
        """The name of a hub model, or a hash of a local one: the same wherever its folder lies."""
        return f"sentence-transformers:{self._checkpoint.identity}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; loads the model."""
        return int(self._checkpoint.model().get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension].

        Raises:
            BackendRejected: the model failed on these texts.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        model = self._checkpoint.model()
        try:
            vectors = model.encode(
                list(texts),
                batch_size=self._batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            name = self._checkpoint.name
            raise BackendRejected(f"the model {name!r} could not encode the texts: {error}") from error
        return np.asarray(vectors, dtype=np.float32)


class SentenceTransformerBackend(EmbeddingBackend):
    """Exact search over a sentence-transformers model; for the arguments see its encoder."""

    needs_one_of = ("sentence_transformers",)

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        device: str | None = None,
        batch_size: int = 32,
        revision: str | None = None,
    ) -> None:
        super().__init__(
            SentenceTransformerEncoder(model, device=device, batch_size=batch_size, revision=revision)
        )
