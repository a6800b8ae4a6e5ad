"""Measure what storage, dimensions and candidates cost late interaction, over development claims and premises.

``VERIFIER_DATA=<data> python -m benchmarks.late_interaction [--claims 20] [--premises 120] [--output FILE]``

Claims and premises of each of ``SETS`` go into one index; the premise that confirms or denies a claim is relevant to
it. ``kept@10`` is the share of the ten best by exact MaxSim over whole float32 vectors that a row finds; ``se`` is the
standard error of the difference between its nDCG@10 and theirs. ``axes, n`` turns vectors to their n principal axes
before they are stored. ``--speed N`` only times an index of N passages.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.evaluation import ndcg_at, recall_at
from verifier_backends.late.codecs import CODECS, CodecName, FloatCodec, Int8Codec, ResidualCodec, TokenCodec
from verifier_backends.late.embedded import unit
from verifier_backends.late.index import LateIndex
from verifier_backends.late.store import pooled
from verifier_backends.late.tokens import TokenVectors
from verifier_backends.types import Item

from training.data import data_folder, read_set

SETS = (
    "fever_nli.dev",
    "boolq_qa.val",
    "evidence_inference.train",
    "scifact_rte.train",
    "semiauto_sim_wiki.train",
)
LONGEST = 900
"""Premises of more characters are left out, as knowledge bases have none."""
DEPTH = 20
BLOCK = 16
"""Claims that are set against all passages at a time."""
WHOLE = "whole"
COLUMNS = ("recall@5", "recall@20", "nDCG@10", "se", "kept@10", "bytes/token")


@dataclass(frozen=True)
class _Data:
    """Premises and claims with their token vectors, and which premises belong to which claim."""

    ids: list[str]
    passages: list[TokenVectors]
    claims: list[TokenVectors]
    relevance: list[dict[str, int]]


@dataclass(frozen=True)
class _Variant:
    """A way to store and search the same token vectors."""

    name: str
    turned: Callable[[TokenVectors], TokenVectors] = unit
    compression: CodecName = "float32"
    candidates: int | None = None
    """How many are scored; ``None`` scores all, many claims at a time."""


def evidence(data: Path, name: str, claims: int, premises: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Claims with the premise that confirms or denies them, and premises with theirs among them: always the same."""
    found = {
        pair.hypothesis: pair.premise
        for pair in read_set(data / "train", name)
        if pair.label in ("entailment", "contradiction") and len(pair.premise) <= LONGEST
    }
    pairs = sorted(found.items())
    random.Random(13).shuffle(pairs)
    asked = pairs[:claims]
    return asked, list(dict.fromkeys(premise for _, premise in [*asked, *pairs]))[:premises]


def load(data: Path, claims: int, premises: int, encoder: EmbeddedEncoder) -> _Data:
    """All sets, encoded."""
    asked: list[tuple[str, str]] = []
    texts: list[str] = []
    for name in SETS:
        pairs, own = evidence(data, name, claims, premises)
        asked, texts = asked + pairs, texts + own
    place = {premise: f"{at:05}" for at, premise in enumerate(dict.fromkeys(texts))}
    return _Data(
        list(place.values()),
        encoder.token_vectors(list(place)),
        encoder.token_vectors([claim for claim, _ in asked]),
        [{place[premise]: 1} for _, premise in asked],
    )


def principal_axes(texts: Sequence[TokenVectors], dimension: int) -> NDArray[np.float32]:
    """The directions along which unit token vectors are longest, [encoder's dimension, dimension]."""
    rows = unit(np.concatenate(texts))
    _, axes = np.linalg.eigh(rows.T @ rows)
    return np.ascontiguousarray(axes[:, ::-1][:, :dimension], dtype=np.float32)


def variants(data: _Data) -> list[_Variant]:
    """The rows of the table; the first is what the others are held against."""
    projected = []
    for dimension in (96, 192):
        axes = principal_axes(data.passages, dimension)

        def turned(vectors: TokenVectors, axes: NDArray[np.float32] = axes) -> TokenVectors:
            return unit(unit(vectors) @ axes)

        projected.append(_Variant(f"axes, {dimension}, int8", turned, "int8"))
    whole = [_Variant(WHOLE), *(_Variant(f"{WHOLE}, {name}", compression=name) for name in CODECS[1:])]
    few = [_Variant(f"{WHOLE}, int8, {n} candidates", compression="int8", candidates=n) for n in (64, 256)]
    return [*whole, *projected, *few]


def measure(variant: _Variant, data: _Data) -> tuple[list[list[str]], int]:
    """The rankings, and the bytes that a token takes."""
    passages = [variant.turned(vectors) for vectors in data.passages]
    queries = [variant.turned(vectors) for vectors in data.claims]
    if variant.candidates is None:
        return _exact(variant.compression, passages, queries, data.ids)
    index = LateIndex(
        passages[0].shape[1],
        compression=variant.compression,
        candidates=variant.candidates,
        exact_tokens=0,
    )
    index.upsert([Item(doc_id, "premise") for doc_id in data.ids], passages)
    return [[hit["id"] for hit in index.search([query], DEPTH)[0]] for query in queries], index.codec.width


