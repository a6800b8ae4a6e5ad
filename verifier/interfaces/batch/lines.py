"""Read the lines of a text file with a bounded length; behind a longer one reading goes on."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from verifier.core.errors import ConfigError

__all__ = ["MOST", "BoundedLines", "TooLong", "opened"]

MOST = 10_000_000
"""Characters of a row."""

_OPENERS: dict[str, Callable[..., IO[str]]] = {".gz": gzip.open, ".xz": lzma.open}


class TooLong(Exception):
    """A line has more characters than a row may have."""

    def __init__(self, characters: int) -> None:
        super().__init__(f"the row has {characters:,} characters; at most {MOST:,} are read")


class BoundedLines:
    """The lines of a file; a line that is too long is passed over and raises :class:`TooLong` in its place."""

    def __init__(self, file: IO[str], most: int = MOST) -> None:
        self._file, self._most = file, most

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(self._most + 1)
        if not line:
            raise StopIteration
        if len(line) <= self._most:
            return line
        characters = len(line)
        while not line.endswith("\n") and (line := self._file.readline(self._most)):
            characters += len(line)
        raise TooLong(characters)


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A file of text in UTF-8, compressed (``.gz``, ``.xz``) or not; bytes that are none become lone surrogates.

    Raises:
        ConfigError: it cannot be opened, or read on.
    """
    opener = _OPENERS.get(path.suffix.lower(), open)
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            yield file
    except (lzma.LZMAError, zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise ConfigError(f"{path} is damaged from here on: {error}") from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
