"""Run a function in a forked process of its own, so that nothing need be imported again."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

__all__ = ["Child", "answer_of", "started"]

Tell = Callable[[Any], None]
"""Sends a JSON value to the parent, at once and whole."""


class Child:
    """A process that tells its parent things, one JSON value a line."""

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid, self._pipe = pid, pipe

    def kill(self) -> None:
        """End it at once, wherever it is."""
        os.kill(self.pid, signal.SIGKILL)

    def told(self) -> list[Any]:
        """All that it told until it ended; what it broke off in the middle is left out."""
        with os.fdopen(self._pipe, "rb") as pipe:
            lines = pipe.read().split(b"\n")
        os.waitpid(self.pid, 0)
        return [json.loads(line) for line in lines[:-1]]


def started(work: Callable[[Tell], None]) -> Child:
    """Run ``work`` in a child. Only a process of one thread may fork, as this one must be."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return Child(pid, reading)
    os.close(reading)
    return _run(work, lambda value: _send(writing, value))


def answer_of(work: Callable[[], Any]) -> Any:
    """What ``work`` returns in a child: a JSON value.

    Raises:
        RuntimeError: it raised, with its traceback.
    """
    told = started(lambda tell: tell(_outcome(work))).told()
    if not told or "failed" in told[0]:
        raise RuntimeError(told[0]["failed"] if told else "the process ended without an answer")
    return told[0]["answer"]


def _outcome(work: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"answer": work()}
    except BaseException:  # noqa: BLE001 - the parent shall say what it was
        return {"failed": traceback.format_exc()}


def _send(pipe: int, value: Any) -> None:
    line = json.dumps(value).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line) :]


def _run(work: Callable[[Tell], None], tell: Tell) -> NoReturn:
    """The child's whole life. It ends without the parent's clean-up."""
    try:
        work(tell)
        sys.stderr.flush()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the parent shall say what it was
        traceback.print_exc()
        os._exit(1)
