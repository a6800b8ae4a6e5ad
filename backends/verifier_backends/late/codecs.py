"""Pack token vectors: float32, int8, or a centroid and a residual of two bits a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CODECS",
    "CodecName",
    "FloatCodec",
    "Int8Codec",
    "ResidualCodec",
    "TokenCodec",
    "spherical_k_means",
]

CodecName = Literal["float32", "int8", "residual2"]
CODECS = ("float32", "int8", "residual2")

_Floats = NDArray[np.float32]
_Bytes = NDArray[np.uint8]

_BLOCK = 1 << 14
"""Vectors that are set against all centroids at a time; bounds the memory of their products."""

_ITERATIONS = 6
_SAMPLE_PER_CENTROID = 64
"""Vectors that k-means reads for each centroid; more move them little and take longer."""


class TokenCodec(Protocol):
    """Packs vectors of length 1 into rows of ``width`` bytes. A row depends on its own vector alone."""

    @property
    def name(self) -> CodecName:
        """What the configuration calls it."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    @property
    def width(self) -> int:
        """Bytes a vector."""

    def pack(self, vectors: _Floats) -> _Bytes:
        """Rows of bytes, [n, width], for vectors [n, dimension]."""

    def unpack(self, rows: _Bytes) -> _Floats:
        """What the rows stand for: vectors, [n, dimension]."""


@dataclass(frozen=True)
class FloatCodec:
    """Nothing is lost: four bytes a dimension."""

    dimension: int
    name: CodecName = "float32"

    @property
    def width(self) -> int:
        """Bytes a vector."""
        return 4 * self.dimension

    def pack(self, vectors: _Floats) -> _Bytes:
        """The floats' own bytes."""
        return (
            np.ascontiguousarray(vectors, dtype=np.float32).view(np.uint8).reshape(len(vectors), self.width)
        )

    def unpack(self, rows: _Bytes) -> _Floats:
        """The floats again."""
        return np.ascontiguousarray(rows).view(np.float32).reshape(len(rows), self.dimension)


@dataclass(frozen=True)
class Int8Codec:
    """A byte a dimension and a scale a vector: the largest component becomes 127."""

    dimension: int
    name: CodecName = "int8"

    @property
    def width(self) -> int:
        """Bytes a vector: the components, and the scale as a float16."""
        return self.dimension + 2

    def pack(self, vectors: _Floats) -> _Bytes:
        """Components rounded to whole steps of the vector's scale."""
        scales = (np.abs(vectors).max(axis=1, initial=0) / 127).astype(np.float16)[:, None]
        steps = np.where(scales > 0, scales, 1).astype(np.float32)
        codes = np.clip(np.rint(vectors / steps), -127, 127).astype(np.int8)
        return np.concatenate([codes.view(np.uint8), scales.view(np.uint8)], axis=1)

    def unpack(self, rows: _Bytes) -> _Floats:
        """Steps times scales."""
        scales = np.ascontiguousarray(rows[:, self.dimension :]).view(np.float16).astype(np.float32)
        return rows[:, : self.dimension].view(np.int8) * scales


