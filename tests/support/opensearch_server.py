"""A local server that speaks the part of OpenSearch's protocol that the backend uses, with scripted faults.

The vendor's real client talks to it. Routes, fields, scores and limits are those that the documentation of
OpenSearch and of its k-NN plugin gives. What a server would not understand is a problem, and fails the test.
Searches show a write only after a refresh; reads by id show it at once.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np

__all__ = ["PASSWORD", "USER", "OpenSearchServer", "opensearch_server"]

USER, PASSWORD = "reader", "geheim€"

_ID_BYTES, _TERM_BYTES, _TERMS, _NEIGHBORS = 512, 32_766, 65_536, 10_000


class Index:
    """An index: what it was made with, its documents, and those that searches see."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.settings: dict[str, Any] = body["settings"]["index"]
        self.vector: dict[str, Any] = body["mappings"]["properties"]["vector"]
        self.documents: dict[str, dict[str, Any]] = {}
        self.visible: dict[str, dict[str, Any]] = {}


class OpenSearchServer(ThreadingHTTPServer):
    """The server; see the module.

    ``busy`` is how many of the next rows are not taken, ``failing`` the status of the next answer, ``forgets``
    whether the graph has lost all nodes but one, ``searches`` the kinds of queries, in order.
    """

    daemon_threads = True
    request_queue_size = 128  # with the 5 of the library, a busy machine refuses clients

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.version = {"distribution": "opensearch", "number": "2.19.1"}
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


@contextmanager
def opensearch_server() -> Iterator[OpenSearchServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with OpenSearchServer() as server:
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
    server: OpenSearchServer
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
            self.end_headers()
            self.wfile.write(said)

    def _admit(self) -> None:
        expected = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if self.headers.get("authorization") != expected:
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
        if parts[1] == "_mget":
            self._known(query, {"_source_includes"})
            return self._read(index, body["ids"], query["_source_includes"].split(","))
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
        self._known(body["settings"]["index"], {"knn", "max_result_window"})
        self._known(body["mappings"], {"dynamic", "properties"})
        properties = body["mappings"]["properties"]
        self._known(properties["vector"], {"type", "dimension", "method"})
        method = properties["vector"].get("method", {})
        if properties["tags"] != {"type": "keyword"} or body["mappings"]["dynamic"] is not False:
            self._problem("another mapping")
        if not 1 <= properties["vector"]["dimension"] <= 16_000:
            raise _Refused(400, "mapper_parsing_exception", "Dimension value must be at most 16000")
        if method and (method["engine"], method["space_type"]) != ("lucene", "innerproduct"):
            self._problem("another method")

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
        if len(row["vector"]) != index.vector["dimension"]:
            cause = {"type": "illegal_argument_exception", "reason": "Vector dimension mismatch"}
            refused = _Refused(400, "mapper_parsing_exception", "failed to parse")
            refused.error["caused_by"] = cause
            raise refused
        if any(len(tag.encode()) > _TERM_BYTES for tag in row["tags"]):
            raise _Refused(400, "illegal_argument_exception", "immense term")
        index.documents[key] = row
        return {"status": 201, "result": "created"}

    def _read(self, index: Index, ids: list[str], fields: list[str]) -> Any:
        found = [(key, index.documents.get(key)) for key in ids]
        return {
            "docs": [
                {"_id": key, "found": row is not None}
                | ({"_source": {field: row[field] for field in fields}} if row else {})
                for key, row in found
            ]
        }

    def _search(self, index: Index, body: dict[str, Any]) -> Any:
        self._known(body, {"size", "_source", "query", "track_total_hits"})
        if body["size"] > index.settings["max_result_window"]:
            raise _Refused(400, "illegal_argument_exception", "Result window is too large")
        scored = self._scored(index, body["query"]) if "query" in body else []
        hits = [
            {"_id": key, "_score": score, "_source": {name: row[name] for name in body["_source"]}}
            for score, key, row in scored[: body["size"]]
        ]
        return {"timed_out": False, "hits": {"total": {"value": len(index.visible)}, "hits": hits}}

    def _scored(self, index: Index, query: dict[str, Any]) -> list[tuple[float, str, dict[str, Any]]]:
        [(kind, given)] = query.items()
        self.server.searches.append(kind)
        if kind == "script_score":
            wanted, most = given["script"]["params"]["query_value"], len(index.visible)
            allowed = given["query"]
            if given["script"]["lang"] != "knn" or given["script"]["source"] != "knn_score":
                self._problem("another script")
        else:
            wanted, most = given["vector"]["vector"], given["vector"]["k"]
            allowed = given["vector"].get("filter", {"match_all": {}})
            if kind != "knn" or not index.settings["knn"] or not 0 < most <= _NEIGHBORS:
                self._problem(f"a query of the graph: {kind}, k={most}")
        rows = [(key, row) for key, row in index.visible.items() if self._matches(row["tags"], allowed)]
        vectors = np.array([row["vector"] for _, row in rows], dtype=np.float32)
        products = vectors @ np.array(wanted, dtype=np.float32) if rows else np.zeros(0)
        scores = np.where(products > 0, products + 1, 1 / (1 - np.minimum(products, 0))).astype(np.float32)
        found = [(float(score), key, row) for score, (key, row) in zip(scores, rows, strict=True)]
        found.sort(key=lambda one: -one[0])
        return found[: 1 if kind == "knn" and self.server.forgets else most]

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