def _exact(
    compression: CodecName,
    passages: Sequence[TokenVectors],
    queries: Sequence[TokenVectors],
    ids: Sequence[str],
) -> tuple[list[list[str]], int]:
    vectors = np.concatenate(passages)
    codec: TokenCodec
    if compression == "residual2":
        codec = ResidualCodec.fit(vectors[:65_536])  # as many as an index learns from
    else:
        codec = (FloatCodec if compression == "float32" else Int8Codec)(vectors.shape[1])
    stored = codec.unpack(codec.pack(vectors))
    starts = np.cumsum([0, *map(len, passages[:-1])])
    rankings = []
    for start in range(0, len(queries), BLOCK):
        asked = queries[start : start + BLOCK]
        nearest = np.maximum.reduceat(stored @ np.concatenate(asked).T, starts, axis=0)
        scores = np.add.reduceat(nearest, np.cumsum([0, *map(len, asked[:-1])]), axis=1)
        rankings += [[ids[at] for at in np.argsort(-own, kind="stable")[:DEPTH]] for own in scores.T]
    return rankings, codec.width


def table(data: _Data) -> dict[str, dict[str, float]]:
    """Every row of the table, printed as it comes: mean vectors first, which are no late interaction."""
    dimension = data.passages[0].shape[1]
    near = pooled(data.claims, dimension) @ pooled(data.passages, dimension).T
    mean = [[data.ids[at] for at in np.argsort(-row, kind="stable")[:DEPTH]] for row in near]
    rows = {"mean vectors": _quality(mean, data.relevance)}
    _print_row("mean vectors", rows["mean vectors"])
    exact: list[list[str]] = []
    for variant in variants(data):
        rankings, width = measure(variant, data)
        exact = exact or rankings
        row = {**_quality(rankings, data.relevance), "bytes/token": width}
        gains = np.subtract(*(_gains(each, data.relevance) for each in (rankings, exact)))
        row["se"] = float(gains.std() / np.sqrt(len(gains)))
        both = zip(exact, rankings, strict=True)
        row["kept@10"] = float(np.mean([len({*one[:10]} & {*other[:10]}) / 10 for one, other in both]))
        rows[variant.name] = row
        _print_row(variant.name, row)
    return rows


def _gains(rankings: Sequence[list[str]], relevance: Sequence[dict[str, int]]) -> list[float]:
    return [ndcg_at(10, ranking, grades) for ranking, grades in zip(rankings, relevance, strict=True)]


def _quality(rankings: Sequence[list[str]], relevance: Sequence[dict[str, int]]) -> dict[str, float]:
    judged = list(zip(rankings, relevance, strict=True))
    return {
        "recall@5": float(np.mean([recall_at(5, ranking, grades) for ranking, grades in judged])),
        "recall@20": float(np.mean([recall_at(DEPTH, ranking, grades) for ranking, grades in judged])),
        "nDCG@10": float(np.mean(_gains(rankings, relevance))),
    }


def speed(n: int, dimension: int, compression: CodecName) -> dict[str, float]:
    """Processor's time and size of an index of ``n`` passages of 40 random token vectors, searched as by default.

    Random vectors say nothing of quality, and to a search they are the same work.
    """
    rng = np.random.default_rng(0)
    index = LateIndex(dimension, compression=compression, candidates=512, exact_tokens=65_536)
    started = time.process_time()
    for start in range(0, n, 1000):
        rows = unit(rng.normal(size=(1000 * 40, dimension)).astype(np.float32))
        items = [Item(str(i), "passage") for i in range(start, min(start + 1000, n))]
        index.upsert(items, np.split(rows, 1000)[: len(items)])
    built = time.process_time() - started
    times = []
    for query in np.split(unit(rng.normal(size=(50 * 20, dimension)).astype(np.float32)), 50):
        started = time.process_time()
        index.search([query], 10)
        times.append(1000 * (time.process_time() - started))
    gigabytes = n * (40 * index.codec.width + 4 * dimension) / 1e9
    return {"passages": n, "build s": built, "median ms": float(np.median(times)), "GB": gigabytes}


def main() -> None:
    """Print the table, and store it where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    parser.add_argument("--claims", type=int, default=20, help="of each set")
    parser.add_argument("--premises", type=int, default=120, help="of each set")
    parser.add_argument("--output", type=Path, help="JSON file for the table")
    parser.add_argument("--speed", type=int, metavar="N", help="only time the search of N random passages")
    given = parser.parse_args()
    encoder = EmbeddedEncoder()
    if given.speed is not None:
        for compression in CODECS:
            found = speed(given.speed, encoder.dimension, compression)
            print(f"{compression:10}" + "  ".join(f"{key} {value:.2f}" for key, value in found.items()))
        return
    data = load(data_folder(given.data), given.claims, given.premises, encoder)
    tokens = np.mean([len(vectors) for vectors in data.passages])
    print(f"{len(data.passages)} premises of {tokens:.0f} tokens, {len(data.claims)} claims")
    print(f"{'':28}" + "".join(f"{column:>12}" for column in COLUMNS))
    rows = table(data)
    if given.output is not None:
        facts = {"sets": SETS, "premises": len(data.passages), "claims": len(data.claims), "rows": rows}
        given.output.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _print_row(name: str, row: dict[str, float]) -> None:
    cells = "".join(f"{row[column]:12.3f}" if column in row else f"{'':12}" for column in COLUMNS)
    print(f"{name:28}{cells}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
