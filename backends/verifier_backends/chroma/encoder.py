"""An encoder made of one of Chroma's own embedding functions."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, BackendUnavailable, ConfigError, UnknownPlugin
from verifier.core.registry import require

__all__ = ["ChromaEncoder"]

_OFFLINE = ("ConnectError", "ConnectTimeout", "ReadTimeout", "ConnectionError", "APIConnectionError")
"""Classes by which the services behind Chroma's functions say that they cannot be reached."""


class ChromaEncoder:
    """An encoder over an embedding function of Chroma, or one registered with Chroma; built on first use.

    Args:
        function: its name in ``chromadb.utils.embedding_functions``; ``default`` is MiniLM by ONNX, which Chroma
            downloads when it is first used.
        options: keywords of the function's class.

    Raises:
        MissingExtra: chromadb is not installed (on first use).
        ConfigError: there is no such function, it does not take these options, or it reads queries in another
            way than documents, which an encoder does not tell apart (on first use).
        BackendUnavailable: its model or service cannot be reached.
    """

    needs_one_of = ("chromadb",)

    def __init__(
        self, function: str = "default", options: dict[str, str | int | float | bool] | None = None
    ) -> None:
        self._name, self._options = function, dict(options or {})
        self._function: Any = None
        self._dimension: int | None = None
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """The function's name and options."""
        return f"chroma:{self._name}:{json.dumps(self._options, sort_keys=True)}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; encodes a word to see it."""
        if self._dimension is None:
            self._dimension = self.encode(["dimension"]).shape[1]
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension]."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        function = self._built()
        try:
            vectors = np.asarray(function(list(texts)), dtype=np.float32)
        except Exception as error:
            raise _translated(self._name, error) from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise BackendRejected(
                f"Chroma's embedding function {self._name!r} gave an array of shape {vectors.shape} "
                f"for {len(texts)} texts"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(norms > 0, norms, 1), dtype=np.float32)

    def _built(self) -> Any:
        with self._lock:
            if self._function is None:
                self._function = self._build()
            return self._function

    def _build(self) -> Any:
        known = require("chromadb.utils.embedding_functions", extra="chroma", package="chromadb")
        base = require("chromadb.api.types", extra="chroma", package="chromadb").EmbeddingFunction
        if self._name not in known.known_embedding_functions:
            raise UnknownPlugin("embedding function of Chroma", self._name, known.known_embedding_functions)
        cls = known.known_embedding_functions[self._name]
        if getattr(cls, "embed_query", None) is not base.embed_query:
            raise ConfigError(
                f"Chroma's embedding function {self._name!r} reads queries in another way than documents, "
                "which an encoder here cannot; use it through a Chroma collection of your own, or choose another"
            )
        try:
            return cls(**self._options)
        except (TypeError, ValueError, ImportError) as error:
            # Chroma names the package to install, or the option that is missing, in these.
            raise ConfigError(f"Chroma's embedding function {self._name!r}: {error}") from error
        except Exception as error:
            raise _translated(self._name, error) from error


def _translated(name: str, error: Exception) -> BackendUnavailable | BackendRejected:
    """The vendor's error as one of ours: unavailable where any error in its chain is one of the network."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionError | TimeoutError) or type(cause).__name__ in _OFFLINE:
            return BackendUnavailable(
                f"Chroma's embedding function {name!r} cannot reach its model or service: {error}"
            )
        cause = cause.__cause__ or cause.__context__
    return BackendRejected(f"Chroma's embedding function {name!r} failed: {error}")
