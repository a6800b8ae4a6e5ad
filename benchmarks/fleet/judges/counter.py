"""A local OpenAI-compatible chat server that counts what each of its clients asks and is given.

Each client has an address of its own, so that its calls and tokens are counted by the server and not by the client.
Its replies are scripted, and tokens those of the embedded WordPiece vocabulary; or it passes everything on to a real
server, and takes over what that counts.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from verifier_backends.encoders.folder import encoder_folder, read_tokenizer

__all__ = ["INSTANT", "MODEL", "Counter", "Counts", "Pace", "counting_server", "passed_on", "scripted"]

MODEL = "local-judge"
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""The body of a request for a chat completion in, that of the reply out."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a client has taken: requests, with those that failed, and tokens that were read and written for them."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0

    def __sub__(self, other: Counts) -> Counts:
        return Counts(
            self.calls - other.calls, self.prompt - other.prompt, self.completion - other.completion
        )


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the server reads and writes, in tokens a second; it waits as long as a model of that speed works."""

    prompt: float
    completion: float

    def seconds(self, prompt: int, completion: int) -> float:
        """What a request takes.

        >>> Pace(1000, 100).seconds(500, 50)
        1.0
        """
        return prompt / self.prompt + completion / self.completion


INSTANT = Pace(float("inf"), float("inf"))


class Counter:
    """The counts of a running server.

    Args:
        port: where it listens on 127.0.0.1.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._counts: dict[str, Counts] = {}
        self._adding = threading.Lock()

    def url(self, client: str) -> str:
        """The base URL of a client; its name is of letters, digits and hyphens."""
        return f"http://127.0.0.1:{self._port}/{client}/v1"

    def of(self, client: str) -> Counts:
        """What it has taken up to now."""
        return self._counts.get(client, Counts())

    def add(self, client: str, prompt: int, completion: int) -> None:
        """Count one request."""
        with self._adding:
            had = self.of(client)
            self._counts[client] = replace(
                had, calls=had.calls + 1, prompt=had.prompt + prompt, completion=had.completion + completion
            )


def scripted(reply: Callable[[str], str], pace: Pace = INSTANT) -> Answer:
    """Replies by a function of all messages of a request, which stand in their order with an empty line between."""
    tokenizer = read_tokenizer(encoder_folder("minilm", None))

    def answer(body: Mapping[str, Any]) -> dict[str, Any]:
        asked = "\n\n".join(_text(message["content"]) for message in body["messages"])
        said = reply(asked)
        prompt, completion = (len(encoding.ids) for encoding in tokenizer.encode([asked, said]))
        time.sleep(pace.seconds(prompt, completion))
        return _completion(said, prompt, completion)

    return answer


def passed_on(url: str, model: str) -> Answer:
    """Replies of a model at an OpenAI-compatible server that asks for no key.

    Args:
        url: up to ``/v1``.
        model: as that server knows it.
    """

    def answer(body: Mapping[str, Any]) -> dict[str, Any]:
        data = json.dumps({**body, "model": model}).encode()
        request = urllib.request.Request(
            f"{url}/chat/completions", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=_PATIENCE) as reply:
            return dict(json.load(reply))

    return answer


_PATIENCE = 600.0
"""Seconds for a reply of a real model."""


@contextmanager
def counting_server(answer: Answer) -> Iterator[Counter]:
    """A server on a free port of 127.0.0.1, stopped at the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer))
    server.counter = Counter(server.server_address[1])  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.counter  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._refuse()

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            _, client, *route = self.path.split("/")
            if route != ["v1", "chat", "completions"] or body.get("stream"):
                self._refuse()
                return
            try:
                told = answer(body)
            except (OSError, ValueError) as error:
                self._count(client, {})
                self._send(400, {"error": {"message": str(error), "type": "counter"}})
                return
            self._count(client, told.get("usage") or {})
            self._send(200, told)

        def _count(self, client: str, usage: Mapping[str, int]) -> None:
            tokens = (usage.get(f"{kind}_tokens", 0) for kind in ("prompt", "completion"))
            self.server.counter.add(client, *tokens)  # type: ignore[attr-defined]

        def _refuse(self) -> None:
            self._send(404, {"error": {"message": f"no such service: {self.path}", "type": "counter"}})

        def _send(self, status: int, body: Mapping[str, Any]) -> None:
            data = json.dumps(body).encode()
            with suppress(ConnectionError):  # a client that waits no longer
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    return Handler


def _text(content: Any) -> str:
    """What a message says, as a string or as parts of a text."""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _completion(said: str, prompt: int, completion: int) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {
        "id": "counted",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [choice],
        "usage": usage,
    }
