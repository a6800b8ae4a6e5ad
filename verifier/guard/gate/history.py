"""The history of the gate in SQLite: its decisions and what people said of them, to count and learn from."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier.core.private import make_file
from verifier.guard.gate.types import GateResult

__all__ = ["Decision", "GateHistory"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS decision (
    execution_id TEXT PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
    threshold REAL NOT NULL, confidence REAL, attempts INTEGER NOT NULL, duration REAL NOT NULL,
    components TEXT NOT NULL, shadow_threshold REAL, shadow_accepted_on INTEGER, good INTEGER
)"""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Decision:
    """One run of the gate, without any text of it.

    ``components`` are those of the best attempt, by name; ``good`` is what people said of the answer, if anything.
    ``at`` is in seconds since the epoch.
    """

    execution_id: str
    at: float
    kind: str
    status: str
    threshold: float
    confidence: float | None
    attempts: int
    duration: float
    components: Mapping[str, float]
    shadow_threshold: float | None = None
    shadow_accepted_on: int | None = None
    good: bool | None = None


class GateHistory:
    """The decisions of a gate in one file; several processes may write to it.

    Args:
        path: the file; made at the first record, for its owner alone. Make it yourself to share it.
        now: seconds since the epoch; replaced in tests.
    """

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self.path, self._now = path, now

    def record(self, result: GateResult) -> None:
        """Add a decision; its texts are not kept."""
        shadow = result.shadow
        parts = {part.name: part.value for part in result.best.rated.parts} if result.best else {}
        with self._open() as database:
            database.execute(
                "INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    result.execution_id,
                    self._now(),
                    result.kind,
                    result.status.value,
                    result.threshold,
                    result.confidence,
                    len(result.attempts),
                    result.duration_seconds,
                    json.dumps(parts),
                    shadow.threshold if shadow else None,
                    shadow.accepted_on if shadow else None,
                ),
            )

    def feedback(self, execution_id: str, good: bool) -> None:
        """Note what somebody said of an answer; the last word counts.

        Raises:
            ConfigError: there is no such decision.
        """
        with self._open(must_exist=True) as database:
            changed = database.execute(
                "UPDATE decision SET good = ? WHERE execution_id = ?", (good, execution_id)
            ).rowcount
        if not changed:
            raise ConfigError(f"no decision {execution_id!r} in {self.path}")

    def decisions(self) -> list[Decision]:
        """All of them, the oldest first.

        Raises:
            ConfigError: there is no history, or the file is none.
        """
        with self._open(must_exist=True) as database:
            database.row_factory = sqlite3.Row
            rows = database.execute("SELECT * FROM decision ORDER BY at, execution_id").fetchall()
        return [_decision(row) for row in rows]

    @contextmanager
    def _open(self, *, must_exist: bool = False) -> Iterator[sqlite3.Connection]:
        if must_exist and not self.path.is_file():
            raise ConfigError(f"no history of the gate at {self.path}")
        try:
            make_file(self.path)
            with closing(sqlite3.connect(self.path, timeout=10)) as database, database:
                version = database.execute("PRAGMA user_version").fetchone()[0]
                if version not in (0, _VERSION):
                    raise ConfigError(f"{self.path} is a history of another version ({version})")
                database.execute(_SCHEMA)
                database.execute(f"PRAGMA user_version = {_VERSION}")
                yield database
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(f"cannot use {self.path} as the gate's history: {error}") from error


def _decision(row: sqlite3.Row) -> Decision:
    values = dict(row)
    good = values["good"]
    values |= {"components": json.loads(values["components"]), "good": None if good is None else bool(good)}
    return Decision(**values)
