"""Kill processes at any moment and damage files: count what was lost by it, and what was not named.

    python -m benchmarks.trust.crash [--kills 1000] [--seed N] [--conditions memory,hybrid,chroma]

A process works on a knowledge base (ingest, prune, delete, reindex, gc, chosen by chance) over a backend that keeps its
index on this machine, until SIGKILL ends it at a random moment. Another one then opens it: what was reported as done
must be stored, what was being done must be stored as before or after, and each document must be what the index finds
first for a word that only it says. Then each of the conditions of ``benchmarks.trust.conditions`` is brought about.
The last line holds the figures; the exit code is 1 where anything was lost or not named. POSIX only.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.trust.conditions import CONDITIONS, problem_with
from benchmarks.trust.forks import answer_of, started
from benchmarks.trust.lives import BACKENDS, Texts, expected, live_on
from benchmarks.trust.looks import look
from verifier.core.registry import require

__all__ = ["kill_again_and_again"]

_LIVES = 15
"""Kills that a knowledge base lives through before another one is begun."""

_TIDY_EVERY = 5
_LONGEST = {"memory": 0.25, "hybrid": 0.35, "chroma": 1.2}
"""Seconds that a process lives at most, in which it does some operations."""


def kill_again_and_again(folder: Path, kills: int, random: Random) -> int:
    """How many of so many kills lost something; each is told on stderr."""
    lost = 0
    kept: dict[str, tuple[Path, Texts]] = {}
    for number in range(kills):
        kind = BACKENDS[number % len(BACKENDS)]
        age = number // len(BACKENDS)
        kb, texts = kept.get(kind, (folder, {})) if age % _LIVES else (folder / f"{kind}-{age}", {})
        try:
            wrong, texts = _one_life(kb, kind, texts, random, tidy=number % _TIDY_EVERY == 0)
        except RuntimeError as error:
            wrong = [str(error)]
        kept[kind] = (kb, texts)
        if wrong:
            lost += 1
            print(f"kill {number + 1} ({kind}, {kb}): {'; '.join(wrong)}", file=sys.stderr)
    return lost


def _one_life(kb: Path, kind: str, texts: Texts, random: Random, *, tidy: bool) -> tuple[list[str], Texts]:
    child = started(partial(live_on, kb, kind, random.getrandbits(32), texts))
    time.sleep(random.uniform(0.0, _LONGEST[kind]))
    child.kill()
    wanted = expected(texts, child.told())
    wrong, texts = answer_of(partial(look, kb, kind, wanted, tidy=tidy))
    return wrong, texts


@contextmanager
def _place() -> Iterator[Path]:
    """A folder for all that is made, temporary files included."""
    with tempfile.TemporaryDirectory(prefix="verifier-crash-", ignore_cleanup_errors=True) as name:
        before, tempfile.tempdir = tempfile.tempdir, name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = before


def main() -> None:
    """Run it, and print a line for each condition and the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--conditions", default=",".join(BACKENDS), help="backends over which they are tried")
    options = parser.parse_args()
    require("chromadb", extra="chroma")  # once for all processes
    logging.disable(logging.WARNING)  # that an index could not be saved is what a condition is about
    seed = options.seed if options.seed is not None else time.time_ns() % 2**32
    print(f"seed {seed}", flush=True)
    with _place() as folder:
        lost = kill_again_and_again(folder, options.kills, Random(seed))
        missed = {
            name: [
                f"{kind}: {problem}"
                for kind in options.conditions.split(",")
                if (problem := problem_with(condition, folder, kind))
            ]
            for name, condition in CONDITIONS.items()
        }
        left = list(folder.glob("verifier-chroma-*"))
    for name, problems in missed.items():
        print(f"{name}: {'; '.join(problems) or 'named'}")
    print(f"private folders of killed processes: {len(left)} left")
    well = sum(not problems for problems in missed.values())
    print(f"crash: {options.kills} kills, {lost} lost; {well} of {len(missed)} conditions named")
    sys.exit(1 if lost or well < len(missed) else 0)


if __name__ == "__main__":
    main()
