"""Compare exact search with inverted lists by size, over random vectors; ``exact_below`` is chosen by this table.

``OMP_NUM_THREADS=1 python -m benchmarks.crossover``
"""

from __future__ import annotations

import time

import numpy as np
from verifier_backends.index.approximate import ApproximateIndex
from verifier_backends.types import Item

SIZES, DIMENSIONS, QUERIES, TOP, SCAN = (6_144, 8_192, 12_288, 16_384, 32_768), (256, 384), 200, 10, 131_072


def median_ms(index: ApproximateIndex, queries: np.ndarray) -> float:
    """The median of the processor's time for a query: other work on the machine does not count."""
    index.search(queries[:3], TOP)
    times = []
    for query in queries:
        started = time.process_time()
        index.search(query[None], TOP)
        times.append(time.process_time() - started)
    return 1000 * float(np.median(times))


def main() -> None:
    """Print the time of a query both ways; at these sizes the lists are all read, so that both find the same."""
    rng = np.random.default_rng(0)
    print(f"{'dimensions':>10}{'vectors':>10}{'exact ms':>10}{'lists ms':>10}")
    for dimension in DIMENSIONS:
        for size in SIZES:
            vectors = rng.standard_normal((size, dimension), dtype=np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            items = [Item(str(number), "text") for number in range(size)]
            both = []
            for exact_below in (size, 1):
                index = ApproximateIndex(SCAN, exact_below)
                index.upsert(items, vectors)
                both.append(median_ms(index, vectors[:QUERIES] + np.float32(0.02)))
            print(f"{dimension:>10}{size:>10}" + "".join(f"{figure:10.2f}" for figure in both), flush=True)


if __name__ == "__main__":
    main()
