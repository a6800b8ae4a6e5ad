"""Checking while somebody watches: the claims first, then each verdict as it comes, then the whole report."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from verifier.interfaces.server.routes.common import ERRORS, Checker
from verifier.interfaces.server.routes.events import EventStream, Lines, described_events, event_line
from verifier.interfaces.server.schemas import VerifyRequest
from verifier.interfaces.server.shown import shown_claim, shown_report
from verifier.types import Claim, ClaimVerdict, Report

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["checks"], responses=ERRORS)

_EXAMPLE = (
    'event: claims\ndata: {"event":"claims","claims":[{"text":"Refunds take 30 days.","start":0,"end":21}]}\n\n'
    'event: claim\ndata: {"event":"claim","number":0,"claim":{"text":"Refunds take 30 days.", ...}}\n\n'
    'event: report\ndata: {"event":"report","report":{"decision":"rejected", ...}}\n\n'
)


@router.post("/verify/stream", response_class=Response, responses=described_events(_EXAMPLE))
async def verify_watched(body: VerifyRequest, caller: Checker, request: Request) -> Response:
    """`/v1/verify` that tells how it goes on, as server-sent events.

    `claims` has what is to be judged, in text order; `claim` the verdict of one of them, by its number from 0, as it
    stands in the report; `report` the report, which is the last. A check that could not go on ends with `error`
    (`code`, `message`) in its place. Who leaves ends the check.
    """
    request_id = request.state.request_id
    documents, options = body.documents, body.options.as_options()
    namespace = "" if documents is not None else await caller.known(body.namespace)

    async def run(events: _Events) -> Report:
        engine = caller.engine
        if documents is not None:
            report = await engine.verify_against(body.response, body.prompt, documents, options, events)
        else:
            report = await engine.verify_watched(body.response, body.prompt, namespace, options, events)
        caller.metrics.count(report)
        return report

    return await EventStream.begun(_told(run, request_id), request_id)


class _Events:
    """Told of a check in its worker's thread; what it is told lies ready for the event loop.

    A check that is begun anew, since it proved dear, finds the same again: nothing is told twice.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._told: set[int] = set()
        self._found = False

    def found(self, claims: Sequence[Claim]) -> None:
        """The claims to be judged."""
        if not self._found:
            self._found = True
            where = [{"text": claim.text, "start": claim.start, "end": claim.end} for claim in claims]
            self._put({"event": "claims", "claims": where})

    def judged(self, number: int, verdict: ClaimVerdict) -> None:
        """A verdict."""
        if number not in self._told:
            self._told.add(number)
            self._put({"event": "claim", "number": number, "claim": shown_claim(verdict)})

    def close(self) -> None:
        """Nothing more comes."""
        self._lines.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next event, ``None`` after the last."""
        return await self._lines.get()

    def _put(self, event: Mapping[str, Any]) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, event_line(event))


async def _told(run: Callable[[_Events], Awaitable[Report]], request_id: str) -> Lines:
    """The events of a check that runs beside; who stops listening ends it."""
    events = _Events()
    running = asyncio.ensure_future(run(events))
    running.add_done_callback(lambda _: events.close())
    try:
        while (line := await events.next()) is not None:
            yield line
        report = await running
        yield await asyncio.to_thread(
            lambda: event_line({"event": "report", "report": shown_report(report, request_id)})
        )
    finally:
        running.cancel()
