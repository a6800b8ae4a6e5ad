"""The ``lancedb`` backend: exact cosine search by LanceDB, over files of its own or a store that many read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable
from verifier.core.registry import require
from verifier_backends.encoders import Encoder
from verifier_backends.tables import Condition, Elsewhere, Found, InFolder, Row, TableBackend
from verifier_backends.tables.rows import Vectors

__all__ = ["LanceDBBackend"]


class LanceDBBackend(TableBackend):
    """Exact cosine search over a table of LanceDB. Scores are cosines in [-1, 1].

    Without ``uri`` the table lies in a private temporary folder, and ``save`` and ``load`` copy it. With one it lies
    there, in a table of the backend's own, which any number of processes may read; what object storage asks for
    (keys, regions) is taken from the environment, as LanceDB has it.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        uri: a folder, or ``s3://bucket/path``, ``gs://...``, ``az://...``.
        collection: how the names of tables begin.

    Raises:
        ConfigError: ``collection`` is no name.
        MissingExtra: lancedb is not installed (on first use).
    """

    needs_one_of = ("lancedb",)

    vendor = "LanceDB"

    def __init__(
        self, encoder: Encoder | None = None, *, uri: str | None = None, collection: str = "verifier"
    ) -> None:
        place = (
            InFolder("lancedb", _Database) if uri is None else Elsewhere(lambda: _Database(uri, shared=True))
        )
        super().__init__(encoder, place, collection)

    def _ours(self, what: str, error: Exception) -> BackendError:
        told = str(error).partition("\n")[0]
        if isinstance(error, ConnectionError | TimeoutError):
            return BackendUnavailable(f"LanceDB could not {what}: no connection, or none in time")
        return BackendRejected(f"LanceDB refused to {what}: {told}")


class _Database:
    """Args: where it lies, and whether others read and write there too."""

    def __init__(self, uri: str | Path, *, shared: bool = False) -> None:
        lancedb = require("lancedb", extra="lancedb")
        self._arrow = require("pyarrow", extra="lancedb")
        self._shared = shared
        seen_after = timedelta(0) if shared else None
        self._connection = lancedb.connect(os.fspath(uri), read_consistency_interval=seen_after)

    def create(self, name: str, dimension: int) -> _Table:
        arrow = self._arrow
        columns = [
            ("key", arrow.string()),
            ("item", arrow.string()),
            ("tags", arrow.list_(arrow.string())),
            ("vector", arrow.list_(arrow.float32(), dimension)),
        ]
        made = self._connection.create_table(name, schema=arrow.schema(columns))
        return _Table(made, arrow, shared=self._shared)

    def table(self, name: str) -> _Table | None:
        if name not in self._connection.list_tables().tables:
            return None
        return _Table(self._connection.open_table(name), self._arrow, shared=self._shared)

    def drop(self, name: str) -> None:
        self._connection.drop_table(name, ignore_missing=True)

    def close(self) -> None:
        """Nothing is held open."""


class _Table:
    exact = True

    def __init__(self, table: Any, arrow: Any, *, shared: bool) -> None:
        self._table, self._arrow, self._shared = table, arrow, shared
        self.name: str = table.name

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        arrow, schema = self._arrow, self._table.schema
        flat = arrow.array(vectors.reshape(-1))
        columns = {
            "key": [row.key for row in rows],
            "item": [row.item for row in rows],
            "tags": [row.tags for row in rows],
            "vector": arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        }
        merge = self._table.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
        merge.execute(arrow.table(columns, schema=schema))

    def remove(self, keys: Sequence[str]) -> int:
        return int(self._table.delete(_among("key", keys)).num_deleted_rows) if keys else 0

    def count(self) -> int:
        return int(self._table.count_rows())

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        if not keys:
            return {}
        found = (
            self._table.search().where(_among("key", keys)).select(["key", "item"]).limit(len(keys)).to_list()
        )
        return {one["key"]: one["item"] for one in found}

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        if not keys:
            return {}
        search = self._table.search().where(_among("key", keys)).select(["key", "vector"])
        return {one["key"]: one["vector"] for one in search.limit(len(keys)).to_list()}

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        del exact  # no index is built, so that all rows are compared
        search = self._table.search(vector).distance_type("dot").limit(limit)
        if conditions:
            search = search.where(" AND ".join(map(_condition, conditions)), prefilter=True)
        found = search.select(["key", "item", "_distance"]).to_list()
        return [Found(1.0 - one["_distance"], one["key"], one["item"]) for one in found]

    def settle(self) -> None:
        """Join the small files of single writes, and drop older versions: where others read, those of last week."""
        self._table.optimize(cleanup_older_than=None if self._shared else timedelta(milliseconds=1))


def _among(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(map(_quoted, values))})"


def _condition(condition: Condition) -> str:
    options = []
    if condition.tags:
        options.append(f"array_has_any(tags, make_array({', '.join(map(_quoted, condition.tags))}))")
    if condition.absent is not None:
        options.append(f"NOT array_has(tags, {_quoted(condition.absent)})")
    return f"({' OR '.join(options)})"


def _quoted(value: str) -> str:
    """A text of SQL: keys and tags are ASCII, and a quote is the one character that ends it."""
    return "'" + value.replace("'", "''") + "'"
