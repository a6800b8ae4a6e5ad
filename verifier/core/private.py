"""Make an empty file that only its owner can read, unless it is to be shared."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["make_file"]


def make_file(path: Path, *, shared: bool = False) -> None:
    """Make an empty file if there is none; one that is there keeps its permissions and is not even opened.

    To close a file gives up all locks that the process has on it, those of SQLite's connections as well. What SQLite
    makes beside a database has the permissions of the database.

    Args:
        path: the file.
        shared: whether the umask says who may read and write it, and not its owner alone.

    Raises:
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666 if shared else 0o600))
