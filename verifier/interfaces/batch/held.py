"""Rows that were checked and cannot be written yet, and rows that wait for replies, in order, in a file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier.interfaces.batch.engine import Outcome, Pending
from verifier.interfaces.batch.rows import Refused, Row
from verifier.readers.postbox import PostBox

__all__ = ["HeldRows"]

_KINDS = {"Row": Row, "Refused": Refused}


class HeldRows:
    """See the module. They lie in the file of a post box, whose replies the rows wait for.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, timeout=120.0, isolation_level=None)
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS held (number INTEGER PRIMARY KEY, digest TEXT NOT NULL, row TEXT NOT NULL, "
            "outcome TEXT, waits_for TEXT)"
        )
        self._due: int | None = None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def new(self, pending: Iterable[Pending]) -> Iterator[Pending]:
        """Those of the rows that are not held with an outcome since an earlier run."""
        for row, digest in pending:
            if self._due is None:
                self._due = row.number
                self._db.execute("DELETE FROM held WHERE number < ?", (row.number,))
            found = self._db.execute(
                "SELECT digest, outcome FROM held WHERE number = ?", (row.number,)
            ).fetchone()
            if found is None or found[0] != digest or found[1] is None:
                yield row, digest

    def add(self, pending: Pending, outcome: Outcome) -> Iterator[tuple[Pending, Outcome]]:
        """Take a row with its outcome, or with ``waits_for``; those come back that are due, in order.

        Raises:
            ConfigError: the disk has no room.
        """
        row, digest = pending
        waits_for = json.dumps(outcome["waits_for"]) if "waits_for" in outcome else None
        told = None if waits_for is not None else json.dumps(outcome)
        try:
            self._db.execute(
                "INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)",
                (row.number, digest, _told(row), told, waits_for),
            )
        except sqlite3.Error as error:
            raise ConfigError(f"cannot keep row {row.number}: {error}; go on with --resume") from error
        yield from self.due()

    def due(self) -> Iterator[tuple[Pending, Outcome]]:
        """The rows that come next and have an outcome; they are not held any more."""
        while self._due is not None:
            found = self._db.execute(
                "DELETE FROM held WHERE number = ? AND outcome IS NOT NULL RETURNING row, digest, outcome",
                (self._due,),
            ).fetchone()
            if found is None:
                return
            self._due += 1
            yield (_row(found[0]), found[1]), json.loads(found[2])

    def are_waiting(self) -> bool:
        """Whether there is a row without an outcome."""
        return bool(
            self._db.execute("SELECT EXISTS (SELECT 1 FROM held WHERE outcome IS NULL)").fetchone()[0]
        )

    def ready(self, box: PostBox) -> Iterator[Pending]:
        """The rows without an outcome whose replies are all in the box, or that wait for room alone."""
        numbers = self._db.execute("SELECT number FROM held WHERE outcome IS NULL ORDER BY number").fetchall()
        for (number,) in numbers:
            row, digest, keys = self._db.execute(
                "SELECT row, digest, waits_for FROM held WHERE number = ?", (number,)
            ).fetchone()
            if box.answered(json.loads(keys)):
                yield _row(row), digest


def _told(row: Row | Refused) -> str:
    return json.dumps([type(row).__name__, asdict(row)], default=str)


def _row(told: str) -> Row | Refused:
    kind, values = json.loads(told)
    if values.get("contexts") is not None:
        values["contexts"] = tuple(values["contexts"])
    made: Row | Refused = _KINDS[kind](**values)
    return made
