"""What OpenSearch and Elasticsearch have in common: a backend over an index of theirs, by their own clients."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, ConfigError
from verifier.core.registry import require
from verifier_backends.encoders import Encoder
from verifier_backends.tables.backend import TableBackend
from verifier_backends.tables.content import Elsewhere
from verifier_backends.tables.rows import Condition, Found, Row, Vectors

__all__ = ["Engine", "Graph", "SearchEngineBackend", "authorization", "limits", "refuse_older"]

MOST_NEIGHBORS = 10_000
"""That both take as ``k``; searches for more are exact."""

CONNECTIONS = 64
"""Kept open at most, for threads that read at a time."""

_CONNECT_SECONDS = 2.5
"""Until a server counts as out of reach; it is tried twice."""

_REQUEST_BYTES = 8 << 20
"""Of a bulk request; the smallest hosted clusters take 10 MB."""

_RETRIES = 3
"""Of rows that a busy server did not take, after one, two and four seconds."""

_MOST_RESULTS = 1_000_000_000

_BUSY = (408, 425, 429)

Query = dict[str, Any]


@dataclass(frozen=True)
class Graph:
    """How the vectors of an index are searched."""

    index: Literal["hnsw", "exact"]
    ef_search: int
    ef_construction: int
    m: int

    @property
    def exact(self) -> bool:
        """Whether there is no graph."""
        return self.index == "exact"


class Engine(ABC):
    """A connected server and what is said otherwise to it than to others.

    Args:
        client: of the vendor.
        bulk: the vendor's function that sends many rows.
    """

    dimension_key: ClassVar[str]
    """Under which ``vector`` tells the dimension."""

    def __init__(self, client: Any, bulk: Any) -> None:
        self.client, self.bulk = client, bulk

    @abstractmethod
    def settings(self, graph: Graph) -> dict[str, Any]:
        """Of a new index, beside those that both take."""

    @abstractmethod
    def vector(self, dimension: int, graph: Graph) -> dict[str, Any]:
        """The mapping of a vector."""

    @abstractmethod
    def walked(self, vector: list[float], limit: int, depth: int, filters: Query | None) -> Query:
        """A query of the graph; filters are applied on the way, so that they cut nothing off."""

    @abstractmethod
    def compared(self, vector: list[float], rows: Query) -> Query:
        """A query that compares all of these rows, with the scores of ``walked``."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What a search is to return so that ``vector_of`` finds it."""

    @abstractmethod
    def vector_of(self, hit: dict[str, Any]) -> Sequence[float]:
        """The vector of a row that was found."""


