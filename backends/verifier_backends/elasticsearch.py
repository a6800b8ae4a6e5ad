"""The ``elasticsearch`` backend: cosine search by Elasticsearch's ``dense_vector``, exact or by HNSW.

No Elasticsearch was at hand. What is here was tried with the official client against a local server that speaks the
part of the protocol which it uses.
"""

from __future__ import annotations

import logging
import os
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

__all__ = ["ElasticsearchBackend"]

_OLDEST = (9, 0)
"""A client speaks to servers of its own major version and of the next."""

_SCRIPT = (
    "double product = dotProduct(params.vector, 'vector');"
    " return product < 0 ? 1 / (1 - product) : product + 1;"
)
"""The score of ``max_inner_product``, as the graph gives it."""

# Its warnings repeat what is raised here; whoever sets up logging still gets them.
logging.getLogger("elastic_transport").addHandler(logging.NullHandler())


class ElasticsearchBackend(SearchEngineBackend):
    """Cosine search over an index of Elasticsearch. Scores are cosines in [-1, 1].

    An API key is taken from the environment variable ``ELASTICSEARCH_API_KEY``, else name and password from
    ``ELASTICSEARCH_USERNAME`` and ``ELASTICSEARCH_PASSWORD``. Arguments and errors are those of
    ``SearchEngineBackend``.
    """

    needs_one_of = ("elasticsearch",)

    vendor = "Elasticsearch"

    secrets = ("ELASTICSEARCH_USERNAME", "ELASTICSEARCH_PASSWORD", "ELASTICSEARCH_API_KEY")

    def _connected(self) -> Engine:
        """The server at ``url``, which was asked what it is."""
        module = require("elasticsearch", extra="elasticsearch")
        key = os.environ.get(self.secrets[2])
        client = module.Elasticsearch(
            self._url,
            headers={"authorization": f"ApiKey {key}"} if key else authorization(self.secrets),
            request_timeout=limits(self._timeout, "elasticsearch"),
            connections_per_node=CONNECTIONS,
            max_retries=1,
            **({"ca_certs": self._ca_certs} if self._ca_certs is not None else {}),
        )
        try:
            number = str(client.info()["version"]["number"])
        except (module.UnsupportedProductError, TypeError, KeyError) as error:
            raise BackendRejected(
                f"the server at {self._url} is no Elasticsearch; another one is not spoken to"
            ) from error
        except module.BadRequestError as error:  # one of a major version before the client's
            raise BackendRejected(
                f"the server at {self._url} does not take what the client of Elasticsearch "
                f"{module.__versionstr__} sends; it must be as new"
            ) from error
        refuse_older(self.vendor, self._url, number, _OLDEST)
        return _Elasticsearch(client, require("elasticsearch.helpers", extra="elasticsearch").bulk)


class _Elasticsearch(Engine):
    dimension_key = "dims"

    def settings(self, graph: Graph) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def vector(self, dimension: int, graph: Graph) -> dict[str, Any]:
        """A graph over vectors in single precision: by default they are quantised, and scores are estimates.

        Inner products, since a text without a feature has a vector of length 0, which ``cosine`` refuses.
        """
        field: dict[str, Any] = {"type": "dense_vector", "dims": dimension, "index": not graph.exact}
        if not graph.exact:
            edges = {"m": graph.m, "ef_construction": graph.ef_construction}
            field |= {"similarity": "max_inner_product", "index_options": {"type": "hnsw", **edges}}
        return field

    def walked(self, vector: list[float], limit: int, depth: int, filters: Query | None) -> Query:
        near = {"field": "vector", "query_vector": vector, "k": limit, "num_candidates": depth}
        return {"knn": near if filters is None else {**near, "filter": filters}}

    def compared(self, vector: list[float], rows: Query) -> Query:
        script = {"source": _SCRIPT, "params": {"vector": vector}}
        return {"script_score": {"query": rows, "script": script}}

    def fields(self) -> dict[str, Any]:
        """From 9.2 on, ``_source`` is without vectors."""
        return {"_source": ["key"], "fields": ["vector"]}

    def vector_of(self, hit: dict[str, Any]) -> Sequence[float]:
        vector: Sequence[float] = hit["fields"]["vector"]
        return vector
