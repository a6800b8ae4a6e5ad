"""Read request bodies within bounds of bytes, time and nesting."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.work import Busy

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BoundedBodies", "nesting"]

UNBOUNDED = frozenset({"/v1/stream"})
"""Routes whose body is a stream, bounded by the kernel."""

UPLOADS = frozenset({"/v1/documents/read", "/v1/documents/upload"})

_SMALL = 100_000
"""Bytes whose nesting is counted on the spot; more would keep other requests waiting."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


def nesting(body: bytes, most: int | None = None) -> int:
    """How deep the brackets of a JSON text are nested, without reading it as JSON; past ``most`` nothing is counted.

    >>> nesting(b'{"a": [1, "[[["]}'), nesting(b"[[["), nesting(b"[[[[[[", most=2)
    (2, 3, 3)
    """
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", body)):
        depth += 1 if bracket.group() in b"[{" else -1
        deepest = max(deepest, depth)
        if most is not None and deepest > most:
            break
    return deepest


class BoundedBodies:
    """Takes in each body before its route is called, so that a slow sender holds no worker and a huge one no memory.

    A client that leaves cancels its request: what nobody has begun for it is not begun.

    Args:
        app: what is called with the whole body.
        max_body, max_upload: bytes, for JSON and for uploads.
        max_held: bytes of all bodies of requests under way, together.
        max_depth: nesting of JSON.
        seconds: until the body must have arrived.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        max_body: int,
        max_upload: int,
        max_held: int,
        max_depth: int,
        seconds: float,
    ) -> None:
        self._app = app
        self._max_body, self._max_upload, self._max_held = max_body, max_upload, max_held
        self._max_depth, self._seconds = max_depth, seconds
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] in UNBOUNDED:
            await self._app(scope, receive, send)
            return
        upload = scope["path"] in UPLOADS
        parts: list[bytes] = []
        try:
            most = self._max_upload if upload else self._max_body
            try:
                await asyncio.wait_for(self._take_in(parts, scope, receive, most), self._seconds)
            except TimeoutError as error:
                raise Problem(408, "too_slow", "the body did not arrive in time") from error
            body = b"".join(parts)
            if not upload:
                await self._check_depth(body)
            await self._call(scope, receive, send, body)
        finally:
            self._held -= sum(map(len, parts))

    async def _take_in(self, parts: list[bytes], scope: Scope, receive: Receive, most: int) -> None:
        too_large = Problem(413, "too_large", f"the body is larger than {most} bytes")
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value) > most:
                raise too_large
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Problem(400, "broken_off", "the body was broken off")
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise too_large
            if self._held and self._held + len(part) > self._max_held:
                raise Busy(1)
            self._held += len(part)
            parts.append(part)
            if not message.get("more_body"):
                return

    async def _check_depth(self, body: bytes) -> None:
        if len(body) > _SMALL:
            depth = await asyncio.to_thread(nesting, body, self._max_depth)
        else:
            depth = nesting(body, self._max_depth)
        if depth > self._max_depth:
            raise Problem(400, "too_deep", f"the JSON is nested deeper than {self._max_depth} levels")

    async def _call(self, scope: Scope, receive: Receive, send: Send, body: bytes) -> None:
        """The route, until it has answered or the client is gone."""
        given = answered = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return {"type": "http.disconnect"}
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def sending(message: Message) -> None:
            nonlocal answered
            answered = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        answering = asyncio.ensure_future(self._app(scope, replay, sending))
        leaving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if answered or answering.done():
                await answering
                return
            scope["state"]["problem"] = "client_gone"
            answering.cancel()
            await asyncio.wait({answering})
        finally:
            leaving.cancel()
            answering.cancel()
