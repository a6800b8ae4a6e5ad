"""Streams: each sentence is passed on once its claims were checked, with a halt in the place of a bad one."""

from __future__ import annotations

import asyncio
import codecs
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.responses import Response

from verifier.config.base import said_of
from verifier.guard.streaming import StreamSession
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker
from verifier.interfaces.server.routes.events import EventStream, as_lines, described_events, problem_told
from verifier.interfaces.server.schemas import StreamStart
from verifier.interfaces.server.texts import Name, Prompt
from verifier.interfaces.server.work import Busy

__all__ = ["router"]

Item = TypeVar("Item")

router = APIRouter(prefix="/v1", tags=["streams"], responses=ERRORS)


MAX_STREAM = 5_000_000
"""Characters of one stream."""


@router.post(
    "/stream",
    response_class=Response,
    responses=described_events(
        'event: released\ndata: {"event": "released", "text": "Refunds take 14 days. "}\n\n'
    ),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}, "example": "Refunds take 14 days. "}},
        }
    },
)
async def server_sent(
    request: Request,
    caller: Checker,
    prompt: Annotated[Prompt, Query()] = "",
    namespace: Annotated[Name | None, Query()] = None,
) -> Response:
    """The body is the stream, UTF-8, in as many pieces as it comes; server-sent events come back.

    `released` has the next checked text, `halt` why no more follows, `end` that all was released, `error` that it could
    not be checked any further. A client that cannot send and receive at the same time uses the WebSocket.
    """
    entered = await caller.known(namespace)
    events = _bounded(_pieces(request.stream(), caller), caller, prompt, entered)
    return await EventStream.begun(as_lines(events), request.state.request_id)


@router.websocket("/stream")
async def web_socket(socket: WebSocket, caller: Checker) -> None:
    """The first message is `{"prompt": ..., "namespace": ...}`, then `{"token": ...}` each, last `{"end": true}`.

    Back come `{"event": "released", "text": ...}`, `{"event": "halt", ...}` and `{"event": "end", ...}`.
    """
    await socket.accept()
    try:
        start = StreamStart.model_validate(await _message(socket, caller))
        namespace = await caller.known(start.namespace)
        async with aclosing(_bounded(_tokens(socket, caller), caller, start.prompt, namespace)) as events:
            async for event in events:
                await socket.send_json(event)
        await socket.close()
    except WebSocketDisconnect:
        socket.state.problem = "client_gone"
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:200] or "message"
        said = said_of(first)
        await _refuse(socket, Problem(422, "invalid", f"{where}: {said[0].lower()}{said[1:]}"))
    except Exception as error:  # noqa: BLE001 - whatever it is, the client is told in our words
        await _refuse(socket, problem_told(error, socket.state.request_id))


async def _bounded(
    tokens: AsyncIterator[str], caller: Caller, prompt: str, namespace: str
) -> AsyncGenerator[dict[str, Any], None]:
    """The events of a stream, within the time that one may take."""
    end = asyncio.get_running_loop().time() + caller.engine.settings.server.stream_seconds
    async with aclosing(_events(tokens, caller, prompt, namespace)) as events:
        while True:
            try:
                async with asyncio.timeout_at(end):
                    event = await anext(events)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise Problem(408, "too_slow", "the stream took longer than one may") from error
            yield event


async def _events(
    tokens: AsyncIterator[str], caller: Caller, prompt: str, namespace: str
) -> AsyncGenerator[dict[str, Any], None]:
    """What happens to a stream; ends with ``halt`` or ``end``.

    Raises:
        Busy: as many streams as the server takes are under way.
    """
    with caller.engine.place.stream(caller.engine.settings.server.streams) as room:
        if not room:
            raise Busy(5)
        session = StreamSession()
        kernel = await asyncio.to_thread(caller.engine.kernel, namespace, prompt)
        released = kernel.arelease(tokens, session)
        try:
            async for text in released:
                yield {"event": "released", "text": text}
        finally:
            if isinstance(released, AsyncGenerator):
                await released.aclose()
        if session.halt is None:
            yield {"event": "end", "characters": session.given_out}
            return
        halt = session.halt
        yield {
            "event": "halt",
            "kind": halt.kind.value,
            "reason": halt.reason,
            "text": halt.segment.text,
            "start": halt.segment.start,
            "end": halt.segment.end,
            "released": session.given_out,
            "claims": [
                {
                    "text": claim.text,
                    "verdict": claim.verdict.value if claim.verdict else None,
                    "reason": claim.reason,
                    "evidence": [asdict(item) for item in claim.evidence],
                }
                for claim in halt.claims
            ],
        }


async def _pieces(body: AsyncIterator[bytes], caller: Caller) -> AsyncIterator[str]:
    """The text of a body that is still arriving."""
    decoder, taken = codecs.getincrementaldecoder("utf-8")(), 0
    try:
        while True:
            try:
                raw = await _in_time(anext(body), caller)
            except StopAsyncIteration:
                break
            text = decoder.decode(raw)
            taken += len(text)
            _check(text, taken)
            yield text
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise Problem(422, "invalid", "the stream is not UTF-8") from error


async def _tokens(socket: WebSocket, caller: Caller) -> AsyncIterator[str]:
    """The tokens of a WebSocket, to its end message."""
    taken = 0
    while True:
        message = await _message(socket, caller)
        if message.get("end") is True:
            return
        token = message.get("token")
        if not isinstance(token, str):
            raise Problem(422, "invalid", 'expected {"token": "..."} or {"end": true}')
        taken += len(token)
        _check(token, taken)
        yield token


def _check(text: str, taken: int) -> None:
    if taken > MAX_STREAM:
        raise Problem(413, "too_large", f"the stream is longer than {MAX_STREAM} characters")
    if _UNSOUND.search(text):
        raise Problem(422, "invalid", "the stream holds a NUL character or half of a surrogate pair")


_UNSOUND = re.compile("[\x00\ud800-\udfff]")


async def _in_time(arriving: Awaitable[Item], caller: Caller) -> Item:
    try:
        async with asyncio.timeout(caller.engine.settings.server.stream_idle_seconds):
            return await arriving
    except TimeoutError as error:
        raise Problem(408, "too_slow", "the stream brought nothing for too long") from error


async def _message(socket: WebSocket, caller: Caller) -> dict[str, Any]:
    try:
        message = json.loads(await _in_time(socket.receive_text(), caller))
    except (ValueError, KeyError, RecursionError) as error:
        raise Problem(400, "malformed", "a message is no JSON") from error
    if not isinstance(message, dict):
        raise Problem(422, "invalid", "a message must be a JSON object")
    return message


async def _refuse(socket: WebSocket, problem: Problem) -> None:
    socket.state.problem = problem.code
    with suppress(WebSocketDisconnect, RuntimeError):  # the client may be gone
        await socket.send_json({"event": "error", "code": problem.code, "message": problem.message})
        await socket.close(code=1013 if problem.status == 503 else 1011 if problem.status >= 500 else 1008)
