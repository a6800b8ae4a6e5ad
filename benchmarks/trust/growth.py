"""Measure the memory and time that reading each hostile file takes, in an ingest and in an upload.

Run: ``python -m benchmarks.trust.growth``. Each file is read in a process of its own, which has read a harmless file of
its format before: the figure is the most that the process grew above that, as Linux reports it
(``/proc/self/status``). The seconds are those of a processor, so that they are the same on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.trust.hostile_files import FILES, QUICK, HostileFile

__all__ = ["MOST_MEGABYTES", "MOST_SECONDS", "Growth", "grown", "main"]

MOST_MEGABYTES = 300.0
MOST_SECONDS = 20.0
WAYS = ("ingest", "upload")
_HERE = "benchmarks.trust.growth"
_ZIPPED = frozenset({".xlsx", ".pptx", ".odt", ".ods", ".epub"})
"""Kinds of which the demo has no file: one that is broken is read before."""
_GIVEN_UP = 120
_HARMLESS = Path(__file__).parents[2] / "corpora" / "demo" / "kb"
_UPLOAD_MEMORY = 1_500_000_000
_UPLOAD_SECONDS = 60
_UPLOAD_TEXT = 100_000_000


@dataclass(frozen=True, slots=True)
class Growth:
    """What one file took: ``megabytes`` above the start, ``seconds``, and what was said of it."""

    name: str
    way: str
    megabytes: float
    seconds: float
    said: str

    @property
    def bounded(self) -> bool:
        """Whether it kept within the bounds."""
        return self.megabytes <= MOST_MEGABYTES and self.seconds <= MOST_SECONDS


def grown(hostile: HostileFile, way: str) -> Growth:
    """Read one file in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / hostile.file
        path.write_bytes(hostile.content())
        command = [sys.executable, "-m", _HERE, "--read", way, str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_GIVEN_UP, check=False)
        except subprocess.TimeoutExpired:
            return Growth(hostile.name, way, float("nan"), float("inf"), f"given up after {_GIVEN_UP} s")
    try:
        told = json.loads(done.stdout)
    except json.JSONDecodeError:
        return Growth(
            hostile.name, way, float("inf"), float("inf"), f"code {done.returncode}: {done.stderr[-60:]}"
        )
    return Growth(hostile.name, way, **told)


def _read(way: str, path: Path) -> None:
    """The process of one file: prints what it took."""
    read = {"ingest": _ingest, "upload": _upload}[way]
    with tempfile.TemporaryDirectory() as folder:
        read(_harmless(path, Path(folder)), Path(folder) / "harmless")
        Path("/proc/self/clear_refs").write_text("5")
        before, began = _status("VmRSS"), time.process_time()
        said = read(path, Path(folder) / "hostile")
        seconds = time.process_time() - began
        print(json.dumps({"megabytes": _status("VmHWM") - before, "seconds": seconds, "said": said}))


def _harmless(path: Path, folder: Path) -> Path:
    """A file of the demo with the same suffix; else one that is made."""
    if path.name.startswith("corpus"):
        made = folder / path.name
        made.write_bytes(b"")
        return made
    found = next(iter(sorted(_HARMLESS.glob(f"*{path.suffix}"))), None)
    if found is None and path.suffix in _ZIPPED:
        found = folder / f"harmless{path.suffix}"
        found.write_bytes(b"PK")
    if found is None:
        found = folder / f"harmless{path.suffix}"
        found.write_text('{"text": "The fee is 5 EUR."}' if path.suffix == ".jsonl" else "a,b\n1,2\n")
    return found


def _status(field: str) -> float:
    """A figure of this process, in megabytes."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024 / 1e6


def _ingest(path: Path, folder: Path) -> str:
    """As ``verifier ingest`` does it, with the keyword backend: what an encoder takes is told by the passages."""
    from verifier.config import Settings
    from verifier.factory import open_store
    from verifier.interfaces.cli.output import note
    from verifier.interfaces.parsing.documents import documents_of
    from verifier.knowledge.ingest import ReadOptions, discover

    settings = Settings.model_validate({"kb": {"path": str(folder)}, "backend": {"type": "bm25"}})
    with open_store(settings, create=True) as store:
        summary = store.ingest(documents_of(discover([path]), ReadOptions(), note))
    return f"{summary.added} added, {len(summary.failed)} failed, {summary.passages_added} passages"


def _upload(path: Path, folder: Path) -> str:
    """As the server's process for uploads does it, within the server's own bounds."""
    from verifier.interfaces.server.uploads import read_within

    folder.mkdir()
    code = read_within(path, folder / "out.jsonl", _UPLOAD_MEMORY, _UPLOAD_SECONDS, _UPLOAD_TEXT)
    return f"code {code}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all files, or the quick ones; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the few that show most")
    parser.add_argument("--only", default="", help="those whose name holds this")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--read", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.read:
        _read(given.read[0], Path(given.read[1]))
        return 0
    chosen = [one for one in FILES if given.only in one.name and (not given.quick or one.name in QUICK)]
    found = []
    print(f"{'input':<34} {'way':<7} {'MB':>7} {'s':>6}  said")
    for hostile in chosen:
        for way in given.ways:
            one = grown(hostile, way)
            found.append(one)
            mark = "" if one.bounded else " <- over"
            print(
                f"{one.name:<34} {one.way:<7} {one.megabytes:>7.0f} {one.seconds:>6.1f}  {one.said}{mark}",
                flush=True,
            )
    highest = max(one.megabytes for one in found)
    longest = max(one.seconds for one in found)
    print(f"growth: {len(chosen)} inputs, highest {highest:.0f} MB, {longest:.1f} s")
    return int(not all(one.bounded for one in found))


if __name__ == "__main__":
    sys.exit(main())
