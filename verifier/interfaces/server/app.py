"""Make the application: its routes, its layers, its beginning and its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from verifier import __version__
from verifier.config import Settings
from verifier.config.base import said_of
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.state import open_state
from verifier.factory import SharedSignals
from verifier.interfaces.server.access import Access, Admission, is_loopback
from verifier.interfaces.server.bodies import BoundedBodies
from verifier.interfaces.server.engine import Engine
from verifier.interfaces.server.envelope import Envelope
from verifier.interfaces.server.fleet.board import Place
from verifier.interfaces.server.keys import KeyRing
from verifier.interfaces.server.logs import log_failure
from verifier.interfaces.server.metrics import Metrics, StateFailures
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.rates import Rates
from verifier.interfaces.server.routes import (
    access,
    checks,
    confidence,
    documents,
    guardrail,
    health,
    page,
    stream,
    watching,
)
from verifier.interfaces.server.texts import BoundedTexts
from verifier.interfaces.server.work import Busy

__all__ = ["create_app"]


def create_app(
    settings: Settings,
    *,
    create: bool = False,
    shared: SharedSignals | None = None,
    place: Place | None = None,
    load_first: bool = False,
) -> ASGIApp:
    """The whole server as an ASGI application.

    Args:
        settings: ``[server]`` and all the rest.
        create: make the knowledge base where there is none.
        shared: the signals; those that the settings describe by default.
        place: where it tells what it does, for other workers of the same server.
        load_first: load models and index before the first request is taken, and not beside it.

    Raises:
        ConfigError: it would be reachable from elsewhere without keys, or the keys cannot be read.
        KnowledgeBaseNotFound: there is no knowledge base.
        StateUnavailable: the state that is shared with other processes cannot be reached.
    """
    own = settings.server
    ring = KeyRing.load(Path(own.keys)) if own.keys else None
    if ring is None and not is_loopback(own.host):
        raise ConfigError(
            f"server.host = {own.host!r} can be reached from elsewhere: that needs keys (verifier keys add)"
        )
    engine = Engine(settings, create=create, shared=shared, place=place)
    state = open_state(own.state) if own.state else None

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        if load_first:
            await asyncio.to_thread(engine.warm_up)
        ended = asyncio.Event()
        current = asyncio.create_task(_kept_current(engine, ended))
        try:
            yield
        finally:
            ended.set()
            await current
            await asyncio.to_thread(engine.close)
            if state is not None:
                state.close()

    app = FastAPI(
        title="rag-claim-verifier",
        version=__version__,
        description="Check texts against documents you trust, claim by claim.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        # FastAPI would send spans and logs of its own, with the words of errors, wherever a provider is set up.
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
    )
    app.state.engine, app.state.metrics = engine, (metrics := Metrics(engine))
    for module in (checks, watching, documents, confidence, guardrail, stream, access, health):
        app.include_router(module.router)
    if own.page:
        app.include_router(page.router)
    for kind in (
        Problem,
        Busy,
        VerifierError,
        TimeoutError,
        RequestValidationError,
        HTTPException,
        Exception,
    ):
        app.add_exception_handler(kind, _answer)
    inner: ASGIApp = BoundedBodies(
        BoundedTexts(app, own),
        max_body=own.max_body,
        max_upload=own.max_upload,
        max_held=own.max_held,
        max_depth=own.max_depth,
        seconds=own.body_seconds,
    )
    told = StateFailures(metrics)
    rates = Rates(own.requests_per_minute, state, processes=own.processes, failed=told)
    who = Access(ring, rates, own.cors_origins)
    inner = Admission(inner, who, page.is_page) if own.page else Admission(inner, who)
    if own.cors_origins:
        inner = CORSMiddleware(
            inner,
            allow_origins=list(own.cors_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type", "x-api-key", "x-request-id"],
        )
    return Envelope(inner, app.state.metrics, _tracer() if own.telemetry else None)


_TURN = 0.25
"""Seconds between two looks at what the engine is at."""
_LOOK, _LOAD = 8, 40
"""Turns between two looks at the knowledge base, and between two tries to load what could not be loaded."""


async def _kept_current(engine: Engine, ended: asyncio.Event) -> None:
    """Load models and index, and go on telling what the engine is at, until ``ended``."""
    turn = 0
    while not ended.is_set():
        if not engine.ready and turn % _LOAD == 0:
            await asyncio.to_thread(engine.warm_up)
        elif turn % _LOOK == 0:
            await asyncio.to_thread(engine.look)
        engine.tell()
        turn += 1
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), _TURN)


async def _answer(request: Request, error: Exception) -> Response:
    """What an error becomes; anything unknown goes on to the outermost layer."""
    if isinstance(error, RequestValidationError):
        problem = _invalid(error, request.headers.get("content-type", ""))
    elif isinstance(error, HTTPException):
        problem = _refused(error)
    else:
        problem = problem_of(error)
        # What is unknown goes on to the outermost layer, which logs it.
        if problem.status >= 500 and isinstance(error, VerifierError):
            log_failure(error, problem.code, request.state.request_id)
    request.state.problem = problem.code
    # Escaped, since a message may name a field, and the client's name for it may be no valid text.
    body = json.dumps(problem.body(request.state.request_id))
    return Response(body, problem.status, problem.headers, media_type="application/json")


def _invalid(error: RequestValidationError, content_type: str) -> Problem:
    """A body that does not fit becomes one sentence that names the first field at fault."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return Problem(400, "malformed", "the body is no JSON")
    # pydantic names the member of a union by the functions that it is made of.
    where = ".".join(str(part) for part in first["loc"][1:] if "function-" not in str(part))
    if not where and "json" not in content_type.lower():
        return Problem(415, "wrong_type", "the body must be JSON, and Content-Type say application/json")
    said = said_of(first)
    return Problem(422, "invalid", f"{where[:200] or 'body'}: {said[0].lower()}{said[1:]}")


def _refused(error: HTTPException) -> Problem:
    """What the framework itself refuses: unknown routes and methods, bodies of the wrong form."""
    said = {
        404: ("not_found", "there is no such route"),
        405: ("wrong_method", "this route takes another method"),
    }
    code, message = said.get(error.status_code, ("malformed", "the request could not be read"))
    return Problem(error.status_code, code, message, dict(error.headers or {}))


def _tracer() -> Any:
    from verifier.interfaces.server.telemetry import tracer

    return tracer()
