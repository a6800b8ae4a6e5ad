"""Patience over streams: what is tried again, what the budget lets through, and what becomes of a stream left early."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from verifier.core.chat import ChatReply, ChatRequest, Patience, PatientChat, ScriptedChat
from verifier.core.errors import ConfigError, LLMRejected, LLMUnavailable, MissingExtra

ASKED = ChatRequest("", "four" * 40)  # some 40 tokens
Read = Callable[..., list[str]]


@pytest.fixture(params=["sync", "async"])
def read(request: pytest.FixtureRequest) -> Read:
    """Reads the first pieces of a stream, by default all, and leaves it."""

    async def aread(chat: PatientChat, pieces: int) -> list[str]:
        found: list[str] = []
        stream: Any = chat.astream(ASKED)
        async for piece in stream:
            found.append(piece)
            if len(found) == pieces:
                break
        await stream.aclose()
        return found

    def sync(chat: PatientChat, pieces: int = 99) -> list[str]:
        stream: Any = chat.stream(ASKED)
        found = [piece for _, piece in zip(range(pieces), stream, strict=False)]
        stream.close()
        return found

    if request.param == "sync":
        return sync
    return lambda chat, pieces=99: asyncio.run(aread(chat, pieces))


class Breaking(ScriptedChat):
    """Gives out pieces and raises behind them; each call takes the next list."""

    def __init__(self, *calls: list[str | Exception]) -> None:
        super().__init__([])
        self.calls = list(calls)
        self.closed = threading.Event()

    def stream(self, request: ChatRequest) -> Iterator[str]:
        try:
            for said in self.calls.pop(0):
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.closed.set()

    async def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        try:
            for said in self.calls.pop(0):
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.closed.set()


def patient(chat: Any, waited: list[float], **options: Any) -> PatientChat:
    now = [100.0]

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    async def async_sleep(seconds: float) -> None:
        sleep(seconds)

    return PatientChat(
        chat, clock=lambda: now[0], sleep=sleep, async_sleep=async_sleep, jitter=lambda: 1.0, **options
    )


def test_a_stream_is_the_inner_models(read: Read) -> None:
    chat = patient(ScriptedChat(["One  two", ""]), [])
    assert read(chat) == ["One", "  two"]
    assert read(chat) == []
    assert (chat.usage.requests, chat.usage.unmetered, chat.usage.failures) == (2, 2, 0)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(LLMRejected("status 401"), LLMRejected), (KeyError("sk-secret"), LLMRejected)],
)
def test_what_will_not_pass_is_tried_once(read: Read, error: Exception, kind: type[Exception]) -> None:
    inner = Breaking([error], ["yes"])
    with pytest.raises(kind) as raised:
        read(patient(inner, []))
    assert "secret" not in str(raised.value)
    assert len(inner.calls) == 1


def test_an_error_behind_the_first_piece_is_raised_behind_it(read: Read) -> None:
    waited: list[float] = []
    chat = patient(Breaking([LLMUnavailable("busy")], ["One", TimeoutError()], ["other"]), waited)
    with pytest.raises(LLMUnavailable, match="no answer in 30 s"):
        read(chat)
    assert waited == [1.0]
    assert (chat.usage.requests, chat.usage.failures, chat.usage.retries) == (2, 2, 1)


def test_a_stream_left_early_is_closed_and_counted(read: Read) -> None:
    inner = Breaking(["One", " two", " three"])
    chat = patient(inner, [])
    assert read(chat, 2) == ["One", " two"]
    assert inner.closed.wait(20)
    assert (chat.usage.requests, chat.usage.failures, chat.usage.unmetered) == (1, 0, 1)


def test_a_stream_that_hangs_in_the_midst_is_given_up_on() -> None:
    may_end = threading.Event()

    class Hanging(ScriptedChat):
        def stream(self, request: ChatRequest) -> Iterator[str]:
            yield "One"
            may_end.wait(20)

        async def astream(self, request: ChatRequest) -> AsyncIterator[str]:
            yield "One"
            await asyncio.sleep(20)

    async def aread(chat: PatientChat) -> None:
        async for piece in chat.astream(ASKED):
            found.append(piece)  # noqa: PERF401 - what came before the error is kept

    found: list[str] = []
    chat = patient(Hanging([]), [], patience=Patience(timeout=0.05))
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.05 s"):
        found.extend(chat.stream(ASKED))
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.05 s"):
        asyncio.run(aread(chat))
    assert found == ["One", "One"]
    assert chat.usage.failures == 2
    may_end.set()


def test_requests_and_tokens_of_a_minute_bound_streams_too(read: Read) -> None:
    waited: list[float] = []
    chat = patient(ScriptedChat(["yes"], repeat=True), waited, requests_per_minute=1)
    read(chat)
    read(chat)
    assert waited == [60.0]
    waited.clear()
    chat = patient(ScriptedChat(["y" * 160], repeat=True), waited, tokens_per_minute=100)
    read(chat)  # 40 tokens asked, some 40 given
    assert waited == []
    read(chat)
    assert waited == [60.0]


def test_a_model_of_whole_replies_and_a_missing_extra_are_said_as_they_are(read: Read) -> None:
    class Whole:
        identity = "whole"

        def complete(self, request: ChatRequest) -> ChatReply:
            raise AssertionError

        async def acomplete(self, request: ChatRequest) -> ChatReply:
            raise AssertionError

    with pytest.raises(ConfigError, match="gives whole replies only"):
        read(patient(Whole(), []))
    with pytest.raises(MissingExtra, match=r"rag-claim-verifier\[openai\]"):
        read(patient(Breaking([MissingExtra("openai", "openai")]), []))
