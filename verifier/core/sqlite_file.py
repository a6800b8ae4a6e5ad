"""Tell a SQLite file of ours from one of another program."""

from __future__ import annotations

import sqlite3

__all__ = ["is_of_another"]


def is_of_another(connection: sqlite3.Connection, application: int) -> bool:
    """Whether a file holds something and is not marked with this ``application_id``.

    Mark and tables are read as of one moment, since another process may be making the file.
    """
    connection.execute("BEGIN")
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    connection.execute("COMMIT")
    return bool(mark != application and (mark or tables))
