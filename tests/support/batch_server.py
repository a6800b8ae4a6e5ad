"""A local server with the batch endpoints of OpenAI and Anthropic beside their chat, and whatever can go wrong there.

The vendors' real clients talk to it. No vendor can be had here: what it does follows their published references and
the types of their clients.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Literal
from urllib.parse import urlsplit

from tests.support.llm_forms import Answer, Protocol, Request, completion, told
from tests.support.llm_server import Handler, LLMServer, problems_of, running
from tests.support.reader_faults import honest

__all__ = ["BatchServer", "Fate", "SentBatch", "batch_server"]

Fate = Answer | Literal["expired", "canceled", "left out"]
"""What becomes of one request."""


@dataclass
class SentBatch:
    """A batch that the server has."""

    id: str
    protocol: Protocol
    requests: list[tuple[str, Request]]
    created: float
    metadata: dict[str, str] = field(default_factory=dict)
    looks: int = 0
    status: str = "in_progress"
    code: str = ""
    results: bytes = b""
    errors: bytes = b""

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self.status in {"completed", "expired", "cancelled", "failed"}


class BatchServer(LLMServer):
    """The server; see the module.

    Args:
        looks: how often a batch is asked about before it ends.

    What tests set: ``fate`` of a request by its number in its batch; ``ending``, a status and a code for a batch by its
    number; ``spoil`` for the bytes of results; ``away``, how many requests about batches are answered with 503;
    ``lost``, how many batches are made and the connection is closed without a word; ``held``, the step (``upload``,
    ``create``, ``look``) at which the server has done its part and does not answer until it is let go; ``has_batches``
    off for a server without the endpoint. ``answered`` counts what was paid for.
    """

    def __init__(self, looks: int = 1) -> None:
        self.handler = _BatchHandler
        super().__init__()
        self.answers = honest
        self.looks, self.away, self.lost, self.held = looks, 0, 0, ""
        self.has_batches = True
        self.fate: Callable[[int, Request], Fate] = lambda _number, request: honest(request)
        self.ending: Callable[[int], tuple[str, str]] = lambda _number: ("completed", "")
        self.spoil: Callable[[bytes], bytes] = lambda content: content
        self.files: dict[str, bytes] = {}
        self.batches: list[SentBatch] = []
        self.answered: Counter[str] = Counter()
        self.reached, self.let_go = threading.Event(), threading.Event()

    def hold(self, step: str) -> None:
        """Where that is the step at which to stop: tell so, and wait."""
        if step and self.held == step:
            self.held = ""
            self.reached.set()
            self.let_go.wait(30)

    def release(self) -> None:
        """Let go of every connection that waits."""
        self.let_go.set()
        super().release()

    def batch(self, id_: str) -> SentBatch:
        """One of them."""
        return next(one for one in self.batches if one.id == id_)

    def look(self, batch: SentBatch) -> None:
        """One question about a batch: the last one before it ends has it answered."""
        batch.looks += 1
        if batch.status == "cancelling":
            self.end(batch, "cancelled", "")
        elif not batch.ended and batch.looks >= self.looks:
            self.end(batch, *self.ending(self.batches.index(batch)))

    def end(self, batch: SentBatch, status: str, code: str) -> None:
        """Answer a batch."""
        batch.status, batch.code = status, code
        if status == "failed":
            return
        for number, (name, request) in enumerate(batch.requests):
            fate: Fate = "canceled" if status == "cancelled" else self.fate(number, request)
            if isinstance(fate, Answer) and fate.status == 200:
                self.answered[_content(request)] += 1
            form = _openai_line if batch.protocol == "openai" else _anthropic_line
            good, line = form(name, request, fate)
            if good:
                batch.results += line
            else:
                batch.errors += line
        batch.results = self.spoil(batch.results)


def _content(request: Request) -> str:
    """A request without the code of its marks, which differs from process to process."""
    code = request.text.partition("\n")[0].removeprefix("CODE ")
    return request.instructions + request.text.replace(code, "")


def _line(**values: Any) -> bytes:
    return json.dumps(values).encode() + b"\n"


def _openai_line(name: str, request: Request, fate: Fate) -> tuple[bool, bytes]:
    if fate == "left out":
        return False, b""
    common = {"id": f"batch_req_{name[-4:]}", "custom_id": name}
    if not isinstance(fate, Answer):
        code = {"expired": "batch_expired", "canceled": "batch_cancelled"}[fate]
        return False, _line(**common, response=None, error={"code": code, "message": "VENDOR-WORDS"})
    body = completion(request, fate) if fate.status == 200 else json.loads(fate.body or b"{}")
    response = {"status_code": fate.status, "request_id": "r", "body": body}
    return fate.status == 200, _line(**common, response=response, error=None)


def _anthropic_line(name: str, request: Request, fate: Fate) -> tuple[bool, bytes]:
    if fate == "left out":
        return False, b""
    if not isinstance(fate, Answer):
        return True, _line(custom_id=name, result={"type": fate})
    if fate.status == 200:
        return True, _line(custom_id=name, result={"type": "succeeded", "message": completion(request, fate)})
    error = json.loads(fate.body or told(request, "VENDOR-WORDS"))
    return True, _line(custom_id=name, result={"type": "errored", "error": error})


class _BatchHandler(Handler):
    server: BatchServer

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        if path in ("/v1/chat/completions", "/v1/messages"):
            super().do_POST()
            return
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answering(path, content)

    def do_GET(self) -> None:
        self._answering(urlsplit(self.path).path, None)

    def _answering(self, path: str, content: bytes | None) -> None:
        self.close_connection = True
        server = self.server
        with suppress(ConnectionError):
            if not server.has_batches:
                self._send(404, b"{}")
            elif server.away > 0:
                server.away -= 1
                self._send(503, b"{}")
            else:
                self._route(path.removeprefix("/v1/").split("/"), content)

    def _route(self, parts: list[str], content: bytes | None) -> None:
        match parts, content is not None:
            case ["files"], True:
                self._uploaded(content or b"")
            case ["files", id_, "content"], False:
                self._send(200, self.server.files[id_], {"Content-Type": "application/octet-stream"})
            case ((["batches"] | ["messages", "batches"]), True):
                self._created(json.loads(content or b""))
            case ((["batches"] | ["messages", "batches"]), False):
                self._listed("openai" if parts[0] == "batches" else "anthropic")
            case ((["batches", id_] | ["messages", "batches", id_]), False):
                self.server.look(self.server.batch(id_))
                self._told_of(self.server.batch(id_))
            case ((["batches", id_, "cancel"] | ["messages", "batches", id_, "cancel"]), True):
                self.server.batch(id_).status = "cancelling"
                self._told_of(self.server.batch(id_))
            case ["messages", "batches", id_, "results"], False:
                self._send(200, self.server.batch(id_).results, {"Content-Type": "application/x-jsonl"})
            case _:
                self.server.problems.append(f"unknown route {self.path}")
                self._send(404, b"{}")

    def _uploaded(self, content: bytes) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = list(BytesParser(policy=HTTP).parsebytes(head + content).iter_parts())
        told = {part.get_param("name", header="content-disposition"): part for part in parts}
        if told["purpose"].get_payload(decode=True) != b"batch":
            self.server.problems.append("an upload for another purpose than a batch")
        id_ = f"file-{len(self.server.files)}"
        self.server.files[id_] = told["file"].get_payload(decode=True)
        self.server.hold("upload")
        self._json(
            {"id": id_, "object": "file", "bytes": 1, "created_at": 0, "filename": "f", "purpose": "batch"}
        )

    def _created(self, body: dict[str, Any]) -> None:
        server = self.server
        headers = {name.lower(): value for name, value in self.headers.items()}
        protocol: Protocol = "openai" if "input_file_id" in body else "anthropic"
        if protocol == "openai":
            if (body["endpoint"], body["completion_window"]) != ("/v1/chat/completions", "24h"):
                server.problems.append("a batch for another endpoint")
            lines = [json.loads(line) for line in server.files[body["input_file_id"]].splitlines()]
            if any((one["method"], one["url"]) != ("POST", "/v1/chat/completions") for one in lines):
                server.problems.append("a line of another form")
            told = [(one["custom_id"], Request(protocol, headers, one["body"])) for one in lines]
        else:
            told = [(one["custom_id"], Request(protocol, headers, one["params"])) for one in body["requests"]]
        for name, request in told:
            server.problems += problems_of(request)
            if not (0 < len(name) <= 64 and name.replace("-", "").isalnum()):
                server.problems.append(f"a name that the API does not take: {name}")
        if len({name for name, _ in told}) != len(told):
            server.problems.append("a name twice in one batch")
        id_ = f"batch_{len(server.batches)}"
        server.batches.append(SentBatch(id_, protocol, told, time.time(), body.get("metadata") or {}))
        server.hold("create")
        if server.lost > 0:
            server.lost -= 1
            return  # it is there, and nobody is told
        self._told_of(server.batches[-1])

    def _listed(self, protocol: Protocol) -> None:
        some = [self._form(one) for one in reversed(self.server.batches) if one.protocol == protocol]
        self._json({"object": "list", "data": some, "has_more": False, "first_id": None, "last_id": None})

    def _told_of(self, batch: SentBatch) -> None:
        self.server.hold("look" if batch.looks else "")
        self._json(self._form(batch))

    def _form(self, batch: SentBatch) -> dict[str, Any]:
        return self._openai_form(batch) if batch.protocol == "openai" else self._anthropic_form(batch)

    def _openai_form(self, batch: SentBatch) -> dict[str, Any]:
        files = {}
        for kind, content in (("output", batch.results), ("error", batch.errors)):
            if batch.ended and content:
                files[f"{kind}_file_id"] = f"file-{batch.id}-{kind}"
                self.server.files[f"file-{batch.id}-{kind}"] = content
        errors = {"object": "list", "data": [{"code": batch.code, "message": "VENDOR-WORDS"}]}
        return {
            "id": batch.id,
            "object": "batch",
            "completion_window": "24h",
            "created_at": int(batch.created),
            "endpoint": "/v1/chat/completions",
            "input_file_id": "file-0",
            "status": batch.status,
            "metadata": batch.metadata,
            "request_counts": {"total": len(batch.requests), "completed": 0, "failed": 0},
            "errors": errors if batch.code else None,
            **files,
        }

    def _anthropic_form(self, batch: SentBatch) -> dict[str, Any]:
        total = len(batch.requests)
        kinds = ("succeeded", "errored", "canceled", "expired")
        counts = {kind: batch.results.count(b'"type": "%s"' % kind.encode()) for kind in kinds}
        if not batch.ended or sum(counts.values()) != total:
            counts = {**dict.fromkeys(kinds, 0), "succeeded": total if batch.ended else 0}
        created = datetime.fromtimestamp(batch.created, UTC).isoformat()
        status = "ended" if batch.ended else {"cancelling": "canceling"}.get(batch.status, batch.status)
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": status,
            "created_at": created,
            "expires_at": created,
            "request_counts": {**counts, "processing": total - sum(counts.values())},
            "results_url": f"{self.server.anthropic_url}/v1/messages/batches/{batch.id}/results",
        }

    def _json(self, value: dict[str, Any]) -> None:
        self._send(200, json.dumps(value).encode())


@contextmanager
def batch_server(looks: int = 1) -> Iterator[BatchServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with running(BatchServer(looks)) as server:
        yield server
