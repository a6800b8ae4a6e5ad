"""A real ``verifier serve`` process on a free loopback port, over a knowledge base of its own."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from verifier.interfaces.server.keys import KeyRing, Right

__all__ = ["Server", "make_keys", "serving"]

WAIT = 120.0
"""Seconds after which something is not slow but broken."""


class Server:
    """A running server: its process, where it listens and what it wrote to stderr."""

    def __init__(self, process: subprocess.Popen[str], where: Path) -> None:
        self.process, self.where, self.url = process, where, ""
        self._lines: list[str] = []
        self._seen: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def log(self) -> list[str]:
        """The lines on stderr so far."""
        return list(self._lines)

    def wait_until_ready(self) -> None:
        """Until ``/readyz`` says so."""
        while (line := self._seen.get(timeout=WAIT)) is not None:
            if found := re.search(r" on (http://\S+)", line):
                self.url = found[1]
                break
        assert self.url, "\n".join(self._lines)
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if httpx.get(f"{self.url}/readyz").status_code == 200:
                return
            time.sleep(0.05)
        raise AssertionError("\n".join(self._lines))

    def client(self, key: str | None = None, **options: Any) -> httpx.Client:
        """A client for it."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=WAIT, **options)

    def records(self, event: str = "request") -> list[dict[str, Any]]:
        """The log's lines of that event."""
        lines = (json.loads(line) for line in self.log if line.startswith("{"))
        return [line for line in lines if line["event"] == event]

    def record_of(self, request_id: str) -> dict[str, Any]:
        """The line of one request, which comes right after its answer."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            for line in self.records():
                if line["request_id"] == request_id:
                    return line
            time.sleep(0.01)
        raise AssertionError(f"no line for {request_id}")

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Send a signal, and wait until it is gone."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(WAIT)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.append(line.rstrip("\n"))
            self._seen.put(line)
        self._seen.put(None)


@contextmanager
def serving(
    where: Path,
    settings: Mapping[str, object] | None = None,
    *,
    documents: Mapping[str, Mapping[str, str]] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """A server over ``where / "kb"``, filled with texts by namespace and name.

    ``settings`` are names like ``server.queue``. The NLI model is off unless they say otherwise.
    """
    from verifier.config import load
    from verifier.factory import open_store

    given: dict[str, object] = {"signals.nli": False, "backend.type": "bm25", **(settings or {})}
    given.setdefault("server.requests_per_minute", 1_000_000)
    env = {**os.environ, **(environment or {}), "OMP_NUM_THREADS": "1"}
    for name, value in given.items():
        words = json.dumps(value) if not isinstance(value, str) else value
        env["VERIFIER_" + name.upper().replace(".", "__")] = words
    if documents is not None:
        with open_store(
            load(overrides={**given, "kb.path": str(where / "kb")}).settings, create=True
        ) as store:
            for namespace, texts in documents.items():
                for name, text in texts.items():
                    store.add(name, text, namespace=namespace)
    command = "import sys; from verifier.interfaces.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", command, "serve", "--kb", str(where / "kb"), "--port", "0", "--create"],
        cwd=where,
        env=env,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    server = Server(process, where)
    try:
        server.wait_until_ready()
        yield server
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(WAIT)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def make_keys(path: Path, owners: Mapping[str, tuple[Sequence[str], Iterable[Right]]]) -> dict[str, str]:
    """A file of keys with these owners, their namespaces and rights; the secrets by name."""
    ring, secrets = KeyRing(), {}
    for name, (namespaces, rights) in owners.items():
        ring, secrets[name] = ring.with_new(name, namespaces, rights)
    ring.save(path)
    return secrets
