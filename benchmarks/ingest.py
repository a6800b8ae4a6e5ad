"""Ingest a folder by one process and by several: time, memory, and the share of the encoder's own throughput.

``python -m benchmarks.ingest [--texts 8000] [--workers 1,2] [--rounds 3] [--kinds md,html,docx,pdf,csv] [--json]``,
with ``VERIFIER_DATA`` set.

The texts of the training sets are written to a folder of files, some kilobytes each. Each run is a whole command,
``verifier ingest FOLDER --workers N``, into an empty knowledge base with the default configuration: from its start to
its end, models loaded and index saved. The encoder then embeds the same passages alone, in a process that does nothing
else, in batches of the size that an ingest hands it. ``share`` is its time by the clock over that of the command.
Processor time is that of all processes; memory is the most that all of them held together, what they share counted
once (Linux). Figures are medians of the rounds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from verifier_backends.encoders import EmbeddedEncoder

from benchmarks.folders import KINDS, write_folder
from benchmarks.passages import passages_and_queries
from benchmarks.server import print_rows
from tests.support.cli import environment
from tests.support.processes import children
from verifier.config import Settings
from verifier.factory import open_store
from verifier.knowledge.records import index_text

_BATCH = 512
"""Passages that an ingest hands to the backend at once."""

_EVERY = 0.2
"""Seconds between two looks at the memory."""


class Spent(NamedTuple):
    """What a run took: seconds of all cores and by the clock, and MiB."""

    cpu: float
    wall: float
    memory: float = 0.0


def ingested(folder: Path, base: Path, workers: int) -> Spent:
    """What the command takes.

    Raises:
        RuntimeError: it failed.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier", "ingest", folder, "--kb", base, "--workers", str(workers)],
        env=environment(folder.parent, {}),
        stdout=subprocess.DEVNULL,
    )
    most, ended = 0.0, 0
    while not ended:
        time.sleep(_EVERY)
        most = max(most, _held(process))
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the ingest ended with {process.returncode}")
    return Spent(used.ru_utime + used.ru_stime, wall, most)


def _held(process: subprocess.Popen[bytes]) -> float:
    """MiB of the process and of those that it has started; what they share counts once."""
    total = 0
    try:
        for pid in (process.pid, *children(process)):
            rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += next(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
    except (OSError, StopIteration):  # one has just ended
        return 0.0
    return total / 1024


def texts_of(base: Path) -> list[str]:
    """What the encoder was given for each passage."""
    with open_store(Settings.model_validate({"kb": {"path": str(base)}})) as store:
        return [
            index_text(row["title"], one["headings"], one["context"], one["text"])
            for row in store.export()
            for one in row["passages"]
        ]


def embedded(texts: Sequence[str]) -> Spent:
    """What the default encoder takes for the texts, alone."""
    encoder = EmbeddedEncoder()
    encoder.encode(texts[:1])
    cpu, wall, left = time.process_time(), time.perf_counter(), iter(texts)
    while batch := list(islice(left, _BATCH)):
        encoder.encode(batch)
    return Spent(time.process_time() - cpu, time.perf_counter() - wall)


def measured(folder: Path, bases: Path, workers: Sequence[int], rounds: int) -> list[dict[str, object]]:
    """A row for the encoder alone and one for each number of processes."""
    runs: dict[int, list[Spent]] = {number: [] for number in (0, *workers)}
    for turn in range(rounds):
        for number in workers:
            runs[number].append(ingested(folder, bases / f"{turn}-{number}", number))
        texts = texts_of(bases / f"{turn}-{workers[0]}")
        runs[0].append(embedded(texts))
    alone = median(run.wall for run in runs[0])
    return [_row(number, runs[number], len(texts), alone) for number in runs]


def _row(number: int, runs: Sequence[Spent], passages: int, alone: float) -> dict[str, object]:
    cpu, wall, memory = (median(values) for values in zip(*runs, strict=True))
    return {
        "": f"ingest, {number} processes"
        if number > 1
        else "ingest, one process"
        if number
        else "encoder alone",
        "passages": passages,
        "cpu_s": round(cpu, 1),
        "wall_s": round(wall, 1),
        "passages_a_second": round(passages / wall),
        "share": round(alone / wall, 2),
        "memory_mib": round(memory) or "",
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=8_000)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    texts, _ = passages_and_queries(Path(os.environ["VERIFIER_DATA"]), arguments.texts, 0)
    workers = [int(number) for number in arguments.workers.split(",")]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "folder")
        files = write_folder(folder, texts, arguments.kinds.split(","))
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        print(f"{files} files, {size:.1f} MB", file=sys.stderr)
        print_rows(measured(folder, Path(place), workers, arguments.rounds), as_json=arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
