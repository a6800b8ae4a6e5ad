"""Keyword search by SQLite FTS5, one table for each namespace."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator

__all__ = ["add", "create", "drop", "frequency", "occurs", "remove", "search"]

Row = tuple[int, str, str]
"""Row id of the passage, its heading text, its text."""

# FTS5 takes a run of letters as one word, and these scripts do not put spaces between words.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W_]+")


def create(connection: sqlite3.Connection, namespace: int) -> None:
    """Make the keyword table of a namespace. It holds no text, only the inverted index."""
    connection.execute(
        f"CREATE VIRTUAL TABLE {_table(namespace)} USING fts5"
        "(head, body, content='', tokenize=\"unicode61 remove_diacritics 2\")"
    )


def drop(connection: sqlite3.Connection, namespace: int) -> None:
    """Remove the keyword table of a namespace."""
    connection.execute(f"DROP TABLE {_table(namespace)}")


def add(connection: sqlite3.Connection, namespace: int, rows: Iterable[Row]) -> None:
    """Index passages."""
    connection.executemany(
        f"INSERT INTO {_table(namespace)} (rowid, head, body) VALUES (?, ?, ?)", _prepared(rows)
    )


def remove(connection: sqlite3.Connection, namespace: int, rows: Iterable[Row]) -> None:
    """Take passages out. The texts must be those that were added."""
    table = _table(namespace)
    connection.executemany(
        f"INSERT INTO {table} ({table}, rowid, head, body) VALUES ('delete', ?, ?, ?)", _prepared(rows)
    )


def search(connection: sqlite3.Connection, namespace: int, query: str) -> Iterator[tuple[int, float]]:
    """Passages with any word of ``query``, best first: row id and BM25 score (higher is better).

    Lazy: what is not read costs little. ``query`` is text, never FTS5 syntax.
    """
    words = dict.fromkeys(word.casefold() for word in _WORD.findall(_spaced(query)))
    if not words:
        return
    table = _table(namespace)
    found = connection.execute(
        f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank",
        (" OR ".join(map(_quoted, words)),),
    )
    for row, rank in found:
        yield row, -rank


def frequency(connection: sqlite3.Connection, namespace: int, phrase: str) -> int:
    """In how many passages the words of ``phrase`` stand one after the other, in any case and accents."""
    if not _WORD.search(phrase):
        return 0
    table = _table(namespace)
    counted = connection.execute(
        f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (_quoted(_spaced(phrase)),)
    )
    return int(counted.fetchone()[0])


def occurs(connection: sqlite3.Connection, namespace: int, phrase: str) -> bool:
    """Whether ``frequency`` is above zero."""
    if not _WORD.search(phrase):
        return False
    table = _table(namespace)
    found = connection.execute(
        f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1", (_quoted(_spaced(phrase)),)
    )
    return found.fetchone() is not None


def _table(namespace: int) -> str:
    return f"keywords_{namespace:d}"


def _prepared(rows: Iterable[Row]) -> Iterator[Row]:
    return ((row, _spaced(head), _spaced(body)) for row, head, body in rows)


def _spaced(text: str) -> str:
    # A NUL would end the text for FTS5.
    return text.replace("\0", " ") if text.isascii() else _UNSPACED.sub(r" \g<0> ", text.replace("\0", " "))


def _quoted(phrase: str) -> str:
    """A phrase as an FTS5 string, so that nothing in it is an operator."""
    return '"' + phrase.replace('"', " ") + '"'
