"""Development claims and premises in, one table out: what projection, compression and candidates cost late interaction.

``VERIFIER_DATA=<data> python -m benchmarks.late_interaction --passages 2000 --queries 300``

The premises are those of ``fever_nli.dev`` from which no projection is learnt (``training.late_interaction``); a
claim's own premise is relevant. ``kept@10`` is how much of the ten best by exact MaxSim over float32 vectors of the
same projection a row finds; ``GB/1M`` what a million passages like these take.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backends.encoders import EmbeddedEncoder
from backends.evaluation import ndcg_at, recall_at
from backends.late.codecs import CodecName
from backends.late.embedded import Projection, embedded_projection, unit
from backends.late.index import LateIndex
from backends.late.store import pooled
from backends.late.tokens import TokenVectors
from backends.types import Item
from training.data import data_folder
from training.late_interaction import evidence_pairs, principal_axes

SET = "fever_nli.dev"
DEPTH = 20
EVERYTHING = 1 << 40


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
    documents: Callable[[TokenVectors], TokenVectors]
    queries: Callable[[TokenVectors], TokenVectors]
    compression: CodecName = "float32"
    candidates: int = EVERYTHING
    reference: str = ""
    """The row whose ten best ``kept@10`` counts."""


def load(data: Path, passages: int, queries: int, encoder: EmbeddedEncoder) -> _Data:
    """The first ``queries`` claims of the measured half, and ``passages`` premises with theirs among them."""
    pairs = evidence_pairs(data, SET, measured=True)
    asked = pairs[:queries]
    premises = list(dict.fromkeys(pair.premise for pair in [*asked, *pairs]))[:passages]
    place = {premise: f"{at:05}" for at, premise in enumerate(premises)}
    return _Data(
        list(place.values()),
        encoder.token_vectors(premises),
        encoder.token_vectors([pair.claim for pair in asked]),
        [{place[pair.premise]: 1} for pair in asked],
    )


def variants(data: _Data, projection: Projection) -> list[_Variant]:
    """The rows of the table."""
    rows = []
    for dimension in (64, 96, 128):
        axes = principal_axes(data.passages, dimension)

        def turned(vectors: TokenVectors, axes: NDArray[np.float32] = axes) -> TokenVectors:
            return unit(vectors @ axes)

        rows.append(_Variant(f"principal axes, {dimension}", turned, turned))

    def asked(vectors: TokenVectors) -> TokenVectors:
        return projection.directions(vectors) * projection.weights(vectors)

    learnt, stored = f"learnt, {projection.matrix.shape[1]}", projection.directions
    bare = "no projection"
    return [
        _Variant(bare, unit, unit, reference=bare),
        _Variant(f"{bare}, int8", unit, unit, "int8", reference=bare),
        _Variant(f"{bare}, residual2", unit, unit, "residual2", reference=bare),
        *rows,
        _Variant(f"{learnt}, no weights", stored, stored),
        _Variant(learnt, stored, asked, reference=learnt),
        _Variant(f"{learnt}, int8", stored, asked, "int8", reference=learnt),
        _Variant(f"{learnt}, residual2", stored, asked, "residual2", reference=learnt),
        *(
            _Variant(f"{learnt}, int8, {n} candidates", stored, asked, "int8", n, learnt)
            for n in (64, 256, 512)
        ),
    ]


def mean_vectors(data: _Data) -> dict[str, float]:
    """The row without late interaction: the encoder's own mean vectors."""
    dimension = data.passages[0].shape[1]
    near = pooled(data.claims, dimension) @ pooled(data.passages, dimension).T
    return _quality([[data.ids[at] for at in np.argsort(-row)[:DEPTH]] for row in near], data.relevance)


