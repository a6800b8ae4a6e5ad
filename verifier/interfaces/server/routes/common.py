"""What every route needs: the engine behind it, who asks, and in which namespace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

from verifier.interfaces.server import access
from verifier.interfaces.server.engine import Engine
from verifier.interfaces.server.keys import Right
from verifier.interfaces.server.metrics import Metrics

__all__ = ["ERRORS", "Asker", "Caller", "Checker", "Known", "Watcher", "Writer", "rendered"]

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {
            "application/json": {
                "example": {
                    "error": {"code": code, "message": "one sentence", "request_id": "9f2c41d07b1a6e35"}
                }
            }
        },
    }
    for status, code, text in (
        (400, "malformed", "The body is no JSON, nested too deep, or was broken off."),
        (401, "no_key", "A key is needed, or the one given is not known."),
        (403, "forbidden", "The key lacks the right, or may not enter the namespace."),
        (404, "not_found", "No such document, or the namespace holds none."),
        (408, "too_slow", "The body did not arrive in time."),
        (413, "too_large", "The body is larger than the server takes."),
        (415, "wrong_type", "The body is not said to be JSON."),
        (422, "invalid", "A field is missing, of another type, or out of range."),
        (429, "too_many_requests", "Too many requests in a minute; see Retry-After."),
        (500, "internal", "Something went wrong; the request id finds it in the log."),
        (501, "not_configured", "The server is not configured or lacks an optional part for this."),
        (502, "model_failed", "A language model or search index refused."),
        (503, "busy", "The server has as much to do as it can hold; see Retry-After."),
        (504, "timeout", "The request took too long and was given up."),
    )
}
"""What any route may answer besides its result."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks, with what serves them."""

    engine: Engine
    metrics: Metrics
    asking: access.Caller

    def namespace(self, asked: str | None) -> str:
        """The namespace of the request.

        Raises:
            Problem: the caller may not enter it.
        """
        return self.asking.namespace(asked, self.engine.settings.kb.namespace)

    async def known(self, asked: str | None) -> str:
        """The namespace of the request, which holds something.

        Raises:
            Problem: the caller may not enter it, or it holds nothing to check against.
        """
        namespace = self.namespace(asked)
        await asyncio.to_thread(self.engine.known, namespace)
        return namespace


async def rendered(make: Callable[[], object]) -> Response:
    """JSON made in a thread, since that of a long report takes a while in which others would wait."""

    def body() -> bytes:
        return json.dumps(make(), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()

    return Response(await asyncio.to_thread(body), media_type="application/json")


async def _known(connection: HTTPConnection) -> Caller:
    state = connection.app.state
    return Caller(state.engine, state.metrics, connection.state.caller)


def _caller_with(right: Right) -> Callable[..., Awaitable[Caller]]:
    async def admitted(connection: HTTPConnection) -> Caller:
        caller = await _known(connection)
        caller.asking.must(right)
        return caller

    return admitted


Known = Annotated[Caller, Depends(_known)]
"""A parameter of a route: a caller, whatever they may do."""
Checker = Annotated[Caller, Depends(_caller_with(Right.CHECK))]
"""One who may check."""
Writer = Annotated[Caller, Depends(_caller_with(Right.WRITE))]
Asker = Annotated[Caller, Depends(_caller_with(Right.ASK))]
Watcher = Annotated[Caller, Depends(_caller_with(Right.METRICS))]
