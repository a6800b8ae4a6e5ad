"""Worker processes: one that dies is started anew, and its row is tried once more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from verifier.core.errors import Cancelled, VerifierError
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.processes import Died, LineProcess, environment_with, error_of, module_command

__all__ = ["Pool", "worker_command"]

_TRIES = 2

Record = dict[str, Any]


def worker_command() -> list[str]:
    """How a worker is started; its modules are found where those of this process are."""
    return module_command("verifier.interfaces.batch.worker")


class _Worker:
    """One process, started by the first row."""

    def __init__(self, command: Sequence[str], setup: str, environment: Mapping[str, str]) -> None:
        self._command, self._setup, self._environment = command, setup, environment
        self._process: LineProcess | None = None
        self.started = False
        """Whether it was ready for its first row, the last time."""

    def ask(self, line: str) -> Record:
        """Its answer.

        Raises:
            Died: it has ended before.
            VerifierError: what it says no other row would fare better with.
        """
        process = self._process or self._start()
        return self._exchange(process, line)

    def _start(self) -> LineProcess:
        self.started = False
        self._process = process = LineProcess(self._command, self._environment)
        self._exchange(process, self._setup)
        self.started = True
        return process

    def _exchange(self, process: LineProcess, line: str) -> Record:
        try:
            process.tell(line)
            answer = process.hear()
        except Died:
            self._process = None
            raise
        record: Record = json.loads(answer)
        if "stop" in record:
            raise error_of(**record["stop"])
        return record

    def kill(self) -> None:
        """End it now; who waits for its answer gets ``Died``."""
        if (process := self._process) is not None:
            process.kill()

    def end(self) -> None:
        """Free what is left of it."""
        if (process := self._process) is not None:
            process.end()


class Pool:
    """Some workers, each of which checks a row at a time.

    Args:
        settings: the configuration, as JSON values.
        workers: processes.
        threads: that each of them may use.
        has_base: whether there is a knowledge base.
        box: where the replies of a chat model are; ``None`` where it is asked directly.
        command: how a worker is started.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        *,
        workers: int,
        threads: int,
        has_base: bool,
        box: Path | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        setup = json.dumps({"settings": settings, "has_base": has_base, "box": box and str(box)})
        environment = environment_with(threads)
        self._all = [_Worker(command or worker_command(), setup, environment) for _ in range(workers)]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="batch")
        self._closed = False

    def submit(self, row: Row) -> Future[Record]:
        """The record of a row, when a worker has made it.

        Its result raises ``VerifierError`` where no other row would fare better.
        """
        return self._threads.submit(self._record, row)

    def _record(self, row: Row) -> Record:
        worker = self._free.get()
        try:
            return self._asked(worker, json.dumps(asdict(row), default=str))
        finally:
            self._free.put(worker)

    def _asked(self, worker: _Worker, line: str) -> Record:
        said = ""
        for _ in range(_TRIES):
            if self._closed:
                raise Cancelled
            try:
                return worker.ask(line)
            except Died as died:
                said = f"its worker {died}"
        if not worker.started:
            raise VerifierError(f"no worker can be started: {said}")
        return {"error": {"kind": "worker", "message": f"{said}, twice"}}

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        if kind is not None:
            for worker in self._all:
                worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._all:
            worker.end()
