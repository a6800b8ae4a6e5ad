"""The parts of the benchmark, each a module with ``rows(options)``, run one after the other in processes of their own.

``python -m benchmarks.fleet.parts NAME OPTIONS`` is such a process: it prints its rows as JSON, a line each, as they
come; whatever else its libraries print goes to the log.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.fleet.rows import Options, Row, Run, not_run, of_part

__all__ = ["PARTS", "run"]

PARTS: Mapping[str, str] = {
    "stores": "benchmarks.fleet.stores",
    "growth": "benchmarks.fleet.growth",
    "database": "benchmarks.fleet.database",
    "engines": "benchmarks.fleet.engines",
    "server": "benchmarks.fleet.server",
    "byhand": "benchmarks.fleet.byhand",
    "judges": "benchmarks.fleet.judges.measure",
}
"""Name -> module, whose ``rows(options)`` yields :class:`benchmarks.fleet.rows.Row`, each as soon as it is known."""

_GRACE = 20.0
"""Seconds that a part which is ended may take to end the servers that it started."""


def run(
    parts: Sequence[str],
    options: Options,
    most: float,
    output: Path,
    kept: Run | None = None,
    modules: Mapping[str, str] = PARTS,
) -> tuple[Run, bool]:
    """Measure the parts, and write all rows after each of them.

    Args:
        parts: names, in order.
        options: for all of them.
        most: seconds that a part may take.
        output: file of the figures.
        kept: a run whose rows of other parts stay.
        modules: where the parts are.

    Returns:
        The run, and whether a part failed.
    """
    about: dict[str, Any] = {**machine(), "parts": dict(kept.about.get("parts", {})) if kept else {}}
    rows = [row for row in kept.rows if row.part not in parts] if kept else []
    failed = False
    for part in parts:
        print(f"{part} ...", end=" ", file=sys.stderr, flush=True)
        began, load = time.perf_counter(), os.getloadavg()[0]
        found, well = measured(part, modules[part], options, most)
        spent = time.perf_counter() - began
        print(f"{len(found)} rows in {spent:.0f} s", file=sys.stderr)
        about["parts"][part] = {
            "date": _today(),
            "seconds": round(spent, 1),
            "load_before": round(load, 2),
            "sizes": options.sizes(),
        }
        rows += found
        failed = failed or not well
        Run(about, rows).write(output)
    return Run(about, rows), failed


def measured(part: str, module: str, options: Options, most: float) -> tuple[list[Row], bool]:
    """The rows of a part, and whether it ran to its end; where it did not, the last row says why."""
    log = options.scratch / f"{part}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.fleet.parts", module, options.json()]
    rows: list[Row] = []
    with log.open("w", encoding="utf-8") as told, _group(command, told, most) as (process, late):
        assert process.stdout
        rows += of_part(process.stdout, part)
        code = process.wait()
    if late.is_set():
        why = f"ended after {most:.0f} s, with what follows not measured (--most)"
    elif code:
        why = f"failed: {_last_line(log)} (all of it in {log})"
    else:
        return rows, True
    return [*rows, Row(**{**asdict(not_run("the rest", "all", why)), "part": part})], False


@contextmanager
def _group(
    command: Sequence[str], log: Any, most: float
) -> Iterator[tuple[subprocess.Popen[str], threading.Event]]:
    """A process with all that it starts, ended when its time is over or the block is left."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8", start_new_session=True
    )
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    timer = threading.Timer(most, end)
    timer.start()
    try:
        yield process, late
    finally:
        timer.cancel()
        _end(process)
        if process.stdout:
            process.stdout.close()


def _end(process: subprocess.Popen[str]) -> None:
    """Ask it to end, so that it stops its servers, then kill what is left of the group."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_line(log: Path) -> str:
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else "it said nothing"


def machine() -> dict[str, Any]:
    """What is to be known of this machine."""
    processor = Path("/proc/cpuinfo")
    told = processor.read_text(encoding="utf-8").splitlines() if processor.exists() else []
    names = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    return {
        "date": _today(),
        "machine": (names or [platform.machine()])[0],
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
    }


def _today() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="minutes")


def serve(module: str, options: Options) -> None:
    """Print the rows of a part, each at once, and send whatever else is printed to the log."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # by way of every block that stops a server
    found: Iterable[Row] = import_module(module).rows(options)
    for row in found:
        print(json.dumps(asdict(row)), file=out, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], Options.of(sys.argv[2]))
