"""The ``opensearch`` backend: cosine search by OpenSearch's k-NN plugin, exact or by HNSW.

No OpenSearch was at hand. What is here was tried with the official client against a local server that speaks the
part of the protocol which it uses.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from verifier.core.errors import BackendRejected
from verifier.core.registry import require
from verifier_backends.tables.search_engine import (
    CONNECTIONS,
    Engine,
    Graph,
    Query,
    SearchEngineBackend,
    authorization,
    limits,
    refuse_older,
)

__all__ = ["OpenSearchBackend"]

_OLDEST = (2, 13)
"""The first version whose Lucene engine takes inner products."""

# Its warnings repeat what is raised here; whoever sets up logging still gets them.
logging.getLogger("opensearch").addHandler(logging.NullHandler())


class OpenSearchBackend(SearchEngineBackend):
    """Cosine search over an index of OpenSearch. Scores are cosines in [-1, 1].

    Name and password are taken from the environment variables ``OPENSEARCH_USERNAME`` and ``OPENSEARCH_PASSWORD``.
    Arguments and errors are those of ``SearchEngineBackend``.
    """

    needs_one_of = ("opensearchpy",)

    vendor = "OpenSearch"

    secrets = ("OPENSEARCH_USERNAME", "OPENSEARCH_PASSWORD")

    def _connected(self) -> Engine:
        """The server at ``url``, which was asked what it is."""
        module = require("opensearchpy", extra="opensearch", package="opensearch-py")
        client = module.OpenSearch(
            self._url,
            headers=authorization(self.secrets),
            ca_certs=self._ca_certs,
            timeout=limits(self._timeout, "opensearch"),
            pool_maxsize=CONNECTIONS,
            max_retries=1,
        )
        answer = client.info()
        version = answer.get("version", {}) if isinstance(answer, dict) else {}
        if version.get("distribution") != "opensearch":
            raise BackendRejected(f"the server at {self._url} is no OpenSearch; another one is not spoken to")
        refuse_older(self.vendor, self._url, str(version.get("number")), _OLDEST)
        return _OpenSearch(client, module.helpers.bulk)


class _OpenSearch(Engine):
    dimension_key = "dimension"

    def settings(self, graph: Graph) -> dict[str, Any]:
        return {"knn": not graph.exact}

    def vector(self, dimension: int, graph: Graph) -> dict[str, Any]:
        field: dict[str, Any] = {"type": "knn_vector", "dimension": dimension}
        if not graph.exact:
            field["method"] = {
                "name": "hnsw",
                "engine": "lucene",
                "space_type": "innerproduct",
                "parameters": {"m": graph.m, "ef_construction": graph.ef_construction},
            }
        return field

    def walked(self, vector: list[float], limit: int, depth: int, filters: Query | None) -> Query:
        """The plugin gives the whole depth, of which the search keeps ``limit``."""
        near: dict[str, Any] = {"vector": vector, "k": max(limit, depth)}
        return {"knn": {"vector": near if filters is None else {**near, "filter": filters}}}

    def compared(self, vector: list[float], rows: Query) -> Query:
        given = {"field": "vector", "query_value": vector, "space_type": "innerproduct"}
        script = {"lang": "knn", "source": "knn_score", "params": given}
        return {"script_score": {"query": rows, "script": script}}

    def fields(self) -> dict[str, Any]:
        return {"_source": ["key", "vector"]}

    def vector_of(self, hit: dict[str, Any]) -> Sequence[float]:
        vector: Sequence[float] = hit["_source"]["vector"]
        return vector
