"""Texts in, rankings by meaning out: exact search over a sentence-transformers model (extra ``st``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.checkpoints import checkpoint_identity, load_checkpoint
from backends.embedding import EmbeddingBackend
from verifier.core.errors import BackendRejected
from verifier.core.registry import require

__all__ = ["SentenceTransformerBackend", "SentenceTransformerEncoder"]

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


class SentenceTransformerEncoder:
    """Encodes with a sentence-transformers model, loaded on first use.

    A text longer than the model's window is cut by the model; keep passages below it.

    Args:
        model: a folder on disk, or the name of a model on the Hugging Face hub.
        device: ``cpu``, ``cuda`` ...; the library's choice by default.
        batch_size: texts that go through the model at a time.
        revision: branch, tag or commit of a hub model.

    Raises:
        MissingExtra: sentence-transformers is not installed (on first use).
        ConfigError: the model's folder does not exist or holds no such model (on first use).
        BackendUnavailable: the hub has no such model or cannot be reached (on first use).
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        device: str | None = None,
        batch_size: int = 32,
        revision: str | None = None,
    ) -> None:
        self._name, self._device, self._batch_size, self._revision = model, device, batch_size, revision
        self._model: Any = None
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """The name of a hub model, or a hash of a local one: the same wherever its folder lies."""
        return f"sentence-transformers:{checkpoint_identity(self._name, self._revision)}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; loads the model."""
        return int(self._loaded().get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension].

        Raises:
            BackendRejected: the model failed on these texts.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        model = self._loaded()
        try:
            vectors = model.encode(
                list(texts),
                batch_size=self._batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            raise BackendRejected(f"the model {self._name!r} could not encode the texts: {error}") from error
        return np.asarray(vectors, dtype=np.float32)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        library = require("sentence_transformers", extra="st")
        return load_checkpoint(
            self._name,
            lambda local: library.SentenceTransformer(
                self._name, device=self._device, revision=self._revision, local_files_only=local
            ),
            extra="st",
        )


class SentenceTransformerBackend(EmbeddingBackend):
    """Exact search over a sentence-transformers model; for the arguments see its encoder."""

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        device: str | None = None,
        batch_size: int = 32,
        revision: str | None = None,
    ) -> None:
        super().__init__()
        self._encoder = SentenceTransformerEncoder(
            model, device=device, batch_size=batch_size, revision=revision
        )

    @property
    def encoder(self) -> SentenceTransformerEncoder:
        """The encoder of documents and queries."""
        return self._encoder
