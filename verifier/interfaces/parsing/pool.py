"""Files -> documents cut into passages, by several processes, in the order of the files and within bounds of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from threading import Lock, Thread
from types import TracebackType
from typing import Any

from verifier.core.errors import Cancelled, VerifierError
from verifier.interfaces.parsing.messages import READ, file_line, items_of, lines_of
from verifier.interfaces.parsing.waiting import Reading, Waiting
from verifier.interfaces.processes import Died, LineProcess, environment_with, module_command
from verifier.knowledge.cutting import CutDocument
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.records import FailedSource, Progress

__all__ = ["FileReaders"]


class FileReaders:
    """Processes that read files and cut documents, each a file at a time, ahead of whoever stores them.

    One that dies fails the file that it was reading, and is started anew for the next. Of what is read ahead, 32
    million characters are held, whatever the files are.

    Args:
        files: as ``discover`` finds them.
        options: how they are read.
        chunking: how documents are cut: the options of the store.
        processes: how many.
        known: the content hash of what is stored under the uri of a file, if anything is; it is not cut again.
        command: how a process is started.
    """

    def __init__(
        self,
        files: Sequence[SourceFile],
        options: ReadOptions,
        chunking: Mapping[str, Any],
        *,
        processes: int,
        known: Callable[[str], str | None] = lambda _: None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._total = len(files)
        self._waiting = Waiting(files)
        self._setup = json.dumps({"options": asdict(options), "chunking": dict(chunking)})
        self._known = known
        self._command = command or module_command("verifier.interfaces.parsing.worker")
        self._alive: list[LineProcess] = []
        self._starting = Lock()
        self._threads = [Thread(target=self._work, name=f"files-{n}", daemon=True) for n in range(processes)]

    def documents(
        self, told: Callable[[str], None], progress: Progress | None = None
    ) -> Iterator[CutDocument | FailedSource]:
        """The documents of the files, and what could not be read of them, in the order of the files.

        Args:
            told: given what a person should know of a file, in a line, when its turn comes.
            progress: told how many files are done with, stage ``files read``.

        Raises:
            VerifierError: no other file would fare better.
        """
        for done, lines in enumerate(self._waiting.lines()):
            if progress is not None:
                progress("files read", done, self._total)
            yield from items_of(lines, told)
        if progress is not None:
            progress("files read", self._total, self._total)

    def __enter__(self) -> FileReaders:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._starting:
            self._waiting.stop(Cancelled())
            for process in self._alive:
                process.kill()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        """Read files until there is none left."""
        process: LineProcess | None = None
        try:
            while (reading := self._waiting.begin()) is not None:
                process = self._read(reading, process or self._started())
                self._waiting.end(reading)
        except Exception as error:  # noqa: BLE001 - it is raised where the documents are taken
            self._waiting.stop(error)
        finally:
            if process is not None:
                process.end()

    def _started(self) -> LineProcess:
        with self._starting:
            if self._waiting.stopped:
                raise Cancelled
            process = LineProcess(self._command, environment_with(1))
            self._alive.append(process)
        try:
            process.tell(self._setup)
            process.hear()
        except Died as died:
            raise VerifierError(f"no process that reads files can be started: it {died}") from None
        return process

    def _read(self, reading: Reading, process: LineProcess) -> LineProcess | None:
        """Have a file read. Returns the process, if it is still there."""
        try:
            process.tell(file_line(reading.file, self._known(reading.file.uri)))
            while (line := process.hear()) != READ:
                self._waiting.put(reading, line)
        except Died as died:
            self._alive.remove(process)
            reason = f"the process that read it {died}"
            for line in lines_of(FailedSource(reading.file.source, reading.file.uri, reason)):
                self._waiting.put(reading, line)
            return None
        return process
