"""A real ``chroma run`` on loopback: on a free port, waited for by its heartbeat, killed at the end."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 60
"""Seconds until the server must answer."""


@contextmanager
def chroma_server() -> Iterator[int]:
    """The port of a server that lives as long as the block."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("wb") as log:
        port = free_port()
        command = [
            Path(sys.executable).with_name("chroma"),
            "run",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        server = subprocess.Popen(
            [*command, "--path", folder],
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
        )
        try:
            _wait(server, port, Path(folder) / "log")
            yield port
        finally:
            server.kill()
            server.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(PATIENCE * 20):
        if server.poll() is not None:
            break
        with suppress(OSError), direct.open(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=5):
            return
        time.sleep(0.05)
    raise RuntimeError(f"chroma run does not answer: {log.read_text(errors='replace')}")
