"""Indexes in the database: stamped generations of a backend's files, one of them in use by all processes."""

from __future__ import annotations

import json
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from verifier_backends.base import VectorBackend
from verifier_backends.index.binding import BINDING
from verifier_backends.tables.content import is_table_name

from verifier.core.errors import KnowledgeBaseMismatch
from verifier.knowledge.changes import Changes
from verifier.knowledge.index import Stamp, described, filled, fingerprint
from verifier.knowledge.postgres.schema import SCHEMA, vectors_ruled

if TYPE_CHECKING:
    from verifier.knowledge.postgres.connection import PostgresConnection
    from verifier.knowledge.postgres.database import PostgresDatabase

__all__ = ["StoredIndex"]

_PART = 8 << 20
"""Bytes of a file in one row."""

_REQUEUED = """
    INSERT INTO waiting (name, revision, passage_id)
    SELECT ?, revision, passage_id FROM passages WHERE revision > ?
    UNION SELECT ?, revision, passage_id FROM tombstones WHERE revision > ?
"""


class StoredIndex:
    """The generations of one fingerprint, as rows. A knowledge base has one index in use, whoever asks.

    Args:
        database: the knowledge base.
        name: the fingerprint.
    """

    def __init__(self, database: PostgresDatabase, name: str) -> None:
        self.name = name
        self._database = database

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return f"{self._database.place}, index {self.name}"

    @property
    def remedy(self) -> str:
        """The command that frees what no index needs."""
        return f"verifier kb gc --kb {self._database.place}"

    def generation(self) -> Path | None:
        """The name of the one in use, ``None`` when there is none."""
        with self._database.read() as connection:
            found = connection.execute(
                "SELECT generation FROM indexes WHERE name = ?", (self.name,)
            ).fetchone()
        return Path(found[0]) if found is not None else None

    def stamp(self, generation: Path) -> Stamp | None:
        """The stamp of a generation, ``None`` where that went.

        Raises:
            KnowledgeBaseMismatch: it is not of this fingerprint.
        """
        with self._database.read() as connection:
            found = connection.execute(
                "SELECT stamp FROM generations WHERE id = ?", (str(generation),)
            ).fetchone()
        if found is None:
            return None
        stamp = Stamp(**json.loads(found[0]))
        if not stamp.fingerprint == fingerprint(stamp.configuration, stamp.identity) == self.name:
            raise self.mismatch(f"its stamp is of {described(stamp.identity)}")
        return stamp

    def load(self, backend: VectorBackend, generation: Path, stamp: Stamp, *, searching: bool = True) -> None:
        """Fill ``backend`` from a generation, whose files are on this machine for so long.

        Raises:
            KnowledgeBaseMismatch: the backend cannot read it, or holds something else afterwards.
        """
        with self._fetched(str(generation)) as folder:
            filled(backend, folder, stamp, self, searching=searching)

    def save(self, backend: VectorBackend, stamp: Stamp) -> None:
        """Write the whole of ``backend`` as a new generation, and make it the one in use for all processes.

        The old one stays until the next ``save``. Where the others must look for the new one, the revision grows.
        """
        with self._database.saving():
            self.sweep(backend)
            self._save(backend, stamp)

    def _save(self, backend: VectorBackend, stamp: Stamp) -> None:
        generation = f"{stamp.revision}-{uuid.uuid4().hex[:8]}"
        with tempfile.TemporaryDirectory(prefix="verifier-index-") as folder:
            data = Path(folder, "data")
            backend.save(data)
            self._upload(generation, data, stamp)
        with self._database.write() as connection:
            before = connection.execute("SELECT name FROM indexes").fetchall()
            connection.execute("DELETE FROM indexes")
            connection.execute(
                "INSERT INTO indexes VALUES (?, ?, ?)", (self.name, generation, backend.divided)
            )
            if backend.divided:
                connection.execute(_REQUEUED, (self.name, stamp.revision) * 2)
            if backend.divided or before not in ([], [(self.name,)]):
                Changes(connection, "").revision()
            for table in _tables(connection, generation, ruled=False):
                for statement in vectors_ruled(table):
                    connection.execute(statement)

    def _upload(self, generation: str, data: Path, stamp: Stamp) -> None:
        paths = sorted(path for path in data.rglob("*") if path.is_file())
        sizes = {path.relative_to(data).as_posix(): path.stat().st_size for path in paths}
        text = json.dumps({**asdict(stamp), "files": sizes}, sort_keys=True)
        with self._database.store() as connection:
            connection.execute("INSERT INTO generations VALUES (?, ?, ?)", (generation, self.name, text))
            for path in paths:
                for number, part in enumerate(_parts(path)):
                    connection.execute(
                        "INSERT INTO index_files VALUES (?, ?, ?, ?)",
                        (generation, path.relative_to(data).as_posix(), number, part),
                    )

    def sweep(self, backend: VectorBackend) -> list[str]:
        """Remove everything but the generation in use: older ones, and what was broken off.

        Args:
            backend: one of this fingerprint, which frees what a generation holds elsewhere.
        """
        current = self.generation()
        gone = [name for name in self._generations() if name != str(current)]
        for name in gone:
            if backend.resident:
                with self._fetched(name) as old, self._fetched(str(current)) as kept:
                    backend.discard(old, [kept])
            self._drop(name)
        return [f"index/{self.name}/{name}" for name in gone]

    def remove(self) -> list[str]:
        """Remove all generations, which are not in use."""
        gone = self._generations()
        for name in gone:
            with self._database.store() as connection:
                for table in (
                    *_tables(connection, name, ruled=True),
                    *_tables(connection, name, ruled=False),
                ):
                    connection.execute(f"DROP TABLE {table}")
            self._drop(name)
        return [f"index/{self.name}"] if gone else []

    def sizes(self, generation: Path | None) -> tuple[int, int, int]:
        """Bytes of a generation; how many others there are, and their bytes."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT g.id, coalesce(sum(length(f.data)), 0)::bigint FROM generations g"
                " LEFT JOIN index_files f ON f.generation = g.id WHERE g.name = ? GROUP BY g.id",
                (self.name,),
            ).fetchall()
        of = dict(rows)
        own = of.pop(str(generation), 0)
        return own, len(of), sum(of.values())

    def mismatch(self, what: str) -> KnowledgeBaseMismatch:
        """The refusal of an index, with the command that makes it anew."""
        return KnowledgeBaseMismatch(
            f"the index of {self.place} cannot be used: {what}; make it anew with: "
            f"verifier kb reindex --kb {self._database.place}"
        )

    def _generations(self) -> list[str]:
        with self._database.read() as connection:
            rows = connection.execute("SELECT id FROM generations WHERE name = ? ORDER BY id", (self.name,))
            return [name for (name,) in rows.fetchall()]

    def _drop(self, name: str) -> None:
        with self._database.store() as connection:
            connection.execute("DELETE FROM generations WHERE id = ?", (name,))

    @contextmanager
    def _fetched(self, name: str) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="verifier-index-") as folder:
            with self._database.read() as connection:
                _fetch(connection, name, Path(folder))
            yield Path(folder)


def _tables(connection: PostgresConnection, generation: str, *, ruled: bool) -> list[str]:
    """The tables of this schema in which a backend keeps a generation, with or without rules for tenants."""
    rows = connection.execute(
        "SELECT data FROM index_files WHERE generation = ? AND (path = ? OR path LIKE ?)",
        (generation, BINDING, f"%/{BINDING}"),
    ).fetchall()
    names = [name for (data,) in rows if (name := json.loads(data)["name"])]
    there = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = ? AND rowsecurity = ? AND tablename = ANY(?)",
        (SCHEMA, ruled, names),
    )
    return [name for (name,) in there.fetchall() if is_table_name(name)]


def _fetch(connection: PostgresConnection, generation: str, folder: Path) -> None:
    """Write the files of a generation into a folder, a part in memory at a time."""
    found = connection.execute(
        "SELECT path, part FROM index_files WHERE generation = ? ORDER BY path, part", (generation,)
    )
    for name, number in found.fetchall():
        (data,) = connection.execute(
            "SELECT data FROM index_files WHERE generation = ? AND path = ? AND part = ?",
            (generation, name, number),
        ).fetchone()
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield file.read(_PART)
        while part := file.read(_PART):
            yield part
