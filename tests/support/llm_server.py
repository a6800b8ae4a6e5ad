"""A local server that speaks OpenAI's chat completions and Anthropic's messages, with scripted faults.

The vendors' real clients talk to it. Each request takes the next of ``answers``; the last one is given again and
again. What a real server would not understand (an unknown route, field or schema) is a problem, and fails the test.
What this server does not take (``key``, ``takes_schema`` and their neighbours) it refuses in the vendor's own form.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from tests.support.llm_forms import (
    NEWEST,
    WITH_TEMPERATURE,
    Answer,
    Protocol,
    Request,
    completion,
    events,
    told,
)

__all__ = [
    "Answer",
    "Handler",
    "LLMServer",
    "Request",
    "Step",
    "broken",
    "cut",
    "drop",
    "llm_server",
    "page",
    "problems_of",
    "running",
    "say",
    "silence",
    "status",
]

Server = TypeVar("Server", bound="LLMServer")
Step = Answer | Callable[[Request], Answer]
"""What is done with one request."""

_NEVER = 30.0
"""Seconds after which even a silent answer ends, so that a failing test does not hang."""

_FIELDS: Mapping[Protocol, frozenset[str]] = {
    "openai": frozenset(
        [
            "model",
            "messages",
            "temperature",
            "max_tokens",
            "max_completion_tokens",
            "response_format",
            "logprobs",
            "top_logprobs",
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


def say(
    text: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    tokens: tuple[int, int] | None = (11, 7),
    chances: Sequence[tuple[str, Mapping[str, float]]] = (),
) -> Answer:
    """A reply, in the protocol of the request. ``finish`` is OpenAI's word: stop, length or content_filter.

    ``chances`` are the tokens of the reply, each with what might have stood there and its log-probability; OpenAI's
    protocol gives them to whoever asks.
    """
    return Answer(text=text, finish=finish, refusal=refusal, tokens=tokens, chances=chances)


def status(code: int, *, retry_after: str | None = None, body: bytes = b"{}") -> Answer:
    """A reply with an error status."""
    return Answer(status=code, headers={"Retry-After": retry_after} if retry_after else {}, body=body)


def broken(body: bytes = b'{"broken') -> Answer:
    """A reply with status 200 that is no reply."""
    return Answer(body=body)


def page(html: str) -> Answer:
    """A web page where a reply should be."""
    return Answer(body=html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


def cut(text: str, *, after: int, cleanly: bool = False) -> Answer:
    """A reply that ends after so many of its words; ``cleanly`` where the connection looks as if all were well."""
    return Answer(text=text, pieces=after, cleanly=cleanly)


def drop() -> Answer:
    """A connection that is closed without a word."""
    return Answer(dropped=True)


def silence() -> Answer:
    """A connection that stays open without a word."""
    return Answer(dropped=True, delay=_NEVER)


class LLMServer(ThreadingHTTPServer):
    """The server; see the module.

    With ``takes_temperature``, ``takes_schema`` or ``takes_logprobs`` off it refuses requests that have such a part.
    Where they are set, it knows one ``key`` and the ``models``, and reads at most ``window`` tokens.
    """

    handler: type[BaseHTTPRequestHandler]
    daemon_threads = True
    request_queue_size = 128  # with the 5 of the library, a busy machine refuses clients
    allow_reuse_address = True

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.answers: Sequence[Step] | Callable[[Request], Answer] = list(answers)
        self.takes_temperature = self.takes_schema = self.takes_logprobs = True
        self.key: str | None = None
        self.models: frozenset[str] | None = None
        self.window: int | None = None
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
        step = self.answers[min(number, len(self.answers)) - 1]
        return step(request) if callable(step) else step

    def wait(self, seconds: float) -> bool:
        """Whether the wait came to its end, and not to the server's."""
        return not self._released.wait(seconds)


@contextmanager
def llm_server() -> Iterator[LLMServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with running(LLMServer()) as server:
        yield server


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """The server, running; see :func:`llm_server`."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.release()
            server.shutdown()
            thread.join()
    assert server.problems == []


class Handler(BaseHTTPRequestHandler):
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
        self.server.problems += problems_of(request)
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
        if refused := _refused(request, self.server):
            return self._send(*refused)
        if answer.body is not None or answer.status != 200:
            return self._send(answer.status, answer.body or b"", answer.headers)
        if request.body.get("stream"):
            return self._stream(request, answer)
        body = json.dumps(completion(request, answer)).encode()
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
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
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
        for event in events(request, answer):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if answer.pieces is None or answer.cleanly:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        pass


LLMServer.handler = Handler


def _protocol(path: str) -> Protocol | None:
    routes: dict[str, Protocol] = {"/v1/chat/completions": "openai", "/v1/messages": "anthropic"}
    return routes.get(path)


def problems_of(request: Request) -> Iterator[str]:
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
        if request.headers.get("anthropic-version") not in {WITH_TEMPERATURE, NEWEST}:
            yield "no version of the API that is known"
        if not isinstance(body.get("max_tokens"), int):
            yield "no max_tokens"
        form = body.get("output_config", {}).get("format")
        if form is not None and set(form) != {"type", "schema"}:
            yield f"an output format of another form: {form}"
    elif (form := body.get("response_format")) is not None and not (
        (form["type"] == "json_schema" and form["json_schema"].keys() == {"name", "strict", "schema"})
        or (form["type"] == "json_object" and form.keys() == {"type", "schema"})  # llama-cpp-python's
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


def _refused(request: Request, server: LLMServer) -> tuple[int, bytes] | None:
    """Status and error of a request that this server does not take, in its vendor's form."""
    body = request.body
    if server.key is not None and request.key != server.key:
        message = f"Incorrect API key provided: {request.key}."
        return 401, told(request, message, code="invalid_api_key", type="authentication_error")
    if server.models is not None and body["model"] not in server.models:
        message = f"The model {body['model']} does not exist."
        return 404, told(request, message, code="model_not_found", type="not_found_error")
    if server.window is not None and request.tokens > server.window:
        if request.protocol == "anthropic":
            return 400, told(
                request, f"prompt is too long: {request.tokens} tokens > {server.window} maximum"
            )
        message = f"This model's maximum context length is {server.window} tokens."
        return 400, told(request, message, param="messages", code="context_length_exceeded")
    part = _refused_part(request, server)
    if part is None:
        return None
    if request.protocol == "anthropic":
        return 400, told(request, f"{part}: Extra inputs are not permitted")
    message = f"Unsupported value: '{part}' is not supported with this model."
    return 400, told(request, message, param=part, code="unsupported_value")


def _refused_part(request: Request, server: LLMServer) -> str | None:
    """The field that the model, or the version of the API, does not take."""
    old = request.protocol == "openai" or request.headers.get("anthropic-version") == WITH_TEMPERATURE
    if request.temperature is not None and not (server.takes_temperature and old):
        return "temperature"
    if request.schema is not None and not server.takes_schema:
        return "response_format" if request.protocol == "openai" else "output_config"
    return "logprobs" if request.body.get("logprobs") and not server.takes_logprobs else None
