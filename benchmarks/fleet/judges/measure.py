"""Measure checkers that ask a chat model, over the same answers and with the same server: calls, tokens, time, worth.

The server counts what each asks of it. Each checker runs in a process of its own, with the Python of its own virtual
environment under ``build/peers`` (``make peers``), and is given one answer at a time, all of them in turn; the first
answer that each is given is not counted.

The server's replies are scripted (:mod:`benchmarks.fleet.judges.script`). ``JUDGE_URL=http://127.0.0.1:8080/v1
JUDGE_MODEL=NAME`` takes those of a real model at a server of one's own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from benchmarks.fleet.judges import drivers
from benchmarks.fleet.judges.answers import Judged, judged_answers
from benchmarks.fleet.judges.counter import Counter, Counts, Pace, counting_server, passed_on, scripted
from benchmarks.fleet.judges.script import Script
from benchmarks.fleet.rows import Options, Row, not_run
from benchmarks.published import ROOT

__all__ = ["SYSTEMS", "Driver", "DriverFailed", "Outcome", "System", "Taken", "figures", "rows", "taken_by"]

PEERS = ROOT / "build" / "peers"
"""A virtual environment for each."""
PACE = Pace(prompt=20_000, completion=600)
"""Of a fast hosted model."""


@dataclass(frozen=True, slots=True)
class System:
    """A checker.

    Attributes:
        name: for the table; the version comes behind it.
        peer: its environment under ``build/peers``, ``None`` for ours.
    """

    name: str
    peer: str | None = None


SYSTEMS: Mapping[str, System] = {
    "ours-open": System("ours, chat reader for open claims"),
    "ours-all": System("ours, chat reader for every claim"),
    "ours-alone": System("ours, no chat model"),
    "ragas": System("Ragas' faithfulness", "ragas"),
    "deepeval": System("DeepEval's faithfulness", "deepeval"),
    "director": System("director-ai, judge", "director-ai"),
}
"""Each as :mod:`benchmarks.fleet.judges.drivers` calls it."""

THRESHOLDS: Mapping[str, float] = {"": 0.5, ", only at score 1": 1.0}
"""Scores from which an answer counts as let through: DeepEval's default, and nothing that has a fault."""


class DriverFailed(RuntimeError):
    """Its environment is not there, its process ended, or it said what is no answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a checker says of an answer, and what it took.

    Attributes:
        approved: its decision, where it gives one.
        score: from 0 to 1, where it gives that.
        error: what it raised in the place of both.
        wall, cpu: seconds by the clock, and of the checker's own process.
    """

    wall: float
    cpu: float
    approved: bool | None = None
    score: float | None = None
    error: str = ""

    @classmethod
    def read(cls, line: str) -> Outcome:
        """A line that a driver printed.

        Raises:
            DriverFailed: it is none.
        """
        try:
            found = cls(**json.loads(line))
        except (TypeError, ValueError) as error:
            raise DriverFailed(f"failed: it printed {line[:80]!r} in the place of an answer") from error
        if sum((found.approved is not None, found.score is not None, bool(found.error))) != 1:
            raise DriverFailed(f"failed: it gave no decision, score or error: {line[:80]!r}")
        return found

    def passes(self, threshold: float) -> bool:
        """Whether the answer is let through; one that was not judged is not."""
        return bool(self.approved) or (self.score is not None and self.score >= threshold)


