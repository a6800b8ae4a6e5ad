"""Time-outs, budgets and cancellation over a real server: what is given up ends there too, and the next one is served.

Run by ``make test-llm``.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.llama_cpp.serving import MODEL, LlamaServer, aread, llama_server, read
from verifier.core.chat import ChatRequest, OpenAIChat, Patience, PatientChat, Prices
from verifier.core.errors import LLMCut, LLMRejected, LLMUnavailable
from verifier.guard.streaming import StreamingKernel, StreamSession

TALK = ChatRequest(
    "Answer from this passage.\n\nThe library opens at nine. It has 24 reading desks.",
    "What do you know about the library?",
    max_tokens=12,
)
LONG = replace(TALK, max_tokens=150)
ENDLESS = replace(TALK, max_tokens=900)

_SERVED = 120.0
"""Seconds within which a request is served when the server has nothing else to do."""


def over(server: LlamaServer, *, timeout: float = _SERVED, **others: Any) -> PatientChat:
    chat = OpenAIChat(MODEL, base_url=server.url, timeout=_SERVED)
    return PatientChat(chat, patience=Patience(timeout=timeout, max_retries=0), **others)


def is_served(server: LlamaServer) -> bool:
    """Whether the server answers; its answer ends at the limit."""
    with pytest.raises(LLMCut):
        over(server).complete(TALK)
    return True


def wait_for(server: LlamaServer, words: str, before: str) -> bool:
    """Whether the server writes ``words`` behind what it had written ``before``."""
    latest = time.monotonic() + 30
    while words not in server.said[len(before) :]:
        if time.monotonic() > latest:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_request_that_takes_too_long_fails_in_time_and_the_next_is_served(
    talker: LlamaServer, how: str
) -> None:
    chat = over(talker, timeout=0.5)
    began = time.monotonic()
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.5 s"):
        chat.complete(LONG) if how == "sync" else asyncio.run(chat.acomplete(LONG))
    assert time.monotonic() - began < 3
    assert (chat.usage.requests, chat.usage.failures) == (1, 1)
    assert is_served(talker)


def test_the_clients_own_time_out_is_one_too(talker: LlamaServer) -> None:
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.5 s"):
        OpenAIChat(MODEL, base_url=talker.url, timeout=0.5).complete(LONG)
    assert is_served(talker)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_stream_that_is_left_stops_the_server(talker: LlamaServer, how: str) -> None:
    chat, before = over(talker), talker.said
    pieces = left(chat) if how == "sync" else asyncio.run(aleft(chat))
    assert len(pieces) == 3
    assert wait_for(talker, "Disconnected from client", before)
    assert is_served(talker)
    assert (chat.usage.requests, chat.usage.failures, chat.usage.unmetered) == (1, 0, 1)


def left(chat: PatientChat) -> list[str]:
    stream: Any = chat.stream(ENDLESS)
    pieces = [piece for _, piece in zip(range(3), stream, strict=False)]
    stream.close()
    return pieces


async def aleft(chat: PatientChat) -> list[str]:
    stream: Any = chat.astream(ENDLESS)
    pieces = [await anext(stream) for _ in range(3)]
    await stream.aclose()
    return pieces


def test_a_task_that_is_cancelled_stops_the_server(talker: LlamaServer) -> None:
    before, pieces = talker.said, list[str]()

    async def cancelled() -> None:
        task = asyncio.create_task(aread(over(talker).astream(ENDLESS), pieces))
        while not pieces:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert wait_for(talker, "Disconnected from client", before)
    assert is_served(talker)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_stream_that_the_kernel_halts_stops_the_server(talker: LlamaServer, how: str) -> None:
    kernel, session, before = StreamingKernel(lambda segment: 0.0), StreamSession(), talker.said

    async def halted() -> bool:
        await aread(kernel.arelease(over(talker).astream(ENDLESS), session), [])
        return await asyncio.to_thread(wait_for, talker, "Disconnected from client", before)

    if how == "sync":
        assert list(kernel.release(over(talker).stream(ENDLESS), session)) == []
        assert wait_for(talker, "Disconnected from client", before)
    else:
        assert asyncio.run(halted())
    assert session.halted
    assert is_served(talker)


def test_a_stream_that_the_server_drops_for_another_request_never_looks_whole(talker: LlamaServer) -> None:
    # Its default: a stream ends with its closing mark, and without a reason, as soon as somebody else asks.
    pieces, others = list[str](), list[bool]()
    other = threading.Thread(target=lambda: others.append(is_served(talker)))

    def ask_too(count: int) -> None:
        if count == 3:
            other.start()

    with pytest.raises(LLMUnavailable, match="broke off in the middle"):
        read(over(talker).stream(ENDLESS), pieces, ask_too)
    other.join(_SERVED)
    assert others == [True]
    assert len(pieces) < 900


def test_a_server_that_dies_in_the_midst_of_a_stream_is_told(weights: Path, tmp_path: Path) -> None:
    with llama_server(weights, tmp_path / "log.txt", chat_format="alpaca", context=1024) as dying:
        chat, pieces = over(dying), list[str]()
        with pytest.raises(LLMUnavailable, match=r"broke off in the middle|cannot be reached"):
            read(chat.stream(ENDLESS), pieces, lambda count: dying.process.kill())
        assert pieces
        with pytest.raises(LLMUnavailable, match="cannot be reached"):
            chat.complete(TALK)
        assert (chat.usage.requests, chat.usage.failures) == (2, 2)


def test_calls_tokens_and_money_are_counted_as_the_server_tells_them(talker: LlamaServer) -> None:
    prices = Prices(2.0, 8.0)
    chat = over(talker, prices=prices)
    for _ in range(2):
        with pytest.raises(LLMCut) as caught:
            chat.complete(TALK)
    cut, used = caught.value, chat.usage
    assert (used.requests, used.failures, used.unmetered) == (2, 2, 0)
    assert (used.input_tokens, used.output_tokens) == (2 * cut.input_tokens, 2 * 12)
    assert used.cost == pytest.approx(prices.of(used.input_tokens, used.output_tokens))


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now, self.waits = 0.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_requests_beyond_the_budget_of_a_minute_wait_for_it(talker: LlamaServer, clock: Clock) -> None:
    chat = over(talker, requests_per_minute=2, clock=clock, sleep=clock.sleep)
    for waited in ([], [], [60.0]):
        with pytest.raises(LLMCut):
            chat.complete(TALK)
        assert clock.waits == waited


def test_the_budget_of_tokens_goes_by_the_servers_count_and_not_by_the_estimate(
    talker: LlamaServer, clock: Clock
) -> None:
    with pytest.raises(LLMCut) as caught:
        over(talker).complete(TALK)
    taken = caught.value.input_tokens + caught.value.output_tokens
    estimate = (len(TALK.instructions) + len(TALK.text)) // 4 + 12
    assert taken != estimate
    chat = over(talker, tokens_per_minute=taken + estimate, clock=clock, sleep=clock.sleep)
    for waited in ([], [], [60.0]):
        with pytest.raises(LLMCut):
            chat.complete(TALK)
        assert clock.waits == waited


def test_a_request_beyond_all_budget_is_refused_before_it_is_sent(talker: LlamaServer) -> None:
    chat, before = over(talker, tokens_per_minute=100), talker.said
    with pytest.raises(LLMRejected, match="more than the 100 of a minute"):
        chat.complete(LONG)
    assert talker.said == before
    assert chat.usage.requests == 0