class SearchEngineBackend(TableBackend):
    """Cosine search over an index of a search engine. Scores are cosines in [-1, 1].

    The texts lie in an index of the backend's own, which any number of processes may read, and are found by the
    HNSW graph of Lucene. A write returns when searches see it. What the server is to be shown is taken from
    environment variables.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        url: of a running server.
        collection: how the names of indexes begin.
        index: ``hnsw``, or ``exact`` for none, which compares all rows.
        ef_search: how many candidates the graph is searched for at least.
        ef_construction: the same while it is built.
        max_neighbors: edges of a node of the graph.
        ca_certs: file with the certificates to trust; those of ``certifi`` by default.
        timeout: seconds that the server may take for one answer.

    Raises:
        ConfigError: a parameter is out of its range, or a password stands in ``url``.
        MissingExtra: the client is not installed (on first use).
        BackendUnavailable: the server cannot be reached (on first use).
        BackendRejected: it is too old, of another make, or wants another password (on first use).
    """

    secrets: ClassVar[tuple[str, ...]] = ()
    """Environment variables with what a server is shown. No secret stands in a configuration."""

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        url: str = "https://localhost:9200",
        collection: str = "verifier",
        index: Literal["hnsw", "exact"] = "hnsw",
        ef_search: int = 128,
        ef_construction: int = 100,
        max_neighbors: int = 16,
        ca_certs: str | None = None,
        timeout: int = 60,
    ) -> None:
        if index not in ("hnsw", "exact"):
            raise ConfigError(f"index must be 'hnsw' or 'exact'; got {index!r}")
        if not (1 <= ef_search <= MOST_NEIGHBORS and 2 <= max_neighbors <= 100):
            raise ConfigError(f"ef_search must be 1 to {MOST_NEIGHBORS}, and max_neighbors 2 to 100")
        if min(ef_construction, timeout) < 1:
            raise ConfigError("ef_construction and timeout must be at least 1")
        if not re.fullmatch(r"https?://[^/@?#\s]+(/[^@?#\s]*)?", url):
            raise ConfigError(
                "url must be https://HOST:PORT, without a user or password: "
                f"set {' and '.join(self.secrets[:2])} in the environment"
            )
        self._url, self._ca_certs, self._timeout = url, ca_certs, timeout
        self._graph = Graph(index, ef_search, ef_construction, max_neighbors)
        super().__init__(encoder, Elsewhere(lambda: _Database(self._connected(), self._graph)), collection)

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors, the rest how they are found."""
        return {**super().identity, **vars(self._graph)}

    @abstractmethod
    def _connected(self) -> Engine:
        """The server at ``url``, which was asked what it is.

        Raises:
            BackendRejected: it is too old, or of another make.
        """

    def _ours(self, what: str, error: Exception) -> BackendError:
        status, kind = getattr(error, "status_code", None), type(error).__name__
        if kind in ("SSLError", "TlsError"):
            return BackendRejected(
                f"{self.vendor} could not {what}: there is no TLS at {self._url}, or its certificate is not "
                "trusted; set ca_certs, or write http:// where the server has none"
            )
        if kind in ("ConnectionError", "ConnectionTimeout"):
            return BackendUnavailable(
                f"{self.vendor} could not {what}: no connection to {self._url}, or none in time"
            )
        if status in (401, 403):
            return BackendRejected(
                f"{self.vendor} refused to {what} (status {status}): check {' and '.join(self.secrets[:2])}"
                + "".join(f", or {name}" for name in self.secrets[2:])
            )
        if isinstance(status, int) and (status >= 500 or status in _BUSY):
            return BackendUnavailable(f"{self.vendor} could not {what} (status {status})")
        return BackendRejected(f"{self.vendor} refused to {what}: {_reason(error)}")


def limits(timeout: int, extra: str) -> Any:
    """How long to wait for a connection and for an answer, in the way that the vendors' clients take it."""
    return require("urllib3", extra=extra).Timeout(connect=_CONNECT_SECONDS, read=timeout)


