"""Retrieval sets in BEIR layout in, one table out: recall@5, recall@20, nDCG@10, ms a query for each backend.

``VERIFIER_DATA=<data> python -m benchmarks.retrieval --backends memory,bm25,hybrid --sets fm2_dev,healthver``
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from backends.base import VectorBackend
from backends.bm25 import BM25Backend
from backends.dense import SentenceTransformerBackend
from backends.evaluation import ndcg_at, recall_at
from backends.hybrid import HybridBackend
from backends.memory import InMemoryBackend
from backends.types import Item
from training.data import read_rows

DEPTH = 20


@dataclass(frozen=True)
class RetrievalSet:
    """Passages, queries, and which passages answer which query."""

    items: list[Item]
    queries: dict[str, str]
    relevance: dict[str, dict[str, int]]


def load_set(folder: Path) -> RetrievalSet:
    """Read ``corpus.jsonl.xz``, ``queries.jsonl.xz`` and ``qrels.tsv``; a passage is its title and text."""
    rows = read_rows(folder / "corpus.jsonl.xz")
    items = [
        Item(row["_id"], text)
        for row in rows
        if (text := (row["text"] if row["text"].startswith(row["title"]) else _titled(row)).strip())
    ]
    relevance: dict[str, dict[str, int]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            relevance.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    relevance = {query: grades for query, grades in relevance.items() if max(grades.values()) > 0}
    queries = {row["_id"]: row["text"] for row in read_rows(folder / "queries.jsonl.xz")}
    return RetrievalSet(items, {query: queries[query] for query in relevance}, relevance)


def _titled(row: dict[str, str]) -> str:
    return f"{row['title']}\n{row['text']}"


def figures(backend: VectorBackend, data: RetrievalSet) -> dict[str, float]:
    """Index the passages, ask all queries, and say how well and how fast it went."""
    started = time.perf_counter()
    backend.add_many(data.items)
    indexed = time.perf_counter()
    rankings = {
        query: [hit["id"] for hit in backend.query(text, DEPTH)] for query, text in data.queries.items()
    }
    asked = time.perf_counter()
    n = len(rankings)

    def mean(measure: Callable[..., float], k: int) -> float:
        return sum(measure(k, ranking, data.relevance[query]) for query, ranking in rankings.items()) / n

    return {
        "recall@5": mean(recall_at, 5),
        "recall@20": mean(recall_at, DEPTH),
        "nDCG@10": mean(ndcg_at, 10),
        "ms/query": 1000 * (asked - indexed) / n,
        "passages/s": len(data.items) / (indexed - started),
    }


def builders(model: str) -> dict[str, Callable[[], VectorBackend]]:
    """How each backend is made; ``model`` is the sentence-transformers model of the dense ones."""
    return {
        "memory": InMemoryBackend,
        "bm25": BM25Backend,
        "hybrid": lambda: HybridBackend(InMemoryBackend(), BM25Backend()),
        "dense": lambda: SentenceTransformerBackend(model),
        "hybrid-dense": lambda: HybridBackend(SentenceTransformerBackend(model), BM25Backend()),
    }


def main() -> int:
    """Print the table; 2 if there is no data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("VERIFIER_DATA"), help="holds retrieval/<set>/")
    parser.add_argument("--backends", default="memory,bm25,hybrid")
    parser.add_argument("--sets", default="fm2_dev,healthver,cranfield")
    parser.add_argument("--model", default="sentence-transformers/all-MiniLM-L6-v2", help="for dense")
    args = parser.parse_args()
    if not args.data:
        print("no data: give --data or set VERIFIER_DATA", file=sys.stderr)
        return 2
    columns = ["recall@5", "recall@20", "nDCG@10", "ms/query", "passages/s"]
    print(f"{'set':12}{'backend':14}" + "".join(f"{column:>12}" for column in columns))
    for name in args.sets.split(","):
        data = load_set(Path(args.data) / "retrieval" / name)
        for backend in args.backends.split(","):
            row = figures(builders(args.model)[backend](), data)
            cells = "".join(f"{row[c]:12.0f}" if c == "passages/s" else f"{row[c]:12.3f}" for c in columns)
            print(f"{name:12}{backend:14}{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
