"""A real HTTP server on loopback that serves pages by their path, and tells what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Answer", "Site", "serving"]


@dataclass(frozen=True)
class Answer:
    """What is answered: a body, or with ``slow`` one that comes a byte a second."""

    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    slow: bool = False


@dataclass
class Site:
    """The server's address, its pages, which may change while it runs, and the paths and agents that asked."""

    url: str
    pages: dict[str, Answer]
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)


@contextmanager
def serving() -> Iterator[Site]:
    """A server without pages."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers.get("User-Agent", ""))
            answer = site.pages.get(self.path, Answer(b"no", "text/plain", 404))
            self.send_response(answer.status)
            for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.slow:
                for n in range(30):
                    self.wfile.write(answer.body[n : n + 1])
                    self.wfile.flush()
                    time.sleep(0.1)
            else:
                self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    site = Site(f"http://127.0.0.1:{server.server_address[1]}", {})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
