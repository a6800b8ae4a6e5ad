"""Server-sent events, written as they come; what goes wrong under way is the last of them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response

from verifier.interfaces.server.logs import log_failure
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.work import Busy

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

__all__ = ["EventStream", "Lines", "as_lines", "described_events", "event_line", "problem_told"]

Lines = AsyncGenerator[bytes, None]
"""Events as they go over the wire."""


def described_events(example: str) -> dict[int | str, dict[str, Any]]:
    """What a route that gives events says of them in the OpenAPI."""
    content = {"text/event-stream": {"schema": {"type": "string"}, "example": example}}
    return {200: {"description": "Server-sent events.", "content": content}}


def event_line(event: Mapping[str, Any]) -> bytes:
    """One event as it goes over the wire; ``event["event"]`` is its name."""
    data = json.dumps(event, allow_nan=False, separators=(",", ":"))
    return f"event: {event['event']}\ndata: {data}\n\n".encode()


async def as_lines(events: AsyncGenerator[dict[str, Any], None]) -> Lines:
    """Events as they go over the wire."""
    async with aclosing(events):
        async for event in events:
            yield event_line(event)


class EventStream(Response):
    """Events as they come. Starlette's own response would read the rest of the request's body, to see its client go.

    Args:
        first, rest: the events. The first is there already: what cannot begin is an answer with a status, no stream.
        request_id: for the log.
    """

    media_type = "text/event-stream"

    def __init__(self, first: bytes, rest: Lines, request_id: str) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._first, self._rest, self._request_id = first, rest, request_id

    @classmethod
    async def begun(cls, lines: Lines, request_id: str) -> EventStream:
        """The answer, once the first event is there.

        Raises:
            Exception: whatever kept it from coming.
        """
        try:
            return cls(await anext(lines), lines, request_id)
        except BaseException:
            await lines.aclose()
            raise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them, and whatever goes wrong as the last."""
        del receive
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})

        async def sent(line: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": line, "more_body": more})

        async with aclosing(self._rest) as lines:
            try:
                await sent(self._first)
                async for line in lines:
                    await sent(line)
                await sent(b"", more=False)
            except ClientDisconnect:
                scope["state"]["problem"] = "client_gone"
            except Exception as error:  # noqa: BLE001 - whatever it is, the client is told in our words
                problem = problem_told(error, self._request_id)
                scope["state"]["problem"] = problem.code
                told = {"event": "error", "code": problem.code, "message": problem.message}
                await sent(event_line(told), more=False)


def problem_told(error: Exception, request_id: str) -> Problem:
    """The problem that a client is told of; the operator is told more."""
    problem = problem_of(error)
    if problem.status >= 500 and not isinstance(error, Problem | Busy):
        log_failure(error, problem.code, request_id)
    return problem
