"""The transformer encoders in the package: ONNX, no torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier.core.models import ModelFolder
from verifier.core.once import made_once
from verifier.core.onnx import EncodedPair, InferenceError, OnnxModel, PairTokenizer
from verifier_backends.encoders.folder import (
    digest_of,
    encoder_folder,
    read_tokenizer,
    whole_number,
    window_of,
)

__all__ = ["EmbeddedEncoder", "Tokens"]

NAME = "minilm"
"""The model's folder under ``backends/verifier_backends/models``, and the encoder's name in the configuration."""

_T = TypeVar("_T")
_LEAST_WINDOW = 8


class Tokens(NamedTuple):
    """A text's own tokens, none of the special ones; a blank text has none."""

    vectors: NDArray[np.float32]
    """Shape [tokens, dimension], not normalised."""
    spans: NDArray[np.intp]
    """Where each stands: half-open code-point offsets, shape [tokens, 2]."""


class EmbeddedEncoder:
    """The mean of a transformer's token vectors, as sentence-transformers pools them; loaded on first use.

    Nothing is truncated: a text longer than the window is cut into windows of like length, each is read by itself,
    and the mean is taken over the tokens of all of them. Each window is its own run of the graph, so that a row
    cannot depend on its neighbours (``verifier.core.onnx`` says why).

    Args:
        model: a folder with ``model.onnx`` (``input_ids`` in, token vectors (batch, tokens, dimension) out),
            ``tokenizer.json`` and ``config.json``; the embedded model by default.
        max_tokens: the longest window, special tokens included; by default what the model's configuration says.
        threads: cores to use; by default those this process may use, at most 8.

    Raises:
        ConfigError: there is no such model, or an option is out of its range (on first use).
    """

    def __init__(
        self, model: str | None = None, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._model, self._max_tokens, self._threads = model, max_tokens, threads

    @property
    def identity(self) -> str:
        """A hash of the weights and the tokenizer, and the window: what the vectors depend on."""
        opened = self._opened
        return f"embedded:{opened.digest}:window={opened.window}"

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._opened.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension]; a zero row for a text without a token.

        Raises:
            ConfigError: there is no model, or it is no such encoder.
            BackendRejected: the model failed on a text.
        """
        opened = self._opened
        sums = opened.over_windows(opened.tokenizer.encode(texts), lambda rows: rows.sum(axis=0))
        out = np.zeros((len(texts), opened.dimension), dtype=np.float32)
        for row, parts in zip(out, sums, strict=True):
            if parts:
                total = np.sum(parts, axis=0)
                row[:] = total / max(float(np.linalg.norm(total)), 1e-12)
        return out

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, with their vectors and where they stand.

        Raises:
            ConfigError: there is no model, or it is no such encoder.
            BackendRejected: the model failed on a text.
        """
        opened = self._opened
        before, behind = map(len, opened.tokenizer.frame)
        encodings = opened.tokenizer.encode(texts)
        parts = opened.over_windows(encodings, lambda rows: rows[before : len(rows) - behind].copy())
        nothing = np.zeros((0, opened.dimension), dtype=np.float32)
        return [
            Tokens(np.concatenate([nothing, *own]), np.array(one.offsets, dtype=np.intp).reshape(-1, 2))
            for own, one in zip(parts, encodings, strict=True)
        ]

    def token_vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The vectors of ``tokens`` alone."""
        return [own.vectors for own in self.tokens(texts)]

    @made_once
    def _opened(self) -> _Opened:
        folder = encoder_folder(NAME, self._model)
        return _Opened(
            folder,
            read_tokenizer(folder),
            OnnxModel(folder.weights, threads=self._threads),
            dimension=whole_number(folder, "dimension"),
            window=window_of(folder, self._max_tokens, self._threads, least=_LEAST_WINDOW, what="encoder"),
        )


@dataclass
class _Opened:
    """A model folder with what reads it."""

    folder: ModelFolder
    tokenizer: PairTokenizer
    model: OnnxModel
    dimension: int
    window: int

    @cached_property
    def digest(self) -> str:
        """Names the weights and the tokenizer; fails if the weights are not those that were exported."""
        return digest_of(self.folder)

    def over_windows(
        self, encodings: Sequence[Any], read: Callable[[NDArray[np.float32]], _T]
    ) -> list[list[_T]]:
        """``read`` of the vectors (tokens, dimension) of every window, special tokens included, text by text."""
        before, behind = self.tokenizer.frame
        room = self.window - len(before) - len(behind)
        inputs: list[EncodedPair] = []
        counts = []
        for encoding in encodings:
            windows = _windows(encoding.ids, room)
            counts.append(len(windows))
            for window in windows:
                ids = np.array([*before, *window, *behind], dtype=np.int64)
                inputs.append(EncodedPair(ids, np.zeros_like(ids)))
        try:
            found = iter(self.model.each(inputs, lambda output: read(self._checked(output))))
        except InferenceError as error:
            raise BackendRejected(str(error)) from error
        return [[next(found) for _ in range(count)] for count in counts]

    def _checked(self, output: NDArray[np.float32]) -> NDArray[np.float32]:
        if output.ndim != 3 or output.shape[0] != 1 or output.shape[2] != self.dimension:
            raise ConfigError(
                f"model {self.folder.path} gives an output of shape {output.shape}; "
                f"expected (1, tokens, {self.dimension})"
            )
        rows: NDArray[np.float32] = output[0]
        if not np.isfinite(rows).all():
            raise InferenceError(f"model {self.folder.path} answered a value that is not finite")
        return rows


def _windows(ids: Sequence[int], room: int) -> list[Sequence[int]]:
    """``ids`` in as few pieces of at most ``room`` as can be, of like length; none for no ids."""
    pieces = -(-len(ids) // room)
    bounds = [len(ids) * piece // pieces for piece in range(pieces + 1)] if pieces else []
    return [ids[start:end] for start, end in pairwise(bounds)]
