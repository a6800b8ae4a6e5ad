"""Local servers that speak the part of OpenSearch's and Elasticsearch's protocols that the backends use, with faults.

The vendors' real clients talk to them. Routes, fields, scores and limits are those that the documentation of
OpenSearch, of its k-NN plugin and of Elasticsearch gives. What a server would not understand is a problem, and fails
the test. Searches show a write only after a refresh.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlsplit

import numpy as np

__all__ = [
    "API_KEY",
    "PASSWORD",
    "USER",
    "ElasticsearchServer",
    "OpenSearchServer",
    "SearchEngineServer",
    "running",
]

USER, PASSWORD, API_KEY = "reader", "geheim€", "a2V5OnNlY3JldA=="

_ID_BYTES, _TERM_BYTES, _TERMS, _NEIGHBORS = 512, 32_766, 65_536, 10_000


class Index:
    """An index: what it was made with, its documents, and those that searches see."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.settings: dict[str, Any] = body["settings"]["index"]
        self.vector: dict[str, Any] = body["mappings"]["properties"]["vector"]
        self.documents: dict[str, dict[str, Any]] = {}
        self.visible: dict[str, dict[str, Any]] = {}


class SearchEngineServer(ThreadingHTTPServer):
    """What both have in common; see the module.

    ``busy`` is how many of the next rows are not taken, ``failing`` the status of the next answer, ``forgets``
    whether the graph has lost all nodes but one, ``searches`` the kinds of queries, in order.
    """

    version: ClassVar[dict[str, Any]]
    most_dimensions: ClassVar[int]
    dimension_key: ClassVar[str]
    daemon_threads = True
    request_queue_size = 128  # with the 5 of the library, a busy machine refuses clients

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.indexes: dict[str, Index] = {}
        self.busy, self.failing, self.forgets = 0, 0, False
        self.searches: list[str] = []
        self.sizes: list[int] = []
        self.problems: list[str] = []
        self.lock = threading.RLock()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def headers(self) -> dict[str, str]:
        """Of every answer, beside the usual ones."""
        return {}

    def refuses(self, headers: Mapping[str, str]) -> str | None:
        """Why a request is not understood whatever it says."""

    def admits(self, authorization: str | None) -> bool:
        """Whether that is the name and password."""
        return authorization == "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    def understands(self, settings: dict[str, Any], vector: dict[str, Any]) -> bool:
        """Whether an index can be made so."""
        raise NotImplementedError

    def asked(self, index: Index, kind: str, given: dict[str, Any]) -> Asked | None:
        """What a query of vectors asks for, ``None`` where it is not understood."""
        raise NotImplementedError

    def shown(self, row: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        """What a hit shows of a row."""
        return {"_source": {name: row[name] for name in body["_source"]}}


class Asked(NamedTuple):
    """A query of vectors: the one asked for, how many are wanted, and which rows may be found."""

    vector: list[float]
    most: int
    allowed: dict[str, Any]


class OpenSearchServer(SearchEngineServer):
    """OpenSearch with its k-NN plugin."""

    version: ClassVar[dict[str, Any]] = {"distribution": "opensearch", "number": "2.19.1"}
    most_dimensions = 16_000
    dimension_key = "dimension"

    def understands(self, settings: dict[str, Any], vector: dict[str, Any]) -> bool:
        method = vector.get("method", {"engine": "lucene", "space_type": "innerproduct"})
        return (
            settings.keys() == {"knn", "max_result_window"}
            and vector.keys() <= {"type", "dimension", "method"}
            and (vector["type"], method["engine"], method["space_type"])
            == ("knn_vector", "lucene", "innerproduct")
        )

    def asked(self, index: Index, kind: str, given: dict[str, Any]) -> Asked | None:
        if kind == "script_score":
            script = given["script"]
            if (script["lang"], script["source"]) != ("knn", "knn_score"):
                return None
            return Asked(script["params"]["query_value"], len(index.visible), given["query"])
        near = given["vector"]
        if not index.settings["knn"] or not 0 < near["k"] <= _NEIGHBORS:
            return None
        return Asked(near["vector"], near["k"], near.get("filter", {"match_all": {}}))


class ElasticsearchServer(SearchEngineServer):
    """Elasticsearch, with its ``dense_vector``."""

    version: ClassVar[dict[str, Any]] = {"number": "9.2.1", "build_flavor": "default"}
    most_dimensions = 4_096
    dimension_key = "dims"

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Elastic-Product": "Elasticsearch"}

    def refuses(self, headers: Mapping[str, str]) -> str | None:
        own = self.version["number"].split(".")[0]
        if f"compatible-with={own}" not in headers.get("Accept", ""):
            return "Invalid media-type value on headers [Accept]"
        return None

    def admits(self, authorization: str | None) -> bool:
        return authorization == f"ApiKey {API_KEY}" or super().admits(authorization)

    def understands(self, settings: dict[str, Any], vector: dict[str, Any]) -> bool:
        graph = {"similarity", "index_options"} if vector["index"] else set()
        return (
            settings.keys() == {"max_result_window"}
            and vector.keys() == {"type", "dims", "index", *graph}
            and vector["type"] == "dense_vector"
            and vector.get("similarity", "max_inner_product") == "max_inner_product"
            and vector.get("index_options", {"type": "hnsw"})["type"] == "hnsw"
        )

    def asked(self, index: Index, kind: str, given: dict[str, Any]) -> Asked | None:
        if kind == "script_score":
            script = given["script"]
            if "dotProduct(params.vector, 'vector')" not in script["source"] or "lang" in script:
                return None
            return Asked(script["params"]["vector"], len(index.visible), given["query"])
        known = {"field", "query_vector", "k", "num_candidates", "filter"}
        if not index.vector["index"] or not given.keys() <= known or given["field"] != "vector":
            return None
        if not 0 < given["k"] <= given["num_candidates"] <= _NEIGHBORS:
            return None
        return Asked(given["query_vector"], given["k"], given.get("filter", {"match_all": {}}))

    def shown(self, row: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        source = {name: row[name] for name in body["_source"] if name != "vector"}
        fields = {name: row[name] for name in body.get("fields", ())}
        return {"_source": source} | ({"fields": fields} if fields else {})


Server = TypeVar("Server", bound=SearchEngineServer)


@contextmanager
def running(kind: type[Server]) -> Iterator[Server]:
    """A running server; at the end, what it could not understand fails the test."""
    with kind() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
    assert not server.problems, server.problems


class _Refused(Exception):
    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.error = status, {"type": kind, "reason": reason}


class _Handler(BaseHTTPRequestHandler):
    server: SearchEngineServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _serve(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        address = urlsplit(self.path)
        with self.server.lock:
            try:
                self._admit()
                status, answer = 200, self._answer(address.path, dict(parse_qsl(address.query)), content)
            except _Refused as refused:
                status, answer = refused.status, {"error": refused.error, "status": refused.status}
        said = b"" if self.command == "HEAD" else json.dumps(answer).encode()
        with suppress(ConnectionError):  # a client that did not wait
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            for name, value in self.server.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said)

    def _admit(self) -> None:
        if refused := self.server.refuses(self.headers):
            raise _Refused(400, "media_type_header_exception", refused)
        if not self.server.admits(self.headers.get("authorization")):
            raise _Refused(401, "security_exception", "Unauthorized")
        status, self.server.failing = self.server.failing, 0
        if status:
            raise _Refused(status, "search_phase_execution_exception", "all shards failed")

    def _answer(self, path: str, query: dict[str, str], content: bytes) -> Any:
        parts = [part for part in path.split("/") if part]
        if (self.command, parts) == ("GET", []):
            return {"name": "node", "version": self.server.version}
        if parts == ["_bulk"]:
            self._known(query, {"refresh"})
            return self._bulk(content, refresh=query.get("refresh") == "true")
        body = json.loads(content) if content else {}
        if len(parts) == 1:
            return self._index(parts[0], query, body)
        index = self._index_of(parts[0])
        if parts[1] == "_mapping":
            return {parts[0]: {"mappings": index.body["mappings"]}}
        if parts[1] == "_search":
            self._known(query, {"allow_partial_search_results"})
            return self._search(index, body)
        return self._problem(f"{self.command} {path}: an unknown route")

    def _problem(self, said: str) -> Any:
        """What no request of ours may be."""
        self.server.problems.append(said)
        raise _Refused(400, "parsing_exception", said)

    def _known(self, given: Mapping[str, Any], known: set[str]) -> None:
        if not given.keys() <= known:
            self._problem(f"{self.path}: unknown fields {sorted(given.keys() - known)}")

    def _index_of(self, name: str) -> Index:
        if name not in self.server.indexes:
            raise _Refused(404, "index_not_found_exception", f"no such index [{name}]")
        return self.server.indexes[name]

    def _index(self, name: str, query: dict[str, str], body: dict[str, Any]) -> Any:
        if self.command == "PUT":
            self._known(body, {"settings", "mappings"})
            self._check_mapping(body)
            if name in self.server.indexes:
                raise _Refused(400, "resource_already_exists_exception", f"index [{name}] already exists")
            self.server.indexes[name] = Index(body)
        elif self.command == "DELETE" and query.get("ignore_unavailable") == "true":
            self.server.indexes.pop(name, None)
        else:
            self._index_of(name)
        return {"acknowledged": True}

    def _check_mapping(self, body: dict[str, Any]) -> None:
        self._known(body["mappings"], {"dynamic", "properties"})
        properties = body["mappings"]["properties"]
        vector = properties["vector"]
        if properties["tags"] != {"type": "keyword"} or body["mappings"]["dynamic"] is not False:
            self._problem("another mapping")
        if not 1 <= vector[self.server.dimension_key] <= self.server.most_dimensions:
            raise _Refused(400, "mapper_parsing_exception", "too many dimensions")
        if not self.server.understands(body["settings"]["index"], vector):
            self._problem("another kind of vector")

    def _bulk(self, content: bytes, *, refresh: bool) -> Any:
        self.server.sizes.append(len(content))
        lines, items = iter(content.decode().splitlines()), []
        for line in lines:
            [(kind, action)] = json.loads(line).items()
            self._known(action, {"_index", "_id"})
            row = json.loads(next(lines)) if kind == "index" else None
            try:
                items.append({kind: self._write(action["_index"], action["_id"], row)})
            except _Refused as refused:
                items.append({kind: {"status": refused.status, "error": refused.error}})
        for index in self.server.indexes.values() if refresh else ():
            index.visible = dict(index.documents)
        return {"items": items, "errors": any("error" in one for item in items for one in item.values())}

    def _write(self, name: str, key: str, row: dict[str, Any] | None) -> Any:
        if row is not None and name not in self.server.indexes:
            self._problem(f"a row that makes the index {name!r}")
        index = self._index_of(name)
        if self.server.busy:
            self.server.busy -= 1
            raise _Refused(429, "rejected_execution_exception", "queue is full")
        if len(key.encode()) > _ID_BYTES:
            raise _Refused(400, "illegal_argument_exception", "id is too long")
        if row is None:
            there = index.documents.pop(key, None) is not None
            return {"status": 200 if there else 404, "result": "deleted" if there else "not_found"}
        if len(row["vector"]) != index.vector[self.server.dimension_key]:
            cause = {"type": "illegal_argument_exception", "reason": "Vector dimension mismatch"}
            refused = _Refused(400, "mapper_parsing_exception", "failed to parse")
            refused.error["caused_by"] = cause
            raise refused
        if any(len(tag.encode()) > _TERM_BYTES for tag in row["tags"]):
            raise _Refused(400, "illegal_argument_exception", "immense term")
        index.documents[key] = row
        return {"status": 201, "result": "created"}

    def _search(self, index: Index, body: dict[str, Any]) -> Any:
        self._known(body, {"size", "_source", "fields", "query", "track_total_hits"})
        if body["size"] > index.settings["max_result_window"]:
            raise _Refused(400, "illegal_argument_exception", "Result window is too large")
        scored = self._scored(index, body["query"]) if "query" in body else []
        hits = [
            {"_id": key, "_score": score, **self.server.shown(row, body)}
            for score, key, row in scored[: body["size"]]
        ]
        return {"timed_out": False, "hits": {"total": {"value": len(index.visible)}, "hits": hits}}

    def _scored(self, index: Index, query: dict[str, Any]) -> list[tuple[float, str, dict[str, Any]]]:
        [(kind, given)] = query.items()
        if kind == "ids":
            return [(1.0, key, index.visible[key]) for key in given["values"] if key in index.visible]
        self.server.searches.append(kind)
        asked = self.server.asked(index, kind, given) if kind in ("knn", "script_score") else None
        if asked is None:
            return list(self._problem(f"a query of vectors: {query}"))
        rows = [(key, row) for key, row in index.visible.items() if self._matches(row["tags"], asked.allowed)]
        vectors = np.array([row["vector"] for _, row in rows], dtype=np.float32)
        products = vectors @ np.array(asked.vector, dtype=np.float32) if rows else np.zeros(0)
        scores = np.where(products > 0, products + 1, 1 / (1 - np.minimum(products, 0))).astype(np.float32)
        found = [(float(score), key, row) for score, (key, row) in zip(scores, rows, strict=True)]
        found.sort(key=lambda one: -one[0])
        return found[: 1 if kind == "knn" and self.server.forgets else asked.most]

    def _matches(self, tags: list[str], query: dict[str, Any]) -> bool:
        [(kind, given)] = query.items()
        if kind == "bool":
            self._known(given, {"filter", "should", "must_not", "minimum_should_match"})
            return (
                all(self._matches(tags, part) for part in given.get("filter", ()))
                and not any(self._matches(tags, part) for part in given.get("must_not", ()))
                and ("should" not in given or any(self._matches(tags, part) for part in given["should"]))
            )
        if kind == "terms" and len(given["tags"]) <= _TERMS:
            return not set(tags).isdisjoint(given["tags"])
        if kind == "term":
            return given["tags"] in tags
        return kind == "match_all" or bool(self._problem(f"an unknown query {kind!r}"))
