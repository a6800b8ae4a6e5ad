"""The training premises go in; passages, queries and vectors for a benchmark come out, the same each time.

Up to some 149,000 passages are distinct real premises. Beyond them stand noisy copies: the text of a real passage
with its number, the vector of it with Gaussian noise, brought back to length 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.data import read_rows

__all__ = ["NOISE", "noisy_copies", "passages_and_queries"]

NOISE = 0.5
"""Length of the noise added to a copied vector of length 1: a copy's cosine with its original is about 0.89."""

_BLOCK = 50_000


def passages_and_queries(data: Path, passages: int, queries: int) -> tuple[list[str], list[str]]:
    """Distinct premises and distinct hypotheses of the training sets, each shuffled by a fixed seed.

    Fewer passages than asked for where there are no more distinct ones.
    """
    premises: dict[str, None] = {}
    hypotheses: dict[str, None] = {}
    for path in sorted((data / "train").glob("*.jsonl.xz")):
        for row in read_rows(path):
            premises[row["premise"].strip()] = None
            hypotheses[row["hypothesis"].strip()] = None
    return _drawn(premises, passages), _drawn(hypotheses, queries)


def _drawn(texts: dict[str, None], n: int) -> list[str]:
    kept = [text for text in texts if text]
    random.Random(0).shuffle(kept)
    return kept[:n]


def noisy_copies(vectors: NDArray[np.float32], size: int) -> Iterator[NDArray[np.float32]]:
    """Blocks of unit vectors, ``size`` rows in all: ``vectors`` themselves, then copies of them with noise."""
    rng = np.random.default_rng(0)
    dimension = vectors.shape[1]
    yield vectors[:size]
    for start in range(len(vectors), size, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, size)) % len(vectors)
        noise = rng.standard_normal((len(rows), dimension), dtype=np.float32)
        copies = vectors[rows] + noise * np.float32(NOISE / np.sqrt(dimension))
        yield copies / np.linalg.norm(copies, axis=1, keepdims=True)
