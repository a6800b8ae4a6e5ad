"""A local server that speaks OpenAI's chat completions and Anthropic's messages goes up, with faults by script.

The vendors' real clients talk to it. Each request takes the next of ``answers``; the last one is given again and
again. What a real server would not understand (an unknown route, field or schema) is a problem, and fails the test.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

__all__ = [
    "Answer",
    "LLMServer",
    "Request",
    "broken",
    "cut",
    "drop",
    "llm_server",
    "say",
    "silence",
    "status",
]

Protocol = Literal["openai", "anthropic"]

_NEVER = 30.0
"""Seconds after which even a silent answer ends, so that a failing test does not hang."""

_WITH_TEMPERATURE, _NEWEST = "2023-06-01", "2026-10-21"

_FIELDS: Mapping[Protocol, frozenset[str]] = {
    "openai": frozenset(
        [
            "model",
            "messages",
            "temperature",
            "max_tokens",
            "max_completion_tokens",
            "response_format",
            "stream",
        ]
    ),
    "anthropic": frozenset(
        ["model", "messages", "system", "temperature", "max_tokens", "output_config", "stream"]
    ),
}
_KEYWORDS = frozenset(
    [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "description",
        "title",
    ]
)
"""Of JSON Schema, what both vendors enforce. OpenAI knows some more; see ``_OPENAI_KEYWORDS``."""
_OPENAI_KEYWORDS = _KEYWORDS | {"minimum", "maximum", "minItems", "maxItems", "pattern"}


@dataclass(frozen=True)
class Answer:
    """What the server does with one request; made by :func:`say` and its neighbours."""

    text: str | None = None
    finish: str = "stop"
    refusal: str | None = None
    tokens: tuple[int, int] | None = (11, 7)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    drip: float = 0.0
    pieces: int | None = None
    cleanly: bool = False
    dropped: bool = False

    def after(self, seconds: float) -> Answer:
        """The same, later."""
        return replace(self, delay=seconds)

    def dripping(self, seconds: float) -> Answer:
        """The same, a byte at a time, with so long between two."""
        return replace(self, drip=seconds)


def say(
    text: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    tokens: tuple[int, int] | None = (11, 7),
) -> Answer:
    """A reply, in the protocol of the request. ``finish`` is OpenAI's word: stop, length or content_filter."""
    return Answer(text=text, finish=finish, refusal=refusal, tokens=tokens)


def status(code: int, *, retry_after: str | None = None, body: bytes = b"{}") -> Answer:
    """A reply with an error status."""
    return Answer(status=code, headers={"Retry-After": retry_after} if retry_after else {}, body=body)


def broken(body: bytes = b'{"broken') -> Answer:
    """A reply with status 200 that is no reply."""
    return Answer(body=body)


def cut(text: str, *, after: int, cleanly: bool = False) -> Answer:
    """A reply that ends after so many of its words; ``cleanly`` where the connection looks as if all were well."""
    return Answer(text=text, pieces=after, cleanly=cleanly)


def drop() -> Answer:
    """A connection that is closed without a word."""
    return Answer(dropped=True)


def silence() -> Answer:
    """A connection that stays open without a word."""
    return Answer(dropped=True, delay=_NEVER)


