"""Milliseconds a query by the default search, and with reranking at several numbers of candidates.

``VERIFIER_DATA=<data> python -m benchmarks.reranking [--set healthver] [--candidates 10,30,50] [--queries 20]``

``ms`` is a query whose candidates were never read before, ``ms again`` one whose candidates' token vectors are
remembered from another claim; both include the search. One thread, the processor's time, the median of the queries.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from verifier_backends.base import VectorBackend
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.reranked import RerankedBackend
from verifier_backends.rerankers import LateReranker

from benchmarks.retrieval import load_set
from training.data import data_folder

TOP = 10
KEPT_TOKENS = 1 << 20
"""So many that nothing is forgotten between the two times a query is asked."""


def milliseconds(backend: VectorBackend, queries: Sequence[str]) -> list[float]:
    """The processor's time for each query, asked alone."""
    times = []
    for query in queries:
        started = time.process_time()
        backend.query(query, TOP)
        times.append(1000 * (time.process_time() - started))
    return times


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="holds retrieval/<set>/; $VERIFIER_DATA by default")
    parser.add_argument("--set", default="healthver")
    parser.add_argument("--candidates", default="10,30,50")
    parser.add_argument("--queries", type=int, default=20)
    args = parser.parse_args()
    found = load_set(data_folder(args.data) / "retrieval" / args.set, args.queries)
    search = HybridBackend(InMemoryBackend(EmbeddedEncoder(threads=1)), BM25Backend())
    search.add_many(found.items)
    queries = list(found.queries.values())
    search.query(queries[0], TOP)
    print(f"{args.set}: {len(found.items)} passages, {len(queries)} queries")
    print(f"{'':24}{'ms':>8}{'ms again':>10}")
    print(f"{'hybrid':24}{statistics.median(milliseconds(search, queries)):8.1f}")
    for candidates in map(int, args.candidates.split(",")):
        first, again = [], []
        for query in queries:
            reranker = LateReranker(threads=1, kept_tokens=KEPT_TOKENS)
            reranker.score("", [])  # loads the model
            backend = RerankedBackend(search, reranker, top_n=candidates, cache_size=0)
            first += milliseconds(backend, [query])
            again += milliseconds(backend, [query])
        row = f"reranked, {candidates} candidates"
        print(f"{row:24}{statistics.median(first):8.1f}{statistics.median(again):10.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
