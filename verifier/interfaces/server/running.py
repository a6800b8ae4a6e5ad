"""Serve an application on a socket until a signal ends it in order."""

from __future__ import annotations

import socket
import time
from math import ceil
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from verifier.config.server import ServerSettings
from verifier.interfaces.server.connections import connections_within
from verifier.interfaces.server.fleet.board import Place, WorkerState

__all__ = ["BACKLOG", "run"]

BACKLOG = 2048
"""Connections that the system keeps waiting until somebody takes them."""

_AT_ONCE = 1
"""Of these, how many one of several workers takes at a time, so that the others get theirs."""


def run(app: ASGIApp, place: Place, settings: ServerSettings, listening: socket.socket) -> None:
    """Serve until SIGTERM or SIGINT; what was accepted is finished within ``drain_seconds``.

    Args:
        app: the application.
        place: where it stands that the server is about to stop.
        settings: of the server.
        listening: bound already; closed at the end.
    """
    several = place.board.workers > 1
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        backlog=_AT_ONCE if several else BACKLOG,
        timeout_graceful_shutdown=int(settings.drain_seconds) + 1,
        timeout_keep_alive=ceil(settings.keep_alive_seconds),
        http=connections_within(settings),
        server_header=False,
        proxy_headers=False,  # anybody could name another address than his own
        ws_max_size=settings.max_body,
    )
    _Server(config, place, settings.notice_seconds).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that says for a while that it will stop, and takes requests meanwhile."""

    def __init__(self, config: uvicorn.Config, place: Place, notice: float) -> None:
        super().__init__(config)
        self._place, self._notice = place, notice
        self._ends: float | None = None
        self._signal: int = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)  # what is taken at a time would else bound what waits, too

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Tell that it is about to stop; a second signal, or none to tell it to, stops it now."""
        begun = self._ends is not None
        self._place.state = WorkerState.DRAINING
        self._signal, self._ends = sig, time.monotonic() + self._notice
        if begun or not self._notice:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; whether it is time to stop."""
        if self._ends is not None and not self.should_exit and time.monotonic() >= self._ends:
            super().handle_exit(self._signal, None)
        return await super().on_tick(counter)
