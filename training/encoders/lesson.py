"""What a table of token vectors is taught with: hard negatives, and texts to imitate."""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import Encoder
from verifier_backends.types import Item

from training.data import Pair
from training.encoders.pairs import opening

__all__ = ["hard_negatives", "imitated_texts", "remembered"]

CHARACTERS = 900
"""Of a text to imitate: as much as the longest passage has."""
ORDER = 3
"""Seed of the choice of texts to imitate, by itself, so that their vectors can be kept from run to run."""


def hard_negatives(pairs: Sequence[Pair], count: int, depth: int = 12) -> NDArray[np.int64]:
    """For each pair, rows of ``pairs`` whose evidence BM25 ranks high for its claim and that begins otherwise.

    Where there are fewer than ``count`` among the first ``depth``, any rows fill up: (pairs, count).
    """
    rows: dict[str, int] = {}
    for row, pair in enumerate(pairs):
        rows.setdefault(pair.premise, row)
    index = BM25Backend()
    index.add_many(Item(str(row), premise) for premise, row in rows.items())
    rng = np.random.default_rng(0)
    out = rng.integers(len(pairs), size=(len(pairs), count))
    for start in range(0, len(pairs), 1000):
        block = pairs[start : start + 1000]
        found = index.query_many([pair.hypothesis for pair in block], depth)
        for row, (pair, hits) in enumerate(zip(block, found, strict=True), start):
            ranked = [int(hit["id"]) for hit in hits]
            wrong = [other for other in ranked if opening(pairs[other].premise) != opening(pair.premise)][
                :count
            ]
            out[row, : len(wrong)] = wrong
    return out


def imitated_texts(pairs: Sequence[Pair], each: int) -> list[str]:
    """So many claims and so many pieces of evidence, in turn."""
    rng = random.Random(ORDER)
    evidence = list(dict.fromkeys(pair.premise for pair in pairs))
    claims = list(dict.fromkeys(pair.hypothesis for pair in pairs))
    rng.shuffle(evidence)
    rng.shuffle(claims)
    return [text for two in zip(evidence[:each], claims[:each], strict=False) for text in two]


def remembered(encoder: Encoder, texts: Sequence[str], path: Path, block: int = 500) -> NDArray[np.float32]:
    """The vectors of the beginnings of ``texts``; those that ``path`` already holds are not made again."""
    known: dict[str, NDArray[np.float32]] = {}
    if path.is_file():
        with np.load(path, allow_pickle=False) as stored:
            known = dict(zip(stored["texts"].tolist(), stored["vectors"], strict=True))
    names = [hashlib.sha256(text[:CHARACTERS].encode()).hexdigest() for text in texts]
    missing = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
    for start in range(0, len(missing), block):
        part = list(missing.items())[start : start + block]
        rows = encoder.encode([text[:CHARACTERS] for _, text in part])
        known.update(zip([name for name, _ in part], rows, strict=True))
        logging.info("%d of %d texts encoded", start + len(part), len(missing))
    if missing:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, texts=np.array(list(known)), vectors=np.array(list(known.values())))
    return np.array([known[name] for name in names])
