"""Write records to a file, each whole or not there, after reading back what an earlier run has written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from verifier.core.alone import alone_with
from verifier.core.errors import ConfigError

__all__ = ["Output", "is_of_batch", "opened_output"]


def is_of_batch(path: Path) -> bool:
    """Whether a file is named as the records of a batch are."""
    return path.suffix.lower() in (".jsonl", ".ndjson")


class Output:
    """The file that records are appended to.

    Args:
        file: open for reading and writing, unbuffered.
        path: for messages.
    """

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self._path = file, path
        self._whole = 0
        self._last = 0

    def kept(self) -> Iterator[dict[str, Any]]:
        """The records that are there, in order. A line that was cut short at the end is taken away.

        Raises:
            ConfigError: a line is no record.
        """
        self._file.seek(0)
        with open(self._path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    break
                yield self._record(number, line)
                self._last, self._whole = self._whole, self._whole + len(line)
        self._cut(self._whole)

    def forget_last(self) -> None:
        """Take the last of the records away that :meth:`kept` gave."""
        self._cut(self._last)

    def _cut(self, size: int) -> None:
        self._whole = size
        self._file.truncate(size)
        self._file.seek(size)

    def _record(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            record = json.loads(line)
            if record["row"] == number and isinstance(record["digest"], str):
                return dict(record)
        except (ValueError, KeyError, TypeError):
            pass
        raise ConfigError(f"line {number} of {self._path} was not written by a batch: choose another output")

    def append(self, record: dict[str, Any]) -> None:
        """Write a record.

        Raises:
            ConfigError: the disk does not take it; what was written before stays whole.
        """
        line = (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._whole)
            raise ConfigError(
                f"cannot write {self._path}: {error.strerror or error}; make room, and go on with --resume"
            ) from error
        self._whole += len(line)


@contextmanager
def opened_output(path: Path, *, resume: bool) -> Iterator[Output]:
    """The output, which no other run writes to meanwhile.

    Raises:
        ConfigError: it exists and is not to be resumed, another run writes to it, or it cannot be written.
    """
    if path.exists() and not (resume and path.is_file()):
        raise ConfigError(f"{path} exists: go on with it by --resume, or choose another output")
    lock = path.with_name(f".{path.name}.lock")
    with alone_with(lock, lambda: _refuse(path)):
        try:
            with _opened(path) as file:
                yield Output(file, path)
        finally:
            with suppress(OSError):
                lock.unlink()


def _opened(path: Path) -> IO[bytes]:
    try:
        return open(path, "r+b" if path.exists() else "x+b", buffering=0)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error


def _refuse(path: Path) -> NoReturn:
    raise ConfigError(f"another run is writing {path}")
