"""A local server that speaks Pinecone's wire protocol, with scripted delays and faults.

The vendor's real client talks to it. Routes and fields are those of the client's own request and response models in
pinecone 10.2.0; each is named where it is used (``module:Class`` or ``module:function``, below ``pinecone.``). What
the service would not understand (an unknown route, field, operator or header) is a problem, and fails the test, and
so is what it would refuse by its limits, https://docs.pinecone.io/reference/api/database-limits/operation-limits.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

from tests.support.pinecone_state import Fault, Index, Namespace

__all__ = ["KEY", "PineconeServer", "pinecone_server"]


KEY = "pcsk_local_test"


_VERSION = "2026-07"  # _internal.constants:DATA_PLANE_API_VERSION, CONTROL_PLANE_API_VERSION


_MOST_RECORDS, _REQUEST_BYTES, _ANSWER_BYTES = 1000, 2_000_000, 4_000_000


_METADATA_BYTES, _ID_CHARACTERS, _TOP_K, _FILTER_VALUES = 40_960, 512, 10_000, 10_000


_ADDRESS_CHARACTERS = 8_000  # of a request line, as proxies commonly take


class PineconeServer(ThreadingHTTPServer):
    """The server; see the module.

    ``lag`` is how many reads of each view (query, fetch, stats) do not show a write yet, ``delay`` for how many
    seconds of ``clock`` none does, ``starting`` how many descriptions of a new index say that it is not ready.
    """

    daemon_threads = True
    request_queue_size = 128  # with the 5 of the library, a busy machine refuses clients

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.indexes: dict[str, Index] = {}
        self.lag: dict[str, int] = {}
        self.delay, self.starting = 0.0, 0
        self.clock: Callable[[], float] = lambda: 0.0
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, Mapping[str, Any]]] = []
        self.problems: list[str] = []
        self.lock = threading.RLock()
        self.released = threading.Event()

    @property
    def url(self) -> str:
        """Address of the control plane."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def reset(self) -> None:
        """As new, for the next test."""
        with self.lock:
            self.indexes.clear()
            self.lag, self.delay, self.starting, self.faults, self.requests = {}, 0.0, 0, [], []

    def made(self, name: str, dimension: int, metric: str = "cosine", kind: str = "_values") -> None:
        """An index that somebody has made before."""
        body = {
            "name": name,
            "schema": {"fields": {kind: {"type": "dense_vector", "dimension": dimension, "metric": metric}}},
            "deployment": {"deployment_type": "managed", "cloud": "aws", "region": "us-east-1"},
        }
        self.indexes[name] = Index(body)

    def namespaces(self, name: str = "verifier") -> dict[str, dict[str, Any]]:
        """What an index really holds, by namespace."""
        with self.lock:
            found = self.indexes[name].namespaces if name in self.indexes else {}
            return {one: dict(namespace.truth) for one, namespace in found.items() if namespace.truth}

    def routes(self) -> list[str]:
        """The last part of each request's route, in order."""
        return [route.rpartition("/")[2] for route, _ in self.requests]

    def fault_of(self, route: str) -> Fault | None:
        with self.lock:
            for number, fault in enumerate(self.faults):
                if route.endswith(fault.route):
                    return self.faults.pop(number)
        return None


