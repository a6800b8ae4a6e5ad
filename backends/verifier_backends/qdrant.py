"""The ``qdrant`` backend: cosine search by Qdrant, on a server or by its client's own small engine."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, ConfigError
from verifier.core.registry import require
from verifier_backends.encoders import Encoder
from verifier_backends.tables import Condition, Elsewhere, Found, InFolder, Row, TableBackend
from verifier_backends.tables.rows import Vectors

__all__ = ["QdrantBackend"]

KEY_VARIABLE = "QDRANT_API_KEY"
"""Environment variable with the key of the server. No secret stands in a configuration."""

_NAMES = uuid.UUID("6f1c1c1e-8a4f-5d0b-9a6b-2b8f0c6f4b11")
"""Of the ids that keys become: Qdrant takes UUIDs and numbers."""

_BUSY = (408, 425, 429)


class QdrantBackend(TableBackend):
    """Cosine search over a collection of Qdrant. Scores are cosines in [-1, 1].

    With ``url`` the texts lie on a server, in a collection of the backend's own, and are found by its HNSW graph; a key
    is taken from the environment variable ``QDRANT_API_KEY``. Without, they lie in a private temporary folder that
    the client's local mode reads and ``save`` and ``load`` copy: exact, and made for trying out, up to some ten
    thousand texts.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        url: of a running server, ``https://host:6333``.
        collection: how the names of collections begin.
        ef_search: how many candidates the graph is searched for at least.
        ef_construction: the same while it is built.
        max_neighbors: edges of a node of the graph.
        timeout: seconds that the server may take for one answer.

    Raises:
        ConfigError: a parameter is out of its range.
        MissingExtra: qdrant-client is not installed (on first use).
        BackendUnavailable: the server cannot be reached (on first use).
    """

    needs_one_of = ("qdrant_client",)

    vendor = "Qdrant"

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        url: str | None = None,
        collection: str = "verifier",
        ef_search: int = 128,
        ef_construction: int = 100,
        max_neighbors: int = 16,
        timeout: int = 60,
    ) -> None:
        if min(ef_search, ef_construction, timeout) < 1 or max_neighbors < 2:
            raise ConfigError(
                "ef_search, ef_construction and timeout must be at least 1, and max_neighbors at least 2"
            )
        graph = {"ef_construct": ef_construction, "m": max_neighbors}
        self._parameters = {"ef_search": ef_search, **graph}

        def served() -> _Database:
            key = os.environ.get(KEY_VARIABLE)
            return _Database({"url": url, "api_key": key, "timeout": timeout}, graph, ef_search, exact=False)

        def local(folder: Path) -> _Database:
            return _Database({"path": str(folder)}, graph, ef_search, exact=True)

        super().__init__(encoder, InFolder("qdrant", local) if url is None else Elsewhere(served), collection)

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors, the graph's parameters how they are found."""
        return {**super().identity, "hnsw": self._parameters}

    def _ours(self, what: str, error: Exception) -> BackendError:
        status = getattr(error, "status_code", None) or 0
        if type(error).__name__ == "ResponseHandlingException" or isinstance(
            error, ConnectionError | TimeoutError
        ):
            return BackendUnavailable(f"Qdrant could not {what}: no connection, or none in time")
        if status >= 500 or status in _BUSY:
            return BackendUnavailable(f"Qdrant could not {what} (status {status})")
        return BackendRejected(f"Qdrant refused to {what}: {str(error).strip() or type(error).__name__}")


class _Database:
    def __init__(self, place: dict[str, Any], graph: dict[str, int], depth: int, *, exact: bool) -> None:
        module = require("qdrant_client", extra="qdrant")
        self._models = module.models
        self._graph, self._depth, self._exact = graph, depth, exact
        local = {"force_disable_check_same_thread": True} if exact else {"check_compatibility": False}
        self._client = module.QdrantClient(**place, **local)

    def create(self, name: str, dimension: int) -> _Table:
        models = self._models
        self._client.create_collection(
            name,
            vectors_config=models.VectorParams(size=dimension, distance=models.Distance.DOT),
            hnsw_config=models.HnswConfigDiff(**self._graph),
        )
        if not self._exact:
            self._client.create_payload_index(name, "tags", models.PayloadSchemaType.KEYWORD, wait=True)
        return self._opened(name)

    def table(self, name: str) -> _Table | None:
        return self._opened(name) if self._client.collection_exists(name) else None

    def _opened(self, name: str) -> _Table:
        return _Table(self._client, self._models, name, self._depth, exact=self._exact)

    def drop(self, name: str) -> None:
        self._client.delete_collection(name)

    def close(self) -> None:
        self._client.close()


class _Table:
    def __init__(self, client: Any, models: Any, name: str, depth: int, *, exact: bool) -> None:
        self._client, self._models, self._depth = client, models, depth
        self.name, self.exact = name, exact

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        points = [
            self._models.PointStruct(id=_point(row.key), vector=vector.tolist(), payload=row._asdict())
            for row, vector in zip(rows, vectors, strict=True)
        ]
        self._client.upsert(self.name, points, wait=True)

    def remove(self, keys: Sequence[str]) -> int:
        known = [_point(key) for key in self.items(keys)]
        if known:
            self._client.delete(self.name, self._models.PointIdsList(points=known), wait=True)
        return len(known)

    def count(self) -> int:
        return int(self._client.count(self.name, exact=True).count)

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        if not keys:
            return {}
        found = self._client.retrieve(self.name, list(map(_point, keys)), with_payload=["key", "item"])
        return {point.payload["key"]: point.payload["item"] for point in found}

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        if not keys:
            return {}
        points = list(map(_point, keys))
        found = self._client.retrieve(self.name, points, with_payload=["key"], with_vectors=True)
        return {point.payload["key"]: point.vector for point in found}

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        models = self._models
        depth = None if self.exact else models.SearchParams(exact=exact, hnsw_ef=max(self._depth, limit))
        found = self._client.query_points(
            self.name,
            query=vector.tolist(),
            query_filter=models.Filter(must=list(map(self._condition, conditions))) if conditions else None,
            search_params=depth,
            limit=limit,
            with_payload=["key", "item"],
        )
        return [Found(point.score, point.payload["key"], point.payload["item"]) for point in found.points]

    def _condition(self, condition: Condition) -> Any:
        """Any of the tags, or the absence of one."""
        models, options = self._models, []
        if condition.tags:
            match = models.MatchAny(any=list(condition.tags))
            options.append(models.FieldCondition(key="tags", match=match))
        if condition.absent is not None:
            there = models.FieldCondition(key="tags", match=models.MatchValue(value=condition.absent))
            options.append(models.Filter(must_not=[there]))
        return models.Filter(should=options)

    def settle(self) -> None:
        """The server builds its graph by itself."""


def _point(key: str) -> str:
    return str(uuid.uuid5(_NAMES, key))
