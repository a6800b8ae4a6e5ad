"""A connection of psycopg that takes the statements of the store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from verifier.knowledge.connection import Rows
from verifier.knowledge.keyword import Keywords
from verifier.knowledge.postgres.words import PostgresWords

__all__ = ["PostgresConnection"]

_NAMED = re.compile(r"(?<![:\w]):([a-z]\w*)")


class PostgresConnection:
    """A connection to PostgreSQL in a transaction, with the marks and methods of the store's statements."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    @property
    def words(self) -> Keywords:
        """The words of the passages, by full-text vectors."""
        return PostgresWords(self.raw)

    def execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = (), /) -> Rows:
        """Do one statement."""
        rows: Rows = self.raw.execute(_marked(statement), values)
        return rows

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Do a statement once for each row of values."""
        with self.raw.cursor() as cursor:
            cursor.executemany(_marked(statement), rows)

    def insert(self, statement: str, values: Sequence[Any]) -> int:
        """Insert one row into a table with ids. Returns its id."""
        return int(self.execute(f"{statement} RETURNING id", values).fetchone()[0])

    def advance(self) -> int:
        """Count the revision up by one. Returns the new one."""
        found = self.raw.execute(
            "UPDATE properties SET value = (value::bigint + 1)::text WHERE name = 'revision' RETURNING value"
        )
        return int(found.fetchone()[0])

    def finish_copy(self, revision: int) -> None:
        """Go on at that revision, and with ids above those that there are."""
        self.raw.execute("UPDATE properties SET value = %s WHERE name = 'revision'", [str(revision)])
        for table in ("namespaces", "documents", "passages"):
            self.raw.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            )

    def refuse_unstorable(self, *texts: str) -> None:
        """Refuse a text that this database cannot hold.

        Raises:
            ValueError: the text holds the character NUL.
        """
        for text in texts:
            if "\0" in text:
                raise ValueError(
                    f"the text holds the character NUL at {text.index(chr(0))}, which PostgreSQL cannot store"
                )


@lru_cache(maxsize=512)
def _marked(statement: str) -> str:
    """A statement with psycopg's marks.

    >>> _marked("SELECT a % b FROM t WHERE x = ? AND y = :name AND z::text = ?")
    'SELECT a %% b FROM t WHERE x = %s AND y = %(name)s AND z::text = %s'
    """
    return _NAMED.sub(r"%(\1)s", statement.replace("%", "%%").replace("?", "%s"))
