"""The SQLite file of a score cache, which keeps its values for later and for other processes.

A cache may lose everything and may get nothing wrong: each entry carries a checksum over its key, text and time, a
damaged file of ours is set aside and begun anew, and a fault while it is used puts it out of use. All of it is noted.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from verifier.core.errors import ConfigError
from verifier.core.private import make_file
from verifier.core.sqlite_file import is_of_another

__all__ = ["CacheFile", "checksum"]

_APPLICATION = 0x52565343
"""Marks the file as ours ("RVSC")."""
_SCHEMA = 1
_BUSY_SECONDS = 2.0
_TRIES = 40

R = TypeVar("R")

_TABLE = """
CREATE TABLE IF NOT EXISTS entries (
    digest BLOB PRIMARY KEY, text TEXT NOT NULL, stored REAL NOT NULL, used REAL NOT NULL, checksum BLOB NOT NULL
) WITHOUT ROWID
"""


class CacheFile:
    """Entries in a file that several processes may use at once.

    Args:
        path: the file, made where it is missing, for its owner's eyes only.
        max_size: entries kept; the least recently used go first.
        ttl: seconds that an entry is fresh.

    Raises:
        ConfigError: ``path`` cannot be opened, or holds something that no score cache has written.
    """

    def __init__(self, path: Path, *, max_size: int, ttl: float) -> None:
        self.path, self.max_size, self.ttl = path, max_size, ttl
        self.notes: list[str] = []
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._left_behind: list[sqlite3.Connection] = []
        self._connection: sqlite3.Connection | None = self._open()

    def get(self, digest: bytes, now: float) -> tuple[str, float] | None:
        """The text that is fresh at ``now`` and when it was stored, or ``None``."""

        def read(connection: sqlite3.Connection) -> tuple[str, float] | None:
            row = connection.execute(
                "SELECT text, stored, checksum FROM entries WHERE digest = ?", (digest,)
            ).fetchone()
            if row is None or not 0 <= now - row[1] < self.ttl:
                return None
            if row[2] != checksum(digest, row[0], row[1]):
                connection.execute("DELETE FROM entries WHERE digest = ?", (digest,))
                self._note(f"a damaged entry was left out of {self.path}")
                return None
            connection.execute("UPDATE entries SET used = ? WHERE digest = ?", (now, digest))
            return row[0], row[1]

        return self._do(read)

    def put(self, digest: bytes, text: str, now: float) -> None:
        """Keep ``text``; what is stale, and what is too much, goes."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute(
                    "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)",
                    (digest, text, now, now, checksum(digest, text, now)),
                )
                connection.execute(
                    "DELETE FROM entries WHERE NOT (? - stored BETWEEN 0 AND ?)", (now, self.ttl)
                )
                (count,) = connection.execute("SELECT COUNT(*) FROM entries").fetchone()
                if count > self.max_size:
                    connection.execute(
                        "DELETE FROM entries WHERE digest IN (SELECT digest FROM entries ORDER BY used LIMIT ?)",
                        (count - self.max_size,),
                    )
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

        self._do(write)

    def clear(self) -> None:
        """Delete every entry."""
        self._do(lambda connection: connection.execute("DELETE FROM entries"))

    def close(self) -> None:
        """Close the file, for good."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _do(self, action: Callable[[sqlite3.Connection], R]) -> R | None:
        """What ``action`` returns; ``None`` where the file is out of use or another process holds it too long."""
        with self._lock:
            try:
                if self._connection is not None and self._process != os.getpid():
                    # A connection must not cross a fork, not even to be closed.
                    self._left_behind.append(self._connection)
                    self._process, self._connection = os.getpid(), self._connect()
                return None if self._connection is None else action(self._connection)
            except sqlite3.OperationalError as error:
                self._note(f"an entry was not kept in {self.path}, or not found: {error}")
            except sqlite3.DatabaseError as error:
                self._note(f"{self.path} is out of use, since it is damaged: {error}")
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
        return None

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _open(self) -> sqlite3.Connection:
        self._make()
        try:
            return self._connect()
        except sqlite3.OperationalError as error:
            raise ConfigError(f"the cache {self.path} cannot be opened: {error}") from error
        except sqlite3.DatabaseError as error:
            if not self._bears_our_mark():
                raise self._not_ours() from error
            aside = _unused(self.path)
            for suffix in ("", "-wal", "-shm"):
                if (part := Path(f"{self.path}{suffix}")).exists():
                    part.replace(f"{aside}{suffix}")
            self._note(f"{self.path} was damaged; it was set aside as {aside.name} and begun anew")
            self._make()
            return self._connect()

    def _make(self) -> None:
        """An empty file where there is none, which only its owner can read."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_file(self.path)
        except OSError as error:
            raise ConfigError(f"the cache {self.path} cannot be opened: {error.strerror}") from error

    def _bears_our_mark(self) -> bool:
        """Whether a file that SQLite cannot read was ours, by its header."""
        with self.path.open("rb") as file:
            header = file.read(100)
        return header[:16] == b"SQLite format 3\0" and header[68:72] == _APPLICATION.to_bytes(4)

    def _not_ours(self) -> ConfigError:
        return ConfigError(f"{self.path} is no cache of scores; name another path, or remove it")

    def _connect(self) -> sqlite3.Connection:
        """A connection to the file, with its table; several processes may make it at once."""
        for _ in range(_TRIES):
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(connection)
                return connection
            except sqlite3.OperationalError as error:
                connection.close()
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                time.sleep(_BUSY_SECONDS / _TRIES)  # the change to WAL does not wait by itself
            except BaseException:
                connection.close()
                raise
        raise sqlite3.OperationalError("another process holds it")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if is_of_another(connection, _APPLICATION):
            raise self._not_ours()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a lost entry is computed again
        if connection.execute("PRAGMA user_version").fetchone() != (_SCHEMA,):
            connection.execute("BEGIN IMMEDIATE")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, _SCHEMA):
                connection.execute("DROP TABLE IF EXISTS entries")
                self._note(f"{self.path} was written by another release, and begun anew")
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_SCHEMA}")
            connection.execute(_TABLE)
            connection.execute("COMMIT")
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("quick_check found it damaged")


def checksum(digest: bytes, text: str, stored: float) -> bytes:
    return hashlib.sha256(b"%s %s %s" % (digest, repr(stored).encode(), text.encode())).digest()


def _unused(path: Path) -> Path:
    """A name beside ``path`` that is free."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside
