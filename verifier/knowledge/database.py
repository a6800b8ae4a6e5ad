"""The SQLite file under a knowledge base: a directory in, transactions and the writer's lock out."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseLocked, KnowledgeBaseNotFound
from verifier.knowledge.schema import SCHEMA_VERSION, check_schema, is_empty, migrate, schema_version

__all__ = ["BUSY_SECONDS", "DATABASE_NAME", "Database"]

DATABASE_NAME = "knowledge.sqlite3"
BUSY_SECONDS = 5.0
"""How long a writer waits for another one before it gives up."""

_LOCK_NAME = "writer.lock"


class Database:
    """One knowledge base file, shared by all threads of a process.

    Readers see a snapshot and never wait; writers of all processes take turns. Without a directory the
    database is in memory, and readers wait for the transaction that is being written.

    Args:
        directory: the knowledge base, or ``None``.
        create: whether ``open`` makes a missing knowledge base.
        busy_seconds: how long to wait for another writer.
    """

    def __init__(
        self, directory: Path | None, *, create: bool = False, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.directory = directory
        self.read_only = False
        self._create = create
        self._busy_seconds = busy_seconds
        self._closed = False
        self._writer: sqlite3.Connection | None = None
        self._writing = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._idle_guard = threading.Lock()

    @property
    def path(self) -> Path | None:
        """The SQLite file."""
        return self.directory / DATABASE_NAME if self.directory is not None else None

    def is_to_be_made(self) -> bool:
        """Whether ``open`` would make a knowledge base where there is none."""
        return self._create and self.path is not None and not self.path.exists()

    def open(self) -> None:
        """Open the file, make it if asked to, and bring its schema up to date. Does nothing when open.

        Raises:
            KnowledgeBaseNotFound: there is none, and ``create`` is false.
            KnowledgeBaseLocked: it must be made or migrated, and another process is writing to it.
            KnowledgeBaseMismatch: a newer release wrote it.
            KnowledgeBaseError: the file is something else, is damaged or cannot be opened.
        """
        if self._is_open():
            return  # without waiting for a transaction that is being written
        with self._writing, self._plain_errors():
            if self._is_open():
                return
            if self._closed:
                raise KnowledgeBaseError("the knowledge base is closed")
            self._prepare_directory()
            connection = self._connect()
            try:
                check_schema(connection, self.path)
                if schema_version(connection) < SCHEMA_VERSION:
                    self._bring_up(connection)
                connection.execute("PRAGMA foreign_keys = ON")
            except BaseException:
                connection.close()
                raise
            self._writer = connection

    def close(self) -> None:
        """Close every connection, for good."""
        with self._writing, self._idle_guard:
            for connection in (*self._idle, self._writer):
                if connection is not None:
                    connection.close()
            self._idle.clear()
            self._writer, self._closed = None, True

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the database, whatever is written meanwhile."""
        self.open()
        if self.directory is None:
            with self._writing, self._plain_errors():
                yield self._main
            return
        with self._plain_errors():
            connection = self._take()
            connection.execute("BEGIN")
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            connection.execute("COMMIT")
            self._give_back(connection)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction: committed at the end of the block, rolled back on any exception.

        Raises:
            KnowledgeBaseLocked: another process did not end its transaction in time.
            KnowledgeBaseError: the knowledge base cannot be written to.
        """
        self.open()
        self._refuse_read_only()
        with self._writing, self._plain_errors():
            connection = self._main
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def exclusive(self, *, wait: bool = True) -> Iterator[None]:
        """The writer's lock of the whole knowledge base, for work of many transactions.

        It is a transaction on a file of its own, so that the operating system frees it when a process dies.

        Raises:
            KnowledgeBaseLocked: another writer holds it, and does so after ``busy_seconds`` (if ``wait``).
            KnowledgeBaseError: the knowledge base cannot be written to.
        """
        if self.directory is None:
            yield
            return
        self._refuse_read_only()
        path = self.directory / _LOCK_NAME
        if path.is_dir():
            raise KnowledgeBaseError(f"{path} must be a file; remove that folder")
        with self._plain_errors():
            seconds = self._busy_seconds if wait else 0.0
            lock = sqlite3.connect(path, timeout=seconds, isolation_level=None, check_same_thread=False)
        try:
            with self._plain_errors():
                _begin_alone(lock, path)
            yield
        finally:
            lock.close()

    def size(self) -> int:
        """Bytes of the database, what is not yet merged into the file included; 0 in memory."""
        if self.path is None:
            return 0
        parts = (self.path, Path(f"{self.path}-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def vacuum(self) -> None:
        """Give the pages that nothing uses back to the file system."""
        self._refuse_read_only()
        with self._writing, self._plain_errors():
            self._main.execute("VACUUM")
            self._main.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def _main(self) -> sqlite3.Connection:
        if self._writer is None:
            raise KnowledgeBaseError("the knowledge base is closed")
        return self._writer

    def _is_open(self) -> bool:
        return self._writer is not None

    def _prepare_directory(self) -> None:
        if self.directory is None or self.path is None:
            return
        if self.directory.exists() and not self.directory.is_dir():
            raise KnowledgeBaseError(f"{self.directory} is a file; a knowledge base is a directory")
        if not self.path.exists():
            if not self._create:
                raise self._not_found()
            try:
                self.directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise KnowledgeBaseError(f"cannot make {self.directory}: {error.strerror}") from error
        self.read_only = not os.access(self.directory, os.W_OK) or (
            self.path.exists() and not os.access(self.path, os.W_OK)
        )

    def _not_found(self) -> KnowledgeBaseNotFound:
        return KnowledgeBaseNotFound(
            f"no knowledge base at {self.directory}; "
            f"make one with: verifier ingest PATH --kb {self.directory}"
        )

    def _bring_up(self, connection: sqlite3.Connection) -> None:
        """Make the tables, or migrate them, while no other process does."""
        if is_empty(connection) and not self._create and self.directory is not None:
            raise self._not_found()
        with self.exclusive():
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)

    def _connect(self) -> sqlite3.Connection:
        if self.path is None:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        address = self.path.resolve().as_uri() + "?mode=" + ("ro" if self.read_only else "rwc")
        if self.read_only and not self._has_unmerged_changes():
            address += "&immutable=1"  # a reader of a WAL database must otherwise make files beside it
        return sqlite3.connect(
            address, uri=True, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )

    def _has_unmerged_changes(self) -> bool:
        wal = Path(f"{self.path}-wal")
        return wal.exists() and wal.stat().st_size > 0

    def _take(self) -> sqlite3.Connection:
        with self._idle_guard:
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._idle_guard:
            if self._writer is not None:
                self._idle.append(connection)
                return
        connection.close()

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise KnowledgeBaseError(f"the knowledge base at {self.directory} is read-only")

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _explain(self, error: sqlite3.Error) -> Exception:
        """The error as one line for a user; an error of ours (a wrong statement) as it is."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        where = self.path or "the knowledge base in memory"
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return KnowledgeBaseLocked(
                f"another process is writing to {self.directory}; try again when it has ended"
            )
        if code == sqlite3.SQLITE_NOTADB:
            return KnowledgeBaseError(f"{where} is not a knowledge base (not an SQLite database)")
        if code == sqlite3.SQLITE_CORRUPT:
            return KnowledgeBaseError(
                f"{where} is damaged; put back a copy of it, or ingest again into a new --kb"
            )
        if code in _OUTSIDE:
            return KnowledgeBaseError(f"cannot use {where}: {error}")
        if "no such module: fts5" in str(error):
            return KnowledgeBaseError(
                "this Python's SQLite was built without FTS5, which the knowledge base needs"
            )
        return error


def _begin_alone(lock: sqlite3.Connection, path: Path) -> None:
    """Take the lock. The file holds nothing, so anything that got into it may go."""
    try:
        lock.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (
            sqlite3.SQLITE_NOTADB,
            sqlite3.SQLITE_CORRUPT,
        ):
            raise
        os.truncate(path, 0)  # the same file, so that a lock on it holds on
        lock.execute("BEGIN IMMEDIATE")


_OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_TOOBIG,
    }
)
"""Faults of the disk, of permissions or of size, where SQLite's own words say enough."""
