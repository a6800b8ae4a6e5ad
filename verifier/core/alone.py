"""A block of code that only one process and one thread at a time may be in, guarded by a lock on a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

__all__ = ["alone_with"]

_PATIENCE = 0.5
"""Seconds between two looks; in between Ctrl-C is not heard."""


@contextmanager
def alone_with(file: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Wait until nobody else is in a block with this file; yields whether that could be made sure of.

    The lock is that of an empty SQLite database: every system has it, and it goes with the process that holds it,
    however that ends. Where the file cannot be made or locked (a read-only disk, some network drives) the block runs
    all the same, and ``False`` says so.

    Args:
        file: made if it is not there, and left there.
        waiting: called once where somebody else is in the block.
    """
    try:
        connection = sqlite3.connect(file, timeout=0.0, isolation_level=None)
    except sqlite3.Error:
        yield False
        return
    with closing(connection):
        yield _locked(connection, waiting)


def _locked(connection: sqlite3.Connection, waiting: Callable[[], None]) -> bool:
    told = False
    while True:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                return False
        except sqlite3.Error:
            return False
        else:
            return True
        if not told:
            waiting()
            connection.execute(f"PRAGMA busy_timeout = {int(1000 * _PATIENCE)}")
        told = True
