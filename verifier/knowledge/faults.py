"""Say errors of SQLite as one line for a user."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseFull, KnowledgeBaseLocked

__all__ = ["explained", "is_for_want_of_room", "is_full", "no_room"]

_BESIDE = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
    }
)
"""How SQLite fails where it cannot make the files that it keeps beside a database."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_OUTSIDE = _BESIDE | {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_TOOBIG}
"""Faults of the disk, of permissions or of size, where SQLite's own words say enough."""


def explained(error: sqlite3.Error, path: Path | None) -> Exception:
    """The error as one line for a user; an error of ours (a wrong statement) as it is.

    Args:
        error: of a statement on the database.
        path: the database; ``None`` for one in memory.
    """
    code = _code(error)
    where = path or "the knowledge base in memory"
    folder = path.parent if path is not None else "it"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return KnowledgeBaseLocked(f"another process is writing to {folder}; try again when it has ended")
    if code == sqlite3.SQLITE_NOTADB:
        return KnowledgeBaseError(f"{where} is not a knowledge base (not an SQLite database)")
    if code == sqlite3.SQLITE_CORRUPT:
        return KnowledgeBaseError(
            f"{where} is damaged; put back a copy of it (and remove the files {where}-wal and -shm), "
            "or ingest again into a new one with: verifier ingest PATH --kb NEW"
        )
    if code == sqlite3.SQLITE_FULL:
        return no_room(path)
    if code in _OUTSIDE:
        return KnowledgeBaseError(f"cannot use {where}: {error}")
    if "no such module: fts5" in str(error):
        return KnowledgeBaseError(
            "this Python's SQLite was built without FTS5, which the knowledge base needs"
        )
    return error


def no_room(path: Path | None) -> KnowledgeBaseFull:
    """The refusal of a write for which there is no room."""
    if path is None:
        return KnowledgeBaseFull("no room is left for the knowledge base in memory")
    return KnowledgeBaseFull(
        f"no room is left on the disk of {path}, or no file can be made beside it; nothing stored is lost, and it can "
        f"be searched: make room, for instance with: verifier kb gc --kb {path.parent}"
    )


def is_for_want_of_room(error: sqlite3.Error) -> bool:
    """Whether a database that can be read may be behind it, beside which no file could be made."""
    return _code(error) in _BESIDE


def is_full(error: BaseException | None) -> bool:
    """Whether an error says, or was raised since another one says, that there is no room."""
    if isinstance(error, sqlite3.Error):
        return _code(error) == sqlite3.SQLITE_FULL
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return True
    return error is not None and is_full(error.__cause__)


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF
