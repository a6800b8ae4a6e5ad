"""A board in shared memory: what each worker does, and whether all of them together can take more."""

from __future__ import annotations

import fcntl
import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

__all__ = ["LINES", "Board", "Place", "WorkerState"]

LINES = ("checks", "tasks", "large", "asks", "writes", "uploads")
"""Of work, as the engine names them."""

_STATE, _FULL, _STREAMS, _COUNTS = 0, 1, 2, 3
_FIELDS = _COUNTS + 2 * len(LINES)
_RESTARTS = 0
_HEADER = 1
_WORD = 8


class WorkerState(IntEnum):
    """What a worker is at, in the order in which the best one speaks for all."""

    GONE = 0
    LOADING = 1
    """Models and index are not loaded yet."""
    UNREADABLE = 2
    """The knowledge base cannot be read."""
    DRAINING = 3
    """It is about to stop."""
    READY = 4


class Board:
    """One page of whole numbers, a place for each worker. What a worker writes, all others see at once.

    Args:
        workers: places.
        file: descriptor of the memory, inherited from the process that made it; a new one by default.
    """

    def __init__(self, workers: int, file: int | None = None) -> None:
        self.workers = workers
        size = _WORD * (_HEADER + workers * _FIELDS)
        self.file = _memory(size) if file is None else file
        self._numbers = memoryview(mmap.mmap(self.file, size)).cast("q")

    def place(self, number: int) -> Place:
        """The place of one worker."""
        return Place(self, number)

    @property
    def restarts(self) -> int:
        """Workers that were started anew."""
        return self._numbers[_RESTARTS]

    def count_restart(self) -> None:
        """One more."""
        self._numbers[_RESTARTS] += 1

    def states(self) -> list[WorkerState]:
        """Of every worker."""
        return [WorkerState(self.read(n, _STATE)) for n in range(self.workers)]

    def readiness(self) -> str:
        """``ready`` where any worker can take a request; else what keeps the best one from it."""
        states = self.states()
        best = max(states)
        if best is not WorkerState.READY:
            return "loading" if best is WorkerState.GONE else best.name.lower()
        ready = [n for n, state in enumerate(states) if state is best]
        return "full" if all(self.read(n, _FULL) for n in ready) else "ready"

    def streams(self) -> int:
        """Streams under way, of all workers."""
        return sum(self.read(n, _STREAMS) for n in range(self.workers))

    def counts(self, line: str) -> tuple[int, int]:
        """What waits and what runs in a line, of all workers."""
        at = _COUNTS + 2 * LINES.index(line)
        every = range(self.workers)
        return sum(self.read(n, at) for n in every), sum(self.read(n, at + 1) for n in every)

    def read(self, worker: int, field: int) -> int:
        """A number of a worker."""
        return self._numbers[_HEADER + worker * _FIELDS + field]

    def write(self, worker: int, field: int, value: int) -> None:
        """Put a number of a worker."""
        self._numbers[_HEADER + worker * _FIELDS + field] = value

    @contextmanager
    def alone(self) -> Iterator[None]:
        """In the block no other process is in one; of one process, only one thread may ask."""
        fcntl.lockf(self.file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self.file, fcntl.LOCK_UN)


class Place:
    """What one worker writes, and nobody else.

    Args:
        board: where.
        number: of the worker, from 0.
    """

    def __init__(self, board: Board, number: int) -> None:
        self.board, self.number = board, number

    @property
    def state(self) -> WorkerState:
        """What the worker is at."""
        return WorkerState(self.board.read(self.number, _STATE))

    @state.setter
    def state(self, state: WorkerState) -> None:
        self.board.write(self.number, _STATE, state)

    def clear(self) -> None:
        """Forget a worker that is gone."""
        for field in range(_FIELDS):
            self.board.write(self.number, field, 0)

    def tell(self, *, full: bool, counts: dict[str, tuple[int, int]]) -> None:
        """Whether it is full, and what waits and runs in each line."""
        self.board.write(self.number, _FULL, full)
        for name, (waiting, running) in counts.items():
            at = _COUNTS + 2 * LINES.index(name)
            self.board.write(self.number, at, waiting)
            self.board.write(self.number, at + 1, running)

    @contextmanager
    def stream(self, most: int) -> Iterator[bool]:
        """Counts a stream while the block lasts; ``False`` where all workers together have as many as there may be."""
        with self.board.alone():
            room = self.board.streams() < most
            self._streams(int(room))
        try:
            yield room
        finally:
            self._streams(-int(room))

    def _streams(self, more: int) -> None:
        self.board.write(self.number, _STREAMS, self.board.read(self.number, _STREAMS) + more)


def _memory(size: int) -> int:
    """The descriptor of so much memory, which has no name; filled with zeros."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("verifier-serve")
    else:
        with tempfile.TemporaryFile() as unnamed:
            file = os.dup(unnamed.fileno())
    os.ftruncate(file, size)
    return file
