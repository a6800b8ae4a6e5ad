"""An encoder by a table alone: the mean of a text's token vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.models import ModelFolder
from verifier.core.once import made_once
from verifier.core.onnx import PairTokenizer
from verifier_backends.encoders.folder import digest_of, encoder_folder, read_tokenizer, whole_number

__all__ = ["StaticEncoder"]

NAME = "static"
"""The model's folder under ``backends/verifier_backends/models``, and the encoder's name in the configuration."""
WEIGHTS = "model.npz"
"""Holds ``packed``, uint8 (vocabulary, dimension / 2): values from -8 to 7, two a byte, the low half first; and
``scales``, float16 (vocabulary, blocks): what the values of each block of a row are multiplied by."""

_KEPT_WORDS = 1 << 18
_LONGEST_KEPT = 40
"""Characters of a word whose tokens are remembered; beyond it stands data, not language."""


class StaticEncoder:
    """Token vectors distilled from a transformer and weighed by rarity; loaded on first use.

    A vector's length in the table is its weight in the mean, so that common words count for little. The whole text
    is read, however long. Words are told apart by white space and cut into pieces once, then remembered.

    Args:
        model: a folder with ``model.npz``, ``tokenizer.json`` and ``config.json``; the embedded one by default.

    Raises:
        ConfigError: there is no such model, or it is damaged (on first use).
    """

    def __init__(self, model: str | None = None) -> None:
        self._model = model

    @property
    def identity(self) -> str:
        """A hash of the table and the tokenizer."""
        return f"static:{self._opened.digest}"

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self._opened.table.shape[1])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension]; a zero row for a text without a known token.

        Raises:
            ConfigError: there is no such model, or it is damaged.
        """
        opened = self._opened
        table, pieces = opened.table, opened.pieces
        out = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            if ids := [piece for word in text.split() for piece in pieces[word]]:
                table.take(ids, axis=0).sum(axis=0, out=row)
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
        return out

    @made_once
    def _opened(self) -> _Opened:
        folder = encoder_folder(NAME, self._model, (WEIGHTS,))
        return _Opened(folder, _Pieces(read_tokenizer(folder)), _read_table(folder))


@dataclass
class _Opened:
    """A model folder with what was read from it."""

    folder: ModelFolder
    pieces: _Pieces
    table: NDArray[np.float32]

    @cached_property
    def digest(self) -> str:
        """Names the table and the tokenizer; fails if the table is not the one that was exported."""
        return digest_of(self.folder)


class _Pieces(dict[str, tuple[int, ...]]):
    """The ids of a word's pieces; asks the tokenizer for a word that it has not met."""

    def __init__(self, tokenizer: PairTokenizer) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = tuple(self._tokenizer.encode([word])[0].ids)
        if len(self) >= _KEPT_WORDS:
            self.clear()
        if len(word) <= _LONGEST_KEPT:
            self[word] = ids
        return ids


def _read_table(folder: ModelFolder) -> NDArray[np.float32]:
    """The token vectors, float32 (vocabulary, dimension)."""
    words, dimension = whole_number(folder, "vocabulary"), whole_number(folder, "dimension")
    try:
        with np.load(folder.weights, allow_pickle=False) as stored:
            packed, scales = stored["packed"], stored["scales"]
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"cannot read {folder.weights} as a table of token vectors: {error}") from error
    shape = (len(packed), 2 * packed.shape[-1])
    if shape != (words, dimension) or len(scales) != words or dimension % scales.shape[-1]:
        raise ConfigError(
            f"model {folder.path} is damaged: its table has shape {shape}, "
            f"config.json promises {(words, dimension)}"
        )
    table = np.empty(shape, dtype=np.float32)
    # Shifting a signed byte to the right carries its sign.
    table[:, 0::2] = (packed << 4).view(np.int8) >> 4
    table[:, 1::2] = packed.view(np.int8) >> 4
    table.reshape(words, scales.shape[1], -1)[:] *= scales.astype(np.float32)[:, :, None]
    return table
