"""The ``opensearch`` backend: cosine search by OpenSearch's k-NN plugin, exact or by HNSW.

No OpenSearch was at hand. What is here was tried with the official client against a local server that speaks the
part of the protocol which it uses. Elasticsearch is not spoken: its mapping, its search and its client are others.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, ConfigError
from verifier.core.registry import require
from verifier_backends.encoders import Encoder
from verifier_backends.tables import Condition, Elsewhere, Found, Row, TableBackend
from verifier_backends.tables.rows import Vectors

__all__ = ["OpenSearchBackend"]

USER_VARIABLE, PASSWORD_VARIABLE = "OPENSEARCH_USERNAME", "OPENSEARCH_PASSWORD"
"""Environment variables with what a server is shown. No secret stands in a configuration."""

_OLDEST = (2, 13)
"""The first version whose Lucene engine takes inner products."""

_CONNECT_SECONDS = 2.5
"""Until a server counts as out of reach; it is tried twice."""

_CONNECTIONS = 64
"""Kept open at most, for threads that read at a time."""

_REQUEST_BYTES = 8 << 20
"""Of a bulk request; the smallest hosted clusters take 10 MB."""

_RETRIES = 3
"""Of rows that a busy server did not take, after one, two and four seconds."""

_MOST_NEIGHBORS = 10_000
"""That the plugin takes as ``k``; searches for more are exact."""

_MOST_RESULTS = 1_000_000_000

_BUSY = (408, 425, 429)

# Its warnings repeat what is raised here; whoever sets up logging still gets them.
logging.getLogger("opensearch").addHandler(logging.NullHandler())


class OpenSearchBackend(TableBackend):
    """Cosine search over an index of OpenSearch. Scores are cosines in [-1, 1].

    The texts lie in an index of the backend's own, which any number of processes may read, and are found by the
    HNSW graph of Lucene. A write returns when searches see it. Names and password are taken from the environment
    variables ``OPENSEARCH_USERNAME`` and ``OPENSEARCH_PASSWORD``.

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
        MissingExtra: opensearch-py is not installed (on first use).
        BackendUnavailable: the server cannot be reached (on first use).
        BackendRejected: it is too old, no OpenSearch, or wants another password (on first use).
    """

    needs_one_of = ("opensearchpy",)

    vendor = "OpenSearch"

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
        if not (1 <= ef_search <= _MOST_NEIGHBORS and 2 <= max_neighbors <= 100):
            raise ConfigError(f"ef_search must be 1 to {_MOST_NEIGHBORS}, and max_neighbors 2 to 100")
        if min(ef_construction, timeout) < 1:
            raise ConfigError("ef_construction and timeout must be at least 1")
        if not re.fullmatch(r"https?://[^/@?#\s]+(/[^@?#\s]*)?", url):
            raise ConfigError(
                "url must be https://HOST:PORT, without a user or password: "
                f"set {USER_VARIABLE} and {PASSWORD_VARIABLE} in the environment"
            )
        self._url = url
        self._kind = {
            "index": index,
            "ef_search": ef_search,
            "ef_construction": ef_construction,
            "m": max_neighbors,
        }
        super().__init__(
            encoder, Elsewhere(lambda: _Database(url, self._kind, ca_certs, timeout)), collection
        )

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors, the rest how they are found."""
        return {**super().identity, **self._kind}

    def _ours(self, what: str, error: Exception) -> BackendError:
        status = getattr(error, "status_code", None)
        if type(error).__name__ == "SSLError":
            return BackendRejected(
                f"OpenSearch could not {what}: there is no TLS at {self._url}, or its certificate is not trusted; "
                "set ca_certs, or write http:// where the server has none"
            )
        if isinstance(status, str):
            return BackendUnavailable(
                f"OpenSearch could not {what}: no connection to {self._url}, or none in time"
            )
        if status in (401, 403):
            return BackendRejected(
                f"OpenSearch refused to {what} (status {status}): check {USER_VARIABLE} and {PASSWORD_VARIABLE}"
            )
        if status is not None and (status >= 500 or status in _BUSY):
            return BackendUnavailable(f"OpenSearch could not {what} (status {status})")
        return BackendRejected(f"OpenSearch refused to {what}: {_reason(error)}")


class _Database:
    def __init__(self, url: str, kind: dict[str, Any], ca_certs: str | None, timeout: int) -> None:
        self._module = require("opensearchpy", extra="opensearch", package="opensearch-py")
        limits = require("urllib3", extra="opensearch").Timeout(connect=_CONNECT_SECONDS, read=timeout)
        self._client = self._module.OpenSearch(
            url,
            headers=_credentials(),
            ca_certs=ca_certs,
            timeout=limits,
            pool_maxsize=_CONNECTIONS,
            max_retries=1,
        )
        self._kind = kind
        self._check(url)

    def _check(self, url: str) -> None:
        answer = self._client.info()
        version = answer.get("version", {}) if isinstance(answer, dict) else {}
        if version.get("distribution") != "opensearch":
            raise BackendRejected(f"the server at {url} is no OpenSearch; another one is not spoken to")
        number = str(version.get("number"))
        if tuple(map(int, number.split(".")[:2])) < _OLDEST:
            least = ".".join(map(str, _OLDEST))
            raise BackendRejected(f"OpenSearch {least} or newer is needed, and {url} is {number}; upgrade it")

    def create(self, name: str, dimension: int) -> _Table:
        graph = self._kind["index"] == "hnsw"
        vector: dict[str, Any] = {"type": "knn_vector", "dimension": dimension}
        if graph:
            edges = {"m": self._kind["m"], "ef_construction": self._kind["ef_construction"]}
            vector["method"] = {
                "name": "hnsw",
                "engine": "lucene",
                "space_type": "innerproduct",
                "parameters": edges,
            }
        properties = {"tags": {"type": "keyword"}, "vector": vector}
        body = {
            "settings": {"index": {"knn": graph, "max_result_window": _MOST_RESULTS}},
            "mappings": {"dynamic": False, "properties": properties},
        }
        self._client.indices.create(index=name, body=body)
        return self._opened(name, dimension)

    def table(self, name: str) -> _Table | None:
        if not self._client.indices.exists(index=name):
            return None
        mapping = self._client.indices.get_mapping(index=name)[name]["mappings"]
        return self._opened(name, int(mapping["properties"]["vector"]["dimension"]))

    def _opened(self, name: str, dimension: int) -> _Table:
        return _Table(self._client, self._module, name, dimension, self._kind)

    def drop(self, name: str) -> None:
        self._client.indices.delete(index=name, ignore_unavailable=True)

    def close(self) -> None:
        self._client.close()


