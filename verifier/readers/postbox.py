"""A file of the requests that wait for a vendor's batch, what came of them, and the batches that they went off with.

Whoever reads a claim looks here for the reply and leaves the request where there is none; whoever posts puts requests
into batches and the results back. Several processes may do so at once, and a kill at any moment loses nothing.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from verifier.core.chat.batching import Outcome
from verifier.core.chat.types import ChatReply, ChatRequest, TokenChances
from verifier.core.chat.usage import Prices
from verifier.core.errors import (
    ConfigError,
    LLMCut,
    LLMError,
    LLMRefused,
    LLMRejected,
    LLMUnavailable,
)
from verifier.core.private import make_file
from verifier.core.sqlite_file import is_of_another

__all__ = ["Batch", "Left", "PostBox", "Reserved"]

_APPLICATION, _VERSION = 0x56425058, 1
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spent (requests INTEGER, tokens INTEGER, cost REAL, unanswered INTEGER);
INSERT INTO spent VALUES (0, 0, 0.0, 0);
CREATE TABLE batches (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, id TEXT, since REAL NOT NULL, requests INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0, foreign_ids TEXT NOT NULL DEFAULT '[]',
    sure INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE requests (
    key TEXT PRIMARY KEY, size INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL,
    batch INTEGER REFERENCES batches (number), outcome TEXT, request TEXT NOT NULL
);
CREATE INDEX unsent ON requests (size) WHERE batch IS NULL AND outcome IS NULL;
CREATE INDEX by_batch ON requests (batch) WHERE batch IS NOT NULL AND outcome IS NULL;
"""
_PATIENCE = 120.0
"""Seconds for another process to finish its write."""

_GIVEN_UP = "given up"
_ENVELOPE = 1000
"""Bytes that a vendor's form may add to a request."""

_ERRORS = {cls.__name__: cls for cls in (LLMUnavailable, LLMRejected, LLMRefused, LLMCut)}


@dataclass(frozen=True)
class Reserved:
    """What a request may take at most, in tokens and money, and the bounds of the job on requests, tokens, money."""

    tokens: int
    cost: float
    bounds: tuple[int | None, int | None, float | None]


@dataclass(frozen=True)
class Left:
    """No outcome yet. ``waits``: the request is left, or there will be room for it when others have their replies;
    else bound number ``passed`` of the job has no room for it, and never will."""

    waits: bool
    passed: int = 0


@dataclass(frozen=True)
class Batch:
    """Requests that go off together.

    ``id`` is the vendor's name for it, ``None`` while nobody knows whether the vendor has it. Where it was found
    among the vendor's batches and not told by the vendor, ``sure`` is off until its results prove it. ``foreign_ids``
    are batches of the vendor that proved to be others.
    """

    number: int
    name: str
    id: str | None
    since: float
    requests: int
    done: int
    tries: int
    foreign_ids: tuple[str, ...]
    sure: bool


