"""Packed token vectors of texts, with exact scores of chosen ones, in one growing snapshot after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.records import grown
from verifier_backends.late.codecs import TokenCodec
from verifier_backends.late.tokens import TokenVectors
from verifier_backends.maxsim import maxsim_ragged

__all__ = ["TokenStore", "pooled"]

_Floats = NDArray[np.float32]
_Slots = NDArray[np.intp]

_BLOCK = 1 << 15
"""Token vectors that are unpacked at a time; bounds the memory of a search."""


@dataclass(frozen=True)
class TokenStore:
    """One state of the stored vectors: of each slot's text its packed token vectors, and their mean direction.

    Buffers are shared by successive states: a state reads only its first ``size`` texts, which are never changed.
    Only the newest state may be appended to, by one thread at a time.
    """

    codec: TokenCodec
    size: int = 0
    _rows: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.uint8))
    _ends: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _means: _Floats = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))

    @property
    def tokens(self) -> int:
        """Number of token vectors in all slots."""
        return int(self._ends[self.size - 1]) if self.size else 0

    @property
    def means(self) -> _Floats:
        """The mean direction of each text's token vectors, [size, dimension]."""
        return self._means[: self.size]

    def lengths(self, slots: _Slots | None = None) -> NDArray[np.int64]:
        """Number of tokens of each slot, or of those asked for."""
        if slots is None:
            return np.diff(self._ends[: self.size], prepend=0)
        return self._ends[slots] - np.where(slots > 0, self._ends[slots - 1], 0)

    def append(self, texts: Sequence[TokenVectors]) -> TokenStore:
        """The state with these texts in the next slots."""
        counts = np.array([len(vectors) for vectors in texts], dtype=np.int64)
        vectors = np.concatenate([*texts, np.zeros((0, self.codec.dimension), dtype=np.float32)])
        return self._with(self.codec.pack(vectors), counts, pooled(texts, self.codec.dimension))

    def _with(self, rows: NDArray[np.uint8], counts: NDArray[np.int64], means: _Floats) -> TokenStore:
        tokens, size = self.tokens, self.size + len(counts)
        _rows = grown(self._rows if self.size else rows[:0], tokens, len(rows))
        _rows[tokens : tokens + len(rows)] = rows
        _ends = grown(self._ends, self.size, len(counts))
        _ends[self.size : size] = tokens + np.cumsum(counts)
        _means = grown(self._means if self.size else means[:0], self.size, len(counts))
        _means[self.size : size] = means
        return replace(self, size=size, _rows=_rows, _ends=_ends, _means=_means)

    def kept(self, alive: NDArray[np.bool_]) -> TokenStore:
        """A state of its own with the slots of ``alive`` [size] only, in the same order."""
        slots = np.flatnonzero(alive)
        rows = self._rows[self._places(slots)] if len(slots) else self._rows[:0]
        return TokenStore(self.codec)._with(rows, self.lengths(slots), self.means[slots])

    def recoded(self, codec: TokenCodec) -> TokenStore:
        """The same texts packed by another codec."""
        rows = np.concatenate([codec.pack(block) for block in self._blocks()] or [codec.pack(self.sample())])
        return TokenStore(codec)._with(rows, self.lengths(), self.means)

    def sample(self, most: int | None = None) -> _Floats:
        """The first ``most`` token vectors (all by default), unpacked."""
        return self.codec.unpack(self._rows[: self.tokens if most is None else min(most, self.tokens)])

    def _blocks(self) -> list[_Floats]:
        starts = range(0, self.tokens, _BLOCK)
        return [self.codec.unpack(self._rows[start : min(start + _BLOCK, self.tokens)]) for start in starts]

    def scores(self, slots: _Slots, query: TokenVectors) -> _Floats:
        """MaxSim of the query's vectors [|q|, dimension] with each slot's, ``-inf`` for a text without tokens."""
        lengths = self.lengths(slots)
        blocks = np.cumsum(lengths) // _BLOCK
        bounds = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(slots)]
        parts = [
            maxsim_ragged(query, self.vectors(slots[start:end]), lengths[start:end])
            for start, end in pairwise(bounds)
        ]
        return np.concatenate(parts)

    def vectors(self, slots: _Slots) -> _Floats:
        """The token vectors of these slots behind each other, [sum of lengths, dimension]."""
        return self.codec.unpack(self._rows[self._places(slots)])

    def _places(self, slots: _Slots) -> NDArray[np.int64]:
        """Where the tokens of these slots stand, slot by slot."""
        lengths = self.lengths(slots)
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places: NDArray[np.int64] = np.repeat(self._ends[slots] - lengths, lengths) + inside
        return places

    def save(self, directory: Path) -> None:
        """Write ``tokens.npy``, ``ends.npy`` and ``means.npy``."""
        np.save(directory / "tokens.npy", self._rows[: self.tokens])
        np.save(directory / "ends.npy", self._ends[: self.size])
        np.save(directory / "means.npy", self.means)

    @staticmethod
    def load(directory: Path, codec: TokenCodec, size: int) -> TokenStore:
        """What ``save`` wrote of ``size`` texts; the token vectors are mapped until they are written to.

        Raises:
            BackendRejected: the files do not belong together.
        """
        if not size:
            return TokenStore(codec)
        ends, means = np.load(directory / "ends.npy"), np.load(directory / "means.npy")
        rows = np.load(directory / "tokens.npy", mmap_mode="r" if ends[-1:].any() else None)
        shapes = (rows.shape, ends.shape, means.shape)
        if shapes != ((int(ends[-1]), codec.width), (size,), (size, codec.dimension)):
            raise BackendRejected(f"{directory} holds {size} items and arrays of shapes {shapes}")
        return TokenStore(codec, size, rows, ends, means)


def pooled(texts: Sequence[TokenVectors], dimension: int) -> _Floats:
    """The mean direction of each text's vectors, [n, dimension]; zeros for a text without any."""
    means = np.zeros((len(texts), dimension), dtype=np.float32)
    for mean, vectors in zip(means, texts, strict=True):
        total = vectors.sum(axis=0)
        mean[:] = total / max(float(np.linalg.norm(total)), 1e-12)
    return means
