"""Keyword search by SQLite FTS5, one table for each namespace."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Protocol

__all__ = ["WORD", "Fts5", "Keywords", "Row", "spaced", "words_of"]

Row = tuple[int, str, str]
"""Row id of the passage, its heading text, its text."""

# FTS5 takes a run of letters as one word, and these scripts do not put spaces between words.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
WORD = re.compile(r"[^\W_]+")


class Keywords(Protocol):
    """The words of the passages, by namespace. Its methods raise what the database raises."""

    def create(self, namespace: int) -> None:
        """Make ready for a new namespace."""

    def drop(self, namespace: int) -> None:
        """Forget a namespace that holds nothing."""

    def add(self, namespace: int, rows: Iterable[Row]) -> None:
        """Index passages."""

    def remove(self, namespace: int, rows: Iterable[Row]) -> None:
        """Take passages out. The texts must be those that were added."""

    def search(self, namespace: int, query: str) -> Iterator[tuple[int, float]]:
        """Passages with any word of ``query``, best first: row id and BM25 score (higher is better).

        Lazy: what is not read costs little. ``query`` is text, never search syntax.
        """

    def frequencies(self, namespace: int, phrases: Iterable[str]) -> dict[str, int]:
        """In how many passages the words of each phrase stand one after the other, in any case and accents."""

    def occurring(self, namespace: int, phrases: Iterable[str]) -> set[str]:
        """Those phrases whose frequency is above zero."""


class Fts5:
    """The words of the passages of an SQLite file; its tables hold no text, only the inverted index.

    Args:
        connection: in a transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def create(self, namespace: int) -> None:
        """Make the table of a namespace."""
        self._connection.execute(
            f"CREATE VIRTUAL TABLE {_table(namespace)} USING fts5"
            "(head, body, content='', tokenize=\"unicode61 remove_diacritics 2\")"
        )

    def drop(self, namespace: int) -> None:
        """Remove the table of a namespace."""
        self._connection.execute(f"DROP TABLE {_table(namespace)}")

    def add(self, namespace: int, rows: Iterable[Row]) -> None:
        """Index passages."""
        self._connection.executemany(
            f"INSERT INTO {_table(namespace)} (rowid, head, body) VALUES (?, ?, ?)", _prepared(rows)
        )

    def remove(self, namespace: int, rows: Iterable[Row]) -> None:
        """Take passages out."""
        table = _table(namespace)
        self._connection.executemany(
            f"INSERT INTO {table} ({table}, rowid, head, body) VALUES ('delete', ?, ?, ?)", _prepared(rows)
        )

    def search(self, namespace: int, query: str) -> Iterator[tuple[int, float]]:
        """Row id and score of the passages with any word of ``query``, best first."""
        words = words_of(query)
        if not words:
            return
        table = _table(namespace)
        found = self._connection.execute(
            f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank",
            (" OR ".join(map(_quoted, words)),),
        )
        for row, rank in found:
            yield row, -rank

    def frequencies(self, namespace: int, phrases: Iterable[str]) -> dict[str, int]:
        """In how many passages each phrase occurs."""
        return {phrase: self._frequency(namespace, phrase) for phrase in dict.fromkeys(phrases)}

    def _frequency(self, namespace: int, phrase: str) -> int:
        if not WORD.search(phrase):
            return 0
        table = _table(namespace)
        counted = self._connection.execute(
            f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (_quoted(spaced(phrase)),)
        )
        return int(counted.fetchone()[0])

    def occurring(self, namespace: int, phrases: Iterable[str]) -> set[str]:
        """Those phrases that occur in a passage."""
        return {phrase for phrase in set(phrases) if self._occurs(namespace, phrase)}

    def _occurs(self, namespace: int, phrase: str) -> bool:
        if not WORD.search(phrase):
            return False
        table = _table(namespace)
        found = self._connection.execute(
            f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1", (_quoted(spaced(phrase)),)
        )
        return found.fetchone() is not None


def words_of(text: str) -> list[str]:
    """The different words of a text, in lower case."""
    return list(dict.fromkeys(word.casefold() for word in WORD.findall(spaced(text))))


def spaced(text: str) -> str:
    """A text with spaces around each letter of a script that puts none between words."""
    # A NUL would end the text for FTS5.
    return text.replace("\0", " ") if text.isascii() else _UNSPACED.sub(r" \g<0> ", text.replace("\0", " "))


def _table(namespace: int) -> str:
    return f"keywords_{namespace:d}"


def _prepared(rows: Iterable[Row]) -> Iterator[Row]:
    return ((row, spaced(head), spaced(body)) for row, head, body in rows)


def _quoted(phrase: str) -> str:
    """A phrase as an FTS5 string, so that nothing in it is an operator."""
    return '"' + phrase.replace('"', " ") + '"'