@contextmanager
def pinecone_server() -> Iterator[PineconeServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with PineconeServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
            thread.join()
    assert not server.problems, server.problems


class _Refused(Exception):
    """The service would answer with an error status."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(said)
        self.code = code


class _Handler(BaseHTTPRequestHandler):
    server: PineconeServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, method: str) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        address = urlsplit(self.path)
        fault = self.server.fault_of(address.path)
        if fault is not None and self._faulty(fault):
            return
        try:
            with self.server.lock:
                body = json.loads(content) if content else _parameters(address.query)
                self.server.requests.append((f"{method} {address.path}", body))
                self._check(method, content)
                answer, headers = self._answer(method, unquote(address.path), body)
        except _Refused as refused:
            answer = {"code": refused.code, "message": str(refused), "details": []}
            self._send(refused.code, json.dumps(answer).encode(), {})
            return
        if fault is not None and fault.dropped:
            self._hang_up()
            return
        said = json.dumps(answer).encode()
        if len(said) > _ANSWER_BYTES:
            self.server.problems.append(f"{method} {address.path}: an answer of {len(said)} bytes")
        self._send(201 if (method, address.path) == ("POST", "/indexes") else 200, said, headers)

    def _faulty(self, fault: Fault) -> bool:
        """Whether the fault is all that the client gets."""
        if fault.delay:
            self.server.released.wait(fault.delay)
        if fault.dropped and not fault.done:
            self._hang_up()
            return True
        if fault.code:
            self._send(fault.code, fault.body or b"{}", fault.headers)
            return True
        return False

    def _hang_up(self) -> None:
        self.close_connection = True

    def _send(self, code: int, body: bytes, headers: Mapping[str, str]) -> None:
        with suppress(ConnectionError):  # a client that did not wait
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def _check(self, method: str, content: bytes) -> None:
        # _internal.http_client:_build_headers
        if self.headers.get("X-Pinecone-Api-Version") != _VERSION:
            self.server.problems.append(f"{self.path}: another version of the API")
        if self.headers.get("Api-Key") != KEY:
            raise _Refused(401, "Invalid API Key")
        if len(self.path) > _ADDRESS_CHARACTERS:
            self._problem(414, f"an address of {len(self.path)} characters")
        if method == "POST" and len(content) > _REQUEST_BYTES:
            self._problem(413, f"a request of {len(content)} bytes")

    def _problem(self, code: int, said: str) -> None:
        """What no request of ours may be."""
        self.server.problems.append(f"{self.command} {self.path[:200]}: {said}")
        raise _Refused(code, said)

    def _answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        if path.startswith("/i/"):
            _, _, name, route = path.split("/", 3)
            index = self.server.indexes.get(name)
            known = _DATA_ROUTES.get((method, f"/{route}"))
            if index is None:
                raise _Refused(404, f"Resource {name} not found")
            if known is not None:
                fields, serve = known
                self._fields(body, fields)
                return serve(self, index, body)
        elif method == "POST" and path == "/indexes":
            return self._create(body), {}
        elif method == "GET" and path == "/indexes":  # client.indexes:Indexes.list
            return {"indexes": [self._described(name) for name in self.server.indexes]}, {}
        elif method in ("GET", "DELETE") and path.startswith("/indexes/"):
            name = path.removeprefix("/indexes/")
            if name not in self.server.indexes:
                raise _Refused(404, f"Resource {name} not found")
            if method == "GET":  # client.indexes:Indexes.describe
                return self._described(name), {}
            del self.server.indexes[name]  # client.indexes:Indexes.delete
            return {}, {}
        return self._problem(404, "an unknown route"), {}

    def _fields(self, body: Mapping[str, Any], known: Mapping[str, type | tuple[type, ...]]) -> None:
        for name, value in body.items():
            if name not in known:
                self._problem(400, f"an unknown field {name!r}")
            if not isinstance(value, known[name]):
                self._problem(400, f"{name!r} is {type(value).__name__}")

    # The control plane: client.indexes:Indexes

    def _create(self, body: dict[str, Any]) -> Any:
        # models.indexes.requests:CreateIndexRequest
        self._fields(body, {"name": str, "schema": dict, "deployment": dict, "tags": dict})
        kind = body["deployment"].get("deployment_type")
        # models.indexes.deployment:ManagedDeployment, PodDeployment: every attribute is required on creation
        deployments: dict[str, dict[str, type]] = {
            "managed": {"cloud": str, "region": str},
            "pod": {"environment": str, "pod_type": str, "replicas": int, "shards": int},
        }
        if kind not in deployments or body["deployment"].keys() != {"deployment_type", *deployments[kind]}:
            self._problem(400, f"a deployment of another form: {body['deployment']}")
        self._fields(body["deployment"], {"deployment_type": str, **deployments[kind]})
        # models.indexes.schema:IndexSchema, DenseVectorField; the name of the field is
        # _internal.legacy_index_translation:DENSE_FIELD, for indexes of the vectors API
        if body["schema"].keys() != {"fields"} or body["schema"]["fields"].keys() != {"_values"}:
            self._problem(400, f"a schema of another form: {body['schema']}")
        self._fields(body["schema"]["fields"]["_values"], {"type": str, "dimension": int, "metric": str})
        if body["name"] in self.server.indexes:
            raise _Refused(409, "Resource already exists")
        self.server.indexes[body["name"]] = Index(body)
        return self._described(body["name"])

    def _described(self, name: str) -> Any:
        # models.indexes.index:IndexModel, IndexStatus
        index = self.server.indexes[name]
        index.describes += 1
        ready = index.describes > self.server.starting
        return {
            **index.body,
            "host": f"{self.server.url}/i/{name}" if ready else None,
            "status": {"ready": ready, "state": "Ready" if ready else "Initializing"},
            "deletion_protection": "disabled",
            "read_capacity": None,
            "tags": None,
        }

    # The data plane: index:Index

    def _upsert(self, index: Index, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        # Index._upsert_one_batch; a record is models.vectors.vector:Vector
        if not 0 < len(body["vectors"]) <= _MOST_RECORDS:
            self._problem(400, f"{len(body['vectors'])} records")
        for vector in body["vectors"]:
            self._fields(vector, {"id": str, "values": list, "metadata": dict})
            self._check_record(index, vector)
        records = {vector["id"]: vector for vector in body["vectors"]}
        headers = self._write(index, body["namespace"], lambda held: held.update(records))
        return {"upsertedCount": len(body["vectors"])}, headers  # models.vectors.responses:UpsertResponse

    def _check_record(self, index: Index, vector: Mapping[str, Any]) -> None:
        if not (vector["id"].isascii() and 0 < len(vector["id"]) <= _ID_CHARACTERS) or "\0" in vector["id"]:
            self._problem(400, f"an id of another form: {vector['id']!r}")
        if len(vector["values"]) != index.dimension:
            self._problem(400, f"dimension {len(vector['values'])}, not {index.dimension}")
        if not any(vector["values"]):
            self._problem(400, "a dense vector of zeros")
        if len(json.dumps(vector["metadata"], ensure_ascii=False).encode()) > _METADATA_BYTES:
            self._problem(400, f"the metadata of {vector['id']!r} are too large")
        for name, value in vector["metadata"].items():
            if name.startswith("$") or not isinstance(value, str | int | float | bool):
                self._problem(400, f"metadata of another form: {name!r}: {value!r}")

    def _query(self, index: Index, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        # Index.query
        if not 1 <= body["topK"] <= _TOP_K or len(body["vector"]) != index.dimension:
            self._problem(400, f"topK {body['topK']} or dimension {len(body['vector'])}")
        held, seen = self._read(index, body["namespace"], "query")
        met = [one for one in held.values() if self._meets(one["metadata"], body.get("filter"))]
        matches = []
        if met:
            rows = np.array([one["values"] for one in met], dtype=np.float32).astype(float)
            asked = np.array(body["vector"], dtype=np.float32).astype(float)
            cosines = rows @ asked / (np.linalg.norm(rows, axis=1) * np.linalg.norm(asked))
            for row in np.argsort(-cosines, kind="stable")[: body["topK"]]:
                # models.vectors.vector:ScoredVector
                match = {"id": met[row]["id"], "score": float(cosines[row]), "values": []}
                if body["includeMetadata"]:
                    match["metadata"] = _numbers_as_floats(met[row]["metadata"])
                matches.append(match)
        # models.vectors.responses:QueryResponse; models.response_info:ResponseInfo.lsn_reconciled
        headers = {} if index.on_pods else {"x-pinecone-max-indexed-lsn": str(seen)}
        answer = {"matches": matches, "namespace": body["namespace"], "usage": {"readUnits": 1}}
        return answer, headers

    def _meets(self, metadata: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
        # utils.filter_builder:Field, Condition
        for key, condition in (wanted or {}).items():
            if key in ("$and", "$or"):
                met = [self._meets(metadata, part) for part in condition]
                if not (all(met) if key == "$and" else any(met)):
                    return False
                continue
            ((operator, value),) = condition.items()
            if operator == "$exists" and isinstance(value, bool):
                met_here = (key in metadata) == value
            elif operator == "$eq" and isinstance(value, str | bool):
                met_here = key in metadata and metadata[key] == value
            elif operator == "$in" and isinstance(value, list) and 0 < len(value) <= _FILTER_VALUES:
                met_here = key in metadata and metadata[key] in value
            else:
                self._problem(400, f"an unknown condition on {key!r}: {str(condition)[:80]}")
            if not met_here:
                return False
        return True

    def _fetch(self, index: Index, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        # Index.fetch; models.vectors.responses:FetchResponse. A fetch reports no position in the log.
        held, _ = self._read(index, body["namespace"][0], "fetch")
        if not 0 < len(body["ids"]) <= _MOST_RECORDS:
            self._problem(400, f"{len(body['ids'])} ids")
        found = {name: held[name] for name in body["ids"] if name in held}
        return {"vectors": found, "namespace": body["namespace"][0], "usage": {"readUnits": 1}}, {}

    def _delete(self, index: Index, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        # Index.delete, which gives nothing back
        if ("ids" in body) == bool(body.get("deleteAll")):
            self._problem(400, "neither ids nor all, or both")
        if body["namespace"] not in index.namespaces and not index.on_pods:
            raise _Refused(404, "Namespace not found")
        ids = body.get("ids")
        if ids is not None and not 0 < len(ids) <= _MOST_RECORDS:
            self._problem(400, f"{len(ids)} ids")

        def apply(held: dict[str, Any]) -> None:
            for name in list(held) if ids is None else ids:
                held.pop(name, None)

        return {}, self._write(index, body["namespace"], apply)

    def _stats(self, index: Index, body: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        # Index.describe_index_stats; models.vectors.responses:DescribeIndexStatsResponse, NamespaceSummary
        counts = {name: len(self._read(index, name, "stats")[0]) for name in list(index.namespaces)}
        namespaces = {name: {"vectorCount": count} for name, count in counts.items() if count}
        answer = {
            "namespaces": namespaces,
            "dimension": index.dimension,
            "indexFullness": 0.0,
            "totalVectorCount": sum(counts.values()),
            "metric": "cosine",
            "vectorType": "dense",
        }
        return answer, {}

    def _write(self, index: Index, name: str, apply: Callable[[dict[str, Any]], None]) -> dict[str, str]:
        lsn = index.namespaces.setdefault(name, Namespace()).write(self.server.clock(), apply)
        # models.response_info:ResponseInfo.lsn_committed; pods have none
        return {} if index.on_pods else {"x-pinecone-request-lsn": str(lsn)}

    def _read(self, index: Index, name: str, view: str) -> tuple[dict[str, Any], int]:
        namespace = index.namespaces.get(name)
        if namespace is None:
            return {}, 0
        lag = self.server.lag.get(view, 0)
        held = namespace.read(view, self.server.clock(), lag, self.server.delay)
        return held, namespace.seen[view]

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _parameters(query: str) -> dict[str, Any]:
    return dict(parse_qs(query, keep_blank_values=True))


def _numbers_as_floats(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The service keeps every number as a 64 bit float."""
    return {
        key: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for key, value in metadata.items()
    }


_DATA_ROUTES: dict[tuple[str, str], tuple[dict[str, Any], Callable[..., tuple[Any, dict[str, str]]]]] = {
    ("POST", "/vectors/upsert"): ({"vectors": list, "namespace": str}, _Handler._upsert),
    ("POST", "/query"): (
        {
            "vector": list,
            "topK": int,
            "namespace": str,
            "filter": dict,
            "includeValues": bool,
            "includeMetadata": bool,
        },
        _Handler._query,
    ),
    ("GET", "/vectors/fetch"): ({"ids": list, "namespace": list}, _Handler._fetch),
    ("POST", "/vectors/delete"): (
        {"ids": list, "deleteAll": bool, "namespace": str},
        _Handler._delete,
    ),
    ("POST", "/describe_index_stats"): ({}, _Handler._stats),
}


"""Of each route of the data plane the fields that we send, by the type they have on the wire, and who serves it."""
