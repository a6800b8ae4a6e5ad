"""The file beside a knowledge base that keeps what models have read of its texts, so that they read each once.

It holds digests and short values, no text. It may lose everything and is never needed: a fault puts it out of use for
this process, and ``gc`` removes it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from verifier.core.private import make_file
from verifier.core.sqlite_file import is_of_another

__all__ = ["READINGS_NAME", "ReadingsFile"]

READINGS_NAME = "readings.sqlite"

MOST_BYTES = 64 * 2**20
"""What the file takes at most, nearly: about a million sentences. Then the oldest go."""
_DROPPED = 4
"""One part in so many of them."""
_APPLICATION = 0x52565246
"""Marks the file as ours ("RVRF")."""
_SCHEMA = 1
_BUSY_SECONDS = 1.0
_AT_ONCE = 500
_TABLE = "CREATE TABLE IF NOT EXISTS readings (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"


class ReadingsFile:
    """Values under digests, for all threads of a process and for several processes; opened on first use.

    Args:
        folder: the knowledge base.
        read_only: whether nothing can be written there.
        shared: whether others than its owner may read a file that is made, as the umask has it.
        most_bytes: what it takes at most, nearly.
    """

    def __init__(
        self, folder: Path, *, read_only: bool = False, shared: bool = False, most_bytes: int = MOST_BYTES
    ) -> None:
        self._path = folder / READINGS_NAME
        self._read_only, self._shared, self._most_bytes = read_only, shared, most_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._usable = True
        self._process = os.getpid()
        self._fresh: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that have one; none where the file cannot be used."""
        with self._lock:
            found = {key: value for key in keys if (value := self._fresh.get(key)) is not None}
            asked = [key for key in keys if key not in found]
            with suppress(sqlite3.Error):
                if asked and (connection := self._opened()) is not None:
                    found.update(_rows(connection, asked))
            return found

    def put(self, found: Mapping[bytes, bytes]) -> None:
        """Keep these values until they are written by :meth:`flush`."""
        if not self._read_only:
            with self._lock:
                self._fresh.update(found)

    def flush(self) -> None:
        """Write what was put. Where another process is writing for too long, it is lost."""
        with self._lock:
            fresh, self._fresh = self._fresh, {}
            if not fresh or (connection := self._opened()) is None:
                return
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(
                    "INSERT OR IGNORE INTO readings (key, value) VALUES (?, ?)", fresh.items()
                )
                while self._is_full(connection) and _drop_oldest(connection):
                    pass
                connection.execute("COMMIT")
            except sqlite3.Error:
                _give_up(connection)

    def size(self) -> int:
        """Bytes that it takes, with what SQLite keeps beside it."""
        return sum(part.stat().st_size for part in self._parts)

    def remove(self) -> None:
        """Remove the file; what is read from now on is kept in a new one. One that is held by others stays."""
        with self._lock:
            self._let_go()
            self._usable = True
            for part in self._parts:
                with suppress(OSError):
                    part.unlink()

    def close(self) -> None:
        """Write what was put, and close the file, for good."""
        self.flush()
        with self._lock:
            self._usable = False
            self._let_go()

    @property
    def _parts(self) -> list[Path]:
        parts = (Path(f"{self._path}{end}") for end in ("", "-wal", "-shm"))
        return [part for part in parts if part.exists()]

    def _let_go(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None

    def _opened(self) -> sqlite3.Connection | None:
        """The connection of this process; ``None`` where the file cannot be used, and as long as there is none to read.

        A connection must not cross a fork, not even to be closed.
        """
        if self._usable and (self._connection is None or self._process != os.getpid()):
            self._process, self._connection = os.getpid(), None
            try:
                self._connection = self._connect()
            except (sqlite3.Error, OSError):
                self._usable = False
        return self._connection if self._usable else None

    def _connect(self) -> sqlite3.Connection | None:
        if self._read_only:
            if not self._path.exists():
                return None
            return _connection(f"{self._path.resolve().as_uri()}?mode=ro")
        make_file(self._path, shared=self._shared)
        connection = _connection(f"{self._path.resolve().as_uri()}?mode=rw")
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_full(self, connection: sqlite3.Connection) -> bool:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return bool((pages - free) * size > self._most_bytes)


def _connection(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table.

    Raises:
        sqlite3.Error: the file is damaged or of another program.
    """
    if is_of_another(connection, _APPLICATION):
        raise sqlite3.DatabaseError("another program wrote it")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # what is lost is read again
    if connection.execute("PRAGMA user_version").fetchone() != (_SCHEMA,):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA}")
        connection.execute(_TABLE)
        connection.execute("COMMIT")


def _drop_oldest(connection: sqlite3.Connection) -> int:
    """Drop a part of what is kept, and say how much that was."""
    (dropped,) = connection.execute(f"SELECT COUNT(*) / {_DROPPED} FROM readings").fetchone()
    return connection.execute(
        "DELETE FROM readings WHERE id IN (SELECT id FROM readings ORDER BY id LIMIT ?)", (dropped,)
    ).rowcount


def _give_up(connection: sqlite3.Connection) -> None:
    """End a transaction that failed."""
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _rows(connection: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    batches = (keys[at : at + _AT_ONCE] for at in range(0, len(keys), _AT_ONCE))
    return list(
        chain.from_iterable(
            connection.execute(
                f"SELECT key, value FROM readings WHERE key IN ({', '.join('?' * len(some))})", some
            )
            for some in batches
        )
    )
