"""Where the table of a backend lies: made, written to a directory, and taken from one; in a folder or on a server.

In a folder, the database is private to the backend and goes with it, and ``save`` copies its files. Elsewhere the table
stays where it is; ``save`` writes which one it is, and one that no ``save`` has recorded goes with the backend.
"""

from __future__ import annotations

import re
import shutil
import uuid
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeGuard

from verifier.core.errors import BackendRejected
from verifier_backends.index.binding import read_binding, write_binding
from verifier_backends.index.folders import PrivateFolder
from verifier_backends.tables.rows import Table

__all__ = ["Content", "Database", "Elsewhere", "InFolder", "Place", "is_table_name"]

_FOLDER = "data"


class Database(Protocol):
    """An open database. Its methods raise what the database raises."""

    def create(self, name: str, dimension: int) -> Table:
        """A new, empty table."""

    def table(self, name: str) -> Table | None:
        """The table of that name, ``None`` where there is none."""

    def drop(self, name: str) -> None:
        """Remove a table, if it is there."""

    def close(self) -> None:
        """Let go of connections and files."""


def is_table_name(name: object) -> TypeGuard[str]:
    """Whether it is a name that :meth:`Content.made` gives: nothing else is opened or removed by what a file says."""
    return isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,25}_[0-9a-f]{32}", name) is not None


class Content:
    """An open database and the table of the texts, which the first write makes."""

    def __init__(
        self, database: Database, table: Table | None = None, folder: PrivateFolder | None = None
    ) -> None:
        self.database, self.table, self.folder = database, table, folder
        self._unsaved: list[str] = []
        self._finalizer = weakref.finalize(self, _let_go, database, folder, self._unsaved)

    def made(self, prefix: str, dimension: int) -> Table:
        """The table, made now if there is none yet."""
        if self.table is None:
            name = f"{prefix}_{uuid.uuid4().hex}"
            self.table = self.database.create(name, dimension)
            self._unsaved.append(name)
        return self.table

    def keep(self) -> None:
        """The table is recorded somewhere: leave it when this goes."""
        self._unsaved.clear()

    def close(self) -> None:
        """Let it go now."""
        self._finalizer()


def _let_go(database: Database, folder: PrivateFolder | None, unsaved: list[str]) -> None:
    with suppress(Exception):
        for name in unsaved if folder is None else ():
            database.drop(name)
    with suppress(Exception):
        database.close()
    if folder is not None:
        folder.remove()


class Place(ABC):
    """Where contents are held."""

    resident: bool
    """Whether they outlive the backend."""

    @abstractmethod
    def open(self) -> Content:
        """An empty content."""

    @abstractmethod
    def save(self, content: Content, directory: Path) -> None:
        """Write a content, or where it is, into ``directory``."""

    @abstractmethod
    def load(self, directory: Path) -> Content:
        """What ``save`` wrote.

        Raises:
            BackendRejected: it is not there.
        """


class InFolder(Place):
    """A database in this process, over a private folder for each content.

    Args:
        vendor: whose; part of the folder's name.
        connect: opens the database in a folder.
    """

    resident = False

    def __init__(self, vendor: str, connect: Callable[[Path], Database]) -> None:
        self._vendor, self._connect = vendor, connect

    def open(self) -> Content:
        """An empty content."""
        folder = PrivateFolder(self._vendor)
        return Content(self._connect(folder.path), folder=folder)

    def save(self, content: Content, directory: Path) -> None:
        """Copy the folder; nobody may write in the meantime."""
        name, count = None, 0
        if content.table is not None and content.folder is not None:
            content.table.settle()
            name, count = content.table.name, content.table.count()
            shutil.copytree(content.folder.path, directory / _FOLDER, ignore=shutil.ignore_patterns(".lock"))
        write_binding(directory, {"name": name, "count": count})

    def load(self, directory: Path) -> Content:
        """A content of its own, which shares nothing with ``directory``."""
        binding = read_binding(directory)
        if binding["name"] is None:
            return self.open()
        folder = PrivateFolder(self._vendor)
        shutil.copytree(directory / _FOLDER, folder.path, dirs_exist_ok=True)
        content = Content(self._connect(folder.path), folder=folder)
        content.table = content.database.table(binding["name"])
        if content.table is None or content.table.count() != binding["count"]:
            raise BackendRejected(
                f"the index in {directory} does not hold its {binding['count']} texts; build it anew"
            )
        return content


class Elsewhere(Place):
    """Tables of a server, or of a store that others read too. Those that a ``save`` recorded stay until ``discard``.

    Args:
        connect: opens the database.
    """

    resident = True

    def __init__(self, connect: Callable[[], Database]) -> None:
        self._connect = connect

    def open(self) -> Content:
        """An empty content."""
        return Content(self._connect())

    def save(self, content: Content, directory: Path) -> None:
        """Record which table it is."""
        if content.table is not None:
            content.table.settle()
        write_binding(directory, {"name": content.table.name if content.table is not None else None})
        content.keep()

    def load(self, directory: Path) -> Content:
        """The table that ``directory`` records, as it is now."""
        name, content = read_binding(directory)["name"], self.open()
        if name is not None and not is_table_name(name):
            raise BackendRejected(
                f"the table {name!r} that {directory} names is none of ours; build the index anew"
            )
        if name is not None:
            content.table = content.database.table(name)
            if content.table is None:
                content.close()
                raise BackendRejected(
                    f"the table {name!r} that {directory} names is gone; build the index anew"
                )
        return content
