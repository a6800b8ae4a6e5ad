"""Options -> how processor time, memory and disk of the whole verification grow with claims, passages and length.

``python -m benchmarks.fleet.growth SETTINGS`` is the process that verifies: it opens a knowledge base and reads answers
as JSON from standard input; a process never sees an answer twice. Times are those of the processor, over all threads,
with everything loaded before by other texts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks import answer
from benchmarks.byhand.worker import WARM
from benchmarks.fleet.fits import Fit, line, power
from benchmarks.fleet.rows import Options, Row, not_run
from benchmarks.memory import peak_mib
from benchmarks.passages import passages_and_queries
from benchmarks.server import responses
from training.data import read_rows
from verifier.config import load
from verifier.core.garbage import collect_rarely
from verifier.factory import build_scorer, open_store
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

__all__ = [
    "CLAIMS",
    "DISK",
    "INGEST",
    "MEMORY",
    "OF_AN_ANSWER",
    "PASSAGES",
    "PER_CLAIM",
    "WITHOUT_CLAIMS",
    "Verified",
    "default_base",
    "ingested",
    "rows",
    "sentences",
    "verified",
]

SENTENCES = (1, 2, 4, 8, 15, 30, 60, 120)
"""Of the answers whose claims grow."""
BASES = (1_000, 3_000, 10_000, 30_000, 100_000)
LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
"""Characters of answers of :data:`OF_AN_ANSWER` claims, filled up with questions, which claim nothing."""
OF_AN_ANSWER, ROUNDS = 8, 3
OF_A_BASE = 6
"""Answers verified against each knowledge base as it grows, the same ones."""
_WARM = 8
"""Answers of corpora/streams that are verified before anything is timed."""
LARGEST_BY_MINILM = 8_000
"""Passages behind the answers whose claims or length grow: no more, since an encoder takes a minute for these."""

WITHOUT_CLAIMS = "processor time of an answer, beside its claims"
PER_CLAIM = "processor time of a claim"
PASSAGES = "processor time of a claim, for each 100,000 passages"
CLAIMS = "processor time of an answer, by claims"
MEMORY, DISK = "memory of a passage", "disk of a passage"
INGEST = "processor time of ingest, a passage"

_QUESTIONS = ("Would you like to hear more about this?", "Shall I look up another source for you?")


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying one answer took."""

    claims: int
    characters: int
    cpu_s: float


def verified(settings: dict[str, Any], answers: Sequence[str]) -> tuple[list[Verified], float]:
    """What each answer took in a new process over a knowledge base, and the peak memory of that process in MiB."""
    command = [sys.executable, "-m", "benchmarks.fleet.growth", json.dumps(settings)]
    given = json.dumps({"warm": [WARM, *responses()[:_WARM]], "answers": answers})
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    return [Verified(**one) for one in told["answers"]], told["peak_MiB"]


def rows(options: Options) -> Iterator[Row]:
    """The points, and the slopes through them."""
    if options.data is None:
        yield not_run("growth", "ours", "needs the evaluation data (--data or VERIFIER_DATA)")
        return
    folder, count = options.data / "retrieval", min(options.passages, LARGEST_BY_MINILM)
    with default_base(folder, count) as (base, spent):
        settings = {"kb.path": str(base)}
        conditions = f"{count:,} passages, default configuration (hybrid, minilm, all signals)"
        yield Row(INGEST, "ours, minilm", 1000 * spent / count, "ms", conditions)
        left = sentences(folder)
        yield from by_claims(settings, left, options.claims, conditions)
        yield from by_length(settings, left, conditions)
    yield from by_passages(options.data, options.passages)


def by_claims(settings: dict[str, Any], left: Iterator[str], most: int, conditions: str) -> Iterator[Row]:
    """Answers of more and more sentences, no sentence twice."""
    counts = [count for count in SENTENCES if count <= max(2, most)]
    answers = [" ".join(islice(left, count)) for _ in range(ROUNDS) for count in counts]
    found, _ = verified(settings, answers)
    points = [(float(one.claims), one.cpu_s) for one in found if one.claims]
    for at in range(len(counts)):
        alike = found[at :: len(counts)]
        claims = fmean(one.claims for one in alike)
        yield Row(CLAIMS, "ours", median(one.cpu_s for one in alike), "s", conditions, at=claims)
    yield from _slope("claims", power(points), conditions)
    straight = line(points)
    yield Row(WITHOUT_CLAIMS, "ours", 1000 * straight.intercept, "ms", conditions)
    yield Row(PER_CLAIM, "ours", 1000 * straight.slope, "ms", conditions, error=1000 * straight.error)


def by_length(settings: dict[str, Any], left: Iterator[str], conditions: str) -> Iterator[Row]:
    """Answers of as many claims, and more and more text besides."""
    answers = [_filled(list(islice(left, OF_AN_ANSWER)), length) for _ in range(ROUNDS) for length in LENGTHS]
    found, _ = verified(settings, answers)
    conditions = f"{OF_AN_ANSWER} sentences that claim something among questions; {conditions}"
    for at in range(len(LENGTHS)):
        alike = found[at :: len(LENGTHS)]
        size = fmean(one.characters for one in alike)
        what = "processor time of an answer, by characters"
        yield Row(what, "ours", median(one.cpu_s for one in alike), "s", conditions, at=size)
    points = [(float(one.characters), one.cpu_s) for one in found]
    yield from _slope("characters, as many claims", power(points), conditions)
    straight = line(points)
    what = "processor time of 1,000 characters that claim nothing"
    yield Row(what, "ours", 1e6 * straight.slope, "ms", conditions, error=1e6 * straight.error)


