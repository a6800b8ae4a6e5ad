"""Private folders of embedded databases among the temporary ones: made locked, swept when their process has ended."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

__all__ = ["PrivateFolder", "sweep"]

_PREFIX = "verifier-"
_LOCK = "in-use"
_DATA = "data"

_LONG_AGO = 86_400.0
"""Seconds after which a folder without a lock was left by a release that made none."""

_once = threading.Lock()
_swept: set[tuple[str, str]] = set()


class PrivateFolder:
    """An empty folder that nobody else uses. The lock goes with the process that holds it, however that ends.

    Args:
        vendor: whose files it holds; part of its name.

    Attributes:
        path: where the database keeps its files. The lock lies above it: a process that copies a locked file and
            closes it gives up the lock.
    """

    def __init__(self, vendor: str) -> None:
        _sweep_once(vendor)
        self._whole = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{vendor}-"))
        self._lock = _connected(self._whole / _LOCK)
        self._lock.execute("BEGIN EXCLUSIVE")
        self.path = self._whole / _DATA
        self.path.mkdir()

    def remove(self) -> None:
        """Remove it with all that is in it."""
        shutil.rmtree(self._whole, ignore_errors=True)
        self._lock.close()


def sweep(vendor: str) -> list[Path]:
    """Remove the folders of a vendor whose process has ended, as after a kill; gives those that went."""
    folders = sorted(Path(tempfile.gettempdir()).glob(f"{_PREFIX}{vendor}-*"))
    return [folder for folder in folders if _removed(folder)]


def _sweep_once(vendor: str) -> None:
    """Sweep when this process makes its first folder."""
    with _once:
        place = (tempfile.gettempdir(), vendor)
        if place not in _swept:
            _swept.add(place)
            sweep(vendor)


def _removed(folder: Path) -> bool:
    """Remove a folder unless somebody holds its lock, or it is another user's."""
    try:
        if not (folder / _LOCK).exists():
            if time.time() - folder.stat().st_mtime > _LONG_AGO:
                shutil.rmtree(folder, ignore_errors=True)
            return not folder.exists()
        with closing(_connected(folder / _LOCK)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, sqlite3.Error):
        return False
    return not folder.exists()


def _connected(lock: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(lock, timeout=0.0, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = MEMORY")
    return connection
