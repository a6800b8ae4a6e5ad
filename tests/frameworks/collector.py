"""A local HTTP server that takes the requests of observability clients, keeps them, and answers as they expect."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Collector", "collecting"]

LANGFUSE, PHOENIX = "/api/public/scores", "/v1/span_annotations"


class Collector(ThreadingHTTPServer):
    """Where it listens, and what it was sent as JSON: (path, body) in order; ``status`` other than 200 refuses all."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.sent: list[tuple[str, Any]] = []
        self.status = 200
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def scores(self) -> dict[str, Any]:
        """The scores that Langfuse's client sent, by name."""
        return {one["name"]: one for path, body in self.sent if path == LANGFUSE for one in body}


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        path = self.path.split("?")[0]
        read = json.loads(body) if "json" in self.headers["Content-Type"] else None
        self.server.sent.append((self.path, read))
        self._reply(_answer(path, read))

    def _reply(self, content: Any) -> None:
        raw = json.dumps(content).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def _answer(path: str, body: Any) -> Any:
    """What Langfuse and Phoenix answer to scores and annotations; an empty object for all else, such as spans."""
    if path == LANGFUSE:
        return {"message": "Accepted"}
    if path == PHOENIX:
        return {"data": [{"id": f"U3Bhbg=={n}"} for n, _ in enumerate(body["data"])]}
    return {}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that runs until the block ends."""
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
