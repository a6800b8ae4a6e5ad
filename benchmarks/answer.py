"""Time the verification of a whole answer of eight sentences, stage by stage.

``python -m benchmarks.answer [--passages 10000] [--rounds 12]``, with ``VERIFIER_DATA`` set.

The passages and sentences are those of the retrieval set ``fm2_dev``, topped up with its neighbours where more are
asked for. Every round checks an answer that was not seen before, with everything loaded: nothing is served from the
cache of pairs. The configuration is the default one, and garbage is looked for as seldom as the command line and the
server do (``--collect-often``: as often as Python does by itself). The rule signals are then timed alone on one
thread, for a pair of claim and window: when both are read for the first time, and when both were read before.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from verifier_signals.types import TextPair

from training.data import read_rows
from verifier.config import load
from verifier.core.garbage import collect_rarely
from verifier.factory import build_scorer, open_store
from verifier.types import Document

SENTENCES = 8
CORPORA = ("fm2_dev", "wice_dev")
RULES = ("traceability", "number", "entity", "negation")


class Stopwatch:
    """Adds up the time spent in one method of an object, by wrapping it there; ``seen`` takes what it was given."""

    def __init__(
        self, spent: dict[str, float], stage: str, owner: Any, method: str, seen: list[Any] | None = None
    ) -> None:
        self._spent, self._stage, self._seen = spent, stage, seen
        self._call = getattr(owner, method)
        setattr(owner, method, self)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the method."""
        if self._seen is not None:
            self._seen.append(args[0])
        began = time.perf_counter()
        try:
            return self._call(*args, **options)
        finally:
            self._spent[self._stage] += time.perf_counter() - began


def documents(folder: Path, count: int) -> list[Document]:
    """So many passages, each a document of its own."""
    rows = (row for name in CORPORA for row in read_rows(folder / name / "corpus.jsonl.xz"))
    return [
        Document(source=row["_id"], uri=row["_id"], text=row["text"], title=row.get("title") or "")
        for row in islice(rows, count)
    ]


def answers(folder: Path, rounds: int) -> list[str]:
    """Answers of eight claims each, no claim twice."""
    claims = [row["text"].rstrip(". ") + "." for row in read_rows(folder / CORPORA[0] / "queries.jsonl.xz")]
    return [" ".join(claims[at * SENTENCES : (at + 1) * SENTENCES]) for at in range(rounds)]


def measure(folder: Path, passages: int, rounds: int) -> tuple[list[float], dict[str, float]]:
    """Seconds of each answer, and the mean seconds of each stage."""
    spent: dict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as scratch:
        settings = load(overrides={"kb.path": scratch}).settings
        with open_store(settings, create=True) as store:
            store.ingest(documents(folder, passages))
            scorer = build_scorer(settings, store)
            texts = answers(folder, rounds + 2)
            for text in texts[:2]:
                scorer.verify(text)
            Stopwatch(spent, "retrieval", store, "retrieve")
            Stopwatch(spent, "rarity of words", store, "term_document_frequency")
            for name, signal in scorer.signals.items():
                Stopwatch(spent, f"signal {name}", signal, "score")
            times = []
            for text in texts[2:]:
                began = time.perf_counter()
                scorer.verify(text)
                times.append(time.perf_counter() - began)
    return times, {stage: total / rounds for stage, total in spent.items()}


def rules_alone(folder: Path, passages: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Mean seconds a pair of each rule signal, no model beside them: at first sight, and both texts read before.

    The answers are others than those of ``measure``, so that nothing of them was read before.
    """
    asked: dict[str, list[Sequence[TextPair]]] = {name: [] for name in RULES}
    first: dict[str, float] = defaultdict(float)
    again: dict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as scratch:
        settings = load(overrides={"kb.path": scratch, "signals.nli": False}).settings
        with open_store(settings, create=True) as store:
            store.ingest(documents(folder, passages))
            scorer = build_scorer(settings, store)
            texts = answers(folder, 2 * rounds + 4)[rounds + 2 :]
            for text in texts[:2]:
                scorer.verify(text)
            score = {name: scorer.signals[name].score for name in RULES}
            for name in RULES:
                Stopwatch(first, name, scorer.signals[name], "score", asked[name])
            for text in texts[2:]:
                scorer.verify(text)
            for name in RULES:
                began = time.perf_counter()
                for pairs in asked[name]:
                    score[name](pairs)
                again[name] = time.perf_counter() - began
    counts = {name: sum(map(len, calls)) for name, calls in asked.items()}
    return {name: (first[name] / counts[name], again[name] / counts[name]) for name in RULES}


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answer", description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument(
        "--collect-often", action="store_true", help="look for garbage as often as Python does by itself"
    )
    arguments = parser.parse_args(given)
    if not arguments.collect_often:
        collect_rarely()
    data = os.environ.get("VERIFIER_DATA")
    if not data:
        sys.exit("set VERIFIER_DATA to the data folder")
    times, stages = measure(Path(data) / "retrieval", arguments.passages, arguments.rounds)
    table = Table("stage", "ms an answer", title=f"{SENTENCES} sentences, {arguments.passages:,} passages")
    for stage, seconds in sorted(stages.items(), key=lambda item: -item[1]):
        table.add_row(stage, f"{1000 * seconds:.1f}")
    table.add_row("the rest", f"{1000 * (statistics.fmean(times) - sum(stages.values())):.1f}")
    table.add_section()
    table.add_row("whole, median", f"{1000 * statistics.median(times):.1f}")
    table.add_row("whole, slowest", f"{1000 * max(times):.1f}")
    Console().print(table)
    rules = rules_alone(Path(data) / "retrieval", arguments.passages, arguments.rounds)
    table = Table(
        "rule signal", "ms a pair", "both texts read before", title="Rule signals alone, one thread"
    )
    for name, (first, again) in rules.items():
        table.add_row(name, f"{1000 * first:.2f}", f"{1000 * again:.2f}")
    table.add_section()
    table.add_row("together", *(f"{1000 * sum(column):.2f}" for column in zip(*rules.values(), strict=True)))
    Console().print(table)


if __name__ == "__main__":
    main()
