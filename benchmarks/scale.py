"""Build time, query time, memory, disk and recall of each backend and peer, over passages by the thousand.

``VERIFIER_DATA=<data> python -m benchmarks.scale --sizes 1000,10000,100000`` (and ``--sizes 1000000 --systems ann``)

Every index is built in a process of its own and asked in another, which opens what the first has saved, if it can be
saved. Passages are distinct training premises, up to 100,000; beyond that the vectors are copies with noise. The
encoder's time is no part of the build, and is part of every query. ``cpu ms`` (the median of a query) and ``build cpu
s`` are the processor's time over all threads, in which other work on the machine does not count; ``again ms`` is
``cpu ms`` of the same queries asked a second time, when what they read of mapped files is in memory. director-ai is
measured where ``--director`` names the Python of an environment that holds it (``python -m venv
build/peers/director-ai``, then install ``director-ai==3.21.0`` there).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from verifier_backends.encoders import Encoder
from verifier_backends.types import Item

from benchmarks.databases import PostgresServer, missing, server_for
from benchmarks.memory import peak_mib
from benchmarks.passages import PARTS, REAL, Corpus, prepare
from benchmarks.systems import BY_VECTORS, PEERS, SYSTEMS, Replay
from verifier.core.registry import ENCODERS

TOP, BATCH = 10, 5_000
PATIENCE = 60.0
"""Seconds after which no further query of a slow system is asked; the table says how many were."""

COLUMNS = {
    "build_s": "build s",
    "build_cpu_s": "build cpu s",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "cpu_ms": "cpu ms",
    "again_ms": "again ms",
    "batched_ms": "batched ms",
    "recall": "recall@10",
    "filtered_ms": "filter ms",
    "filtered_recall": "filter r@10",
    "build_MiB": "build MiB",
    "serve_MiB": "serve MiB",
    "disk_MiB": "disk MiB",
    "queries": "queries",
}


def items(folder: Path) -> Iterator[list[Item]]:
    """The passages of a prepared corpus, a batch at a time."""
    with (folder / "passages.jsonl").open(encoding="utf-8") as file:
        numbered = enumerate(file)
        while lines := list(islice(numbered, BATCH)):
            yield [Item(f"p{number}", json.loads(line), {"part": number % PARTS}) for number, line in lines]


def built(name: str, encoder: Encoder, folder: Path, index: Path, *, once: bool) -> dict[str, Any]:
    """Build an index and say what it took; ask it here if no other process can."""
    system = SYSTEMS[name](Replay(encoder, folder / "vectors.f32"))
    started, busy = time.perf_counter(), time.process_time()
    system.fill(items(folder), index)
    row: dict[str, Any] = {"build_s": time.perf_counter() - started, "build_MiB": peak_mib()}
    row["build_cpu_s"] = time.process_time() - busy
    return row if system.keeps else row | asked(system, name, folder, once=once)


def opened(name: str, encoder: Encoder, folder: Path, index: Path, *, once: bool) -> dict[str, Any]:
    """Open an index that ``built`` saved, and ask it."""
    system = SYSTEMS[name](Replay(encoder, folder / "vectors.f32"))
    system.open(index)
    disk = sum(path.stat().st_size for path in index.rglob("*") if path.is_file()) / 2**20
    return asked(system, name, folder, once=once) | {"disk_MiB": disk}


def asked(system: Any, name: str, folder: Path, *, once: bool) -> dict[str, Any]:
    """Every query alone; unless ``once``, also in one call, alone again, and under a filter that one in ten meets."""
    queries = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    system.ask(queries[:3], TOP)
    server = PostgresServer.of_run()
    served = server.cpu_seconds() if server else 0.0
    found, times, processor = timed(system, queries, None)
    row: dict[str, Any] = {"times": times, "found": found, "cpu_ms": 1000 * float(np.median(processor))}
    if server:
        row["cpu_ms"] += 1000 * (server.cpu_seconds() - served) / len(times)
    if once:
        return row | {"serve_MiB": peak_mib()}
    if sum(times) < PATIENCE / 2:
        started = time.perf_counter()
        system.ask(queries, TOP)
        row["batched_ms"] = 1000 * (time.perf_counter() - started) / len(queries)
        row["again_ms"] = 1000 * float(np.median(timed(system, queries, None)[2]))
    if name in BY_VECTORS:
        row["filtered_found"], filtered, _ = timed(system, queries, {"part": 3})
        row["filtered_ms"] = 1000 * float(np.median(filtered))
    return row | {"serve_MiB": peak_mib()}


def timed(
    system: Any, queries: Sequence[str], where: dict[str, int] | None
) -> tuple[list[list[str]], list[float], list[float]]:
    """What is found for each query asked alone, its seconds, and those of the processor, until patience ends."""
    found, times, processor = [], [], []
    for query in queries:
        started, busy = time.perf_counter(), time.process_time()
        found += system.ask([query], TOP, where)
        processor.append(time.process_time() - busy)
        times.append(time.perf_counter() - started)
        if sum(times) > PATIENCE:
            break
    return found, times, processor


def recall(found: list[list[str]], true: list[list[str]]) -> float:
    """Share of the true ids that were found, over the queries that were asked."""
    pairs = [(a, b) for a, b in zip(found, true, strict=False) if b]
    return sum(len(set(a) & set(b)) for a, b in pairs) / sum(len(b) for _, b in pairs)


def measured(
    name: str, corpus: Corpus, args: argparse.Namespace, references: dict[str, Any]
) -> dict[str, Any]:
    """One row: a process to build, a process to ask, and what they say compared with the exact answer."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(args.threads))
    with tempfile.TemporaryDirectory() as scratch, server_for(name) as server:
        if name in PEERS:
            command = [args.director, "benchmarks/director_peer.py", name, str(corpus.folder), str(TOP)]
            row = run(command, threads)
        else:
            command = [sys.executable, "-m", "benchmarks.scale", "--encoder", args.encoder]
            command += ["--options", args.options, *(["--once"] if args.once else [])]
            command += ["--folder", str(corpus.folder), "--index", f"{scratch}/index"]
            row = run([*command, "--build", name], threads)
            if "times" not in row:
                row |= run([*command, "--ask", name], threads)
        if server:
            row["serve_MiB"] += server.mib()
            row["build_MiB"] += server.mib()
            row["disk_MiB"] = server.disk_mib()
    times, found = row.pop("times"), row.pop("found")
    row["p50_ms"], row["p95_ms"] = (1000 * float(value) for value in np.percentile(times, [50, 95]))
    row["queries"] = len(times)
    if name in BY_VECTORS:
        row["recall"] = recall(found, corpus.neighbours)
        if not args.once:
            row["filtered_recall"] = recall(row.pop("filtered_found"), corpus.filtered_neighbours)
    references[name] = found
    if name == "hybrid-ann" and "hybrid" in references:
        row["recall"] = recall(found, references["hybrid"])
    return row


