"""The statements that a store sends to its database, whichever that is.

Statements mark their values by ``?``, or by ``:name`` and a mapping. What differs between databases is a method.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from verifier.knowledge.keyword import Fts5, Keywords

__all__ = ["Connection", "Rows", "SqliteConnection"]


class Rows(Protocol):
    """The outcome of a statement."""

    @property
    def rowcount(self) -> int:
        """Rows that it changed."""

    def fetchone(self) -> Any:
        """The next row, ``None`` where there is none."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """The rows that are left."""


class Connection(Protocol):
    """A connection in a transaction. Its methods raise what the database raises."""

    @property
    def words(self) -> Keywords:
        """The words of the passages."""

    def execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ..., /) -> Rows:
        """Do one statement."""

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Do a statement once for each row of values."""

    def insert(self, statement: str, values: Sequence[Any]) -> int:
        """Insert one row into a table with ids. Returns its id."""

    def advance(self) -> int:
        """Count the revision of the knowledge base up by one. Returns the new one."""

    def finish_copy(self, revision: int) -> None:
        """Go on from rows that were copied with their ids, at that revision."""

    def refuse_unstorable(self, *texts: str) -> None:
        """Nothing, where the database can hold these texts.

        Raises:
            ValueError: it cannot; the message says why.
        """


class SqliteConnection(sqlite3.Connection):
    """A connection to an SQLite file."""

    @property
    def words(self) -> Keywords:
        """The words of the passages, by FTS5."""
        return Fts5(self)

    def insert(self, statement: str, values: Sequence[Any]) -> int:
        """Insert one row into a table with ids. Returns its id."""
        number = self.execute(statement, values).lastrowid
        if number is None:
            raise ValueError("the statement inserted nothing")
        return number

    def advance(self) -> int:
        """Count the revision up by one. Returns the new one."""
        self.execute("UPDATE properties SET value = value + 1 WHERE name = 'revision'")
        found = self.execute("SELECT value FROM properties WHERE name = 'revision'").fetchone()
        return int(found[0]) if found is not None else 0

    def finish_copy(self, revision: int) -> None:
        """Go on at that revision; the ids go on by themselves."""
        self.execute("UPDATE properties SET value = ? WHERE name = 'revision'", (revision,))

    def refuse_unstorable(self, *texts: str) -> None:
        """SQLite holds every text that has a UTF-8 form; the others it refuses itself."""
