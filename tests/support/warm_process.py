"""A process that has the toolkit imported and runs commands in forks of itself, so that each costs no import.

    python -m tests.support.warm_process SOCKET

A client connects to the socket, hands over its standard streams and one JSON object: ``{"kind": "verifier" | "code",
"argv": [...], "cwd": ..., "env": {...}}``. Back comes the exit code as text.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import textwrap
import traceback
from pathlib import Path
from typing import Any

__all__ = ["CLIENT", "ask"]

MOST = 1 << 20
"""Bytes of a request."""

CLIENT = textwrap.dedent("""\
    import json, os, socket, sys
    with socket.socket(socket.AF_UNIX) as line:
        line.connect({address!r})
        asked = {{"kind": "verifier", "argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}}
        socket.send_fds(line, [json.dumps(asked).encode()], [0, 1, 2])
        line.shutdown(socket.SHUT_WR)
        code = int(line.recv(16) or b"70")
    with open({log!r}, "a") as log:
        log.write(f"{{code}} verifier {{' '.join(sys.argv[1:])}}\\n")
    sys.exit(code)
    """)
"""The ``verifier`` that scripts find: it hands its streams to the process at ``address`` and logs the exit code."""


def ask(address: str, asked: dict[str, Any], out: Path) -> int:
    """Run one request with no input; what it prints goes to a file. The exit code."""
    with socket.socket(socket.AF_UNIX) as line, out.open("ab") as target, open(os.devnull, "rb") as nothing:
        line.connect(address)
        streams = [nothing.fileno(), target.fileno(), target.fileno()]
        socket.send_fds(line, [json.dumps(asked).encode()], streams)
        line.shutdown(socket.SHUT_WR)
        return int(line.recv(16) or b"70")


def _serve(address: str) -> None:
    from verifier import factory  # noqa: F401
    from verifier.interfaces import cli, library  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen(16)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            line, _ = server.accept()
            if os.fork() == 0:
                server.close()
                _answer(line)
            line.close()


def _answer(line: socket.socket) -> None:
    """Run the request in this process, send its exit code, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, streams, _, _ = socket.recv_fds(line, MOST, 3)
    while more := line.recv(MOST):
        message += more
    asked = json.loads(message)
    for place, given in enumerate(streams):
        os.dup2(given, place)
        os.close(given)
    code = 1
    try:
        code = _run(asked)
    except BaseException:  # noqa: BLE001  whatever it is belongs into what was printed
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    line.sendall(str(code).encode())
    os._exit(code)


def _run(asked: dict[str, Any]) -> int:
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = [asked["kind"], *asked["argv"]]
    try:
        if asked["kind"] == "verifier":
            from verifier.interfaces.cli import main

            main()
        else:
            sys.path.insert(0, "")
            exec(compile(asked["argv"][0], "block", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    return 0


if __name__ == "__main__":
    _serve(sys.argv[1])
