"""Mutation tests: change the code of verdicts and decisions in one place at a time, and see whether tests notice.

python -m benchmarks.trust.mutation                       verdict, report and gate; needs mutmut (``make mutation``)
python -m benchmarks.trust.mutation --module report       one of them

mutmut makes the changes (comparisons, boolean operators, constants, arguments, returned values, texts of messages) and
runs the tests of the module over each, in a copy under ``build/mutation``. Survivors are listed with their change. Ends
with ``mutation: K of N mutants caught (x %)``, and with exit code 1 below ``--least``.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.core.errors import MissingExtra

__all__ = ["MODULES", "Mutant", "changed_lines", "main", "mutants"]

ROOT = Path(__file__).parents[2]
MODULES: Mapping[str, tuple[str, Sequence[str]]] = {
    "report": (
        "verifier/verification/report.py",
        ("tests/unit/test_report.py", "tests/unit/test_reasoning.py", "tests/unit/test_reader_verdicts.py"),
    ),
    "gate": ("verifier/guard/gate/gate.py", ("tests/unit/test_gate.py", "tests/unit/test_gate_bounds.py")),
    "verdict": (
        "verifier/verification/decision/verdict.py",
        (
            "tests/unit/test_verdict.py",
            "tests/unit/test_verdict_rules.py",
            "tests/unit/test_reader_verdicts.py",
        ),
    ),
}
"""By name: the module, and the tests that are to notice."""
LEAST = 95.0
"""Per cent that must be caught. What is left are mostly words of messages."""

_COPIED = ("verifier", "signals", "backends", "tests", "corpora", "pyproject.toml")
_CAUGHT = frozenset({"killed", "timeout", "segfault", "caught by type check"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: its name, and what became of it in mutmut's words."""

    name: str
    state: str

    @property
    def caught(self) -> bool:
        """Whether a test noticed."""
        return self.state in _CAUGHT


def mutants(module: str) -> Iterator[tuple[Mutant, str]]:
    """Every mutant of a module, and the lines that a survivor changes."""
    scratch = _prepared(module)
    _mutmut(scratch, "run", "--max-children", "2")
    told = _mutmut(scratch, "results", "--all", "true")
    for name, state in re.findall(r"^\s+([\w.ǁ]+__mutmut_\d+): (.+)$", told, re.MULTILINE):
        mutant = Mutant(name, state.strip())
        yield mutant, "" if mutant.caught else changed_lines(_mutmut(scratch, "show", name))


def _prepared(module: str) -> Path:
    """A copy of what the tests need, configured for the module."""
    path, tests = MODULES[module]
    scratch = ROOT / "build" / "mutation" / module
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, scratch / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, scratch / name)
    settings = [
        "[tool.mutmut]",
        f'source_paths = ["{path}"]',
        f'only_mutate = ["{path}"]',
        f"pytest_add_cli_args_test_selection = {list(tests)!r}",
        f"also_copy = {list(_COPIED)!r}",
    ]
    with (scratch / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(settings) + "\n")
    return scratch


def _mutmut(folder: Path, *arguments: str) -> str:
    """What mutmut prints there, without its progress."""
    if importlib.util.find_spec("mutmut") is None:
        raise MissingExtra("mutmut", "dev")
    bare = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTEST_ADDOPTS"}}
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=folder,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"mutmut {arguments[0]} failed: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def changed_lines(shown: str) -> str:
    """The lines of a difference that differ, on one line.

    >>> changed_lines("--- a.py\\n+++ a.py\\n@@ -1 +1 @@\\n-    return a < b\\n+    return a <= b\\n")
    '- return a < b + return a <= b'
    """
    lines = [line for line in shown.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    return " ".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, tell; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--module", choices=sorted(MODULES), action="append", help="repeatable; all by default"
    )
    parser.add_argument("--least", type=float, default=LEAST, help="per cent that must be caught")
    given = parser.parse_args(arguments)
    caught = all_ = 0
    for module in given.module or MODULES:
        found = list(mutants(module))
        own = sum(mutant.caught for mutant, _ in found)
        caught, all_ = caught + own, all_ + len(found)
        for mutant, change in found:
            if not mutant.caught:
                print(f"  {mutant.name.rpartition('.')[2]} ({mutant.state}): {change}")
        print(f"{module}: {own} of {len(found)} caught", flush=True)
    share = 100 * caught / all_ if all_ else 0.0
    print(f"mutation: {caught} of {all_} mutants caught ({share:.1f} %)")
    return 1 if share < given.least else 0


if __name__ == "__main__":
    sys.exit(main())