def authorization(secrets: Sequence[str]) -> dict[str, str]:
    """The header with the name and password of the first two environment variables, none where one is not set."""
    user, password = (os.environ.get(name) for name in secrets[:2])
    if not user or password is None:
        return {}
    return {"authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def refuse_older(vendor: str, url: str, number: str, oldest: tuple[int, int]) -> None:
    """Refuse a server of a version that lacks what is needed.

    Raises:
        BackendRejected: it is older than ``oldest``.
    """
    if tuple(map(int, number.split(".")[:2])) < oldest:
        least = ".".join(map(str, oldest))
        raise BackendRejected(f"{vendor} {least} or newer is needed, and {url} is {number}; upgrade it")


class _Database:
    def __init__(self, engine: Engine, graph: Graph) -> None:
        self._engine, self._graph = engine, graph
        self._indices = engine.client.indices

    def create(self, name: str, dimension: int) -> _Table:
        index = {**self._engine.settings(self._graph), "max_result_window": _MOST_RESULTS}
        properties = {"tags": {"type": "keyword"}, "vector": self._engine.vector(dimension, self._graph)}
        mappings = {"dynamic": False, "properties": properties}
        self._indices.create(index=name, body={"settings": {"index": index}, "mappings": mappings})
        return _Table(self._engine, name, dimension, self._graph)

    def table(self, name: str) -> _Table | None:
        if not self._indices.exists(index=name):
            return None
        mapping = self._indices.get_mapping(index=name)[name]["mappings"]["properties"]["vector"]
        return _Table(self._engine, name, int(mapping[self._engine.dimension_key]), self._graph)

    def drop(self, name: str) -> None:
        self._indices.delete(index=name, ignore_unavailable=True)

    def close(self) -> None:
        self._engine.client.close()


class _Table:
    def __init__(self, engine: Engine, name: str, dimension: int, graph: Graph) -> None:
        self._engine, self._dimension, self._depth = engine, dimension, graph.ef_search
        self.name, self.exact = name, graph.exact

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        self._check(vectors)
        # Rows of an index that is gone would make it anew, without its mapping: this raises where it is.
        self._engine.client.indices.get_mapping(index=self.name)
        self._write(
            {
                "_index": self.name,
                "_id": _id(row.key),
                "_source": {**row._asdict(), "vector": vector.tolist()},
            }
            for row, vector in zip(rows, vectors, strict=True)
        )

    def remove(self, keys: Sequence[str]) -> int:
        return self._write({"_op_type": "delete", "_index": self.name, "_id": _id(key)} for key in keys)

    def _write(self, actions: Iterable[dict[str, Any]]) -> int:
        """How many were done, when searches see them; a row to be removed that is not there is none."""
        done, others = self._engine.bulk(
            self._engine.client,
            actions,
            max_chunk_bytes=_REQUEST_BYTES,
            max_retries=_RETRIES,
            initial_backoff=1,
            raise_on_error=False,
            refresh=True,
        )
        for answer in (answer for one in others for answer in one.values() if "error" in answer):
            raise _RowRefused(answer["status"], answer["error"])
        return int(done)

    def count(self) -> int:
        answer = self._search({"size": 0, "track_total_hits": True})
        return int(answer["total"]["value"])

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        found = self._read(keys, {"_source": ["key", "item"]})
        return {hit["_source"]["key"]: hit["_source"]["item"] for hit in found}

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        found = self._read(keys, self._engine.fields())
        return {hit["_source"]["key"]: self._engine.vector_of(hit) for hit in found}

    def _read(self, keys: Sequence[str], wanted: dict[str, Any]) -> list[dict[str, Any]]:
        if not keys:
            return []
        query = {"ids": {"values": list(map(_id, keys))}}
        found: list[dict[str, Any]] = self._search({"size": len(keys), "query": query, **wanted})["hits"]
        return found

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        self._check(vector)
        given = vector.tolist()
        filters: Query | None = {"bool": {"filter": list(map(_filter, conditions))}} if conditions else None
        if exact or self.exact or limit > MOST_NEIGHBORS:
            query = self._engine.compared(given, filters or {"match_all": {}})
        else:
            query = self._engine.walked(given, limit, max(limit, self._depth), filters)
        found = self._search({"size": limit, "_source": ["key", "item"], "query": query})["hits"]
        return [Found(_cosine(hit["_score"]), hit["_source"]["key"], hit["_source"]["item"]) for hit in found]

    def _search(self, body: dict[str, Any]) -> Any:
        """What all shards found, or an error."""
        client = self._engine.client
        return client.search(index=self.name, body=body, allow_partial_search_results=False)["hits"]

    def _check(self, vectors: Vectors) -> None:
        if vectors.shape[-1] != self._dimension:
            raise BackendRejected(
                f"the index {self.name!r} holds vectors of {self._dimension} numbers, and the encoder gives "
                f"{vectors.shape[-1]}; build the index anew"
            )

    def settle(self) -> None:
        """The server joins its segments by itself."""


class _RowRefused(Exception):
    """A row that the server did not take, though it answered."""

    def __init__(self, status: int, error: object) -> None:
        super().__init__(str(error))
        self.status_code, self.info = status, {"error": error}


def _filter(condition: Condition) -> Query:
    """Any of the tags, or the absence of one."""
    options: list[Query] = []
    if condition.tags:
        options.append({"terms": {"tags": list(condition.tags)}})
    if condition.absent is not None:
        options.append({"bool": {"must_not": [{"term": {"tags": condition.absent}}]}})
    return {"bool": {"should": options, "minimum_should_match": 1}}


def _cosine(score: float) -> float:
    """The inner product of which Lucene made a score above 0.

    >>> _cosine(1.5), _cosine(1.0), _cosine(0.5)
    (0.5, 0.0, -1.0)
    """
    return score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score


def _id(key: str) -> str:
    """Of a document: both take 512 bytes."""
    return hashlib.sha256(key.encode()).hexdigest()


def _reason(error: Exception) -> str:
    """The innermost reason that the server gave, on one line."""
    told: Any = getattr(error, "info", None)
    told = told.get("error") if isinstance(told, dict) else None
    while isinstance(told, dict) and isinstance(told.get("caused_by"), dict):
        told = told["caused_by"]
    reason = told.get("reason") if isinstance(told, dict) else told
    return " ".join(str(reason or error).split()) or type(error).__name__
