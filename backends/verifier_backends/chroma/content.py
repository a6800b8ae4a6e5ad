"""Where a backend's texts are held: opened, written to a directory, and taken from one; embedded or on a server.

Embedded, the texts lie in a private folder that goes with the backend, and ``save`` copies it. On a server they
lie in a collection of the backend's own, which stays there; ``save`` writes which one it is.
"""

from __future__ import annotations

import shutil
import sqlite3
import uuid
import weakref
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendRejected
from verifier_backends.chroma.client import embedded_client, server_client, translated
from verifier_backends.index.binding import read_binding, write_binding
from verifier_backends.index.folders import PrivateFolder

__all__ = ["Content", "Embedded", "Server"]

_DATABASE = "chroma.sqlite3"
_FOLDER = "chroma"


class Content:
    """A client and the collection that holds the texts, which is made by the first write.

    It is let go when nobody refers to it any more, or when the process ends: the client is closed, a private
    folder is removed, and so is a collection that no ``save`` has recorded.
    """

    def __init__(self, client: Any, collection: Any = None, folder: PrivateFolder | None = None) -> None:
        self.client, self.collection, self.folder = client, collection, folder
        self._unsaved: list[str] = []
        self._finalizer = weakref.finalize(self, _let_go, client, folder, self._unsaved)

    def made(self, prefix: str, parameters: Mapping[str, int]) -> Any:
        """The collection, made now if there is none yet."""
        if self.collection is None:
            name = f"{prefix}-{uuid.uuid4().hex}"
            self.collection = self.client.create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": "cosine", **parameters}}
            )
            self._unsaved.append(name)
        return self.collection

    def keep(self) -> None:
        """The collection is recorded somewhere: leave it when this goes."""
        self._unsaved.clear()

    def close(self) -> None:
        """Let it go now."""
        self._finalizer()


def _let_go(client: Any, folder: PrivateFolder | None, unsaved: list[str]) -> None:
    with suppress(Exception):
        for name in unsaved if folder is None else ():
            client.delete_collection(name)
    # Chroma's close leaves the connections open, those of the second client inside the first as well.
    sessions = [
        server._session
        for server in (client._server, client._admin_client._server)
        if hasattr(server, "_session")
    ]
    with suppress(Exception):
        client.close()
    for session in sessions:
        session.close()
    if folder is not None:
        folder.remove()


class Embedded:
    """Chroma in this process, over a private folder for each content."""

    resident = False

    def open(self) -> Content:
        """An empty content."""
        folder = PrivateFolder("chroma")
        return Content(embedded_client(folder.path), folder=folder)

    def save(self, content: Content, directory: Path) -> None:
        """Copy the folder; nobody may read or write in the meantime, since reading may compact the log."""
        name, count = None, 0
        if content.collection is not None and content.folder is not None:
            name, count = content.collection.name, content.collection.count()
            _copy(content.folder.path, directory / _FOLDER)
            # The client holds the database open: SQLite's own backup is the way to a whole copy.
            with (
                closing(sqlite3.connect(content.folder.path / _DATABASE)) as source,
                closing(sqlite3.connect(directory / _FOLDER / _DATABASE)) as copy,
            ):
                source.backup(copy)
        write_binding(directory, {"name": name, "count": count})

    def load(self, directory: Path) -> Content:
        """A content of its own, which shares nothing with ``directory``."""
        binding = read_binding(directory)
        content = self.open() if binding["name"] is None else self._copied(directory)
        if binding["name"] is not None:
            _bind(content, binding, directory)
            if content.collection.count() != binding["count"]:
                raise BackendRejected(
                    f"the index in {directory} holds {content.collection.count()} texts, not {binding['count']}"
                )
        return content

    def _copied(self, directory: Path) -> Content:
        folder = PrivateFolder("chroma")
        _copy(directory / _FOLDER, folder.path)
        shutil.copy(directory / _FOLDER / _DATABASE, folder.path)
        return Content(embedded_client(folder.path), folder=folder)


@dataclass(frozen=True)
class Server:
    """Collections on a running server. Those that a ``save`` recorded stay until ``discard``."""

    host: str
    port: int
    ssl: bool
    tenant: str
    database: str
    timeout: float

    resident = True

    def open(self) -> Content:
        """An empty content."""
        client = server_client(
            self.host,
            self.port,
            ssl=self.ssl,
            tenant=self.tenant,
            database=self.database,
            timeout=self.timeout,
        )
        return Content(client)

    def save(self, content: Content, directory: Path) -> None:
        """Record which collection it is."""
        if content.collection is None:
            write_binding(directory, {"name": None})
            return
        write_binding(directory, {"name": content.collection.name, "id": str(content.collection.id)})
        content.keep()

    def load(self, directory: Path) -> Content:
        """The collection that ``directory`` records, as it is now."""
        binding, content = read_binding(directory), self.open()
        if binding["name"] is not None:
            _bind(content, binding, directory)
            if str(content.collection.id) != binding["id"]:
                raise BackendRejected(
                    f"another collection has taken the name {binding['name']!r}; build it anew"
                )
        return content


def _copy(source: Path, target: Path) -> None:
    """Copy what lies beside the database. The first error ends it, as it is; ``shutil.copytree`` makes text of them."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.rglob("*")):
        if path.is_dir():
            (target / path.relative_to(source)).mkdir(parents=True, exist_ok=True)
        elif path.name != _DATABASE:
            shutil.copy(path, target / path.relative_to(source))


def _bind(content: Content, binding: Mapping[str, Any], directory: Path) -> None:
    with translated(f"open the collection that {directory} names"):
        content.collection = content.client.get_collection(binding["name"], embedding_function=None)
