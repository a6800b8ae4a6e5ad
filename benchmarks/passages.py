"""A corpus for speed benchmarks, the same each time: passages, queries, vectors and true neighbours.

Up to ``REAL`` passages are distinct real premises. Beyond them stand noisy copies: the text of a real passage with its
number, and its vector with Gaussian noise, brought back to length 1.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from verifier_backends.encoders import Encoder

from training.data import read_rows

__all__ = ["NOISE", "PARTS", "REAL", "Corpus", "noisy_copies", "passages_and_queries", "prepare"]

REAL = 100_000
"""Passages that are real at most."""

NOISE = 0.5
"""Length of the noise added to a copied vector of length 1: a copy's cosine with its original is about 0.89."""

PARTS = 10
"""A filter on ``part``, which is a passage's number modulo this, lets one passage in so many through."""

_BLOCK = 20_000

_Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Corpus:
    """A prepared corpus.

    Attributes:
        folder: holds ``passages.jsonl`` (a JSON string a line), ``vectors.f32`` (rows without a header) and
            ``queries.json``; passage ``i`` has the id ``p<i>``.
        described: how many passages, of which length, how many of them real.
        neighbours: ids of the nearest passages of each query by float32 vectors.
        filtered_neighbours: the same among the passages whose number leaves 3 when divided by ``parts``.
    """

    folder: Path
    described: str
    neighbours: list[list[str]]
    filtered_neighbours: list[list[str]]


def prepare(
    data: Path,
    encoder: Encoder,
    size: int,
    queries: int,
    cache: Path,
    *,
    real: int = REAL,
    parts: int = PARTS,
    top: int = 10,
    tuning: bool = False,
) -> Corpus:
    """The corpus of ``size`` passages, ``real`` of them real at most, and their vectors by ``encoder``.

    Made once, then taken from ``cache``. With ``tuning`` the queries are others: constants are chosen on those.
    """
    digest = hashlib.blake2b(encoder.identity.encode(), digest_size=6).hexdigest()
    folder = cache / f"{digest}-{size}-{min(size, real)}-{queries}{'-tuning' if tuning else ''}"
    done = folder / "corpus.json"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        texts, asked = passages_and_queries(data, min(size, real), queries, tuning=tuning)
        real = _encoded(encoder, texts, cache / f"{digest}-{len(texts)}.npy")
        length = _write_passages(folder / "passages.jsonl", texts, size)
        (folder / "queries.json").write_text(json.dumps(asked), encoding="utf-8")
        with (folder / "vectors.f32").open("wb") as file:
            for block in noisy_copies(real, size):
                block.tofile(file)
        vectors = np.memmap(folder / "vectors.f32", np.float32, "r", shape=(size, encoder.dimension))
        encoded = encoder.encode(asked)
        described = (
            f"passages of {length / size:.0f} characters in the mean, {min(size, len(texts))} of them real"
        )
        true = {
            "described": described,
            "neighbours": _nearest(vectors, encoded, top, 1, 0),
            "filtered_neighbours": _nearest(vectors, encoded, top, parts, 3),
        }
        done.write_text(json.dumps(true), encoding="utf-8")
    return Corpus(folder, **json.loads(done.read_text(encoding="utf-8")))


def passages_and_queries(
    data: Path, passages: int, queries: int, *, tuning: bool = False
) -> tuple[list[str], list[str]]:
    """Distinct premises and distinct hypotheses of the training sets, each shuffled by a fixed seed.

    Fewer passages than asked for where there are no more distinct ones. The queries for ``tuning`` come from the
    other end of the same order.
    """
    premises: dict[str, None] = {}
    hypotheses: dict[str, None] = {}
    for path in sorted((data / "train").glob("*.jsonl.xz")):
        for row in read_rows(path):
            premises[row["premise"].strip()] = None
            hypotheses[row["hypothesis"].strip()] = None
    return _drawn(premises)[:passages], _drawn(hypotheses)[:: -1 if tuning else 1][:queries]


def _drawn(texts: dict[str, None]) -> list[str]:
    kept = [text for text in texts if text]
    random.Random(0).shuffle(kept)
    return kept


def noisy_copies(vectors: _Matrix, size: int) -> Iterator[_Matrix]:
    """Blocks of unit vectors, ``size`` rows in all: ``vectors`` themselves, then copies of them with noise."""
    rng = np.random.default_rng(0)
    dimension = vectors.shape[1]
    yield vectors[:size]
    for start in range(len(vectors), size, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, size)) % len(vectors)
        noise = rng.standard_normal((len(rows), dimension), dtype=np.float32)
        copies = vectors[rows] + noise * np.float32(NOISE / np.sqrt(dimension))
        yield copies / np.linalg.norm(copies, axis=1, keepdims=True)


def _encoded(encoder: Encoder, texts: list[str], file: Path) -> _Matrix:
    """Their vectors, from ``file`` or, once, from the encoder: short texts first, which batches well."""
    if not file.exists():
        vectors = np.zeros((len(texts), encoder.dimension), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(order), _BLOCK):
            rows = order[start : start + _BLOCK]
            vectors[rows] = encoder.encode([texts[row] for row in rows])
        np.save(file, vectors)
    loaded: _Matrix = np.load(file)
    return loaded


def _write_passages(file: Path, texts: list[str], size: int) -> int:
    """Write ``size`` texts; returns the number of their characters."""
    length = 0
    with file.open("w", encoding="utf-8") as out:
        for number in range(size):
            text = texts[number % len(texts)]
            if number >= len(texts):
                text = f"{text} ({number})"
            length += len(text)
            out.write(json.dumps(text) + "\n")
    return length


def _nearest(vectors: _Matrix, queries: _Matrix, top: int, parts: int, part: int) -> list[list[str]]:
    """Ids of the ``top`` nearest of the rows ``part``, ``part + parts`` ...; none for a query without direction."""
    rows = np.arange(part, len(vectors), parts)
    best: list[NDArray[np.float32]] = []
    for start in range(0, len(rows), _BLOCK):
        chosen = rows[start : start + _BLOCK]
        scores = queries @ vectors[chosen].T
        kept = np.argpartition(-scores, min(top, len(chosen)) - 1, axis=1)[:, :top]
        best.append(np.stack([np.take_along_axis(scores, kept, 1), chosen[kept].astype(np.float64)]))
    scores, slots = np.concatenate(best, axis=2)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :top]
    found = np.take_along_axis(slots, order, 1).astype(int).tolist()
    return [
        [f"p{row}" for row in ids] if query.any() else [] for ids, query in zip(found, queries, strict=True)
    ]
