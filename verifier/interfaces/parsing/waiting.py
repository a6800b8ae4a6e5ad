"""The lines of files that are read ahead by several threads and taken by one, in the order of the files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from threading import Condition

from verifier.knowledge.formats.base import SourceFile

__all__ = ["Reading", "Waiting"]

_CHARACTERS = 32_000_000
"""Of lines that wait to be taken. Whoever reads on waits, but for the file that is taken next."""

_FILES = 1_024
"""That may be begun before the first of them is taken: some batches of small ones."""

_LINE = 100
"""What a line takes beside its characters."""


@dataclass(eq=False)
class Reading:
    """A file that is being read or was, with the lines that nobody has taken yet."""

    file: SourceFile
    lines: deque[str] = field(default_factory=deque)
    ended: bool = False


class Waiting:
    """Files are begun in order, by any thread; their lines are put in as they come, and taken file by file.

    Args:
        files: taken one by one, as they are begun.
        characters: of lines that may wait, beside one of the file that is taken next.
    """

    def __init__(self, files: Iterable[SourceFile], characters: int = _CHARACTERS) -> None:
        self._files = iter(files)
        self._most = characters
        self._held = 0
        self._readings: deque[Reading] = deque()
        self._changed = Condition()
        self._all_begun = False
        self._problem: Exception | None = None

    @property
    def held(self) -> int:
        """Characters that wait to be taken, and what their lines take beside them."""
        return self._held

    @property
    def stopped(self) -> bool:
        """Whether nothing is taken any more."""
        return self._problem is not None

    def begin(self) -> Reading | None:
        """The next file, when there is room for more; ``None`` when there is none, or nothing is taken any more."""
        with self._changed:
            self._changed.wait_for(self._may_begin)
            file = None if self.stopped else next(self._files, None)
            if file is None:
                self._all_begun = True
            else:
                self._readings.append(Reading(file))
            self._changed.notify_all()
            return None if file is None else self._readings[-1]

    def put(self, reading: Reading, line: str) -> None:
        """Add a line of a file, when there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._may_put(reading, line))
            reading.lines.append(line)
            self._held += len(line) + _LINE
            self._changed.notify_all()

    def end(self, reading: Reading) -> None:
        """A file has no more lines."""
        with self._changed:
            reading.ended = True
            self._changed.notify_all()

    def stop(self, problem: Exception) -> None:
        """Nothing is begun or taken any more; whoever takes is told why, and nobody waits for room."""
        with self._changed:
            self._problem = self._problem or problem
            self._changed.notify_all()

    def lines(self) -> Iterator[Iterator[str]]:
        """The lines of each file, in order; those of one must all be taken before the next.

        Raises:
            Exception: what it was stopped for.
        """
        while (reading := self._first()) is not None:
            yield self._taken(reading)
            with self._changed:
                self._readings.popleft()
                self._changed.notify_all()

    def _may_begin(self) -> bool:
        return self.stopped or (len(self._readings) < _FILES and self._held < self._most)

    def _may_put(self, reading: Reading, line: str) -> bool:
        """Whether there is room, or else nothing that whoever takes could go on with."""
        next_of_all = reading is self._readings[0] and not reading.lines
        return self.stopped or next_of_all or self._held + len(line) + _LINE <= self._most

    def _first(self) -> Reading | None:
        with self._changed:
            self._changed.wait_for(lambda: self._readings or self._all_begun or self.stopped)
            self._go_on()
            return self._readings[0] if self._readings else None

    def _taken(self, reading: Reading) -> Iterator[str]:
        while (line := self._next_of(reading)) is not None:
            yield line

    def _next_of(self, reading: Reading) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: reading.lines or reading.ended or self.stopped)
            self._go_on()
            if not reading.lines:
                return None
            line = reading.lines.popleft()
            self._held -= len(line) + _LINE
            self._changed.notify_all()
            return line

    def _go_on(self) -> None:
        if self._problem is not None:
            raise self._problem