class _Table:
    def __init__(self, client: Any, module: Any, name: str, dimension: int, kind: dict[str, Any]) -> None:
        self._client, self._module, self._dimension = client, module, dimension
        self._depth = kind["ef_search"]
        self.name, self.exact = name, kind["index"] == "exact"

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        self._check(vectors)
        # Rows of an index that is gone would make it anew, without its mapping: this raises where it is.
        self._client.indices.get_mapping(index=self.name)
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
        done, others = self._module.helpers.bulk(
            self._client,
            actions,
            max_chunk_bytes=_REQUEST_BYTES,
            max_retries=_RETRIES,
            initial_backoff=1,
            raise_on_error=False,
            refresh=True,
        )
        for answer in (answer for one in others for answer in one.values() if "error" in answer):
            raise self._module.TransportError(answer["status"], "", {"error": answer["error"]})
        return int(done)

    def count(self) -> int:
        answer = self._search({"size": 0, "track_total_hits": True})
        return int(answer["hits"]["total"]["value"])

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        return {source["key"]: source["item"] for source in self._read(keys, "item")}

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        return {source["key"]: source["vector"] for source in self._read(keys, "vector")}

    def _read(self, keys: Sequence[str], field: str) -> list[dict[str, Any]]:
        if not keys:
            return []
        body = {"ids": list(map(_id, keys))}
        rows = self._client.mget(index=self.name, body=body, _source_includes=["key", field])["docs"]
        for row in (row for row in rows if "error" in row):
            raise self._module.TransportError(503, "", {"error": row["error"]})
        return [row["_source"] for row in rows if row["found"]]

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        self._check(vector)
        given = vector.tolist()
        filters = {"bool": {"filter": list(map(_filter, conditions))}} if conditions else None
        if exact or self.exact or limit > _MOST_NEIGHBORS:
            query = _compared(given, filters)
        else:
            query = _walked(given, max(limit, self._depth), filters)
        found = self._search({"size": limit, "_source": ["key", "item"], "query": query})["hits"]["hits"]
        return [Found(_cosine(row["_score"]), row["_source"]["key"], row["_source"]["item"]) for row in found]

    def _search(self, body: dict[str, Any]) -> Any:
        """An answer of all shards, or an error."""
        return self._client.search(index=self.name, body=body, allow_partial_search_results=False)

    def _check(self, vectors: Vectors) -> None:
        if vectors.shape[-1] != self._dimension:
            raise BackendRejected(
                f"the index {self.name!r} holds vectors of {self._dimension} numbers, and the encoder gives "
                f"{vectors.shape[-1]}; build the index anew"
            )

    def settle(self) -> None:
        """The server joins its segments by itself."""


def _walked(vector: list[float], depth: int, filters: dict[str, Any] | None) -> dict[str, Any]:
    """A query of the graph; filters are applied on the way, so that they cut nothing off."""
    near: dict[str, Any] = {"vector": vector, "k": depth}
    return {"knn": {"vector": near if filters is None else {**near, "filter": filters}}}


def _compared(vector: list[float], filters: dict[str, Any] | None) -> dict[str, Any]:
    """A query that compares all rows."""
    given = {"field": "vector", "query_value": vector, "space_type": "innerproduct"}
    script = {"lang": "knn", "source": "knn_score", "params": given}
    return {"script_score": {"query": filters or {"match_all": {}}, "script": script}}


def _filter(condition: Condition) -> dict[str, Any]:
    """Any of the tags, or the absence of one."""
    options: list[dict[str, Any]] = []
    if condition.tags:
        options.append({"terms": {"tags": list(condition.tags)}})
    if condition.absent is not None:
        options.append({"bool": {"must_not": [{"term": {"tags": condition.absent}}]}})
    return {"bool": {"should": options, "minimum_should_match": 1}}


def _cosine(score: float) -> float:
    """The inner product of which the plugin made a score above 0.

    >>> _cosine(1.5), _cosine(1.0), _cosine(0.5)
    (0.5, 0.0, -1.0)
    """
    return score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score


def _id(key: str) -> str:
    """Of a document: OpenSearch takes 512 bytes."""
    return hashlib.sha256(key.encode()).hexdigest()


def _credentials() -> dict[str, str]:
    user, password = os.environ.get(USER_VARIABLE), os.environ.get(PASSWORD_VARIABLE)
    if not user or password is None:
        return {}
    return {"authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def _reason(error: Exception) -> str:
    """The innermost reason that the server gave, on one line."""
    told: Any = getattr(error, "info", None)
    told = told.get("error") if isinstance(told, dict) else None
    while isinstance(told, dict) and isinstance(told.get("caused_by"), dict):
        told = told["caused_by"]
    reason = told.get("reason") if isinstance(told, dict) else told
    return " ".join(str(reason or error).split()) or type(error).__name__
