"""The tables of a knowledge base, and the migration of older ones to the current schema."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseMismatch

__all__ = [
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "Migration",
    "check_schema",
    "is_empty",
    "migrate",
    "schema_version",
    "stand_in",
]

Migration = Sequence[str]
"""Statements that bring a database from one schema version to the next."""

_APPLICATION_ID = 0x52564B42  # "RVKB": tells a knowledge base from any other SQLite file

_VERSION_1: Migration = (
    "CREATE TABLE properties (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
    "INSERT INTO properties VALUES ('revision', 0)",
    # Ids of namespaces and passages are never used again: keyword tables and indexes refer to them.
    "CREATE TABLE namespaces (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)",
    # The text stands last so that reading the other columns does not walk through it.
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        doc_id TEXT NOT NULL UNIQUE,
        namespace INTEGER NOT NULL REFERENCES namespaces (id),
        content_hash TEXT NOT NULL,
        chunking TEXT NOT NULL,
        media_type TEXT NOT NULL,
        title TEXT NOT NULL,
        pages TEXT NOT NULL,
        metadata TEXT NOT NULL,
        characters INTEGER NOT NULL,
        text TEXT NOT NULL
    )""",
    "CREATE INDEX documents_namespace ON documents (namespace)",
    """CREATE TABLE sources (
        namespace INTEGER NOT NULL REFERENCES namespaces (id),
        uri TEXT NOT NULL,
        source TEXT NOT NULL,
        document INTEGER NOT NULL REFERENCES documents (id),
        PRIMARY KEY (namespace, uri)
    ) WITHOUT ROWID""",
    "CREATE INDEX sources_document ON sources (document, source, uri)",
    "CREATE INDEX sources_name ON sources (namespace, source)",
    """CREATE TABLE passages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        passage_id TEXT NOT NULL UNIQUE,
        document INTEGER NOT NULL REFERENCES documents (id),
        revision INTEGER NOT NULL,
        start_at INTEGER NOT NULL,
        end_at INTEGER NOT NULL,
        page INTEGER,
        headings TEXT NOT NULL,
        context TEXT NOT NULL,
        text TEXT NOT NULL
    )""",
    "CREATE INDEX passages_document ON passages (document, start_at)",
    # The change log: passages by the revision that wrote them, and those that went.
    "CREATE INDEX passages_revision ON passages (revision, id)",
    """CREATE TABLE tombstones (
        revision INTEGER NOT NULL,
        passage_id TEXT NOT NULL,
        PRIMARY KEY (revision, passage_id)
    ) WITHOUT ROWID""",
)

_VERSION_2: Migration = (
    # Each revision under a name that no other database gives it: copies that went different ways can be told apart.
    "CREATE TABLE epochs (revision INTEGER PRIMARY KEY, epoch TEXT NOT NULL)",
    "INSERT INTO epochs SELECT value, lower(hex(randomblob(16))) FROM properties WHERE name = 'revision'",
)

_UNREAD = """TABLE unread (
    namespace TEXT NOT NULL, uri TEXT NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (namespace, uri)
) WITHOUT ROWID"""
"""The files that could not be read, by the name of their namespace, which may hold nothing else."""

_VERSION_3: Migration = (f"CREATE {_UNREAD}",)

MIGRATIONS: tuple[Migration, ...] = (_VERSION_1, _VERSION_2, _VERSION_3)
"""``MIGRATIONS[n]`` leads from version ``n`` to ``n + 1``; an empty database is 0. Append, never edit."""

SCHEMA_VERSION = len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection) -> int:
    """The schema version that the database states; 0 for a database without one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to the database."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return schema_version(connection) == 0 and tables == 0


def check_schema(connection: sqlite3.Connection, path: Path | None, newest: int = SCHEMA_VERSION) -> None:
    """Refuse a database that is no knowledge base, or one that a newer release wrote.

    Raises:
        KnowledgeBaseError: the tables are of some other program.
        KnowledgeBaseMismatch: the schema is newer than ``newest``; both versions are named.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != _APPLICATION_ID and not is_empty(connection):
        raise KnowledgeBaseError(f"{path} is an SQLite database, but not a knowledge base")
    version = schema_version(connection)
    if version > newest:
        raise KnowledgeBaseMismatch(
            f"{path} has schema version {version}, and this release reads versions up to {newest}; "
            "update rag-claim-verifier to open it"
        )


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the database to the newest version, all steps in one transaction.

    ``connection`` must be in autocommit mode, and the caller must have called ``check_schema``.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = schema_version(connection)
        for step in migrations[version:]:
            for statement in step:
                connection.execute(statement)
        if version == 0:
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute("INSERT INTO properties VALUES ('id', ?)", (uuid.uuid4().hex,))
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def stand_in(connection: sqlite3.Connection) -> None:
    """Give a connection that may not migrate its database what an older one lacks, as temporary tables."""
    version = schema_version(connection)
    if 0 < version < 3:
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"CREATE TEMP {_UNREAD}")
    if 0 < version < 2:
        connection.execute("CREATE TEMP TABLE epochs (revision INTEGER PRIMARY KEY, epoch TEXT NOT NULL)")
