"""Measure new processes, from their start to their end: what a person at a terminal waits for.

python -m benchmarks.cold                  the demo checked, searched and asked for its version; a first small check
python -m benchmarks.cold --runs 20        more of each, by turns

Seconds by the clock and of the processor (all threads), the least and the median; memory at most. Byte code is written
before the first run, as ``pip install`` does. *later check* is the next check in the process of *first check*.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "corpora" / "demo"
_CHECKS = """
import json, time
began = time.perf_counter(), time.process_time()
from verifier import verify
took = []
for days in (5, 6, 7, 8):
    verify(f"The refund takes {days} days.", contexts=["Refunds take 5 days after the parcel arrives."])
    ended = time.perf_counter(), time.process_time()
    took.append([after - before for before, after in zip(began, ended)])
    began = ended
print(json.dumps([took[0], min(took[1:])]))
"""


class Run(NamedTuple):
    """What a run took: seconds by the clock, seconds of the processor, MiB at most; ``None`` for what is not known."""

    clock: float
    processor: float
    memory: float | None = None


def in_new_process(arguments: Sequence[str]) -> tuple[Run, str]:
    """Run Python with these arguments; what it took, and what it printed.

    Raises:
        RuntimeError: it ended otherwise than a check may (approved or rejected).
    """
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([sys.executable, *arguments], env=environ, stdout=out, cwd=DEMO)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = Run(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"python {' '.join(arguments)[:80]} ended with {process.returncode}")
        out.seek(0)
        return took, out.read().decode()


def measured(runs: int) -> Mapping[str, Sequence[Run]]:
    """The runs of each task, done by turns."""
    with tempfile.TemporaryDirectory() as folder:
        own = ["-m", "verifier"]
        in_new_process([*own, "ingest", str(DEMO / "kb"), "--kb", folder, "--quiet"])
        tasks = {
            "verify": [*own, "verify", str(DEMO / "answer.md"), "--kb", folder, "--quiet"],
            "search": [*own, "search", "return period", "--kb", folder, "--quiet"],
            "--version": [*own, "--version"],
        }
        taken: dict[str, list[Run]] = {name: [] for name in (*tasks, "first check", "later check")}
        for _ in range(runs):
            for name, arguments in tasks.items():
                taken[name].append(in_new_process(arguments)[0])
            first, later = json.loads(in_new_process(["-c", _CHECKS])[1])
            taken["first check"].append(Run(*first))
            taken["later check"].append(Run(*later))
    return taken


def _table(taken: Mapping[str, Sequence[Run]]) -> Table:
    table = Table("task", "clock, least", "median", "processor, least", "median", "MiB")
    for name, runs in taken.items():
        figures = [
            f"{summary(getattr(run, part) for run in runs):.3f}"
            for part in ("clock", "processor")
            for summary in (min, statistics.median)
        ]
        memory = [run.memory for run in runs if run.memory is not None]
        table.add_row(name, *figures, f"{statistics.median(memory):.0f}" if memory else "")
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cold",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=10)
    given = parser.parse_args(arguments)
    for package in ("verifier", "signals", "backends"):
        compileall.compile_dir(ROOT / package, quiet=2)
    Console(width=100).print(_table(measured(given.runs)))


if __name__ == "__main__":
    main()
