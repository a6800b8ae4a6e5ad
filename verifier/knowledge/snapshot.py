"""Copy the documents of a knowledge base into another database, without an index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from verifier.knowledge.connection import Connection, SqliteConnection
from verifier.knowledge.keyword import Row
from verifier.knowledge.records import heading_text
from verifier.knowledge.schema import migrate

__all__ = ["copy_rows", "write_snapshot"]

_TABLES = {
    "namespaces": (1, ("id", "name")),
    "documents": (1, (
        "id", "doc_id", "namespace", "content_hash", "chunking", "media_type", "title", "pages", "metadata",
        "characters", "text",
    )),
    "sources": (2, ("namespace", "uri", "source", "document")),
    "passages": (1, (
        "id", "passage_id", "document", "revision", "start_at", "end_at", "page", "headings", "context", "text",
    )),
    "unread": (2, ("namespace", "uri", "source", "reason")),
    "epochs": (1, ("revision", "epoch")),
}  # fmt: skip
"""What is copied, in an order in which nothing points to what is not there yet: columns of the key, and all."""

_AT_ONCE = 500


def write_snapshot(connection: Connection, path: Path) -> None:
    """Write what a connection sees as the database of a folder.

    Args:
        connection: in a transaction.
        path: an empty file, or none.

    Raises:
        sqlite3.Error: the disk does not take it.
    """
    with closing(sqlite3.connect(path, isolation_level=None, factory=SqliteConnection)) as copy:
        if isinstance(connection, SqliteConnection):
            connection.backup(copy)
            return
        copy.execute("PRAGMA journal_mode = WAL")
        migrate(copy)
        copy.execute("BEGIN")
        copy_rows(connection, copy)
        copy.execute("COMMIT")


def copy_rows(source: Connection, target: Connection) -> None:
    """Copy all documents, passages and words into a database without any; both are in a transaction.

    The copy is a knowledge base of its own, with another id: indexes of the first are none of it.
    """
    target.execute("DELETE FROM epochs")
    for table, (keys, columns) in _TABLES.items():
        _copy_table(source, target, table, columns, keys)
    (revision,) = source.execute("SELECT value FROM properties WHERE name = 'revision'").fetchone()
    target.finish_copy(int(revision))
    for (namespace,) in source.execute("SELECT id FROM namespaces ORDER BY id").fetchall():
        target.words.create(namespace)
        for rows in _batches(_texts(source, namespace)):
            target.words.add(namespace, rows)


def _copy_table(
    source: Connection, target: Connection, table: str, columns: Sequence[str], keys: int
) -> None:
    key, names = ", ".join(columns[:keys]), ", ".join(columns)
    insert = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    after, values = "", ()
    while rows := source.execute(
        f"SELECT {names} FROM {table} {after} ORDER BY {key} LIMIT {_AT_ONCE}", values
    ).fetchall():
        target.executemany(insert, rows)
        after, values = f"WHERE ({key}) > ({', '.join('?' * keys)})", tuple(rows[-1][:keys])


def _texts(source: Connection, namespace: int) -> Iterator[Row]:
    """What the words of a namespace are made of."""
    after = 0
    while rows := source.execute(
        "SELECT p.id, d.title, p.headings, p.context, p.text FROM passages p JOIN documents d ON d.id = p.document"
        f" WHERE d.namespace = ? AND p.id > ? ORDER BY p.id LIMIT {_AT_ONCE}",
        (namespace, after),
    ).fetchall():
        for number, title, headings, context, text in rows:
            yield number, heading_text(title, json.loads(headings), context), text
        after = rows[-1][0]


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, _AT_ONCE)):
        yield batch
