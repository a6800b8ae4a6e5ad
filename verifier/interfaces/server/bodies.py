"""Bodies of requests go through, whole and within bounds of bytes, time and nesting, or the problem comes out."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from verifier.interfaces.server.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BoundedBodies", "nesting"]

UNBOUNDED = frozenset({"/v1/stream"})
"""Routes whose body is a stream, bounded by the kernel."""

UPLOADS = frozenset({"/v1/documents/upload"})

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


def nesting(body: bytes) -> int:
    """How deep the brackets of a JSON text are nested, without reading it as JSON.

    >>> nesting(b'{"a": [1, "[[["]}'), nesting(b"[[[")
    (2, 3)
    """
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


class BoundedBodies:
    """Takes in each body before its route is called, so that a slow sender holds no worker and a huge one no memory.

    Args:
        app: what is called with the whole body.
        max_body, max_upload: bytes, for JSON and for uploads.
        max_depth: nesting of JSON.
        seconds: until the body must have arrived.
    """

    def __init__(
        self, app: ASGIApp, *, max_body: int, max_upload: int, max_depth: int, seconds: float
    ) -> None:
        self._app = app
        self._max_body, self._max_upload = max_body, max_upload
        self._max_depth, self._seconds = max_depth, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] in UNBOUNDED:
            await self._app(scope, receive, send)
            return
        upload = scope["path"] in UPLOADS
        try:
            most = self._max_upload if upload else self._max_body
            body = await asyncio.wait_for(_whole(scope, receive, most), self._seconds)
        except TimeoutError as error:
            raise Problem(408, "too_slow", "the body did not arrive in time") from error
        if not upload and nesting(body) > self._max_depth:
            raise Problem(400, "too_deep", f"the JSON is nested deeper than {self._max_depth} levels")
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)


async def _whole(scope: Scope, receive: Receive, most: int) -> bytes:
    too_large = Problem(413, "too_large", f"the body is larger than {most} bytes")
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > most:
            raise too_large
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem(400, "broken_off", "the body was broken off")
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise too_large
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)
