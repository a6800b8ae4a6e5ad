"""Name where the rows of a batch come from; they are read from the start each time, and are the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from verifier.interfaces.batch.columns import Columns
from verifier.interfaces.batch.datasets import shards_of
from verifier.interfaces.batch.inputs import raw_rows
from verifier.interfaces.batch.rows import Refused, Row, checked_rows
from verifier.knowledge.files import discover

__all__ = ["Source"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a folder of rows; it can be sent to another process, which reads the same rows there.

    Args:
        path: as :func:`raw_rows` reads it.
        split: of a data set.
        columns: under which names the fields of a row stand.
    """

    path: Path
    split: str | None = None
    columns: Columns = field(default_factory=Columns)

    def rows(
        self, ignored: Callable[[str, str], None] = lambda _name, _reason: None
    ) -> Iterator[Row | Refused]:
        """The rows, numbered from 1; ``ignored`` is told of files of a folder that are left out.

        Raises:
            ConfigError: the input cannot be used; what can be seen before the first row is told at once.
        """
        return checked_rows(raw_rows(self.path, ignored, split=self.split), self.columns)

    def count(self) -> int:
        """How many rows there are, good and bad; reads all of a file, and counts the files of a folder."""
        if self.path.is_dir() and shards_of(self.path, self.split) is None:
            return sum(not found.ignored for found in discover([self.path]))
        return sum(1 for _ in raw_rows(self.path, split=self.split))