@dataclass(frozen=True, eq=False)
class ResidualCodec:
    """The nearest centroid, and for each dimension in which quarter of all residuals the vector's own one lies.

    Santhanam et al., NAACL 2022 (arXiv:2112.01488, section 3.3), with 2 bits; a quarter stands for the mean of the
    residuals in it, and what is unpacked is brought back to length 1.

    Attributes:
        centroids: [k, dimension], k at most 65,536 and the dimension a multiple of 4.
        cutoffs: the three quartiles of all residuals, ascending.
        levels: what each quarter stands for, [4].
    """

    centroids: _Floats
    cutoffs: _Floats
    levels: _Floats
    name: CodecName = "residual2"

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self.centroids.shape[1])

    @property
    def width(self) -> int:
        """Bytes a vector: the centroid's number as a uint16, and four dimensions a byte."""
        return 2 + self.dimension // 4

    @staticmethod
    def fit(vectors: _Floats, centroids: int | None = None, seed: int = 13) -> ResidualCodec:
        """A codec for vectors like these, [n, dimension]; the same vectors in the same order give the same codec.

        Args:
            vectors: a sample of what will be packed.
            centroids: how many; by default the power of two at or below 16 times the root of n, at most 2,048.
            seed: chooses the vectors that k-means reads and starts from.
        """
        if centroids is None:
            centroids = min(2048, 1 << int(np.log2(16 * np.sqrt(len(vectors)))))
        rng = np.random.default_rng(seed)
        sample = vectors
        if len(vectors) > centroids * _SAMPLE_PER_CENTROID:
            sample = vectors[
                np.sort(rng.choice(len(vectors), centroids * _SAMPLE_PER_CENTROID, replace=False))
            ]
        found = spherical_k_means(sample, min(centroids, len(sample)), rng)
        residuals = (sample - found[_nearest(sample, found)]).ravel()
        cutoffs = np.quantile(residuals, [0.25, 0.5, 0.75]).astype(np.float32)
        quarters = np.searchsorted(cutoffs, residuals)
        counts = np.maximum(np.bincount(quarters, minlength=4), 1)
        levels = (np.bincount(quarters, residuals, minlength=4) / counts).astype(np.float32)
        return ResidualCodec(found, cutoffs, levels)

    def pack(self, vectors: _Floats) -> _Bytes:
        """The number of the nearest centroid, then the quarters."""
        nearest = _nearest(vectors, self.centroids)
        residuals = vectors - self.centroids[nearest]
        quarters = np.searchsorted(self.cutoffs, residuals.ravel()).astype(np.uint8)
        quarters = quarters.reshape(len(vectors), self.dimension // 4, 4)
        packed = quarters[..., 0] | quarters[..., 1] << 2 | quarters[..., 2] << 4 | quarters[..., 3] << 6
        return np.concatenate([nearest.astype(np.uint16)[:, None].view(np.uint8), packed], axis=1)

    def unpack(self, rows: _Bytes) -> _Floats:
        """Centroid plus levels, brought to length 1."""
        nearest = np.ascontiguousarray(rows[:, :2]).view(np.uint16)[:, 0]
        vectors = self._levels_of_byte[rows[:, 2:]].reshape(len(rows), self.dimension)
        vectors += self.centroids[nearest]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(norms > 0, norms, 1)
        return vectors

    @cached_property
    def _levels_of_byte(self) -> _Floats:
        """The four values that each byte stands for, [256, 4]."""
        byte = np.arange(256)[:, None]
        levels: _Floats = self.levels[byte >> np.array([0, 2, 4, 6]) & 3]
        return levels


def spherical_k_means(vectors: _Floats, k: int, rng: np.random.Generator) -> _Floats:
    """``k`` directions of length 1 around which the vectors lie, [k, dimension].

    Dhillon and Modha, Machine Learning 42 (2001): each vector goes to the centroid of greatest cosine, each centroid
    to the mean direction of its vectors. One that loses all of them stays where it is.

    Args:
        vectors: of length 1, [n, dimension], n at least ``k``.
        k: how many.
        rng: chooses the vectors to start from.
    """
    centroids = vectors[np.sort(rng.choice(len(vectors), k, replace=False))].copy()
    for _ in range(_ITERATIONS):
        nearest = _nearest(vectors, centroids)
        order = np.argsort(nearest, kind="stable")
        owners, starts = np.unique(nearest[order], return_index=True)
        means = np.add.reduceat(vectors[order], starts, axis=0)
        norms = np.linalg.norm(means, axis=1, keepdims=True)
        kept = norms[:, 0] > 0
        centroids[owners[kept]] = means[kept] / norms[kept]
    return centroids


def _nearest(vectors: _Floats, centroids: _Floats) -> NDArray[np.intp]:
    """The centroid of greatest product with each vector, [n]."""
    found = np.empty(len(vectors), dtype=np.intp)
    for start in range(0, len(vectors), _BLOCK):
        found[start : start + _BLOCK] = (vectors[start : start + _BLOCK] @ centroids.T).argmax(axis=1)
    return found
