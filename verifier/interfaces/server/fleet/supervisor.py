"""Start the workers of a server, watch them, start a dead one anew, and end them together."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from verifier.config import Settings
from verifier.interfaces.processes import ended_how, environment_with, module_command, threads_each
from verifier.interfaces.server.fleet.board import Board, WorkerState
from verifier.interfaces.server.fleet.memory import available, ensure_room, private
from verifier.interfaces.server.fleet.sharing import of_each_worker
from verifier.interfaces.server.logs import LOG

__all__ = ["Fleet"]

_TICK = 0.1
_LONGEST_PAUSE = 30.0
_STEADY = 60.0
"""Seconds of a worker's life after which its end counts as its first."""
_KILLED_AFTER = 5.0
"""Seconds beyond those of the drain."""


@dataclass
class _Worker:
    """A place on the board, and the process that has it."""

    number: int
    process: subprocess.Popen[str] | None = None
    started: float = 0.0
    ends: int = 0
    """In a row, each soon after its start."""
    due: float = 0.0
    """When it is to be started."""

    @property
    def pause(self) -> float:
        """Seconds before it is started anew."""
        return 0.0 if self.ends < 2 else min(_LONGEST_PAUSE, 2.0 ** (self.ends - 2))


class Fleet:
    """All workers of one server.

    Args:
        settings: of the whole server; ``processes`` says how many workers there are.
        listening: a socket that takes connections; each worker inherits it.
        create: make the knowledge base where there is none.
        begun: called once, when the first worker begins to answer.
        command: how a worker is started; replaced in tests.
    """

    def __init__(
        self,
        settings: Settings,
        listening: socket.socket,
        *,
        create: bool = False,
        begun: Callable[[], None] = lambda: None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._own, self._listening, self._begun = settings.server, listening, begun
        self._command = command or module_command("verifier.interfaces.server.fleet.worker")
        self._board = Board(settings.server.processes)
        self._workers = [_Worker(number) for number in range(settings.server.processes)]
        self._setup = {
            "settings": of_each_worker(settings).whole(),
            "create": create,
            "socket": listening.fileno(),
            "board": self._board.file,
        }
        self._environment = environment_with(threads_each(settings.server.processes))
        self._signals = 0
        self._folder = ""
        """Of the files in which all workers count."""

    def run(self) -> int:
        """Serve until SIGTERM or SIGINT.

        Returns:
            The exit code: 0, or that of the first worker, which has told why it could not start.

        Raises:
            ConfigError: the other workers do not fit into memory.
        """
        with self._watched(), tempfile.TemporaryDirectory(prefix="verifier-serve-") as folder:
            self._environment["PROMETHEUS_MULTIPROC_DIR"] = self._folder = folder
            try:
                return self._served()
            finally:
                self._end()

    def _served(self) -> int:
        first = self._start(self._workers[0])
        for state in (WorkerState.LOADING, WorkerState.UNREADABLE):
            while self._board.states()[0] < state and not self._signals:
                if (code := first.poll()) is not None:
                    return code if code > 0 else 3
                time.sleep(_TICK)
            if self._signals:
                return 0
            if state is WorkerState.LOADING:
                self._begun()
        ensure_room(len(self._workers), private(first.pid), available())
        self._setup["create"] = False  # one that vanishes later is not to be made anew, and empty
        for worker in self._workers[1:]:
            self._start(worker)
        while not self._signals:
            self._look_after_all()
            time.sleep(_TICK)
        return 0

    def _look_after_all(self) -> None:
        now = time.monotonic()
        for worker in self._workers:
            if worker.process is None:
                if now >= worker.due:
                    self._board.count_restart()
                    self._start(worker)
            elif (code := worker.process.poll()) is not None:
                self._bury(worker, code, now)

    def _bury(self, worker: _Worker, code: int, now: float) -> None:
        """Note an end that nobody asked for."""
        worker.ends = 1 if now - worker.started > _STEADY else worker.ends + 1
        worker.due = now + worker.pause
        if worker.process is not None and self._board.place(worker.number).state <= WorkerState.LOADING:
            for file in Path(self._folder).glob(f"*_{worker.process.pid}.db"):
                file.unlink()  # it has answered nothing, and many that never start would fill the folder
        self._free(worker)
        LOG.error("worker_ended", extra={"detail": f"worker {worker.number} {ended_how(code)}"})

    def _free(self, worker: _Worker) -> None:
        if worker.process is not None and worker.process.stdin is not None:
            worker.process.stdin.close()
        worker.process = None
        self._board.place(worker.number).clear()

    def _start(self, worker: _Worker) -> subprocess.Popen[str]:
        worker.started = time.monotonic()
        worker.process = process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            encoding="ascii",
            env=self._environment,
            pass_fds=(self._listening.fileno(), self._board.file),
            start_new_session=True,  # Ctrl-C is for the parent, which tells them
        )
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps({**self._setup, "number": worker.number}) + "\n")
            process.stdin.flush()
        except BrokenPipeError:  # it has ended already, which is seen in a moment
            pass
        return process

    def _end(self) -> None:
        """End all workers: orderly, or at once where they do not end or a second signal comes."""
        self._listening.close()
        running = [worker.process for worker in self._workers if worker.process is not None]
        for process in running:
            process.terminate()
        own, signals = self._own, self._signals
        end = time.monotonic() + own.notice_seconds + own.drain_seconds + _KILLED_AFTER
        while any(process.poll() is None for process in running):
            if time.monotonic() > end or self._signals > max(1, signals):
                for process in running:
                    process.kill()
            time.sleep(_TICK / 2)
        for worker in self._workers:
            self._free(worker)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """In the block signals are counted, and end nothing by themselves."""

        def count(_number: int, _frame: FrameType | None) -> None:
            self._signals += 1

        with ExitStack() as after:
            for number in (signal.SIGTERM, signal.SIGINT):
                after.callback(signal.signal, number, signal.signal(number, count))
            yield
