"""Make an empty knowledge base, whole or not at all, and say who may read what is in it."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

from verifier.core import private
from verifier.core.errors import KnowledgeBaseError
from verifier.knowledge.schema import migrate

__all__ = [
    "DATABASE_NAME",
    "follow",
    "make_file",
    "make_folder",
    "make_whole",
    "refuse_remains",
]

DATABASE_NAME = "knowledge.sqlite3"

_UNFINISHED = ".unfinished"
_LEAST = 512
"""Bytes of the smallest page of SQLite, and so of the smallest database."""


def make_folder(folder: Path, *, shared: bool) -> None:
    """Make the folder of a knowledge base if there is none; one that is there keeps its permissions.

    Raises:
        KnowledgeBaseError: it cannot be made.
    """
    try:
        folder.mkdir(mode=0o777 if shared else 0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KnowledgeBaseError(f"cannot make {folder}: {error.strerror}") from error


def make_whole(path: Path, *, shared: bool) -> None:
    """Make an empty database, and give it its name when it is whole; nothing where there is one already.

    The caller holds the writer's lock. What an earlier attempt left is removed.

    Raises:
        sqlite3.Error: the disk does not take it.
    """
    if path.exists():
        return
    draft = path.with_name(path.name + _UNFINISHED)
    for left in path.parent.glob(f"{draft.name}*"):
        left.unlink()
    make_file(draft, shared=shared)
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)
    draft.replace(path)


def make_file(path: Path, *, shared: bool) -> None:
    """Make an empty file if there is none: for its owner, or for whom the umask lets in.

    Raises:
        KnowledgeBaseError: it cannot be made.
    """
    try:
        private.make_file(path, shared=shared)
    except OSError as error:
        raise KnowledgeBaseError(f"cannot make {path}: {error.strerror}") from error


def follow(root: Path, database: Path) -> None:
    """Let those read and write what is at and below ``root`` who may do so with the database."""
    allowed = stat.S_IMODE(database.stat().st_mode) & 0o666
    entered = allowed | (allowed & 0o444) >> 2  # who may read a folder may enter it
    for path in (root, *root.rglob("*")):
        with suppress(OSError):  # it is another user's, or its disk knows no permissions
            path.chmod(entered if path.is_dir() else allowed)


def refuse_remains(path: Path, needed: int = _LEAST) -> None:
    """See that a database has not lost its end: SQLite takes one that was cut to nothing for a new one.

    Its bytes are counted and not read: a process that closes a file gives up its locks on it, SQLite's as well.

    Args:
        path: the database.
        needed: bytes that it must have.

    Raises:
        KnowledgeBaseError: it is too short; the message says what to do.
    """
    wal = Path(f"{path}-wal")
    size = path.stat().st_size
    if size < needed and (size < _LEAST or not (wal.exists() and wal.stat().st_size)):
        raise KnowledgeBaseError(
            f"{path} is damaged: {size} bytes of it are left, and {needed - size} or more are missing; put back a "
            f"copy of it, or move it away and make it anew with: verifier ingest PATH --kb {path.parent}"
        )
