"""The process that serves: its setup on stdin, a socket and a board inherited; it ends with its parent.

The setup is one line of JSON: ``settings``, ``create``, ``socket`` and ``board`` (descriptors), ``number``.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from typing import Any

from verifier.config import Settings
from verifier.core.errors import VerifierError
from verifier.core.garbage import collect_rarely
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.output import note
from verifier.interfaces.server.app import create_app
from verifier.interfaces.server.fleet.board import Board, WorkerState
from verifier.interfaces.server.logs import log_to_stderr
from verifier.interfaces.server.running import run

__all__ = ["main"]


def main() -> int:
    """Serve until told to stop; the exit code of an error, which is told on stderr."""
    collect_rarely()
    setup = json.loads(sys.stdin.readline() or "null")
    if setup is None:
        return exits.OK
    threading.Thread(target=_end_with_parent, daemon=True, name="parent").start()
    try:
        _serve(setup)
    except VerifierError as error:
        note(f"error: {error}", quiet=False)
        return exits.of_error(error)
    return exits.OK


def _serve(setup: dict[str, Any]) -> None:
    settings = Settings.model_validate(setup["settings"])
    board = Board(settings.server.processes, setup["board"])
    others = WorkerState.READY in board.states()
    place = board.place(setup["number"])
    log_to_stderr()
    # Where others answer meanwhile, nobody is to wait for this one's models.
    app = create_app(settings, create=setup["create"], place=place, load_first=others)
    run(app, place, settings.server, socket.socket(fileno=setup["socket"]))


def _end_with_parent() -> None:
    """The parent holds the other end of stdin and writes nothing more; its end is ours, an orderly one."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
