"""Whether the server lives, whether it is ready, and what it did."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from verifier.interfaces.server.routes.common import ERRORS, Watcher

__all__ = ["router"]

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def alive() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get(
    "/readyz",
    responses={503: {"description": "`loading`, `unreadable` (the knowledge base), `full` or `draining`."}},
)
async def ready(request: Request) -> JSONResponse:
    """A worker of this machine can take a request."""
    engine = request.app.state.engine
    engine.tell()
    status = engine.place.board.readiness()
    return JSONResponse({"status": status}, 200 if status == "ready" else 503)


@router.get("/metrics", responses={**ERRORS, 200: {"content": {"text/plain": {}}}}, response_class=Response)
async def metrics(caller: Watcher) -> Response:
    """What the server did, for Prometheus."""
    return Response(caller.metrics.exposition(), media_type="text/plain; version=0.0.4")
