"""Options -> rows of ``verifier batch``: one process and two over the same rows, and Ray beside them.

Each run is a command of its own over a knowledge base that is there. Runs that are compared take turns, and the best of
each counts; the start, with the models of every process, is in the time. A process takes the threads that its share of
the cores allows, so that one process has two threads on two cores: it is run with one thread as well. Ray has an
environment of its own, which ``make test-ray`` makes; both engines then have a worker for each core.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.fleet.growth import default_base, sentences
from benchmarks.fleet.rows import Options, Row, not_run
from benchmarks.published import ROOT
from verifier.core.onnx import available_cores

__all__ = ["RAY", "rows"]

RAY = ROOT / ".venv-ray" / "bin" / "python"
TWO = "ours, 2 processes"
PASSAGES, SENTENCES, ROUNDS = 2_000, 4, 2
RATE, SPENT = "batch, rows a minute", "batch, processor time of a row"

Command = Sequence[str]


def rows(options: Options) -> Iterator[Row]:
    """The rates of the engines, and how they compare."""
    if options.data is None:
        yield not_run("batch", "ours", "needs the evaluation data (--data or VERIFIER_DATA)")
        return
    folder = options.data / "retrieval"
    with default_base(folder, PASSAGES) as (base, _):
        given = base.with_name("in.jsonl")
        count = write_rows(folder, given, options.rows)
        conditions = (
            f"{count} rows of {SENTENCES} sentences, {PASSAGES:,} passages, default configuration; "
            f"by the clock with the start, best of {ROUNDS}"
        )
        yield from _local(given, base, count, conditions)
        yield from _ray(given, base, count, conditions)


def write_rows(folder: Path, file: Path, most: int) -> int:
    """Rows of a batch, no sentence twice; how many there are."""
    claims = sentences(folder)
    texts = iter(lambda: " ".join(islice(claims, SENTENCES)), "")
    written = [json.dumps({"id": str(n), "response": text}) for n, text in enumerate(islice(texts, most))]
    file.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return len(written)


def _local(given: Path, base: Path, count: int, conditions: str) -> Iterator[Row]:
    one, two = (_batch(sys.executable, given, base, workers) for workers in (1, 2))
    single = "ours, 1 process of 1 thread"
    taken = alternated({single: ["env", "OMP_NUM_THREADS=1", *one], "ours, 1 process": one, TWO: two})
    yield from _rates(taken, count, conditions)
    for name, (_, spent) in taken.items():
        yield Row(SPENT, name, 1000 * spent / count, "ms", conditions)
    for name in (single, "ours, 1 process"):
        ratio = taken[name][0] / taken[TWO][0]
        yield Row(
            "batch, times as fast with two processes", f"against {name}", ratio, "", conditions, aim="1.8"
        )


def _ray(given: Path, base: Path, count: int, conditions: str) -> Iterator[Row]:
    if not RAY.exists():
        yield not_run(RATE, "Ray, on one node", "needs .venv-ray, which make test-ray makes")
        return
    workers = available_cores()
    local = f"ours, {workers} processes, in Ray's environment"
    name = f"Ray, on one node of {workers} workers"
    taken = alternated(
        {
            local: _batch(str(RAY), given, base, workers),
            name: [*_batch(str(RAY), given, base, workers), "--engine", "ray"],
        }
    )
    yield from _rates(taken, count, conditions)
    ratio = taken[name][0] / taken[local][0]
    yield Row(
        "batch, Ray's time against the local engine's", name, ratio, "times", conditions, aim="at most 1.15"
    )


def _rates(taken: Mapping[str, tuple[float, float]], count: int, conditions: str) -> Iterator[Row]:
    for name, (seconds, _) in taken.items():
        yield Row(RATE, name, 60 * count / seconds, "rows a minute", conditions)


def _batch(python: str, given: Path, base: Path, workers: int) -> Command:
    command = [python, "-m", "verifier", "batch", str(given), "OUT", "--kb", str(base)]
    return [*command, "--workers", str(workers), "--quiet"]


def alternated(commands: Mapping[str, Command]) -> dict[str, tuple[float, float]]:
    """The least seconds of each command by the clock, and of the processor, over rounds in which they take turns.

    ``OUT`` in a command is a new file.

    Raises:
        RuntimeError: one failed.
    """
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for number in range(ROUNDS):
        names = list(commands) if number % 2 == 0 else list(commands)[::-1]
        for name in names:
            found[name].append(timed(commands[name]))
    return {
        name: (min(one[0] for one in times), min(one[1] for one in times)) for name, times in found.items()
    }


def timed(command: Command) -> tuple[float, float]:
    """Seconds by the clock, and of the processor by the command with all processes that it waited for.

    Raises:
        RuntimeError: it failed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        told = [f"{scratch}/out.jsonl" if word == "OUT" else word for word in command]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            told,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"RAY_USAGE_STATS_ENABLED": "0"},
        )
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(told[:4])} gave exit code {done.returncode}: {done.stderr.strip()[-300:]}"
        )
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