class Driver:
    """A running :mod:`benchmarks.fleet.judges.drivers`.

    Args:
        python: of the environment that holds the system.
        system: its name there.
        url: of the chat server.
        log: a file for what its libraries say.

    Raises:
        DriverFailed: it does not start.
    """

    def __init__(self, python: Path, system: str, url: str, log: Path) -> None:
        self._log = log
        with log.open("w", encoding="utf-8") as told:
            self._process = subprocess.Popen(
                [str(python), drivers.__file__, system, url],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=told,
                text=True,
                encoding="utf-8",
            )
        try:
            self.version = str(json.loads(self._line())["ready"])
        except DriverFailed:
            self._end()
            raise

    def check(self, answer: Judged) -> Outcome:
        """What it says of an answer.

        Raises:
            DriverFailed: the process has ended, or says something else.
        """
        assert self._process.stdin
        fields = ("question", "answer", "title", "context")
        try:
            self._process.stdin.write(json.dumps({name: getattr(answer, name) for name in fields}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise DriverFailed(self._why()) from None
        return Outcome.read(self._line())

    def _line(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise DriverFailed(self._why())
        return line

    def _why(self) -> str:
        code = self._process.wait()
        said = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"failed: it ended with code {code}: {said[-1].strip()[:200] if said else 'it said nothing'}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


@dataclass
class Taken:
    """What a system took and said, answer by answer; or why there is nothing."""

    version: str = ""
    outcomes: list[Outcome] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    failed: str = ""


def taken_by(
    systems: Mapping[str, System],
    answers: Sequence[Judged],
    counter: Counter,
    folder: Path,
    peers: Path | None = None,
) -> dict[str, Taken]:
    """What each system took for all answers but the first, which only warms it.

    Args:
        systems: by the names of their drivers.
        answers: each goes to all systems in turn.
        counter: of the chat server.
        folder: for what their libraries say.
        peers: where the environments are; ``PEERS`` by default.
    """
    taken = {name: Taken() for name in systems}
    with ExitStack() as stack:
        running = {}
        for name, system in systems.items():
            with _kept(taken[name]):
                driver = stack.enter_context(_started(name, system, counter, folder, peers or PEERS))
                running[name], taken[name].version = driver, driver.version
        for number, answer in enumerate(answers):
            for name in [name for name in running if not taken[name].failed]:
                with _kept(taken[name]):
                    _one(running[name], answer, counter, name, taken[name] if number else Taken())
    return taken


def _started(name: str, system: System, counter: Counter, folder: Path, peers: Path) -> Driver:
    """The driver of a system.

    Raises:
        DriverFailed: it is not installed, or does not start.
    """
    python = Path(sys.executable) if system.peer is None else peers / system.peer / "bin" / "python"
    if not python.exists():
        raise DriverFailed(f"needs `make build/peers/{system.peer}`")
    return Driver(python, name, counter.url(name), folder / f"{name}.log")


@contextmanager
def _kept(taken: Taken) -> Iterator[None]:
    """Keeps the failure of a system, so that the others go on."""
    try:
        yield
    except DriverFailed as error:
        taken.failed = str(error)


def _one(driver: Driver, answer: Judged, counter: Counter, name: str, into: Taken) -> None:
    before = counter.of(name)
    into.outcomes.append(driver.check(answer))
    into.counts.append(counter.of(name) - before)


def rows(options: Options) -> Iterator[Row]:
    """Calls, tokens, time and verdicts of each system.

    Raises:
        ValueError: there are not so many answers, or ``JUDGE_URL`` is set without ``JUDGE_MODEL``.
    """
    count = options.answers
    *answers, warm = judged_answers(count + 1)
    url, model = (os.environ.get(name, "") for name in ("JUDGE_URL", "JUDGE_MODEL"))
    if bool(url) != bool(model):
        raise ValueError("JUDGE_URL and JUDGE_MODEL go together")
    answering = passed_on(url, model) if url else scripted(Script([*answers, warm]).reply, PACE)
    with counting_server(answering) as counter, tempfile.TemporaryDirectory() as folder:
        taken = taken_by(SYSTEMS, [warm, *answers], counter, Path(folder))
    server = model if url else _SCRIPTED
    conditions = f"{count} answers, {sum(answer.faithful for answer in answers)} faithful; {server}"
    for name, one in taken.items():
        yield from figures(SYSTEMS[name].name, one, [answer.faithful for answer in answers], conditions)


_SCRIPTED = (
    f"scripted chat server that is never wrong, {PACE.prompt:,.0f} tokens a second read and "
    f"{PACE.completion:,.0f} written"
)


def figures(name: str, taken: Taken, faithful: Sequence[bool], conditions: str) -> Iterator[Row]:
    """The rows of one system.

    Args:
        name: for the table.
        taken: by it; where it failed, there is one row that says why.
        faithful: of each answer, whether it is.
        conditions: for each row.
    """
    if taken.failed:
        yield not_run("calls", name, taken.failed)
        return
    system = f"{name} {taken.version}" if not name.startswith("ours") else name
    for what, unit, of in _MEASURES:
        yield Row(what, system, of(taken), unit, conditions)
    scored = any(outcome.score is not None for outcome in taken.outcomes)
    for named, threshold in list(THRESHOLDS.items())[: 2 if scored else 1]:
        for kind, wanted in (("faithful", True), ("unfaithful", False)):
            passed = [
                outcome.passes(threshold)
                for outcome, right in zip(taken.outcomes, faithful, strict=True)
                if right is wanted
            ]
            yield Row(f"{kind} answers let through{named}", system, 100 * _mean(passed), "%", conditions)
    errors = [bool(outcome.error) for outcome in taken.outcomes]
    yield Row("answers not judged", system, 100 * _mean(errors), "%", conditions)


_MEASURES: Sequence[tuple[str, str, Callable[[Taken], float]]] = (
    ("calls", "an answer", lambda taken: _mean(one.calls for one in taken.counts)),
    ("prompt tokens", "an answer", lambda taken: _mean(one.prompt for one in taken.counts)),
    ("completion tokens", "an answer", lambda taken: _mean(one.completion for one in taken.counts)),
    (
        "an answer by the clock, median",
        "s",
        lambda taken: statistics.median(one.wall for one in taken.outcomes),
    ),
    ("processor, an answer", "s", lambda taken: _mean(one.cpu for one in taken.outcomes)),
)
"""What, its unit, and how it is taken; the processor's time is the checker's own, without the server's."""


def _mean(values: Iterable[Any]) -> float:
    found = [float(value) for value in values]
    return sum(found) / len(found) if found else 0.0
