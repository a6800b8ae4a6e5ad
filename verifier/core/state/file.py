"""Shared counts of the processes of one machine, in an SQLite file."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from verifier.core.errors import ConfigError, StateUnavailable
from verifier.core.private import make_file
from verifier.core.sqlite_file import is_of_another
from verifier.core.state.base import WINDOW, Bucket, Minute, State

__all__ = ["StateFile"]

_APPLICATION = 0x52565354
"""Marks the file as ours ("RVST")."""
_BUSY_SECONDS = 2.0
_TRIES = 40
_EVERY = 500
"""Steps after which what counts no more is deleted."""

_TABLES = """
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, left REAL, at REAL, full REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, at REAL, tokens INTEGER);
CREATE TABLE IF NOT EXISTS sums (name TEXT, part INTEGER, sum REAL, PRIMARY KEY (name, part)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spent_of ON spent (name, at);
"""


class StateFile(State):
    """The state in an SQLite file, for the processes of one machine.

    Args:
        path: the file, made where it is missing, for its owner's eyes only.
        clock: seconds since the epoch; replaced in tests. A clock that was set back refills nothing.

    Raises:
        ConfigError: the file cannot be made, or holds something else.
        StateUnavailable: another process holds it too long.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path, self._clock = path, clock
        self._lock = threading.Lock()
        self._steps = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            make_file(path)
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.OperationalError) as error:
            raise ConfigError(f"the state {path} cannot be opened: {error}") from error
        self._prepare()

    def take(self, bucket: Bucket) -> float:
        """See ``State``."""
        with self._step() as connection:
            left, wait = bucket.taken(self._left(connection, bucket))
            self._keep(connection, bucket, left)
            return wait

    def charge(self, bucket: Bucket, tokens: int) -> None:
        """See ``State``."""
        with self._step() as connection:
            self._keep(connection, bucket, self._left(connection, bucket) - tokens)

    def spend(self, minute: Minute, tokens: int) -> tuple[float, str]:
        """See ``State``."""
        with self._step() as connection:
            now = self._clock()
            connection.execute("DELETE FROM spent WHERE name = ? AND at <= ?", (minute.name, now - WINDOW))
            rows = connection.execute(
                "SELECT at, tokens FROM spent WHERE name = ? ORDER BY at", (minute.name,)
            ).fetchall()
            wait = minute.wait(rows, tokens, now)
            if wait > 0:
                return wait, ""
            row = connection.execute(
                "INSERT INTO spent (name, at, tokens) VALUES (?, ?, ?)", (minute.name, now, tokens)
            )
            return 0.0, str(row.lastrowid)

    def settle(self, minute: Minute, key: str, tokens: int) -> None:
        """See ``State``."""
        with self._step() as connection:
            connection.execute(
                "UPDATE spent SET tokens = ? WHERE id = ? AND name = ?", (tokens, int(key), minute.name)
            )

    def reserve(self, name: str, amounts: Sequence[float], bounds: Sequence[float | None]) -> int | None:
        """See ``State``."""
        with self._step() as connection:
            kept = dict(connection.execute("SELECT part, sum FROM sums WHERE name = ?", (name,)).fetchall())
            sums = [kept.get(part, 0.0) + more for part, more in enumerate(amounts)]
            for part, (total, bound) in enumerate(zip(sums, bounds, strict=True)):
                if bound is not None and total > bound:
                    return part
            rows = [(name, part, total) for part, total in enumerate(sums)]
            connection.executemany("INSERT OR REPLACE INTO sums VALUES (?, ?, ?)", rows)
            return None

    def close(self) -> None:
        """See ``State``."""
        with self._lock:
            self._connection.close()

    def _left(self, connection: sqlite3.Connection, bucket: Bucket) -> float:
        row = connection.execute("SELECT left, at FROM buckets WHERE name = ?", (bucket.name,)).fetchone()
        left, at = row or (float(bucket.size), self._clock())
        return bucket.refilled(left, self._clock() - at)

    def _keep(self, connection: sqlite3.Connection, bucket: Bucket, left: float) -> None:
        now = self._clock()
        full = now + (bucket.size - left) * WINDOW / bucket.size
        connection.execute(
            "INSERT OR REPLACE INTO buckets VALUES (?, ?, ?, ?)", (bucket.name, left, now, full)
        )

    @contextmanager
    def _step(self) -> Iterator[sqlite3.Connection]:
        """The connection in a transaction of its own, which waits for other processes."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._forget()
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise StateUnavailable(f"the state {self.path} cannot be used: {error}") from error

    def _forget(self) -> None:
        self._steps += 1
        if self._steps % _EVERY == 0:
            now = self._clock()
            self._connection.execute("DELETE FROM buckets WHERE full < ?", (now,))
            self._connection.execute("DELETE FROM spent WHERE at <= ?", (now - WINDOW,))

    def _prepare(self) -> None:
        """Make the tables; several processes may do so at once."""
        for last in (*[False] * _TRIES, True):
            try:
                self._mark()
                return
            except sqlite3.OperationalError as error:  # the change to WAL does not wait by itself
                if last or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise StateUnavailable(f"the state {self.path} cannot be used: {error}") from error
                time.sleep(_BUSY_SECONDS / _TRIES)
            except sqlite3.DatabaseError as error:
                raise self._not_ours() from error

    def _mark(self) -> None:
        connection = self._connection
        if connection.in_transaction:  # the last try ended in it
            connection.execute("ROLLBACK")
        if is_of_another(connection, _APPLICATION):
            raise self._not_ours()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")  # after a loss of power a minute is counted anew
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.executescript(_TABLES)

    def _not_ours(self) -> ConfigError:
        return ConfigError(f"{self.path} is no shared state; name another path, or remove it")
