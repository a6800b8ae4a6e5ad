"""Time queries over random vectors and texts, against numpy's bare product and bm25s.

``python -m benchmarks.search --size 100000``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import bm25s
import numpy as np
from verifier_backends.bm25 import BM25Backend
from verifier_backends.index.exact import ExactIndex
from verifier_backends.types import Item

DIMENSION, WORDS_A_TEXT, WORDS_A_QUERY, QUERIES, TOP = 384, 40, 12, 100, 10


def best_ms(call: Callable[[], object], rounds: int = 9) -> float:
    """Shortest time of ``call`` in milliseconds: what other work on the machine disturbs least."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return 1000 * min(times)


def vector_rows(size: int, rng: np.random.Generator) -> list[tuple[str, float, float]]:
    """Exact search and the matrix product in it, in ms a query."""
    vectors = rng.normal(size=(size, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = ExactIndex()
    index.upsert([Item(str(i), "text", {}) for i in range(size)], vectors)
    one, many = vectors[:1] + 0.01, vectors[:QUERIES] + 0.01
    return [
        ("exact, one query", best_ms(lambda: index.search(one, TOP)), best_ms(lambda: vectors @ one[0])),
        (
            f"exact, a query of {QUERIES}",
            best_ms(lambda: index.search(many, TOP), 3) / QUERIES,
            best_ms(lambda: many @ vectors.T, 3) / QUERIES,
        ),
    ]


def keyword_rows(size: int, rng: np.random.Generator) -> list[tuple[str, float, float]]:
    """BM25 and bm25s over texts of Zipf-distributed words, in ms (indexing: a thousand texts)."""
    drawn = np.minimum(rng.zipf(1.3, size=(size, WORDS_A_TEXT)), 50_000)
    texts = [" ".join(f"w{word}" for word in row) for row in drawn]
    queries = [" ".join(text.split()[:WORDS_A_QUERY]) for text in texts[:QUERIES]]
    backend, peer = BM25Backend(language=None), bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    items = [Item(str(i), text) for i, text in enumerate(texts)]

    def index_peer() -> None:
        peer.index([text.split() for text in texts], show_progress=False)

    indexing = best_ms(lambda: backend.add_many(items), 1), best_ms(index_peer, 1)
    split = [query.split() for query in queries]
    return [
        ("bm25, indexing 1,000", 1000 * indexing[0] / size, 1000 * indexing[1] / size),
        (
            f"bm25, a query of {QUERIES}",
            best_ms(lambda: backend.query_many(queries, TOP), 3) / QUERIES,
            best_ms(lambda: peer.retrieve(split, k=TOP, show_progress=False), 3) / QUERIES,
        ),
    ]


def main() -> None:
    """Print ours, theirs (numpy's product, bm25s) and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="stored texts")
    size, rng = parser.parse_args().size, np.random.default_rng(0)
    print(f"{'':24}{'ours ms':>12}{'theirs ms':>12}{'ratio':>8}")
    for name, ours, theirs in [*vector_rows(size, rng), *keyword_rows(size, rng)]:
        print(f"{name:24}{ours:12.2f}{theirs:12.2f}{ours / theirs:8.2f}")


if __name__ == "__main__":
    main()