class PostBox:
    """See the module. Safe for several threads and processes.

    Args:
        path: the file; made if it is not there, readable by its owner alone.
        prices: of a million tokens, for what replies cost.

    Raises:
        ConfigError: it is no file of ours, of a newer version, or cannot be used.
    """

    def __init__(self, path: Path, prices: Prices | None = None) -> None:
        self.path, self._prices = path, prices
        self._lock = threading.RLock()
        try:
            make_file(path)
            self._db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            self._open()
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(f"cannot use {path}, which keeps the requests of the run: {error}") from error

    def _open(self) -> None:
        if is_of_another(self._db, _APPLICATION):
            raise ConfigError(f"{self.path} is a file of another program")
        self._db.execute("PRAGMA journal_mode = WAL")
        with self._writing() as db:
            [version] = db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
            elif version != _VERSION:
                raise ConfigError(f"{self.path} was made by another version of this program")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer comes between."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                except BaseException:
                    self._db.execute("ROLLBACK")
                    raise
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                raise ConfigError(f"cannot write {self.path}: {error}; go on with --resume") from error

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._db.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise ConfigError(f"cannot read {self.path}: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def remove(self) -> None:
        """Close the file and take it away; nobody else may have it open."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    # --- whoever reads a claim -------------------------------------------------------------------------------------

    def ask(self, key: str, request: ChatRequest, most: Reserved) -> Outcome | Left:
        """What came of the request of that name; where that is not known, it is left here if the job has room for it.

        Args:
            key: names the request: it is put once, however often it is asked.
            request: what is to be sent.
            most: what it may take.
        """
        found = self._rows("SELECT outcome FROM requests WHERE key = ?", key)
        if not found:
            return self._leave(key, request, most)
        [(told,)] = found
        return Left(waits=True) if told is None else _outcome(json.loads(told))

    def _leave(self, key: str, request: ChatRequest, most: Reserved) -> LLMRejected | Left:
        if (reason := self.given_up) is not None:
            return LLMRejected(reason)
        text = json.dumps(asdict(request))
        with self._writing() as db:
            left = self._without_room(most)
            if left is not None:
                return left
            new = db.execute(
                "INSERT OR IGNORE INTO requests (key, request, size, tokens, cost) VALUES (?, ?, ?, ?, ?)",
                (key, text, len(text) + _ENVELOPE, most.tokens, most.cost),
            ).rowcount  # none where another process has left it meanwhile
            db.execute(
                "UPDATE spent SET requests = requests + ?, tokens = tokens + ?, cost = cost + ?, "
                "unanswered = unanswered + ?",
                (new, new * most.tokens, new * most.cost, new),
            )
        return Left(waits=True)

    def _without_room(self, most: Reserved) -> Left | None:
        """Which bound has no room; what requests without a reply have set aside may still become free."""
        [(requests, tokens, cost, unanswered)] = self._rows("SELECT * FROM spent")
        sums = (requests + 1, tokens + most.tokens, cost + most.cost)
        for part, (total, bound) in enumerate(zip(sums, most.bounds, strict=True)):
            if bound is not None and total > bound:
                return Left(waits=part > 0 and unanswered > 0, passed=part)
        return None

    # --- whoever posts ---------------------------------------------------------------------------------------------

    def note(self, name: str) -> str | None:
        """What was noted under a name."""
        found = self._rows("SELECT value FROM notes WHERE name = ?", name)
        return found[0][0] if found else None

    def keep(self, name: str, value: str) -> None:
        """Note something."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))

    def unsent(self) -> tuple[int, int]:
        """How many requests are in no batch and have no outcome, and about how many bytes."""
        [(count, size)] = self._rows(
            "SELECT COUNT(*), COALESCE(SUM(size), 0) FROM requests WHERE batch IS NULL AND outcome IS NULL"
        )
        return count, size

    def first_unsent(self, most: int) -> list[tuple[str, ChatRequest]]:
        """The oldest of them, by key."""
        found = self._rows(
            "SELECT key, request FROM requests WHERE batch IS NULL AND outcome IS NULL ORDER BY rowid LIMIT ?",
            most,
        )
        return [(key, _request(text)) for key, text in found]

    def pack(self, most_requests: int, most_bytes: int) -> Batch | None:
        """Put unsent requests, the oldest first, into a new batch; ``None`` where there are none.

        Args:
            most_requests: of the batch.
            most_bytes: of all its requests, as they are kept here; a single one may have more.
        """
        with self._writing() as db:
            keys: list[tuple[str]] = []
            total = 0
            rows = db.execute(
                "SELECT key, size FROM requests WHERE batch IS NULL AND outcome IS NULL ORDER BY rowid LIMIT ?",
                (most_requests,),
            )
            for key, size in rows:
                if keys and total + size > most_bytes:
                    break
                keys.append((key,))
                total += size
            if not keys:
                return None
            number = db.execute(
                "INSERT INTO batches (name, since, requests) VALUES (?, ?, ?)",
                (secrets.token_hex(8), time.time(), len(keys)),
            ).lastrowid
            db.executemany(f"UPDATE requests SET batch = {number} WHERE key = ?", keys)
        return self.batch(number or 0)

    def batches(self) -> list[Batch]:
        """Those whose results are not all here, in the order in which they were packed."""
        return [_batch(row) for row in self._rows("SELECT * FROM batches WHERE requests > 0 ORDER BY number")]

    def known_ids(self) -> set[str]:
        """The vendor's names of all batches there were."""
        return {id_ for (id_,) in self._rows("SELECT id FROM batches WHERE id IS NOT NULL")}

    def batch(self, number: int) -> Batch:
        """One of them."""
        return _batch(self._rows("SELECT * FROM batches WHERE number = ?", number)[0])

    def requests_of(self, batch: Batch) -> Iterator[tuple[str, ChatRequest]]:
        """The requests of a batch that have no outcome, by key."""
        for key in self.keys_of(batch):
            [(text,)] = self._rows("SELECT request FROM requests WHERE key = ?", key)
            yield key, _request(text)

    def keys_of(self, batch: Batch) -> list[str]:
        """Their keys, in the order in which they were left."""
        found = self._rows(
            "SELECT key FROM requests WHERE batch = ? AND outcome IS NULL ORDER BY rowid", batch.number
        )
        return [key for (key,) in found]

    def update(self, batch: Batch, **values: object) -> Batch:
        """Change columns of a batch."""
        names = ", ".join(f"{name} = ?" for name in values)
        with self._writing() as db:
            db.execute(f"UPDATE batches SET {names} WHERE number = ?", (*values.values(), batch.number))
        return self.batch(batch.number)

    def put_back(self, batch: Batch) -> None:
        """Take a batch apart that the vendor did not take: its requests are unsent again."""
        with self._writing() as db:
            db.execute(
                "UPDATE requests SET batch = NULL WHERE batch = ? AND outcome IS NULL", (batch.number,)
            )
            db.execute("UPDATE batches SET requests = 0 WHERE number = ?", (batch.number,))

    def settle(self, outcomes: Iterable[tuple[str, Outcome]], ended: Batch | None = None) -> int:
        """Keep what came of requests, once and for all, and count what they took; how many were open comes back.

        Args:
            outcomes: by key.
            ended: a batch of which no other result will come.
        """
        with self._writing() as db:
            count = sum(self._settled(db, key, outcome) for key, outcome in outcomes)
            if ended is not None:
                db.execute("UPDATE batches SET requests = 0 WHERE number = ?", (ended.number,))
        return count

    def _settled(self, db: sqlite3.Connection, key: str, outcome: Outcome) -> bool:
        found = db.execute(
            "SELECT tokens, cost FROM requests WHERE key = ? AND outcome IS NULL", (key,)
        ).fetchone()
        if found is None:
            return False
        told = json.dumps(_told(outcome))
        db.execute("UPDATE requests SET outcome = ?, request = '' WHERE key = ?", (told, key))
        taken, given = outcome.input_tokens or 0, outcome.output_tokens or 0
        cost = self._prices.of(taken, given) if self._prices is not None else 0.0
        db.execute(
            "UPDATE spent SET tokens = tokens + ?, cost = cost + ?, unanswered = unanswered - 1",
            (taken + given - found[0], cost - found[1]),
        )
        return True

    @property
    def given_up(self) -> str | None:
        """Why nothing is sent any more; ``None`` where it is."""
        return self.note(_GIVEN_UP)

    def give_up(self, reason: str) -> None:
        """Fail what is in no batch and what is yet to come."""
        self.keep(_GIVEN_UP, reason)
        keys = self._rows("SELECT key FROM requests WHERE batch IS NULL AND outcome IS NULL")
        self.settle((key, LLMRejected(reason)) for (key,) in keys)

    def answered(self, keys: Sequence[str]) -> bool:
        """Whether all of these requests have an outcome."""
        return all(
            self._rows("SELECT 1 FROM requests WHERE key = ? AND outcome IS NOT NULL", key) for key in keys
        )

    def counts(self) -> tuple[int, int]:
        """How many requests there are, and how many of them have no outcome."""
        [(requests, _, _, unanswered)] = self._rows("SELECT * FROM spent")
        return requests, unanswered


def _batch(row: tuple[Any, ...]) -> Batch:
    number, name, id_, since, requests, done, tries, foreign, sure = row
    return Batch(number, name, id_, since, requests, done, tries, tuple(json.loads(foreign)), bool(sure))


def _request(text: str) -> ChatRequest:
    return ChatRequest(**json.loads(text))


def _told(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON values."""
    if isinstance(outcome, ChatReply):
        return {"reply": asdict(outcome)}
    kind = next(name for name in reversed(_ERRORS) if isinstance(outcome, _ERRORS[name]))
    told = {"kind": kind, "message": str(outcome), "tokens": [outcome.input_tokens, outcome.output_tokens]}
    return {"error": told | {"refuses": sorted(getattr(outcome, "refuses", ()))}}


def _outcome(told: Mapping[str, Any]) -> Outcome:
    if "reply" in told:
        values = dict(told["reply"])
        values["tokens_said"] = tuple(TokenChances(**one) for one in values["tokens_said"])
        return ChatReply(**values)
    error = told["error"]
    made: LLMError = _ERRORS[error["kind"]](error["message"])
    made.input_tokens, made.output_tokens = error["tokens"]
    if isinstance(made, LLMRejected):
        made.refuses = frozenset(error["refuses"])
    return made
