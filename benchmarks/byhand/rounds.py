"""Run the systems side by side: each answer goes to all of them in turn, with times and verdicts recorded."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.byhand.answers import LabelledAnswer
from benchmarks.byhand.quality import Said, said_of
from benchmarks.byhand.worker import WARM

__all__ = ["Process", "Taken", "alternated"]


@dataclass
class Taken:
    """What one system took, over all rounds: seconds of each answer, and of each start; MiB at most; its verdicts."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    """From the start of the process to the first verdict, without the documents."""
    documents: list[float] = field(default_factory=list)
    """To take the documents in."""
    peak_mib: float = 0.0
    said: list[Said] = field(default_factory=list)
    """Of the first round."""


class Process:
    """A running :mod:`benchmarks.byhand.worker`."""

    def __init__(self, system: str, cross_encoder: Path, spaces: Sequence[str]) -> None:
        command = [sys.executable, "-m", "benchmarks.byhand.worker", system, str(cross_encoder), *spaces]
        self._system, began = system, time.perf_counter()
        self._running = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.documents: float = self._told()["documents_s"]
        self.cold = time.perf_counter() - began - self.documents

    def check(self, namespace: str, answer: str) -> dict[str, Any]:
        """``wall`` and ``cpu`` seconds of one answer, and what was ``read`` in it."""
        self._write(json.dumps({"namespace": namespace, "answer": answer}) + "\n")
        return self._told()

    def finish(self) -> float:
        """End the process; its peak memory in MiB."""
        assert self._running.stdin
        self._running.stdin.close()
        return float(self._told()["peak_mib"])

    def _write(self, line: str) -> None:
        assert self._running.stdin
        self._running.stdin.write(line)
        self._running.stdin.flush()

    def _told(self) -> dict[str, Any]:
        assert self._running.stdout
        line = self._running.stdout.readline()
        if not line:
            raise RuntimeError(
                f"{self._system} ended with code {self._running.wait()}: run python -m "
                f"{' '.join(map(str, self._running.args[2:]))} to see why"  # type: ignore[index]
            )
        return dict(json.loads(line))

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for pipe in (self._running.stdin, self._running.stdout):
            if pipe:
                pipe.close()
        self._running.wait()


def alternated(
    systems: Mapping[str, Path], spaces: Sequence[str], answers: Sequence[LabelledAnswer], rounds: int
) -> dict[str, Taken]:
    """What each system took; ``systems`` names its cross-encoder.

    Processes are new in each round, so that no answer was ever seen by them. They start one after the other; each
    answer then goes to all of them, one at a time, to another one first each time.
    """
    taken = {system: Taken() for system in systems}
    for number in range(rounds):
        with ExitStack() as stack:
            running = {}
            for system, folder in systems.items():
                running[system] = stack.enter_context(Process(system, folder, spaces))
                taken[system].cold.append(running[system].cold)
                taken[system].documents.append(running[system].documents)
            for process in running.values():
                for space in spaces:
                    process.check(space, WARM)
            _round(running, answers, taken, keep=number == 0)
            for system, process in running.items():
                taken[system].peak_mib = max(taken[system].peak_mib, process.finish())
    return taken


def _round(
    running: Mapping[str, Process],
    answers: Sequence[LabelledAnswer],
    taken: Mapping[str, Taken],
    *,
    keep: bool,
) -> None:
    names = list(running)
    for turn, answer in enumerate(answers):
        first = turn % len(names)
        for system in names[first:] + names[:first]:
            told = running[system].check(answer.namespace, answer.answer)
            taken[system].wall.append(told["wall"])
            taken[system].cpu.append(told["cpu"])
            if keep:
                taken[system].said += said_of(answer.claims, told["read"])
