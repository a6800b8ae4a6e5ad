"""A sentence encoder's token vectors in, late-interaction vectors out: projected, weighed, of length 1."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.late.tokens import TokenEncoder, TokenVectors
from verifier.core.errors import ConfigError

__all__ = ["ProjectedTokens", "Projection", "embedded_projection", "unit"]

_Floats = NDArray[np.float32]

_FOLDER = "late"


@dataclass(frozen=True, eq=False)
class Projection:
    """What turns an encoder's token vectors into those that are compared; ``training.late_interaction`` learns it.

    ``E_d[j] = unit(x_j W)`` and ``E_q[i] = softplus(x_i . u + b) unit(x_i W)``: a token of a query that says little
    (an article, a full stop) is given little weight.

    Attributes:
        matrix: W, [encoder's dimension, dimension].
        weigher: u, [encoder's dimension].
        offset: b.
        encoder: identity of the encoder whose vectors it was learnt on.
    """

    matrix: _Floats
    weigher: _Floats
    offset: float
    encoder: str

    @cached_property
    def digest(self) -> str:
        """Names the numbers."""
        numbers = self.matrix.tobytes() + self.weigher.tobytes() + np.float32(self.offset).tobytes()
        return hashlib.sha256(numbers).hexdigest()[:16]

    def directions(self, vectors: TokenVectors) -> TokenVectors:
        """Vectors of length 1, [tokens, dimension]."""
        return unit(vectors @ self.matrix)

    def weights(self, vectors: TokenVectors) -> _Floats:
        """How much each token of a query counts, above 0, [tokens, 1]."""
        weights: _Floats = np.logaddexp(0, vectors @ self.weigher + self.offset, dtype=np.float32)
        return weights[:, None]

    def save(self, folder: Path, facts: Mapping[str, Any] | None = None) -> None:
        """Write ``projection.npz`` (float16) and ``config.json``, with ``facts`` on how it was learnt."""
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(
            folder / "projection.npz",
            matrix=self.matrix.astype(np.float16),
            weigher=self.weigher.astype(np.float16),
            offset=np.float16(self.offset),
        )
        stored = Projection.load(folder, self.encoder)
        config = {
            "encoder": self.encoder,
            "dimension": self.matrix.shape[1],
            "digest": stored.digest,
            **(facts or {}),
        }
        (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")

    @staticmethod
    def load(folder: Path, encoder: str) -> Projection:
        """What ``save`` wrote, for the encoder of that identity."""
        with np.load(folder / "projection.npz") as parts:
            return Projection(
                parts["matrix"].astype(np.float32),
                parts["weigher"].astype(np.float32),
                float(parts["offset"]),
                encoder,
            )


def embedded_projection(encoder: str) -> Projection:
    """The projection in the package, if it was learnt on the encoder of that identity.

    Raises:
        ConfigError: it is missing or damaged, or was learnt on another encoder.
    """
    folder = Path(str(files("backends"))) / "models" / _FOLDER
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        projection = Projection.load(folder, config["encoder"])
        whole = projection.digest == config["digest"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"the projection in {folder} cannot be read: {error}") from error
    if not whole:
        raise ConfigError(f"the projection in {folder} is damaged; install it again")
    if config["encoder"] != encoder:
        raise ConfigError(
            f"the projection in {folder} was learnt on the token vectors of {config['encoder']}, not of {encoder}; "
            "set projection = false, or learn one with python -m training.late_interaction"
        )
    return projection


class ProjectedTokens:
    """A ``LateEncoder`` over any ``TokenEncoder``; nothing is loaded before the first text.

    Args:
        encoder: gives the token vectors.
        projected: whether the package's projection is laid over them; without it they are compared as they are,
            at length 1, and all tokens of a query count alike.
    """

    def __init__(self, encoder: TokenEncoder, *, projected: bool = True) -> None:
        self._encoder, self._projected = encoder, projected

    @cached_property
    def _projection(self) -> Projection | None:
        return embedded_projection(self._encoder.identity) if self._projected else None

    @property
    def identity(self) -> str:
        """The encoder's, and the numbers of the projection."""
        projection = self._projection
        return f"{self._encoder.identity}:projection={projection.digest if projection else 'none'}"

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        projection = self._projection
        return projection.matrix.shape[1] if projection else self._encoder.dimension

    def document_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Vectors of length 1."""
        return [self._directions(vectors) for vectors in self._encoder.token_vectors(texts)]

    def query_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Vectors as long as their token is heavy."""
        found = self._encoder.token_vectors(texts)
        projection = self._projection
        if projection is None:
            return [self._directions(vectors) for vectors in found]
        return [projection.directions(vectors) * projection.weights(vectors) for vectors in found]

    def _directions(self, vectors: TokenVectors) -> TokenVectors:
        return unit(vectors) if self._projection is None else self._projection.directions(vectors)


def unit(vectors: _Floats) -> _Floats:
    """The rows brought to length 1; a row of zeros stays one."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)
    directions: _Floats = vectors / np.maximum(norms, np.float32(1e-12))
    return directions
