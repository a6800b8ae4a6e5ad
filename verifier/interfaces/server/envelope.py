"""What surrounds every request: an id, a time, a line in the log, a count, and errors as answers."""

from __future__ import annotations

import json
import re
import secrets
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from verifier.interfaces.server.logs import LOG, log_failure
from verifier.interfaces.server.metrics import Metrics
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.work import Busy

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Envelope"]

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

_METHODS = frozenset({"GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH", "WS"})

_GONE = 499
"""In log and metrics, for a client that left before it had an answer."""


class Envelope:
    """The outermost layer.

    Args:
        app: everything else.
        metrics: where requests are counted.
        tracer: opens a span for each request, where telemetry is configured.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, tracer: Any = None) -> None:
        self._app, self._metrics, self._tracer = app, metrics, tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or WebSocket."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        status: int | None = None

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                status = message["status"]
                own = [(b"x-request-id", request_id.encode()), (b"x-content-type-options", b"nosniff")]
                message["headers"] = [*message["headers"], *own]
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        problem: Problem | None = None
        with self._span() as span:
            try:
                await self._app(scope, receive, sending)
            except Exception as error:  # noqa: BLE001 - the last place where it can become an answer
                problem = problem_of(error)
                if problem.status >= 500 and not isinstance(error, Problem | Busy):
                    log_failure(error, problem.code, request_id)
                if status is None:
                    await _answer(scope, sending, problem, request_id)
            self._note(scope, status, started, request_id, problem, span)

    def _span(self) -> AbstractContextManager[Any]:
        if self._tracer is None:
            return nullcontext()
        span: AbstractContextManager[Any] = self._tracer.start_as_current_span("request")
        return span

    def _note(
        self,
        scope: Scope,
        status: int | None,
        started: float,
        request_id: str,
        problem: Problem | None,
        span: Any,
    ) -> None:
        seconds = time.perf_counter() - started
        found = scope.get("route")
        route = getattr(found, "path", "unknown")
        asked = scope.get("method", "WS")
        # Any word can be sent as a method; counters of all of them would fill the memory.
        method, code = asked if asked in _METHODS else "other", status or _GONE
        self._metrics.requests.labels(method, route, str(code)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if span is not None:
            span.update_name(f"{method} {route}")
            span.set_attributes(
                {"http.request.method": method, "http.route": route, "http.response.status_code": code}
            )
        client = scope.get("client")
        LOG.info(
            "request",
            extra={
                "request_id": request_id,
                "method": method,
                "route": route,
                "status": code,
                "milliseconds": round(1000 * seconds, 1),
                "owner": scope["state"].get("owner"),
                "client": client[0] if client else None,
                "error": problem.code if problem else scope["state"].get("problem"),
            },
        )


def _request_id(scope: Scope) -> str:
    """The client's own id, where it is a plain one, so that both ends' logs can be laid side by side."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    named = given.decode("latin-1")
    return named if _ID.fullmatch(named) else secrets.token_hex(8)


async def _answer(scope: Scope, send: Send, problem: Problem, request_id: str) -> None:
    """The problem as the answer; to a WebSocket that was not accepted, as that of its handshake."""
    kind = "http.response"
    if scope["type"] == "websocket":
        kind = "websocket.http.response"
        if kind not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": problem.message[:120]})
            return
    body = json.dumps(problem.body(request_id)).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **problem.headers}
    if problem.status in {408, 413}:
        headers["Connection"] = "close"  # the rest of the body is not read
    await send(
        {
            "type": f"{kind}.start",
            "status": problem.status,
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": f"{kind}.body", "body": body})
