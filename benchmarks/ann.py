"""Vectors in, one table out: the approximate indexes of faiss and usearch side by side, each in a process of its own.

``VERIFIER_DATA=<data> python -m benchmarks.ann --size 1000000`` prints build time, time of a query, recall@10 and
memory of each candidate library at several settings. It is what the choice behind ``backends.ann`` rests on.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from backends.encoders import HashingEncoder
from benchmarks.passages import noisy_copies, passages_and_queries

DIMENSION, QUERIES, TOP, REAL = 256, 300, 10, 100_000
Search = Callable[[np.ndarray], np.ndarray]


def write_vectors(data: Path, size: int, folder: Path) -> None:
    """The vectors, the queries and the true neighbours as files that all candidates read."""
    texts, queries = passages_and_queries(data, min(size, REAL), QUERIES)
    encoder = HashingEncoder(DIMENSION)
    stored = np.lib.format.open_memmap(folder / "vectors.npy", "w+", np.float32, (size, DIMENSION))
    at = 0
    for block in noisy_copies(encoder.encode(texts), size):
        stored[at : at + len(block)] = block
        at += len(block)
    asked = encoder.encode(queries)
    np.save(folder / "queries.npy", asked)
    best = np.argpartition(-(asked @ stored.T), TOP, axis=1)[:, :TOP]
    np.save(folder / "neighbours.npy", best)


def faiss_ivf(vectors: np.ndarray, storage: str) -> Iterator[tuple[str, Search]]:
    """An inverted file with scalar-quantised vectors; more lists read, more found."""
    import faiss

    lists = 2048 if len(vectors) > 300_000 else 512
    flat = faiss.IndexFlatIP(DIMENSION)
    kind = {"int8": faiss.ScalarQuantizer.QT_8bit, "float16": faiss.ScalarQuantizer.QT_fp16}[storage]
    index = faiss.IndexIVFScalarQuantizer(flat, DIMENSION, lists, kind, faiss.METRIC_INNER_PRODUCT, False)
    index.cp.spherical, index.cp.max_points_per_centroid = True, 64
    index.train(np.asarray(vectors[: 64 * lists]))
    for start in range(0, len(vectors), 50_000):
        index.add(np.asarray(vectors[start : start + 50_000]))
    for probes in (8, 16, 32, 64, 128):
        index.nprobe = probes
        yield f"{probes} of {lists} lists", lambda query: index.search(query, 40)[1]


def faiss_hnsw(vectors: np.ndarray, storage: str) -> Iterator[tuple[str, Search]]:
    """A graph over scalar-quantised vectors; more candidates kept, more found."""
    import faiss

    kind = {"int8": faiss.ScalarQuantizer.QT_8bit, "float16": faiss.ScalarQuantizer.QT_fp16}[storage]
    index = faiss.IndexHNSWSQ(DIMENSION, kind, 16, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 64
    index.train(np.asarray(vectors[:100_000]))
    for start in range(0, len(vectors), 50_000):
        index.add(np.asarray(vectors[start : start + 50_000]))
    for breadth in (32, 64, 128, 256):
        index.hnsw.efSearch = breadth
        yield f"breadth {breadth}", lambda query: index.search(query, 40)[1]


def usearch_hnsw(vectors: np.ndarray, storage: str) -> Iterator[tuple[str, Search]]:
    """A graph over int8 or float16 vectors; more candidates kept, more found."""
    from usearch.index import Index

    index = Index(ndim=DIMENSION, metric="cos", dtype={"int8": "i8", "float16": "f16"}[storage])
    for start in range(0, len(vectors), 50_000):
        index.add(np.arange(start, min(start + 50_000, len(vectors))), vectors[start : start + 50_000])
    for breadth in (32, 64, 128, 256):
        index.expansion_search = breadth
        yield f"breadth {breadth}", lambda query: np.asarray(index.search(query, 40).keys).reshape(1, -1)


CANDIDATES = {"faiss-ivf": faiss_ivf, "faiss-hnsw": faiss_hnsw, "usearch": usearch_hnsw}


def measured(name: str, storage: str, folder: Path) -> list[dict[str, Any]]:
    """One row for each setting of one candidate; the 40 found are rescored with the true vectors."""
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    queries, neighbours = np.load(folder / "queries.npy"), np.load(folder / "neighbours.npy")
    before, started = private_mib(), time.perf_counter()
    rows = []
    built = 0.0
    for setting, search in CANDIDATES[name](vectors, storage):
        built = built or time.perf_counter() - started
        times, hit = [], 0
        for query, true in zip(queries, neighbours, strict=True):
            began = time.perf_counter()
            found = search(query[None])[0]
            found = found[found >= 0]
            scores = vectors[found] @ query
            best = found[np.argsort(-scores)[:TOP]]
            times.append(time.perf_counter() - began)
            hit += len(set(best.tolist()) & set(true.tolist()))
        p50, p95 = np.percentile(times, [50, 95]) * 1000
        recall = hit / (TOP * len(queries))
        row = {"candidate": name, "storage": storage, "setting": setting, "build_s": built, "p50_ms": p50}
        rows.append(row | {"p95_ms": p95, "recall@10": recall, "index_MiB": private_mib() - before})
    return rows


def private_mib() -> float:
    """Memory of this process that is no mapped file, in MiB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print a line for each candidate and setting; 2 if there is no data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("VERIFIER_DATA"), help="holds train/")
    parser.add_argument("--size", type=int, default=1_000_000, help="stored vectors")
    parser.add_argument("--candidates", default="faiss-ivf:int8,usearch:int8,usearch:float16,faiss-hnsw:int8")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        name, storage = args.only.split(":")
        print(json.dumps(measured(name, storage, Path(args.folder))))
        return 0
    if not args.data:
        print("no data: give --data or set VERIFIER_DATA", file=sys.stderr)
        return 2
    print(
        f"{args.size} vectors of {DIMENSION}: {min(args.size, REAL)} real, the rest copies with noise; "
        f"{QUERIES} real queries, 40 candidates rescored"
    )
    columns = ["build_s", "p50_ms", "p95_ms", "recall@10", "index_MiB"]
    print(f"{'candidate':22}{'setting':20}" + "".join(f"{column:>12}" for column in columns))
    with tempfile.TemporaryDirectory() as folder:
        write_vectors(Path(args.data), args.size, Path(folder))
        for candidate in args.candidates.split(","):
            command = [sys.executable, "-m", "benchmarks.ann", "--only", candidate, "--folder", folder]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            for row in json.loads(done.stdout):
                cells = "".join(f"{row[column]:12.3f}" for column in columns)
                print(f"{candidate:22}{row['setting']:20}{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
