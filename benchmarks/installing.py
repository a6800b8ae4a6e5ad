"""Install the wheel into an empty environment of each Python at hand: sizes, seconds, and what fails there.

python -m benchmarks.installing               every Python of 3.11 or later that the path has
python -m benchmarks.installing --python /opt/python3.13/bin/python3

It builds the wheel, installs it with its dependencies as the index has them today, and checks an answer there, away
from the repository and beside a user's own ``signals.py``, ``backends.py`` and ``models.py``. Exit 1 where that fails,
or the files of the base install take 300 MB; the bytecode that Python makes of them is counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

__all__ = ["LIMIT", "build_wheel", "main", "smoke_faults"]

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 300
"""Megabytes that the files of the base install may take, what comes with an environment not counted."""
LEAST = (3, 11, 5)
NAMES = ("python3.11", "python3.12", "python3.13", "python3.14")
SHOWN = 8
"""Distributions that the table of sizes names; the others are one row."""

_DOCUMENT = "# Rental\n\nA tent may be returned within 30 days. The deposit is EUR 89.\n"
_ANSWER = "The deposit is EUR 89. A tent may be returned within 60 days.\n"
_SCRIPT = """\
import json, sys

import backends, models, signals
import verifier

assert {one.MINE for one in (backends, models, signals)} == {True}
report = verifier.verify(open("answer.md").read(), contexts=[open("rental.md").read()])
print(json.dumps([verifier.__file__, [claim.verdict for claim in report.claims]]))
"""
_EXPECTED = ["supported", "contradicted"]
_SIZES = """\
import json
from importlib.metadata import distributions

def size(one, compiled):
    paths = (one.locate_file(file) for file in one.files or () if (file.suffix == ".pyc") is compiled)
    return sum(path.stat().st_size for path in paths if path.is_file())

