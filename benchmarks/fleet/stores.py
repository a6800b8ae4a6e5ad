"""Options -> rows of the vector stores: ours, Chroma, Qdrant, LanceDB and pgvector over the same vectors and queries.

Each store is built in one process and asked in another, by ``benchmarks.scale``; each query is asked once, alone.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks import scale
from benchmarks.databases import missing
from benchmarks.fleet.rows import Options, Row, not_run
from benchmarks.passages import Corpus, prepare
from verifier.core.registry import ENCODERS

__all__ = ["NAMES", "rows"]

NAMES: Mapping[str, str] = {
    "memory": "ours, memory (exact)",
    "ann": "ours, ann (lists, 4-bit codes)",
    "hybrid": "ours, hybrid (exact, and BM25)",
    "hybrid-ann": "ours, hybrid (ann, and BM25)",
    "pgvector-exact": "pgvector, exact",
    "pgvector-hnsw": "pgvector, HNSW",
    "pgvector-half": "pgvector, HNSW, half precision",
    "lancedb": "LanceDB, exact",
    "lancedb-own": "LanceDB, its HNSW (int8)",
    "chroma-own": "Chroma, its HNSW",
    "qdrant-memory": "Qdrant, local mode (exact)",
}
"""System of ``benchmarks.scale`` -> its name in the table."""

FIGURES: Mapping[str, tuple[str, str]] = {
    "build_s": ("building the index", "s"),
    "p50_ms": ("a query, median", "ms"),
    "p95_ms": ("a query, 95th percentile", "ms"),
    "cpu_ms": ("a query, processor time", "ms"),
    "recall": ("recall@10", "of 1"),
    "serve_MiB": ("memory while asked", "MiB"),
    "disk_MiB": ("disk", "MiB"),
}
"""Figure of ``benchmarks.scale`` -> what it is, and its unit."""

NOT_HERE: Mapping[str, str] = {
    "Qdrant, HNSW": "needs a Qdrant server, which no package of Python brings",
}
"""What would be compared and never is in this environment."""


def rows(options: Options) -> Iterator[Row]:
    """The figures of each store, as soon as it is measured."""
    if options.data is None:
        yield not_run("vector stores", "all", "needs the evaluation data (--data or VERIFIER_DATA)")
        return
    args = scale.arguments(["--once", "--systems", ",".join(NAMES)])
    encoder = ENCODERS.load(args.encoder)()
    corpus = prepare(options.data, encoder, options.size, options.queries, options.scratch)
    conditions = (
        f"{options.size:,} {corpus.described}; {encoder.dimension} dimensions ({args.encoder}); "
        f"{options.queries} queries; one thread of numpy and faiss; PostgreSQL's and Chroma's defaults"
    )
    references: dict[str, Any] = {}
    for system, name in NAMES.items():
        yield from _store(system, name, corpus, args, references, conditions)
    for name, why in NOT_HERE.items():
        yield not_run("a query, median", name, why)


def _store(
    system: str, name: str, corpus: Corpus, args: Any, references: dict[str, Any], conditions: str
) -> Iterator[Row]:
    if why := missing(system):
        yield not_run("a query, median", name, why)
        return
    try:
        measured = scale.measured(system, corpus, args, references)
    except subprocess.CalledProcessError as error:
        yield not_run("a query, median", name, f"failed with exit code {error.returncode}")
        return
    for key, (what, unit) in FIGURES.items():
        if key in measured:
            yield Row(what, name, float(measured[key]), unit, conditions)
