"""Check rows as they were read: those that can be verified, and why others cannot, each with number and id."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from verifier.interfaces.batch.columns import Columns
from verifier.interfaces.batch.inputs import Cells, Raw, Unread
from verifier.interfaces.batch.lines import MOST, TooLong

__all__ = ["Refused", "Row", "RowId", "checked_rows"]

RowId = str | int


@dataclass(frozen=True, slots=True)
class Row:
    """One response to check. ``contexts`` is ``None`` for one that is checked against the knowledge base."""

    number: int
    id: RowId
    response: str
    contexts: tuple[str | Mapping[str, Any], ...] | None = None
    prompt: str | None = None
    namespace: str | None = None

    @property
    def weight(self) -> int:
        """About how many characters it has."""
        return len(self.response) + sum(len(str(context)) for context in self.contexts or ())

    def digest(self, base: str) -> str:
        """Names what is checked, and under which configuration: ``base`` stands for that."""
        told = json.dumps(
            [base, self.id, self.response, self.contexts, self.prompt, self.namespace], default=str
        )
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that cannot be checked, and why."""

    number: int
    id: RowId
    reason: str

    weight = 0

    def digest(self, base: str) -> str:
        """Names what is wrong, as :meth:`Row.digest` does what is checked."""
        return hashlib.sha256(json.dumps([base, self.id, self.reason]).encode()).hexdigest()[:16]


def checked_rows(raws: Iterable[Raw], columns: Columns | None = None) -> Iterator[Row | Refused]:
    """The rows, numbered from 1. One without an ``id`` gets its number; the second of an id is refused.

    The ids are remembered in a temporary file, so that memory does not grow with them.
    """
    with closing(sqlite3.connect("", isolation_level=None)) as seen:
        seen.execute("PRAGMA journal_mode = OFF")
        seen.execute("CREATE TABLE ids (id BLOB PRIMARY KEY, row INTEGER) WITHOUT ROWID")
        for number, raw in enumerate(raws, 1):
            row = _row(number, raw, columns or Columns())
            before = _row_of(seen, row)
            yield row if before is None else Refused(number, row.id, f"row {before} has the same id")


def _row_of(seen: sqlite3.Connection, row: Row | Refused) -> int | None:
    """The row that has this id already; ``None`` where there is none, and then this one is remembered."""
    key = hashlib.sha256(json.dumps(row.id).encode()).digest()[:16]
    if seen.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", (key, row.number)).rowcount:
        return None
    [before] = seen.execute("SELECT row FROM ids WHERE id = ?", (key,)).fetchone()
    return int(before)


def _row(number: int, raw: Raw, columns: Columns) -> Row | Refused:
    if isinstance(raw, Unread):
        return Refused(number, raw.id or str(number), raw.reason)
    told, reason = columns.fields(raw)
    if isinstance(raw, Cells) and not reason:
        reason = _decode(told)
    id_ = told.get("id", str(number))
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        id_, reason = str(number), f"'id' is of type {type(id_).__name__}: give a text or a whole number"
    reason = reason or _wrong(told)
    if reason:
        return Refused(number, id_, reason)
    row = Row(number, id_, told["response"], _contexts(told), told.get("prompt"), told.get("namespace"))
    return row if row.weight <= MOST else Refused(number, id_, str(TooLong(row.weight)))


def _decode(told: dict[str, Any]) -> str:
    """Make a list of contexts that are written as one; why they cannot be, empty where they can."""
    if str(told.get("contexts", "")).lstrip().startswith("["):
        try:
            told["contexts"] = json.loads(told["contexts"])
        except (ValueError, RecursionError):
            return "'contexts' begins as a JSON list and is none"
    return ""


def _wrong(raw: Mapping[str, Any]) -> str:
    """Why the fields of a row cannot be checked; empty where they can be."""
    for name in ("response", "source", "prompt", "namespace"):
        value = raw.get(name)
        if value is not None and not isinstance(value, str):
            return f"{name!r} is of type {type(value).__name__}: give a text"
    contexts = raw.get("contexts")
    if contexts is not None and not isinstance(contexts, list | str):
        return f"'contexts' is of type {type(contexts).__name__}: give a list"
    if contexts is not None and raw.get("source") is not None:
        return "'contexts' and 'source': give one of them"
    given = contexts is not None or raw.get("source") is not None
    if given and raw.get("namespace") is not None:
        return "'namespace' is of the knowledge base, and the row brings its own contexts: give one of them"
    return ""


def _contexts(raw: Mapping[str, Any]) -> tuple[Any, ...] | None:
    given = raw.get("contexts", raw.get("source"))
    if given is None:
        return None
    return (given,) if isinstance(given, str) else tuple(given)
