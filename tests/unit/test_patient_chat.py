"""Patience over a chat model: what is tried again and when, what the budget lets through, what is counted."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.chat import ChatReply, ChatRequest, Patience, PatientChat, Prices, ScriptedChat, aask, ask
from verifier.core.chat.budget import MinuteBudget
from verifier.core.errors import (
    ConfigError,
    LLMError,
    LLMRefused,
    LLMRejected,
    LLMUnavailable,
    LLMUnreachable,
    MissingExtra,
)

ASKED = ChatRequest("Answer.", "Is it so?")


class World:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def patient(self, chat: Any, **options: Any) -> PatientChat:
        return PatientChat(
            chat,
            clock=self.clock,
            sleep=self.sleep,
            async_sleep=self.async_sleep,
            **{"jitter": lambda: 1.0, **options},
        )


@pytest.fixture(params=["sync", "async"])
def complete(request: pytest.FixtureRequest) -> Callable[..., ChatReply]:
    if request.param == "sync":
        return lambda chat, asked=ASKED: chat.complete(asked)
    return lambda chat, asked=ASKED: asyncio.run(chat.acomplete(asked))


Complete = Callable[..., ChatReply]


def test_what_may_pass_is_tried_again_with_growing_pauses(complete: Complete) -> None:
    world = World()
    chat = world.patient(
        ScriptedChat([LLMUnavailable("busy"), TimeoutError(), LLMUnavailable("busy"), "yes"]),
        patience=Patience(max_retries=3),
    )
    assert complete(chat).text == "yes"
    assert world.waited == [1.0, 2.0, 4.0]


def test_pauses_are_jittered_and_bounded() -> None:
    patience = Patience(max_retries=20, pause=1.0, longest_pause=10.0)
    busy = LLMUnavailable("busy")
    assert [patience.before(retry, busy, 0.0) for retry in (0, 1, 9)] == [0.5, 1.0, 5.0]
    assert [patience.before(retry, busy, 1.0) for retry in (0, 1, 9)] == [1.0, 2.0, 10.0]


def test_the_server_is_waited_for_as_long_as_it_asks_but_not_for_ever(complete: Complete) -> None:
    world = World()
    script = [LLMUnavailable("busy", retry_after=30.0), LLMUnavailable("busy", retry_after=600.0), "yes"]
    with pytest.raises(LLMUnavailable):
        complete(world.patient(ScriptedChat(script)))
    assert world.waited == [30.0]


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (LLMRejected("status 401"), LLMRejected, "status 401"),
        (LLMRefused("the model refused"), LLMRefused, "the model refused"),
        (RuntimeError("sk-secret"), LLMRejected, "the model failed with RuntimeError"),
        (MissingExtra("openai", "openai"), MissingExtra, "openai is not installed"),
    ],
)
def test_what_will_not_pass_is_tried_once(
    complete: Complete, error: Exception, kind: type[Exception], said: str
) -> None:
    script = ScriptedChat([error, "yes"])
    with pytest.raises(kind, match=said) as raised:
        complete(World().patient(script))
    assert type(raised.value) is kind
    assert len(script.requests) == 1


def test_a_server_that_was_never_there_is_tried_once_more_and_then_told_at_once(complete: Complete) -> None:
    world, script = World(), ScriptedChat([LLMUnreachable("nothing there")], repeat=True)
    chat = world.patient(script, patience=Patience(max_retries=5))
    for _ in range(20):
        with pytest.raises(LLMUnreachable, match="nothing there"):
            complete(chat)
    assert (len(script.requests), world.waited) == (2, [0.5])
    world.now += 11.0
    with pytest.raises(LLMUnreachable):
        complete(chat)
    assert len(script.requests) == 4


def test_a_server_that_has_answered_is_waited_for_while_it_is_gone(complete: Complete) -> None:
    world, gone = World(), LLMUnreachable("nothing there")
    chat = world.patient(ScriptedChat(["yes", gone, gone, "again"]))
    assert (complete(chat).text, complete(chat).text) == ("yes", "again")
    assert world.waited == [1.0, 2.0]


def test_the_last_error_is_raised_when_patience_ends(complete: Complete) -> None:
    script = ScriptedChat([LLMUnavailable(f"busy {number}") for number in range(9)])
    with pytest.raises(LLMUnavailable, match="busy 2"):
        complete(World().patient(script))
    assert len(script.requests) == 3


def test_a_model_that_hangs_is_given_up_on_and_the_next_request_is_served() -> None:
    may_end = threading.Event()
    answers: list[Callable[[], str]] = [lambda: str(may_end.wait(20)), lambda: "yes"]
    script = ScriptedChat(lambda request: answers[min(len(script.requests), 2) - 1]())
    chat = World().patient(script, patience=Patience(timeout=0.05))
    assert chat.complete(ASKED).text == "yes"
    assert chat.usage.failures == 1
    may_end.set()


def test_a_task_that_hangs_is_cancelled() -> None:
    cancelled: list[bool] = []

    class Hanging(ScriptedChat):
        async def acomplete(self, request: ChatRequest) -> ChatReply:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(True)
                raise
            raise AssertionError

    chat = World().patient(Hanging([]), patience=Patience(timeout=0.01, max_retries=1))
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.01 s"):
        asyncio.run(chat.acomplete(ASKED))
    assert cancelled == [True, True]


def test_requests_of_a_minute_are_bounded_and_the_next_one_waits(complete: Complete) -> None:
    world = World()
    chat = world.patient(ScriptedChat(["yes"], repeat=True), requests_per_minute=2)
    for _ in range(2):
        complete(chat)
    world.now += 10
    complete(chat)
    assert world.waited == [50.0]


def test_tokens_of_a_minute_are_bounded_by_what_replies_took(complete: Complete) -> None:
    world = World()
    replies = [ChatReply("yes", "m", 900, 50), ChatReply("yes", "m", 10, 10), ChatReply("yes", "m", 10, 10)]
    chat = world.patient(ScriptedChat(replies), tokens_per_minute=1000)
    complete(chat)
    complete(chat)
    assert world.waited == []
    complete(chat, ChatRequest("", "four" * 40))  # some 40 tokens, and 30 are left
    assert world.waited == [60.0]


def test_a_request_that_never_fits_and_one_that_would_wait_too_long_fail() -> None:
    world = World()
    chat = world.patient(ScriptedChat(["yes"], repeat=True), tokens_per_minute=100)
    with pytest.raises(LLMRejected, match="more than the 100 of a minute"):
        chat.complete(ChatRequest("", "?", max_tokens=200))
    hurried = world.patient(
        ScriptedChat(["yes"], repeat=True), requests_per_minute=1, patience=Patience(longest_pause=30)
    )
    hurried.complete(ASKED)
    with pytest.raises(LLMUnavailable, match="budget of the minute is used up for another 60 s") as raised:
        hurried.complete(ASKED)
    assert raised.value.retry_after == 60.0
    assert (world.waited, hurried.usage.requests) == ([], 1)


@given(
    st.lists(
        st.tuples(st.integers(0, 360).map(lambda quarters: quarters / 4), st.integers(0, 50)), max_size=40
    ),
    st.integers(1, 5),
    st.integers(50, 120),
)
def test_no_sixty_seconds_hold_more_than_the_budget(
    steps: list[tuple[float, int]], requests: int, tokens: int
) -> None:
    world = World()
    budget = MinuteBudget(requests, tokens, world.clock)
    let_through: list[tuple[float, int]] = []
    for pause, size in steps:
        world.now += pause
        wait, taken = budget.take(size)
        if taken is None:
            assert 0 < wait <= 60
            world.now += wait
            _, taken = budget.take(size)
        assert taken is not None, "the wait that was named is enough"
        let_through.append((world.now, size))
    for start, _ in let_through:
        window = [size for at, size in let_through if start <= at < start + 60]
        assert len(window) <= requests
        assert sum(window) <= tokens


def test_tokens_and_cost_are_counted_also_of_refusals() -> None:
    script: list[Any] = [
        ChatReply("yes", "m", 1000, 100),
        LLMRefused("the model refused", input_tokens=500, output_tokens=2),
        ChatReply("yes", "m"),
    ]
    chat = World().patient(ScriptedChat(script), prices=Prices(2.0, 10.0))
    assert chat.complete(ASKED).cost == pytest.approx(0.003)
    with pytest.raises(LLMRefused):
        chat.complete(ASKED)
    assert chat.complete(ASKED).cost is None
    usage = chat.usage
    assert (usage.requests, usage.failures, usage.unmetered) == (3, 1, 1)
    assert (usage.input_tokens, usage.output_tokens) == (1500, 102)
    assert usage.cost == pytest.approx(0.00402)


def test_without_prices_there_is_no_cost() -> None:
    chat = World().patient(ScriptedChat(["yes"]))
    assert chat.complete(ASKED).cost is None
    assert chat.usage.cost is None


def test_many_threads_are_counted_right() -> None:
    chat = World().patient(ScriptedChat(lambda request: ChatReply("yes", "m", 3, 2)))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(chat.complete, [ASKED] * 200))
    assert (chat.usage.requests, chat.usage.input_tokens, chat.usage.output_tokens) == (200, 600, 400)


@pytest.mark.parametrize(
    "values",
    [{"temperature": -0.1}, {"temperature": 2.1}, {"temperature": math.nan}, {"max_tokens": 0}],
)
def test_a_request_that_makes_no_sense_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        ChatRequest("", "", **values)


def test_a_script_replies_in_order_records_and_ends() -> None:
    chat = ScriptedChat(["one", ChatReply("two", "other"), LLMUnavailable("busy")])
    assert [chat.complete(ASKED).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(LLMUnavailable):
        chat.complete(ASKED)
    with pytest.raises(LLMRejected, match="no reply number 4"):
        chat.complete(ASKED)
    assert chat.requests == [ASKED] * 4
    assert chat.identity.startswith("scripted:scripted#")
    assert chat.identity != ScriptedChat(["one"]).identity == ScriptedChat(["one"]).identity


def test_a_script_may_be_a_function_and_may_begin_again() -> None:
    echo = ScriptedChat(lambda request: request.text, model="echo")
    assert asyncio.run(echo.acomplete(ASKED)).text == "Is it so?"
    again = ScriptedChat(["one", "two"], repeat=True)
    assert [again.complete(ASKED).text for _ in range(5)] == ["one", "two", "one", "two", "one"]
    with pytest.raises(LLMRejected):
        ScriptedChat([], repeat=True).complete(ASKED)


def test_a_scripted_stream_is_the_reply_in_pieces() -> None:
    async def read() -> list[str]:
        return [piece async for piece in ScriptedChat([" One  two\n"]).astream(ASKED)]

    assert asyncio.run(read()) == list(ScriptedChat([" One  two\n"]).stream(ASKED)) == [" One", "  two", "\n"]


def test_a_script_that_cannot_be_read_is_an_error_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "script.jsonl").write_text('"one"\nno JSON\n')
    for name in ("script.jsonl", "missing.jsonl"):
        with pytest.raises(ConfigError, match="cannot read the script"):
            ScriptedChat.load(tmp_path / name)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(TimeoutError("sk-secret"), LLMUnavailable), (KeyError("sk-secret"), LLMRejected)],
)
def test_asking_turns_whatever_a_model_raises_into_an_error_of_ours(
    error: Exception, kind: type[LLMError]
) -> None:
    with pytest.raises(kind) as raised:
        ask(ScriptedChat([error]), ASKED)
    with pytest.raises(kind):
        asyncio.run(aask(ScriptedChat([error]), ASKED))
    assert "secret" not in str(raised.value)
