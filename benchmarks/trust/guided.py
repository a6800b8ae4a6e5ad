"""Fuzz one target with atheris, which chooses inputs by the code they reach, for errors that are not ours.

Run: ``python -m benchmarks.trust.guided TARGET [--seconds 60]``, with atheris installed (``pip install atheris``; Linux
and macOS). It stops at the first defect and prints it; ``benchmarks.trust.fuzz`` tries all targets without it.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import tempfile
from pathlib import Path

_INSTRUMENTED = [
    "verifier.knowledge",
    "verifier.verification.claims",
    "verifier.verification.grammar",
    "verifier.core",
]
_SEEDS = 20
_LONGEST = 4000


def main() -> None:
    """Hand one target to atheris, which ends the process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=60)
    chosen = parser.parse_args()
    try:
        atheris = importlib.import_module("atheris")
    except ModuleNotFoundError as error:
        raise SystemExit("atheris is not installed; run: pip install atheris") from error
    with atheris.instrument_imports(include=_INSTRUMENTED):
        targets = importlib.import_module("benchmarks.trust.targets").TARGETS
    if chosen.target not in targets:
        raise SystemExit(f"no target {chosen.target!r}; known: {', '.join(targets)}")
    target, source = targets[chosen.target], random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(_SEEDS):
            (Path(folder) / str(number)).write_bytes(target.make(source)[:_LONGEST])
        limits = [f"-max_total_time={chosen.seconds}", f"-max_len={_LONGEST}"]
        atheris.Setup([sys.argv[0], *limits, folder], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
