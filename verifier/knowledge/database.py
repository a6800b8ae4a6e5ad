"""The SQLite file under a knowledge base: its transactions and the writer's lock."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseNotFound
from verifier.knowledge.connection import SqliteConnection
from verifier.knowledge.creation import DATABASE_NAME, make_file, make_folder, make_whole, refuse_remains
from verifier.knowledge.faults import explained, is_for_want_of_room, no_room
from verifier.knowledge.index import Index, IndexFiles, indexes
from verifier.knowledge.schema import SCHEMA_VERSION, check_schema, migrate, schema_version, stand_in

__all__ = ["BUSY_SECONDS", "DATABASE_NAME", "Database"]

BUSY_SECONDS = 5.0
"""How long a writer waits for another one before it gives up."""

_LOCK_NAME = "writer.lock"

_File = tuple[int, int]
"""Device and number of a file, which another one under the same name does not have."""

_IN_MEMORY: _File = (0, 0)


class Database:
    """One knowledge base file, shared by all threads of a process.

    Readers see a snapshot and never wait; writers of all processes take turns. Without a directory the
    database is in memory, and readers wait for the transaction that is being written.

    Args:
        directory: the knowledge base, or ``None``.
        create: whether ``open`` makes a missing knowledge base.
        shared: whether others may read one that is made, as the umask has it; else only its owner.
        busy_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        directory: Path | None,
        *,
        create: bool = False,
        shared: bool = False,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.directory = directory
        self.read_only = False
        self.schema_version = SCHEMA_VERSION
        self._create, self._shared = create, shared
        self._busy_seconds = busy_seconds
        self._closed = False
        self._file: _File | None = None
        self._writer: SqliteConnection | None = None
        self._writing = threading.RLock()
        self._idle: list[SqliteConnection] = []
        self._idle_guard = threading.Lock()

    @property
    def path(self) -> Path | None:
        """The SQLite file."""
        return self.directory / DATABASE_NAME if self.directory is not None else None

    @property
    def in_memory(self) -> bool:
        """Whether it is nowhere else."""
        return self.directory is None

    def index(self, name: str) -> Index | None:
        """The index of that fingerprint; ``None`` in memory."""
        return IndexFiles(self.directory, name) if self.directory is not None else None

    def indexes(self) -> list[Index]:
        """Every index on disk, by fingerprint."""
        return [*indexes(self.directory)] if self.directory is not None else []

    def refuse_other(self, name: str) -> None:
        """Each configuration has an index of its own beside the others."""

    def is_to_be_made(self) -> bool:
        """Whether ``open`` would make a knowledge base where there is none."""
        return self._create and self.path is not None and not self.path.exists()

    def open(self) -> None:
        """Open the file, make it if asked to, and bring its schema up to date. Does nothing when open.

        A file that was put in the place of the open one is opened in its stead. Where the disk has no room for the
        files that SQLite makes beside it, nothing is kept open: each reader reads what is in the file.

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
            self._let_go()
            self._prepare_directory()
            connection, file = self._connect()
            try:
                self._refuse_cut(connection)
                check_schema(connection, self.path)
                if file and not self.read_only and schema_version(connection) < SCHEMA_VERSION:
                    with self.exclusive():
                        migrate(connection)
                connection.execute("PRAGMA foreign_keys = ON")
            except BaseException:
                connection.close()
                raise
            if file:
                self._writer, self._file = connection, file
            else:
                connection.close()

    def close(self) -> None:
        """Close every connection, for good."""
        with self._writing:
            self._let_go()
            self._closed = True

    def _let_go(self) -> None:
        """Close what is open. The last one to close a file merges what is written into it."""
        with self._idle_guard:
            for connection in (*self._idle, self._writer):
                if connection is not None:
                    connection.close()
            self._idle.clear()
            self._writer, self._file = None, None

    @contextmanager
    def read(self) -> Iterator[SqliteConnection]:
        """A connection that sees one state of the database, whatever is written meanwhile."""
        self.open()
        if self.directory is None:
            with self._writing, self._plain_errors():
                yield self._main
            return
        with self._plain_errors():
            connection, file = self._take()
            connection.execute("BEGIN")
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            connection.execute("COMMIT")
            self._give_back(connection, file)

    @contextmanager
    def write(self) -> Iterator[SqliteConnection]:
        """A connection in a transaction: committed at the end of the block, rolled back on any exception.

        Raises:
            KnowledgeBaseLocked: another process did not end its transaction in time.
            KnowledgeBaseFull: the disk has no room.
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
    def exclusive(self, *, wait: bool = True, alone: bool = True) -> Iterator[None]:  # noqa: ARG002 - there is one writer
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
            make_file(path, shared=self._shared)
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
    def _main(self) -> SqliteConnection:
        if self._writer is None:
            if not self._closed:
                raise no_room(self.path)
            raise KnowledgeBaseError("the knowledge base is closed")
        return self._writer

    def _is_open(self) -> bool:
        return self._writer is not None and self._file == self._found()

    def _found(self) -> _File:
        """Which file is there now."""
        if self.path is None:
            return _IN_MEMORY
        try:
            found = self.path.stat()
        except OSError as error:
            raise KnowledgeBaseError(f"{self.path} went while it was open; put it back") from error
        return found.st_dev, found.st_ino

    def _prepare_directory(self) -> None:
        if self.directory is None or self.path is None:
            return
        if self.directory.exists() and not self.directory.is_dir():
            raise KnowledgeBaseError(f"{self.directory} is a file; a knowledge base is a directory")
        if not self.path.exists() and not self._create:
            raise KnowledgeBaseNotFound(
                f"no knowledge base at {self.directory}; "
                f"make one with: verifier ingest PATH --kb {self.directory}"
            )
        make_folder(self.directory, shared=self._shared)
        self.read_only = not os.access(self.directory, os.W_OK) or (
            self.path.exists() and not os.access(self.path, os.W_OK)
        )
        if not self.path.exists():
            with self.exclusive():
                make_whole(self.path, shared=self._shared)
        refuse_remains(self.path)

    def _connect(self) -> tuple[SqliteConnection, _File | None]:
        """A connection, and its file; ``None`` where there was no room for files beside it: it must not be kept."""
        if self.path is None:
            connection = sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False, factory=SqliteConnection
            )
            migrate(connection)
            return connection, _IN_MEMORY
        found = self._found()
        connection = self._reach(immutable=self.read_only and not self._has_unmerged_changes())
        try:
            schema_version(connection)  # the first statement is what makes the files
            return connection, found
        except sqlite3.OperationalError as error:
            connection.close()
            if not is_for_want_of_room(error):
                raise
            return self._reach_without_files(), None
        except BaseException:
            connection.close()
            raise

    def _reach(self, *, immutable: bool) -> SqliteConnection:
        assert self.path is not None
        address = self.path.resolve().as_uri() + "?mode=" + ("ro" if self.read_only or immutable else "rw")
        if immutable:
            address += "&immutable=1"  # a reader of a WAL database must otherwise make files beside it
        return sqlite3.connect(
            address,
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            factory=SqliteConnection,
        )

    def _reach_without_files(self) -> SqliteConnection:
        """A connection that reads what is there, for one transaction."""
        merged = not self._has_unmerged_changes()
        connection = self._reach(immutable=merged)
        if not merged:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # keeps its table of changes in memory
        return connection

    def _refuse_cut(self, connection: sqlite3.Connection) -> None:
        """Refuse a database that lacks a part of its last page, which SQLite would fill with zeros."""
        if self.path is not None:
            pages, page_bytes = (
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
            )
            refuse_remains(self.path, pages * page_bytes)

    def _has_unmerged_changes(self) -> bool:
        wal = Path(f"{self.path}-wal")
        return wal.exists() and wal.stat().st_size > 0

    def _take(self) -> tuple[SqliteConnection, _File | None]:
        """An idle connection, or a new one."""
        with self._idle_guard:
            if self._idle:
                return self._idle.pop(), self._file
        connection, file = self._connect()
        if self.read_only or file is None:
            stand_in(connection)
        return connection, file

    def _give_back(self, connection: SqliteConnection, file: _File | None) -> None:
        with self._idle_guard:
            if self._writer is not None and file == self._file:
                self._idle.append(connection)
                return
        connection.close()

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise KnowledgeBaseError(
                f"the knowledge base at {self.directory} is read-only; let it be written to, "
                "or work on a copy of it with: --kb COPY"
            )

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explained(error, self.path) from error


def _begin_alone(lock: sqlite3.Connection, path: Path) -> None:
    """Take the lock. The file holds nothing, so anything that got into it may go."""
    try:
        _begin(lock)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (
            sqlite3.SQLITE_NOTADB,
            sqlite3.SQLITE_CORRUPT,
        ):
            raise
        os.truncate(path, 0)  # the same file, so that a lock on it holds on
        _begin(lock)


def _begin(lock: sqlite3.Connection) -> None:
    # Nothing is ever written: a full disk, which has no room for a journal, is no hindrance.
    lock.execute("PRAGMA journal_mode = MEMORY")
    lock.execute("BEGIN IMMEDIATE")
