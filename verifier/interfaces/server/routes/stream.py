"""Streams: tokens in, each sentence out once its claims were checked, a halt in the place of a bad one."""

from __future__ import annotations

import asyncio
import codecs
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.responses import StreamingResponse

from verifier.guard.streaming import StreamSession
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker
from verifier.interfaces.server.schemas import Name, StreamStart
from verifier.interfaces.server.work import Busy

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["streams"], responses=ERRORS)


MAX_STREAM = 5_000_000
"""Characters of one stream."""


@router.post("/stream")
async def server_sent(
    request: Request,
    caller: Checker,
    prompt: Annotated[str, Query(max_length=10_000)] = "",
    namespace: Annotated[Name | None, Query()] = None,
) -> StreamingResponse:
    """The body is the stream, UTF-8, in as many pieces as it comes; server-sent events come back.

    `released` has the next checked text, `halt` why no more follows, `end` that all was released.
    """
    entered = caller.namespace(namespace)
    caller.engine.known(entered)
    events = _events(_pieces(request.stream()), caller, prompt, entered)
    # The first event is awaited here: what cannot begin is an answer with a status, and no stream.
    first = await anext(events)

    async def lines() -> AsyncIterator[str]:
        yield _line(first)
        async for event in events:
            yield _line(event)

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.websocket("/stream")
async def web_socket(socket: WebSocket, caller: Checker) -> None:
    """The first message is `{"prompt": ..., "namespace": ...}`, then `{"token": ...}` each, last `{"end": true}`.

    Back come `{"event": "released", "text": ...}`, `{"event": "halt", ...}` and `{"event": "end", ...}`.
    """
    await socket.accept()
    try:
        start = StreamStart.model_validate(await _message(socket))
        namespace = caller.namespace(start.namespace)
        caller.engine.known(namespace)
        async for event in _events(_tokens(socket), caller, start.prompt, namespace):
            await socket.send_json(event)
        await socket.close()
    except WebSocketDisconnect:
        return
    except ValidationError as error:
        await _refuse(socket, Problem(422, "invalid", error.errors()[0]["msg"]))
    except Exception as error:  # noqa: BLE001 - whatever it is, the client is told in our words
        await _refuse(socket, problem_of(error))


async def _events(
    tokens: AsyncIterator[str], caller: Caller, prompt: str, namespace: str
) -> AsyncIterator[dict[str, Any]]:
    """What happens to a stream; ends with ``halt`` or ``end``.

    Raises:
        Busy: as many streams as the server takes are under way.
    """
    if caller.engine.streams.locked():
        raise Busy(5)
    async with caller.engine.streams:
        session = StreamSession()
        kernel = await asyncio.to_thread(caller.engine.kernel, namespace, prompt)
        with caller.metrics.streams.track_inprogress():
            async for text in kernel.arelease(tokens, session):
                yield {"event": "released", "text": text}
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


async def _pieces(body: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """The text of a body that is still arriving."""
    decoder, taken = codecs.getincrementaldecoder("utf-8")(), 0
    try:
        async for raw in body:
            text = decoder.decode(raw)
            taken += len(text)
            _check_length(taken)
            yield text
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise Problem(422, "invalid", "the stream is not UTF-8") from error


async def _tokens(socket: WebSocket) -> AsyncIterator[str]:
    """The tokens of a WebSocket, to its end message."""
    taken = 0
    while True:
        message = await _message(socket)
        if message.get("end") is True:
            return
        token = message.get("token")
        if not isinstance(token, str):
            raise Problem(422, "invalid", 'expected {"token": "..."} or {"end": true}')
        taken += len(token)
        _check_length(taken)
        yield token


def _check_length(taken: int) -> None:
    if taken > MAX_STREAM:
        raise Problem(413, "too_large", f"the stream is longer than {MAX_STREAM} characters")


async def _message(socket: WebSocket) -> dict[str, Any]:
    try:
        message = json.loads(await socket.receive_text())
    except (ValueError, KeyError, RecursionError) as error:
        raise Problem(400, "malformed", "a message is no JSON") from error
    if not isinstance(message, dict):
        raise Problem(422, "invalid", "a message must be a JSON object")
    return message


async def _refuse(socket: WebSocket, problem: Problem) -> None:
    await socket.send_json({"event": "error", "code": problem.code, "message": problem.message})
    await socket.close(code=1011 if problem.status >= 500 else 1008)


def _line(event: dict[str, Any]) -> str:
    return f"event: {event['event']}\ndata: {json.dumps(event)}\n\n"