def measure(variant: _Variant, data: _Data, kept: dict[str, list[list[str]]]) -> dict[str, float]:
    """Index, ask, and say how well, how small and how fast."""
    passages = [variant.documents(vectors) for vectors in data.passages]
    index = LateIndex(
        passages[0].shape[1],
        compression=variant.compression,
        candidates=min(variant.candidates, len(passages)),
        exact_tokens=0,
    )
    index.upsert([Item(doc_id, "premise") for doc_id in data.ids], passages)
    if index.codec.name != variant.compression:
        raise ValueError(f"too few passages to learn {variant.compression!r} from; take more --passages")
    queries = [variant.queries(vectors) for vectors in data.claims]
    started = time.perf_counter()
    rankings = [[hit["id"] for hit in index.search([query], DEPTH)[0]] for query in queries]
    seconds = time.perf_counter() - started
    kept[variant.name] = rankings
    row = _quality(rankings, data.relevance)
    if variant.reference:
        pairs = zip(kept[variant.reference], rankings, strict=True)
        row["kept@10"] = float(np.mean([len({*one[:10]} & {*other[:10]}) / 10 for one, other in pairs]))
    tokens = sum(map(len, passages)) / len(passages)
    row["bytes/token"] = index.codec.width
    row["GB/1M"] = 1e6 * (tokens * index.codec.width + 4 * passages[0].shape[1]) / 1e9
    row["ms/query"] = 1000 * seconds / len(queries)
    return row


def _quality(rankings: Sequence[list[str]], relevance: Sequence[dict[str, int]]) -> dict[str, float]:
    judged = list(zip(rankings, relevance, strict=True))
    return {
        "recall@5": float(np.mean([recall_at(5, ranking, grades) for ranking, grades in judged])),
        "recall@20": float(np.mean([recall_at(DEPTH, ranking, grades) for ranking, grades in judged])),
        "nDCG@10": float(np.mean([ndcg_at(10, ranking, grades) for ranking, grades in judged])),
    }


def speed(n: int, dimension: int) -> dict[str, float]:
    """Time and size of an index of ``n`` passages of 40 random token vectors, as ``colbert`` has it by default.

    Random vectors say nothing of quality, and to a search they are the same work.
    """
    rng = np.random.default_rng(0)
    index = LateIndex(dimension, compression="int8", candidates=512, exact_tokens=65_536)
    started = time.perf_counter()
    for start in range(0, n, 1000):
        rows = unit(rng.normal(size=(1000 * 40, dimension)).astype(np.float32))
        items = [Item(str(i), "passage") for i in range(start, min(start + 1000, n))]
        index.upsert(items, np.split(rows, 1000)[: len(items)])
    built = time.perf_counter() - started
    times = []
    for query in np.split(unit(rng.normal(size=(100 * 20, dimension)).astype(np.float32)), 100):
        started = time.perf_counter()
        index.search([query], 10)
        times.append(1000 * (time.perf_counter() - started))
    p50, p95 = np.percentile(times, [50, 95])
    gigabytes = n * (40 * index.codec.width + 4 * dimension) / 1e9
    return {"passages": n, "build s": built, "p50 ms": float(p50), "p95 ms": float(p95), "GB": gigabytes}


def main() -> None:
    """Print the table, and store it where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    parser.add_argument("--passages", type=int, default=2000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--projection", type=Path, help="folder of another projection than the package's")
    parser.add_argument("--output", type=Path, help="JSON file for the table")
    parser.add_argument("--speed", type=int, metavar="N", help="only time the search of N random passages")
    given = parser.parse_args()
    if given.speed is not None:
        print("  ".join(f"{name} {value:.2f}" for name, value in speed(given.speed, 96).items()))
        return
    encoder = EmbeddedEncoder()
    projection = (
        Projection.load(given.projection, encoder.identity)
        if given.projection
        else embedded_projection(encoder.identity)
    )
    data = load(data_folder(given.data), given.passages, given.queries, encoder)
    tokens = np.mean([len(vectors) for vectors in data.passages])
    print(f"{len(data.passages)} premises of {tokens:.0f} tokens, {len(data.claims)} claims")
    columns = ["recall@5", "recall@20", "nDCG@10", "kept@10", "bytes/token", "GB/1M", "ms/query"]
    print(f"{'':34}" + "".join(f"{column:>12}" for column in columns))
    table = {"mean vectors": mean_vectors(data)}
    _print_row("mean vectors", table["mean vectors"], columns)
    kept: dict[str, list[list[str]]] = {}
    for variant in variants(data, projection):
        table[variant.name] = measure(variant, data, kept)
        _print_row(variant.name, table[variant.name], columns)
    if given.output is not None:
        facts = {"set": SET, "premises": len(data.passages), "claims": len(data.claims), "rows": table}
        given.output.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _print_row(name: str, row: dict[str, float], columns: Sequence[str]) -> None:
    cells = "".join(f"{row[column]:12.3f}" if column in row else f"{'':12}" for column in columns)
    print(f"{name:34}{cells}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
