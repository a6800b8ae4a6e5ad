"""Compare the approximate indexes of faiss and usearch, each in a process of its own.

``VERIFIER_DATA=<data> python -m benchmarks.ann --size 1000000`` prints build time, time of a query, recall@10 and
memory of each candidate library at several settings. ``verifier_backends.ann`` was chosen by these figures. usearch is
needed for this benchmark alone: ``pip install usearch``. ``--tuning --queries 1000 --candidates ours:4-bit`` asks other
queries, on which ``scan`` is chosen.
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
from numpy.typing import NDArray
from verifier_backends.encoders import Encoder
from verifier_backends.index.lists import InvertedLists

from benchmarks.passages import REAL, Corpus, prepare
from verifier.core.registry import ENCODERS

TOP, FOUND, BLOCK = 10, 100, 50_000
OURS_FOUND = 200
"""As ``verifier_backends.index.approximate`` has it."""

Matrix = NDArray[np.float32]
Search = Callable[[Matrix], NDArray[np.int64]]


def write_queries(corpus: Corpus, encoder: Encoder, folder: Path) -> None:
    """The queries and the true neighbours as files that all candidates read; queries without direction left out."""
    asked = encoder.encode(json.loads((corpus.folder / "queries.json").read_text(encoding="utf-8")))
    answered = [row for row, ids in enumerate(corpus.neighbours) if ids]
    np.save(folder / "queries.npy", asked[answered])
    near = [[int(name[1:]) for name in corpus.neighbours[row]] for row in answered]
    np.save(folder / "neighbours.npy", near)


def faiss_ivf(vectors: Matrix, storage: str) -> Iterator[tuple[str, Search]]:
    """An inverted file with scalar-quantised vectors; more lists read, more found."""
    import faiss

    dimension, lists = vectors.shape[1], round(4 * len(vectors) ** 0.5)
    kinds = faiss.ScalarQuantizer
    kind = {"int8": kinds.QT_8bit_direct_signed, "float16": kinds.QT_fp16}[storage]
    scale = np.float32(127 / np.abs(vectors[:BLOCK]).max() if storage == "int8" else 1)

    def rounded(rows: Matrix) -> Matrix:
        return np.clip(np.rint(rows * scale), -127, 127) if storage == "int8" else np.asarray(rows)

    means = faiss.Kmeans(dimension, lists, niter=6, spherical=True, max_points_per_centroid=40)
    means.train(np.asarray(vectors[np.random.default_rng(0).permutation(len(vectors))[: 40 * lists]]))
    flat = faiss.IndexFlatIP(dimension)
    flat.add(means.centroids)
    index = faiss.IndexIVFScalarQuantizer(flat, dimension, lists, kind, faiss.METRIC_INNER_PRODUCT, False)
    index.is_trained = True
    for start in range(0, len(vectors), BLOCK):
        index.add(rounded(vectors[start : start + BLOCK]))
    for probes in (64, 128, 256, 384, 512):
        index.nprobe = probes
        yield f"{probes} of {lists} lists", lambda query: index.search(rounded(query), FOUND)[1]


def ours(vectors: Matrix, _: str) -> Iterator[tuple[str, Search]]:
    """The inverted file of ``verifier_backends.index.lists``; more codes read, more found."""
    rows = np.empty(vectors.shape, dtype=np.float16)
    for start in range(0, len(rows), BLOCK):
        rows[start : start + BLOCK] = vectors[start : start + BLOCK]
    lists = InvertedLists.build(rows)
    counts = lists.counts(np.ones(len(rows), dtype=bool))
    del rows
    for scan in (65_536, 98_304, 114_688, 131_072, 163_840, 196_608):

        def search(query: Matrix, breadth: int = scan) -> NDArray[np.int64]:
            return np.stack(list(lists.search(query, breadth, OURS_FOUND, counts, None)))

        yield f"{scan} passages", search


def faiss_hnsw(vectors: Matrix, storage: str) -> Iterator[tuple[str, Search]]:
    """A graph over scalar-quantised vectors; more candidates kept, more found."""
    import faiss

    kind = {"int8": faiss.ScalarQuantizer.QT_8bit, "float16": faiss.ScalarQuantizer.QT_fp16}[storage]
    index = faiss.IndexHNSWSQ(vectors.shape[1], kind, 16, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 64
    index.train(np.asarray(vectors[:100_000]))
    for start in range(0, len(vectors), BLOCK):
        index.add(np.asarray(vectors[start : start + BLOCK]))
    for breadth in (128, 256, 512):
        index.hnsw.efSearch = breadth
        yield f"breadth {breadth}", lambda query: index.search(query, FOUND)[1]


def usearch_hnsw(vectors: Matrix, storage: str) -> Iterator[tuple[str, Search]]:
    """A graph over int8 or float16 vectors; more candidates kept, more found."""
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="cos", dtype={"int8": "i8", "float16": "f16"}[storage])
    for start in range(0, len(vectors), BLOCK):
        block = np.asarray(vectors[start : start + BLOCK])
        # With several threads some of the vectors may never be found again (its issue 735).
        index.add(np.arange(start, start + len(block)), block, threads=1)
    for breadth in (128, 256, 512):
        index.expansion_search = breadth
        yield f"breadth {breadth}", lambda query: index.search(query, FOUND, threads=1).keys.reshape(1, -1)


CANDIDATES = {"ours": ours, "faiss-ivf": faiss_ivf, "faiss-hnsw": faiss_hnsw, "usearch": usearch_hnsw}


def measured(name: str, storage: str, folder: Path, vectors: Matrix) -> list[dict[str, Any]]:
    """One row for each setting of one candidate; those found are rescored with the true vectors.

    Times are those of the processor, which all run in one thread: other work on the machine does not count.
    """
    queries, neighbours = np.load(folder / "queries.npy"), np.load(folder / "neighbours.npy")
    before, started = private_mib(), time.process_time()
    rows = []
    built = 0.0
    for setting, search in CANDIDATES[name](vectors, storage):
        built = built or time.process_time() - started
        times, hit = [], 0
        for query, true in zip(queries, neighbours, strict=True):
            began = time.process_time()
            found = search(query[None])[0]
            found = found[found >= 0]
            scores = vectors[found] @ query
            best = found[np.argsort(-scores)[:TOP]]
            times.append(time.process_time() - began)
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
    parser.add_argument("--encoder", default="static", help="one of " + ", ".join(ENCODERS.names()))
    parser.add_argument("--options", default="{}", help="keywords of the encoder, as JSON")
    parser.add_argument(
        "--candidates", default="ours:4-bit,faiss-ivf:int8,usearch:int8,usearch:float16,faiss-hnsw:int8"
    )
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="ask the queries on which constants are chosen")
    parser.add_argument("--cache", default="build/scale", help="keeps what was encoded")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--vectors", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        name, storage = args.only.split(":")
        dimension = np.load(Path(args.folder) / "queries.npy").shape[1]
        vectors = np.memmap(args.vectors, np.float32, "r").reshape(-1, dimension)
        print(json.dumps(measured(name, storage, Path(args.folder), vectors)))
        return 0
    if not args.data:
        print("no data: give --data or set VERIFIER_DATA", file=sys.stderr)
        return 2
    encoder = ENCODERS.load(args.encoder)(**json.loads(args.options))
    print(
        f"{args.size} vectors of {encoder.dimension}: {min(args.size, REAL)} real, the rest copies with noise; "
        f"{args.queries} real queries{' for tuning' * args.tuning}, {FOUND} candidates rescored ({OURS_FOUND} of ours)"
    )
    one_thread = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    columns = ["build_s", "p50_ms", "p95_ms", "recall@10", "index_MiB"]
    print(f"{'candidate':22}{'setting':20}" + "".join(f"{column:>12}" for column in columns))
    with tempfile.TemporaryDirectory() as folder:
        corpus = prepare(
            Path(args.data), encoder, args.size, args.queries, Path(args.cache), top=TOP, tuning=args.tuning
        )
        write_queries(corpus, encoder, Path(folder))
        for candidate in args.candidates.split(","):
            command = [sys.executable, "-m", "benchmarks.ann", "--only", candidate, "--folder", folder]
            command += ["--vectors", str(corpus.folder / "vectors.f32")]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=one_thread)
            for row in json.loads(done.stdout):
                cells = "".join(f"{row[column]:12.3f}" for column in columns)
                print(f"{candidate:22}{row['setting']:20}{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