print(json.dumps({one.name: [one.version, size(one, False), size(one, True)] for one in distributions()}))
"""
_OF_THE_ENVIRONMENT = {"pip", "setuptools"}


class Size(NamedTuple):
    """What a distribution takes: bytes of its files, and of the bytecode made of them."""

    version: str
    files: int
    bytecode: int

    @property
    def whole(self) -> int:
        """Bytes of both."""
        return self.files + self.bytecode


@dataclass(frozen=True)
class Installed:
    """One environment: its Python, what ``pip`` took, what each distribution takes, and what failed."""

    version: str
    seconds: float
    sizes: Mapping[str, Size]
    faults: Sequence[str]

    @property
    def megabytes(self) -> float:
        """Of files, without bytecode."""
        return sum(size.files for size in self.sizes.values()) / 1e6

    @property
    def whole_megabytes(self) -> float:
        """With bytecode."""
        return sum(size.whole for size in self.sizes.values()) / 1e6


def build_wheel(folder: Path) -> Path:
    """The wheel of this repository, written to ``folder``.

    Raises:
        RuntimeError: it cannot be built.
    """
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the wheel cannot be built: {done.stderr}")
    return next(folder.glob("*.whl"))


def smoke_faults(python: Path, folder: Path) -> list[str]:
    """What does not work in the environment of ``python``, tried in the empty ``folder``; nothing where all does."""
    for name in ("backends", "models", "signals"):
        (folder / f"{name}.py").write_text("MINE = True\n", encoding="utf-8")
    for name, text in (("rental.md", _DOCUMENT), ("answer.md", _ANSWER), ("check.py", _SCRIPT)):
        (folder / name).write_text(text, encoding="utf-8")
    command = python.with_name("verifier")
    scripted = _run(folder, python, "check.py")
    ingested = _run(folder, command, "ingest", "rental.md", "--kb", "kb")
    verified = _run(folder, python, "-m", "verifier", "verify", "answer.md", "--kb", "kb", "--json")
    faults = [
        f"{' '.join(map(str, done.args[1:3]))}: {done.stderr}"
        for done in (scripted, ingested)
        if done.returncode
    ]
    if not faults:
        file, verdicts = json.loads(scripted.stdout)
        if ROOT in Path(file).parents or verdicts != _EXPECTED:
            faults.append(f"verify() of {file} says {verdicts}")
    if verified.returncode != 1 or _verdicts(verified.stdout) != _EXPECTED:
        faults.append(f"verifier verify: exit {verified.returncode}: {verified.stderr or verified.stdout}")
    return faults


def _verdicts(report: str) -> list[str] | None:
    """The verdicts of the claims of a report, ``None`` where it is none."""
    try:
        return [claim["verdict"] for claim in json.loads(report)["claims"] if claim["status"] == "checked"]
    except ValueError:
        return None


def _run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run without the settings of whoever runs this; the user's modules are found first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("VERIFIER_", "PYTHON"))}
    environ = {**kept, "PYTHONPATH": str(folder), "VERIFIER_CACHE_DIR": str(folder / ".cache")}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)


def _installed(python: str, wheel: Path, folder: Path) -> Installed:
    """Make an empty environment in ``folder``, install the wheel as anybody would, try it, and measure it."""
    subprocess.run([python, "-m", "venv", folder / "env"], check=True)
    own = folder / "env" / "bin" / "python"
    started = time.perf_counter()
    subprocess.run([own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True)
    seconds = time.perf_counter() - started
    work = folder / "work"
    work.mkdir()
    faults = smoke_faults(own, work)
    rows = json.loads(_run(folder, own, "-c", _SIZES).stdout)
    sizes = {name: Size(*row) for name, row in rows.items() if name not in _OF_THE_ENVIRONMENT}
    return Installed(_version(python) or "", seconds, sizes, faults)


def _version(python: str) -> str | None:
    """The version of a Python that runs and is recent enough, else ``None``."""
    asked = "import platform, sys; print(platform.python_version(), *sys.version_info[:3])"
    try:
        done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    except OSError:
        return None
    version, *parts = done.stdout.split() or [""]
    return version if tuple(map(int, parts)) >= LEAST else None


def _table(found: Sequence[Installed]) -> str:
    """Markdown: a row a Python, then the largest distributions of the first."""
    head = ("Python", "distributions", "MB", "MB with bytecode", "seconds of pip", "smoke test")
    lines = [_row(head), _row(["---"] * len(head))]
    for one in found:
        sizes = (f"{one.megabytes:.0f}", f"{one.whole_megabytes:.0f}", f"{one.seconds:.0f}")
        lines.append(_row((one.version, len(one.sizes), *sizes, "; ".join(one.faults) or "passed")))
    ranked = sorted(found[0].sizes.items(), key=lambda item: -item[1].whole)
    shown = [(name, size.version, size.files, size.whole) for name, size in ranked[:SHOWN]]
    rest = [size for _, size in ranked[SHOWN:]]
    shown.append((f"{len(rest)} others", "", sum(one.files for one in rest), sum(one.whole for one in rest)))
    lines += ["", _row((f"on {found[0].version}", "version", "MB", "MB with bytecode")), _row(["---"] * 4)]
    lines += [
        _row((name, version, *(f"{size / 1e6:.1f}" for size in sizes))) for name, version, *sizes in shown
    ]
    return "\n".join(lines)


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, install, try, print; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", action="append", metavar="PATH", help="a Python to install for; repeatable"
    )
    asked = parser.parse_args(arguments).python or [name for name in NAMES if shutil.which(name)]
    pythons = [python for python in asked if _version(python)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB\n", flush=True)
        for number, python in enumerate(pythons):
            place = Path(folder, str(number))
            place.mkdir()
            found.append(_installed(python, wheel, place))
            shutil.rmtree(place)
    if not found:
        print(
            f"no Python of {'.'.join(map(str, LEAST))} or later among {', '.join(asked) or 'those on the path'}"
        )
        return 1
    print(_table(found))
    return 1 if any(one.faults or one.megabytes >= LIMIT for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