@dataclass(frozen=True)
class Request:
    """What a client sent, in the words of both protocols."""

    protocol: Protocol
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def instructions(self) -> str:
        """The system's part."""
        if self.protocol == "anthropic":
            return str(self.body.get("system", ""))
        return "".join(said["content"] for said in self.body["messages"] if said["role"] == "system")

    @property
    def text(self) -> str:
        """The user's part."""
        return "".join(said["content"] for said in self.body["messages"] if said["role"] == "user")

    @property
    def temperature(self) -> float | None:
        """As it was sent."""
        return self.body.get("temperature")

    @property
    def max_tokens(self) -> int | None:
        """As it was sent, under whichever name."""
        return self.body.get("max_tokens", self.body.get("max_completion_tokens"))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the reply must follow."""
        if self.protocol == "anthropic":
            return self.body.get("output_config", {}).get("format", {}).get("schema")
        return self.body.get("response_format", {}).get("json_schema", {}).get("schema")

    @property
    def key(self) -> str | None:
        """The key that came with it."""
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        return bearer or self.headers.get("x-api-key")


class LLMServer(ThreadingHTTPServer):
    """The server; see the module. ``takes_temperature = False`` makes it one of the models that refuse any."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Answer] | Callable[[Request], Answer] = list(answers)
        self.takes_temperature = True
        self.requests: list[Request] = []
        self.problems: list[str] = []
        self._released = threading.Event()
        self._lock = threading.Lock()

    @property
    def openai_url(self) -> str:
        """Base URL for OpenAI's client."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def anthropic_url(self) -> str:
        """Base URL for Anthropic's client."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def release(self) -> None:
        """Let go of every connection that waits."""
        self._released.set()

    def take(self, request: Request) -> Answer:
        """Record ``request`` and give its answer."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        if callable(self.answers):
            return self.answers(request)
        return self.answers[min(number, len(self.answers)) - 1]

    def wait(self, seconds: float) -> bool:
        """Whether the wait came to its end, and not to the server's."""
        return not self._released.wait(seconds)


