"""Cut connections that bring no whole request, take no answer, or are too many.

What uvicorn has is kept: ``timeout_keep_alive`` between two requests, 16 kB for the head of a request (h11's limit).
What it lacks is here, on top of its protocol over h11, which it always installs: its keep-alive timer begins after the
first answer and is put back by every byte, so that a socket that says nothing, or a header a second, is never cut; and
``limit_concurrency`` answers 503 to requests, but takes in any number of sockets. hypercorn has no time-out for a head
either, and another server would bring another set of faults. Bodies have their time in
:class:`~verifier.interfaces.server.bodies.BoundedBodies`.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from verifier.config.server import ServerSettings

__all__ = ["connections_within"]

_SHORT = b"content-length: 0\r\nconnection: close\r\n\r\n"
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\n" + _SHORT
_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\n" + _SHORT


class _Connection(H11Protocol):
    """One connection. It waits for a request, or has one; while it waits, it can be cut."""

    settings: ClassVar[ServerSettings]
    idle: ClassVar[dict[_Connection, None]]
    """Those that wait for a request, the longest first."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._begun = False
        """Whether a part of the next request has come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection in; where there are too many, the one that has waited longest makes room."""
        super().connection_made(transport)
        if len(self.connections) > self.settings.connections:
            if not self.idle:
                self._say(_TOO_MANY)
                return
            next(iter(self.idle))._cut()
        self._wait(self.settings.header_seconds)

    def data_received(self, data: bytes) -> None:
        """Read on; the time for a head begins with its first byte, and with the connection."""
        before = self.cycle
        if self in self.idle and not self._begun:
            self._begun = True
            if before is not None:
                self._wait(self.settings.header_seconds)
        super().data_received(data)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._wait(None)

    def on_response_complete(self) -> None:
        """Wait for the next request; what is left of the last one buys no time."""
        before = self.cycle
        self._wait(self.settings.keep_alive_seconds)
        super().on_response_complete()
        if self.cycle is not before:
            self._wait(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait(None)
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give a client that takes no answer as long as one that sends none."""
        self._unread = self.loop.call_later(self.settings.body_seconds, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def _wait(self, seconds: float | None) -> None:
        """Wait so long for a request; ``None``: one is here."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.idle.pop(self, None)
        if seconds is None:
            self._begun = False
        else:
            self._timer = self.loop.call_later(seconds, self._cut)
            self.idle[self] = None

    def _cut(self) -> None:
        """End a connection whose next request is not here; one who is in the midst of it is told."""
        told = self._begun
        self._wait(None)
        if self.transport.get_write_buffer_size():  # it does not take its last answer
            self.transport.abort()
        elif told:
            self._say(_TOO_SLOW)
        else:
            self.transport.close()

    def _say(self, answer: bytes) -> None:
        self.transport.write(answer)
        self.transport.close()


def connections_within(settings: ServerSettings) -> type[asyncio.Protocol]:
    """What uvicorn makes of each connection, within the bounds of ``[server]``."""
    return type("Connection", (_Connection,), {"settings": settings, "idle": {}})
