"""Checking while somebody watches: the claims first, then each verdict as it comes, then the whole report."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from verifier.core.lines import Lines as Places
from verifier.interfaces.server.engine import GIVEN
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker
from verifier.interfaces.server.routes.events import EventStream, Lines, described_events, event_line
from verifier.interfaces.server.schemas import WatchRequest
from verifier.interfaces.server.shown import shown_claim, shown_report
from verifier.interfaces.server.views import Views, among, named
from verifier.types import Claim, ClaimVerdict, Report
from verifier.verification.progress import Watcher
from verifier.verification.report import with_line

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["checks"], responses=ERRORS)

_EXAMPLE = (
    'event: claims\ndata: {"event":"claims","claims":[{"text":"Refunds take 30 days.","start":0,"end":21}]}\n\n'
    'event: claim\ndata: {"event":"claim","number":0,"claim":{"text":"Refunds take 30 days.", ...}}\n\n'
    'event: report\ndata: {"event":"report","report":{"decision":"rejected", ...}}\n\n'
)


@router.post("/verify/stream", response_class=Response, responses=described_events(_EXAMPLE))
async def verify_watched(body: WatchRequest, caller: Checker, request: Request) -> Response:
    """`/v1/verify` that tells how it goes on, as server-sent events.

    `claims` has what is to be judged, in text order; `claim` the verdict of one of them, by its number from 0, as it
    stands in the report; `report` the report, which is the last. A check that could not go on ends with `error`
    (`code`, `message`) in its place. Who leaves ends the check.

    With `view`, `claims` and `report` have a `view` of what the page shows, and `claim` has it in the place of the
    claim (`verifier/interfaces/html/types.py`).
    """
    namespace = "" if body.source is not None else await caller.known(body.namespace)
    views = await asyncio.to_thread(_views, body, namespace, caller) if body.view else None
    run = partial(_checked, body, namespace, caller)
    events = _told(run, body, views, request.state.request_id)
    return await EventStream.begun(events, request.state.request_id)


async def _checked(body: WatchRequest, namespace: str, caller: Caller, watcher: Watcher) -> Report:
    engine, options, documents = caller.engine, body.options.as_options(), body.documents
    if documents is not None:
        report = await engine.verify_against(body.response, body.prompt, documents, options, watcher)
    else:
        report = await engine.verify_watched(body.response, body.prompt, namespace, options, watcher)
    caller.metrics.count(report)
    return report


def _views(body: WatchRequest, namespace: str, caller: Caller) -> Views:
    store, name = caller.engine.store, body.name or ""
    if body.documents is not None:
        return Views(body.response, name, among(body.documents, GIVEN), named(body.documents))
    held = store.document_page(namespace, limit=0)[0]
    against = f"{held} {'document' if held == 1 else 'documents'} in {namespace}"
    return Views(body.response, name, store.whole_document, against)


class _Events:
    """Told of a check in its worker's thread; what it is told lies ready for the event loop.

    A check that is begun anew, since it proved dear, finds the same again: nothing is told twice.
    """

    def __init__(self, body: WatchRequest, views: Views | None) -> None:
        self._views, self._detail = views, body.options.detail
        self._in_response = Places(body.response)
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._told: set[int] = set()
        self._found = False

    def found(self, claims: Sequence[Claim]) -> None:
        """The claims to be judged."""
        if not self._found:
            self._found = True
            where = [{"text": claim.text, "start": claim.start, "end": claim.end} for claim in claims]
            view = {"view": self._views.begun()} if self._views else {}
            self._put({"event": "claims", "claims": where, **view})

    def judged(self, number: int, verdict: ClaimVerdict) -> None:
        """A verdict."""
        if number not in self._told:
            self._told.add(number)
            views = self._views
            told = (
                {"view": views.claim(number, verdict)}
                if views
                else {"claim": shown_claim(with_line(verdict, self._in_response), self._detail)}
            )
            self._put({"event": "claim", "number": number, **told})

    def close(self) -> None:
        """Nothing more comes."""
        self._lines.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next event, ``None`` after the last."""
        return await self._lines.get()

    def _put(self, event: Mapping[str, Any]) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, event_line(event))


async def _told(
    run: Callable[[Watcher], Awaitable[Report]], body: WatchRequest, views: Views | None, request_id: str
) -> Lines:
    """The events of a check that runs beside; who stops listening ends it."""
    events = _Events(body, views)
    running = asyncio.ensure_future(run(events))
    running.add_done_callback(lambda _: events.close())
    try:
        while (line := await events.next()) is not None:
            yield line
        report = await running

        def last() -> bytes:
            view = {"view": views.report(report)} if views else {}
            shown = shown_report(report, request_id, body.options.detail)
            return event_line({"event": "report", "report": shown, **view})

        yield await asyncio.to_thread(last)
    finally:
        running.cancel()