@contextmanager
def llm_server() -> Iterator[LLMServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with LLMServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.release()
            server.shutdown()
            thread.join()
    assert server.problems == []


class _Handler(BaseHTTPRequestHandler):
    server: LLMServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
        protocol = _protocol(self.path)
        if protocol is None:
            self.server.problems.append(f"unknown route {self.path}")
            self._send(404, b"{}")
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(protocol, headers, json.loads(content))
        self.server.problems += _problems(request)
        answer = self.server.take(request)
        with suppress(ConnectionError):  # a client that did not wait
            self._answer(request, answer)

    def do_GET(self) -> None:
        self.server.problems.append(f"unknown route GET {self.path}")
        self._send(404, b"{}")

    def _answer(self, request: Request, answer: Answer) -> None:
        if answer.delay and not self.server.wait(answer.delay):
            return None
        if answer.dropped:
            return None
        if refused := _refused(request, self.server.takes_temperature):
            return self._send(400, refused)
        if answer.body is not None or answer.status != 200:
            return self._send(answer.status, answer.body or b"", answer.headers)
        if request.body.get("stream"):
            return self._stream(request, answer)
        body = json.dumps(_completion(request, answer)).encode()
        if answer.pieces is not None:
            return self._send(200, body, sent=len(body) // 2)
        return self._send(200, body, drip=answer.drip)

    def _send(
        self,
        code: int,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        *,
        sent: int | None = None,
        drip: float = 0.0,
    ) -> None:
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        step = 1 if drip else len(body) or 1
        for at in range(0, len(body), step):
            self.wfile.write(body[at : at + step][:sent])
            if drip and not self.server.wait(drip):
                return

    def _stream(self, request: Request, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in _events(request, answer):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if answer.pieces is None or answer.cleanly:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _protocol(path: str) -> Protocol | None:
    routes: dict[str, Protocol] = {"/v1/chat/completions": "openai", "/v1/messages": "anthropic"}
    return routes.get(path)


def _problems(request: Request) -> Iterator[str]:
    """What a real server would refuse."""
    body = request.body
    for name in body.keys() - _FIELDS[request.protocol]:
        yield f"unknown field {name}"
    if not isinstance(body.get("model"), str) or not body.get("messages"):
        yield "no model or no messages"
    roles = {"system", "user"} if request.protocol == "openai" else {"user"}
    for said in body.get("messages", ()):
        if (
            set(said) != {"role", "content"}
            or said["role"] not in roles
            or not isinstance(said["content"], str)
        ):
            yield f"a message of another form: {said}"
    if request.protocol == "anthropic":
        if request.headers.get("anthropic-version") not in {_WITH_TEMPERATURE, _NEWEST}:
            yield "no version of the API that is known"
        if not isinstance(body.get("max_tokens"), int):
            yield "no max_tokens"
        form = body.get("output_config", {}).get("format")
        if form is not None and set(form) != {"type", "schema"}:
            yield f"an output format of another form: {form}"
    elif (form := body.get("response_format")) is not None and not (
        form["type"] == "json_schema" and form["json_schema"].keys() == {"name", "strict", "schema"}
    ):
        yield f"a response format of another form: {form}"
    if request.schema is not None:
        yield from _schema_problems(
            request.schema, _OPENAI_KEYWORDS if request.protocol == "openai" else _KEYWORDS
        )


def _schema_problems(schema: Mapping[str, Any], known: frozenset[str]) -> Iterator[str]:
    for name in schema.keys() - known:
        yield f"unknown keyword {name} in a schema"
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(
            properties
        ):
            yield "an object in a schema that leaves something open"
        for inner in properties.values():
            yield from _schema_problems(inner, known)
    if "items" in schema:
        yield from _schema_problems(schema["items"], known)


def _refused(request: Request, takes_temperature: bool) -> bytes | None:
    """The vendor's own refusal of a temperature, where the model or the version of the API takes none."""
    if request.temperature is None:
        return None
    if request.protocol == "openai":
        if takes_temperature:
            return None
        said = "Unsupported value: 'temperature' does not support this value with this model."
        return json.dumps(
            {"error": {"message": said, "param": "temperature", "code": "unsupported_value"}}
        ).encode()
    if takes_temperature and request.headers.get("anthropic-version") == _WITH_TEMPERATURE:
        return None
    said = "temperature: Extra inputs are not permitted"
    return json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": said}}).encode()


_STOP_REASON = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def _completion(request: Request, answer: Answer) -> dict[str, Any]:
    model = request.body["model"]
    if request.protocol == "openai":
        message = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
        usage = answer.tokens and {
            "prompt_tokens": answer.tokens[0],
            "completion_tokens": answer.tokens[1],
            "total_tokens": sum(answer.tokens),
        }
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "finish_reason": answer.finish, "message": message}],
            "usage": usage,
        }
    tokens = answer.tokens or (0, 0)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": answer.text}] if answer.text else [],
        "stop_reason": "refusal" if answer.refusal else _STOP_REASON[answer.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def _events(request: Request, answer: Answer) -> Iterator[bytes]:
    """The reply as server-sent events, word by word, up to where it is cut."""
    words = (answer.text or "").split(" ")
    pieces = [word if not index else f" {word}" for index, word in enumerate(words)]
    shown = pieces if answer.pieces is None else pieces[: answer.pieces]
    for index, event in enumerate(_all_events(request, answer, shown)):
        if answer.pieces is not None and index > answer.pieces:
            return
        yield event


def _all_events(request: Request, answer: Answer, pieces: Sequence[str]) -> Iterator[bytes]:
    if request.protocol == "openai":
        frame = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": request.body["model"]}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return b"data: %s\n\n" % json.dumps({**frame, "choices": [choice]}).encode()

        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces:
            yield chunk({"content": piece})
        yield chunk({"refusal": answer.refusal} if answer.refusal else {}, answer.finish)
        yield b"data: [DONE]\n\n"
        return

    def event(kind: str, **values: Any) -> bytes:
        return b"event: %s\ndata: %s\n\n" % (kind.encode(), json.dumps({"type": kind, **values}).encode())

    whole = _completion(request, answer)
    opening = event("message_start", message={**whole, "content": [], "stop_reason": None})
    yield opening + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for piece in pieces:
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
    yield event("content_block_stop", index=0)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 7})
    yield event("message_stop")