def run(command: Sequence[str], threads: dict[str, str]) -> dict[str, Any]:
    """What a process prints as JSON; its error ends the benchmark."""
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | threads)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def line(name: str, size: int, row: dict[str, Any]) -> str:
    """A row of the table; ``-`` where there is nothing to measure."""
    return f"{size:>9} {name:16}" + "".join(cell(row.get(key)) for key in COLUMNS)


def cell(value: float | None) -> str:
    """Three digits of a figure."""
    if value is None:
        return f"{'-':>12}"
    return f"{value:12.0f}" if value >= 1000 else f"{value:12.3g}"


def main() -> int:
    """Print the table, and write it as JSON where asked to; 2 if there is no data."""
    args = arguments()
    encoder = ENCODERS.load(args.encoder)(**json.loads(args.options))
    for name, act in ((args.build, built), (args.ask, opened)):
        if name:
            print(json.dumps(act(name, encoder, Path(args.folder), Path(args.index), once=args.once)))
            return 0
    if not args.data:
        print("no data: give --data or set VERIFIER_DATA", file=sys.stderr)
        return 2
    rows = []
    note = f"encoder {encoder.identity}; up to {args.real} passages are real, the rest copies, their vectors with noise"
    print(f"{note}; {args.note}" if args.note else note)
    print(f"{'size':>9} {'system':16}" + "".join(f"{title:>12}" for title in COLUMNS.values()))
    for size in map(int, args.sizes.split(",")):
        corpus = prepare(
            Path(args.data),
            encoder,
            size,
            args.queries,
            Path(args.cache),
            real=args.real,
            top=TOP,
            tuning=args.tuning,
        )
        print(f"{size:>9} {corpus.described}", flush=True)
        references: dict[str, Any] = {}
        for name in args.systems.split(","):
            row = measured(name, corpus, args, references)
            print(line(name, size, row), flush=True)
            rows.append({"size": size, "system": name, **row})
    if args.json:
        about = {
            "encoder": encoder.identity,
            "note": args.note,
            "machine": platform.processor() or platform.machine(),
        }
        about |= {"cores": os.cpu_count(), "passages": note}
        Path(args.json).write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("VERIFIER_DATA"), help="holds train/")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of passages")
    parser.add_argument("--systems", help="by default all: " + ", ".join([*SYSTEMS, *PEERS]))
    parser.add_argument("--encoder", default="static", help="one of " + ", ".join(ENCODERS.names()))
    parser.add_argument("--options", default="{}", help="keywords of the encoder, as JSON")
    parser.add_argument("--real", type=int, default=REAL, help="passages that are real and encoded, at most")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--tuning", action="store_true", help="ask the queries on which constants are chosen")
    parser.add_argument("--once", action="store_true", help="each query once, without filters and batches")
    parser.add_argument("--threads", type=int, default=1, help="of numpy and faiss; Chroma has its own")
    parser.add_argument("--cache", default="build/scale", help="keeps what was encoded")
    parser.add_argument("--json", help="file to write the rows to")
    parser.add_argument("--note", help="what to know of the machine, printed and written with the figures")
    parser.add_argument("--director", default="build/peers/director-ai/bin/python", help="its Python")
    for inner in ("--build", "--ask", "--folder", "--index"):
        parser.add_argument(inner, help=argparse.SUPPRESS)
    args = parser.parse_args(given)
    if not args.systems:
        peers = PEERS if Path(args.director).exists() else ()
        if not peers and not (args.build or args.ask):
            print(f"no {args.director}: director-ai is left out", file=sys.stderr)
        lacking = {name: lack for name in SYSTEMS if (lack := missing(name))}
        for name, lack in lacking.items():
            print(f"{name} is left out: {lack}", file=sys.stderr)
        args.systems = ",".join([name for name in [*SYSTEMS, *peers] if name not in lacking])
    unknown = set(args.systems.split(",")) - {*SYSTEMS, *PEERS}
    if unknown:
        parser.error(f"unknown systems {', '.join(sorted(unknown))}; known: {', '.join([*SYSTEMS, *PEERS])}")
    return args


if __name__ == "__main__":
    sys.exit(main())
