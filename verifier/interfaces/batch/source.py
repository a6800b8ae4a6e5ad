"""Name where the rows of a batch come from; they are read from the start each time, and are the same each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier.interfaces.batch.columns import Columns
from verifier.interfaces.batch.datasets import shards_of
from verifier.interfaces.batch.inputs import Unread, raw_rows
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

    def ensure_usable(self, *, has_base: bool) -> None:
        """See that some row has a response, each column that was named, and contexts where there is no knowledge base.

        The first rows tell, as a rule; where none of them does, all are read.

        Raises:
            ConfigError: not one row has it, so that no row could be checked, or not against what was meant.
        """
        wanted = self._wanted(has_base)
        if self._is_documents() and len(wanted) == 1:
            return
        first = ""
        readable = (raw for raw in raw_rows(self.path, split=self.split) if not isinstance(raw, Unread))
        for raw in islice(readable, 1 if self._is_documents() else None):
            found, reason = self.columns.fields(raw)
            first = first or reason
            wanted = [(names, why) for names, why in wanted if found.keys().isdisjoint(names)]
            if not wanted:
                return
        if first := wanted[0][1] or first:
            raise ConfigError(f"{self.path}: {first}")

    def _wanted(self, has_base: bool) -> list[tuple[tuple[str, ...], str]]:
        """Fields of which some row must have one, and what is said where none has; of a response, its row says it."""
        named = [
            ((name,), f"no row has a column {column!r}")
            for name, column in self.columns.named.items()
            if column and name != "response"
        ]
        given = (
            "no row brings contexts, and there is no knowledge base: name it with --kb, or the column with "
            "--columns contexts=NAME"
        )
        return [(("response",), ""), *named, *([] if has_base else [(("contexts", "source"), given)])]

    def _is_documents(self) -> bool:
        return self.path.is_dir() and shards_of(self.path, self.split) is None

    def count(self) -> int:
        """How many rows there are, good and bad; reads all of a file, and counts the files of a folder."""
        if self._is_documents():
            return sum(not found.ignored for found in discover([self.path]))
        return sum(1 for _ in raw_rows(self.path, split=self.split))
