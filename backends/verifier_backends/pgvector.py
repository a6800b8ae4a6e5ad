"""The ``pgvector`` backend: cosine search in PostgreSQL, exact or by HNSW, in single or half precision."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Literal

from verifier.core.database_url import scrubbed
from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, ConfigError
from verifier.core.registry import require
from verifier_backends.encoders import Encoder
from verifier_backends.tables import Condition, Elsewhere, Found, Row, TableBackend
from verifier_backends.tables.rows import Vectors

__all__ = ["PgvectorBackend"]

_MOST_DIMENSIONS = {"single": 2_000, "half": 4_000}
"""Of a vector that pgvector's HNSW takes."""

_CONNECTIONS = 8
"""Kept open at most, for threads that read at a time."""


class PgvectorBackend(TableBackend):
    """Cosine search over a table of PostgreSQL. Scores are cosines in [-1, 1].

    The texts lie in a table of the backend's own, which any number of processes may read. The graph of ``hnsw`` is
    built when an index is saved, which is faster than row by row; until then, and with ``exact``, all rows are
    compared. Half precision halves the room of vectors and graph.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        url: ``postgresql://user@host:5432/database``; without it, the database of the knowledge base, where that is in
            one. What it leaves out, the password above all, is taken from the
            environment (``PGPASSWORD``, ``PGHOST``, ...) or ``~/.pgpass``, as every client of PostgreSQL has it.
        collection: how the names of tables begin.
        index: ``hnsw``, or ``exact`` for none.
        precision: ``single`` or ``half``.
        ef_search: how many candidates the graph is searched for at least.
        ef_construction: the same while it is built.
        max_neighbors: edges of a node of the graph.
        timeout: seconds that a connection, and a statement that searches, may take.

    Raises:
        ConfigError: a parameter is out of its range, or a password stands in ``url``.
        MissingExtra: psycopg or pgvector is not installed (on first use).
        BackendUnavailable: the server cannot be reached (on first use).
        BackendRejected: pgvector is not there in the database, and this user may not create it (on first use).
    """

    needs_one_of = ("psycopg",)

    vendor = "PostgreSQL"

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        url: str | None = None,
        collection: str = "verifier",
        index: Literal["hnsw", "exact"] = "hnsw",
        precision: Literal["single", "half"] = "single",
        ef_search: int = 100,
        ef_construction: int = 64,
        max_neighbors: int = 16,
        timeout: int = 60,
    ) -> None:
        if index not in ("hnsw", "exact") or precision not in _MOST_DIMENSIONS:
            raise ConfigError("index must be 'hnsw' or 'exact', and precision 'single' or 'half'")
        if not (1 <= ef_search <= 1000 and 2 <= max_neighbors <= 100 and timeout >= 1):
            raise ConfigError("ef_search must be 1 to 1000, max_neighbors 2 to 100, and timeout at least 1")
        if not 2 * max_neighbors <= ef_construction <= 1000:
            raise ConfigError("ef_construction must be at least 2 max_neighbors, and at most 1000")
        if re.search(r"://[^/@]*:[^/@]*@|password\s*=", url or ""):
            raise ConfigError("a password stands in url: leave it out, and set PGPASSWORD in the environment")
        self._url, self._schema = url, ""
        graph = {"m": max_neighbors, "ef_construction": ef_construction}
        self._kind = {"index": index, "precision": precision, "ef_search": ef_search, **graph}
        super().__init__(
            encoder,
            Elsewhere(lambda: _Database(self._url or "", timeout, self._kind, self._schema)),
            collection,
        )

    def settle_in(self, home: str, schema: str) -> None:
        """Without a ``url``, be in the database of the knowledge base."""
        if self._url is None:
            self._url, self._schema = home, schema

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors, index and precision how they are found."""
        return {**super().identity, **self._kind}

    def _ours(self, what: str, error: Exception) -> BackendError:
        told = scrubbed(_first_line(error), self._url or "")
        state = str(getattr(error, "sqlstate", None) or "")
        # Connections (08), resources (53), an operator's intervention (57); without a state, no answer came at all.
        if type(error).__name__ in ("OperationalError", "ConnectionTimeout") and not state:
            return BackendUnavailable(f"PostgreSQL could not {what}: {told}")
        if state[:2] in ("08", "53", "57"):
            return BackendUnavailable(f"PostgreSQL could not {what}: {told}")
        return BackendRejected(f"PostgreSQL refused to {what}: {told}")


class _Database:
    """Some connections to one database, each of which a thread has at a time."""

    def __init__(self, url: str, timeout: int, kind: dict[str, Any], schema: str) -> None:
        self._psycopg = require("psycopg", extra="pgvector")
        self._adapters = require("pgvector.psycopg", extra="pgvector", package="pgvector")
        types = require("pgvector", extra="pgvector")
        self._vector = types.HalfVector if kind["precision"] == "half" else types.Vector
        self._url, self._timeout, self.kind = url, timeout, kind
        self._path = f" -c search_path={schema},public" if schema else ""
        self._free: list[Any] = []
        self._guard = threading.Lock()
        self._free.append(self._connected())

    def _connected(self) -> Any:
        options = f"-c statement_timeout={1000 * self._timeout}{self._path}"
        connection = self._psycopg.connect(
            self._url, connect_timeout=self._timeout, options=options, autocommit=True
        )
        try:
            self._ensure_extension(connection)
            self._adapters.register_vector(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _ensure_extension(self, connection: Any) -> None:
        there = "SELECT 1 FROM pg_extension WHERE extname = 'vector'"
        if connection.execute(there).fetchone() is None:
            try:
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            except self._psycopg.Error as error:
                if connection.execute(there).fetchone() is not None:
                    return  # another process has just done it
                raise BackendRejected(
                    "the database has no pgvector: a superuser installs it once, by CREATE EXTENSION vector "
                    f"({_first_line(error)})"
                ) from error

    @contextmanager
    def connection(self) -> Iterator[Any]:
        """A connection for one transaction, which is rolled back where the block fails."""
        stack = ExitStack()
        connection = self._begun(stack)
        try:
            with stack:
                yield connection
        except BaseException:
            lost = connection.broken
            connection.close()
            if lost:
                self.close()  # those that wait are of the same server, which is gone or was started anew
            raise
        with self._guard:
            if len(self._free) < _CONNECTIONS:
                self._free.append(connection)
                return
        connection.close()

    def _begun(self, stack: ExitStack) -> Any:
        """A connection in a transaction; those that waited while the server was started anew are thrown away."""
        while True:
            with self._guard:
                connection = self._free.pop() if self._free else None
            waited = connection is not None
            connection = connection or self._connected()
            try:
                stack.enter_context(connection.transaction())
            except self._psycopg.OperationalError:
                connection.close()
                if not waited:
                    raise
            else:
                return connection

    def vector(self, values: Vectors) -> Any:
        """As it is sent."""
        return self._vector(values)

    def create(self, name: str, dimension: int) -> _Table:
        most = _MOST_DIMENSIONS[self.kind["precision"]]
        if self.kind["index"] == "hnsw" and dimension > most:
            raise BackendRejected(
                f"the graph takes at most {most} dimensions in {self.kind['precision']} precision, and the vectors "
                f'have {dimension}; set index = "exact", or precision = "half" up to 4,000'
            )
        kind = "halfvec" if self.kind["precision"] == "half" else "vector"
        with self.connection() as connection:
            connection.execute(
                f"CREATE TABLE {name} (key text PRIMARY KEY, item text NOT NULL, tags text[] NOT NULL, "
                f"embedding {kind}({dimension}) NOT NULL)"
            )
            connection.execute(f"CREATE INDEX ON {name} USING gin (tags)")
        return _Table(self, name)

    def table(self, name: str) -> _Table | None:
        with self.connection() as connection:
            there = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [name]).fetchone()[0]
        return _Table(self, name) if there else None

    def drop(self, name: str) -> None:
        with self.connection() as connection:
            connection.execute(f"DROP TABLE IF EXISTS {name}")

    def close(self) -> None:
        with self._guard:
            while self._free:
                self._free.pop().close()


class _Table:
    def __init__(self, database: _Database, name: str) -> None:
        self._database, self.name = database, name
        self.exact = database.kind["index"] == "exact"
        self._cast = "halfvec" if database.kind["precision"] == "half" else "vector"

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        statement = (
            f"INSERT INTO {self.name} VALUES (%s, %s, %s, %s::{self._cast}) ON CONFLICT (key) DO UPDATE "
            "SET item = excluded.item, tags = excluded.tags, embedding = excluded.embedding"
        )
        with self._database.connection() as connection, connection.cursor() as cursor:
            given = ((*row, self._database.vector(vector)) for row, vector in zip(rows, vectors, strict=True))
            cursor.executemany(statement, given)

    def remove(self, keys: Sequence[str]) -> int:
        with self._database.connection() as connection:
            return int(
                connection.execute(f"DELETE FROM {self.name} WHERE key = ANY(%s)", [list(keys)]).rowcount
            )

    def count(self) -> int:
        with self._database.connection() as connection:
            return int(connection.execute(f"SELECT count(*) FROM {self.name}").fetchone()[0])

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        with self._database.connection() as connection:
            found = connection.execute(f"SELECT key, item FROM {self.name} WHERE key = ANY(%s)", [list(keys)])
            return dict(found.fetchall())

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        if self._cast == "halfvec":
            return {}
        with self._database.connection() as connection:
            found = connection.execute(
                f"SELECT key, embedding FROM {self.name} WHERE key = ANY(%s)", [list(keys)]
            )
            return {key: vector.to_list() for key, vector in found.fetchall()}

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        clauses, values = _where(conditions)
        asked = self._database.vector(vector)
        near = f"embedding <#> %s::{self._cast}"
        with self._database.connection() as connection:
            if exact:
                connection.execute("SET LOCAL enable_indexscan = off")
            else:
                depth = min(1000, max(self._database.kind["ef_search"], limit))
                connection.execute(f"SET LOCAL hnsw.ef_search = {depth}")
            found = connection.execute(
                f"SELECT -({near}), key, item FROM {self.name} {clauses} ORDER BY {near} LIMIT %s",
                [asked, *values, asked, limit],
            )
            return [Found(*row) for row in found.fetchall()]

    def settle(self) -> None:
        """Build the graph, unless it is there, and let the planner know the table."""
        with self._database.connection() as connection:
            if not self.exact:
                kind = self._database.kind
                connection.execute("SET LOCAL statement_timeout = 0")
                connection.execute(
                    f"CREATE INDEX IF NOT EXISTS {self.name}_hnsw ON {self.name} USING hnsw "
                    f"(embedding {self._cast}_ip_ops) WITH (m = {kind['m']}, ef_construction = "
                    f"{kind['ef_construction']})"
                )
            connection.execute(f"ANALYZE {self.name}")


def _where(conditions: Sequence[Condition]) -> tuple[str, list[Any]]:
    """A clause and its values; nothing for no conditions."""
    parts: list[str] = []
    values: list[Any] = []
    for condition in conditions:
        options = []
        if condition.tags:
            options.append("tags && %s::text[]")
            values.append(list(condition.tags))
        if condition.absent is not None:
            options.append("NOT tags @> %s::text[]")
            values.append([condition.absent])
        parts.append(f"({' OR '.join(options)})")
    return (f"WHERE {' AND '.join(parts)}" if parts else ""), values


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
