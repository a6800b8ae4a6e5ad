"""A local OpenAI-compatible server that has no model: each request becomes a file, and the file beside it is the reply.

So any reader, a person or a model that cannot be reached from here, can be measured through the product itself. The
rules, which all requests share, are put into ``rules-<hash>.txt`` once, each other request into
``<number>-<hash>.txt``, and its reply is read from ``<number>-<hash>.json``, whatever stands in it. A request whose
reply is not there in time gets status 503. The hash leaves out the code of the marks, so that a request has the same
file in every run. Token counts are those of the embedded WordPiece vocabulary.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from verifier_backends.encoders.folder import encoder_folder, read_tokenizer

__all__ = ["MODEL", "desk"]

MODEL = "desk"
_CODE = re.compile(r"\bCODE ([0-9a-f]{32})\b")


class _Folder:
    """The requests and replies in a folder."""

    def __init__(self, path: Path, wait: float) -> None:
        self.path, self.wait = path, wait
        self._lock = threading.Lock()
        path.mkdir(parents=True, exist_ok=True)

    def reply_to(self, instructions: str, text: str) -> str | None:
        """The reply that somebody has written, waited for; ``None`` where there is none in time."""
        file = self._put(instructions, text)
        reply = file.with_suffix(".json")
        until = time.monotonic() + self.wait
        while not reply.is_file():
            if time.monotonic() >= until:
                return None
            time.sleep(0.2)
        return reply.read_text(encoding="utf-8")

    def _put(self, instructions: str, text: str) -> Path:
        found = _CODE.search(text)
        plain = text.replace(found[1], "0" * 8) if found else text
        rules = self.path / f"rules-{_hash(instructions)}.txt"
        key = _hash(f"{instructions}\0{plain}")
        with self._lock:
            if not rules.is_file():
                rules.write_text(instructions, encoding="utf-8")
            there = next(iter(self.path.glob(f"*-{key}.txt")), None)
            if there is not None:
                return there
            number = sum(1 for _ in self.path.glob("[0-9]*.txt")) + 1
            file = self.path / f"{number:04d}-{key}.txt"
            file.write_text(f"rules: {rules.name}\n{plain}", encoding="utf-8")
            return file


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@contextmanager
def desk(folder: Path, *, port: int = 0, wait: float = 0.0) -> Iterator[str]:
    """The server, and the address under which it is asked (``http://127.0.0.1:PORT/v1``).

    Args:
        folder: where requests and replies lie.
        port: 0 for any that is free.
        wait: seconds until a request without a reply gets status 503.
    """
    files = _Folder(folder, wait)
    tokenizer = read_tokenizer(encoder_folder("minilm", None))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            said = dict.fromkeys(("system", "user"), "")
            for message in body["messages"]:
                said[message["role"]] = said.get(message["role"], "") + str(message["content"])
            reply = files.reply_to(said["system"], said["user"])
            if reply is None:
                self._send(503, {"error": {"message": "nobody has replied yet", "type": "desk"}})
                return
            asked = said["system"] + "\n" + said["user"]
            counts = [len(encoding.ids) for encoding in tokenizer.encode([asked, reply])]
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
            usage = dict(zip(("prompt_tokens", "completion_tokens"), counts, strict=True))
            self._send(
                200,
                {
                    "id": "desk",
                    "object": "chat.completion",
                    "created": 0,
                    "model": MODEL,
                    "choices": [choice],
                    "usage": {**usage, "total_tokens": sum(counts)},
                },
            )

        def _send(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing is logged: requests hold texts of others."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