@dataclass(frozen=True, slots=True)
class Base:
    """A knowledge base of a size: seconds of a claim against it, peak memory of the process, and disk, in MiB."""

    passages: int
    claim: float
    memory: float
    disk: float


def by_passages(data: Path, most: int) -> Iterator[Row]:
    """A knowledge base that grows, and answers of as many claims."""
    texts, claims = passages_and_queries(data, most, OF_A_BASE * OF_AN_ANSWER)
    conditions = (
        f"the same {OF_A_BASE} answers of {OF_AN_ANSWER} sentences; hybrid, static encoder, all signals"
    )
    bases: list[Base] = []
    left, spent, before = map(_sentence, claims), 0.0, 0
    answers = [" ".join(islice(left, OF_AN_ANSWER)) for _ in range(OF_A_BASE)]
    with tempfile.TemporaryDirectory() as scratch:
        dense = {"type": "memory", "encoder": "static"}
        settings = {"kb.path": scratch, "backend.type": "hybrid", "backend.dense": dense}
        for count in [size for size in BASES if size < len(texts)] + [len(texts)]:
            documents = [Document(f"p{n}", f"p{n}", texts[n]) for n in range(before, count)]
            with open_store(load(overrides=settings).settings, create=True) as store:
                spent += ingested(store, documents)
            bases.append(_base(settings, Path(scratch), answers, count))
            yield from _points(bases[-1], conditions)
            before = count
    yield Row(INGEST, "ours, static", 1000 * spent / before, "ms", conditions)
    if len(bases) > 2:
        yield from _lines(bases, conditions)


def _base(settings: dict[str, Any], folder: Path, answers: Sequence[str], count: int) -> Base:
    found, peak = verified(settings, answers)
    seconds = sum(one.cpu_s for one in found) / max(1, sum(one.claims for one in found))
    stored = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return Base(count, seconds, peak, stored / 2**20)


def _points(base: Base, conditions: str) -> Iterator[Row]:
    for what, figure, unit in (
        ("processor time of a claim", 1000 * base.claim, "ms"),
        ("memory of a process", base.memory, "MiB"),
        ("disk", base.disk, "MiB"),
    ):
        yield Row(f"{what}, by passages", "ours", figure, unit, conditions, at=base.passages)


def _lines(bases: Sequence[Base], conditions: str) -> Iterator[Row]:
    times = [(float(base.passages), base.claim) for base in bases]
    yield from _slope("passages", power(times), conditions)
    fit = line(times)
    yield Row(PASSAGES, "ours", 1e8 * fit.slope, "ms", conditions, error=1e8 * fit.error)
    memory = line([(base.passages, base.memory) for base in bases])
    disk = line([(base.passages, base.disk) for base in bases])
    for what, fit in ((MEMORY, memory), (DISK, disk)):
        yield Row(what, "ours", 1024 * fit.slope, "KiB", conditions, error=1024 * fit.error)


def _slope(of: str, fit: Fit, conditions: str) -> Iterator[Row]:
    """By which power of a size the time grows: 1 is in proportion, 0 not at all."""
    yield Row(f"growth with {of}", "ours", fit.slope, "power", conditions, error=fit.error, aim="at most 1")


@contextmanager
def default_base(folder: Path, count: int) -> Iterator[tuple[Path, float]]:
    """A knowledge base with so many passages of the retrieval sets, and the seconds that they took.

    It has the default configuration, and is gone at the end of the block; beside it there is room for other files.
    """
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch, "kb")
        with open_store(load(overrides={"kb.path": str(base)}).settings, create=True) as store:
            spent = ingested(store, answer.documents(folder, count))
        yield base, spent


def ingested(store: GroundTruthStore, documents: Sequence[Document]) -> float:
    """Seconds of the processor to take them in."""
    busy = time.process_time()
    store.ingest(documents)
    return time.process_time() - busy


def sentences(folder: Path) -> Iterator[str]:
    """Claims of a retrieval set of ``$VERIFIER_DATA``, each once, as sentences."""
    return (_sentence(row["text"]) for row in read_rows(folder / answer.CORPORA[0] / "queries.jsonl.xz"))


def _sentence(text: str) -> str:
    return text.rstrip(". ") + "."


def _filled(sentences: Sequence[str], length: int) -> str:
    """The sentences with questions between them, of so many characters at least."""
    spaces = max(0, length - sum(map(len, sentences))) // (len(sentences) * (len(_QUESTIONS[0]) + 1))
    filler = " ".join(_QUESTIONS[n % len(_QUESTIONS)] for n in range(spaces))
    return " ".join(f"{sentence} {filler}".strip() for sentence in sentences)


def main(settings: dict[str, Any], warm: Sequence[str], answers: Sequence[str]) -> dict[str, Any]:
    """Verify each answer after others that load everything; what each took, and the peak memory."""
    collect_rarely()
    configured = load(overrides=settings).settings
    taken = []
    with open_store(configured) as store:
        scorer = build_scorer(configured, store)
        for text in warm:
            scorer.verify(text)
        for text in answers:
            busy = time.process_time()
            report = scorer.verify(text)
            spent = time.process_time() - busy
            claims = sum(claim.verdict is not None for claim in report.claims)
            taken.append({"claims": claims, "characters": len(text), "cpu_s": spent})
    return {"answers": taken, "peak_MiB": peak_mib()}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]), **json.load(sys.stdin))))
