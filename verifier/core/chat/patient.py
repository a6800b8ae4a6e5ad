"""A chat model that waits, retries, keeps to a budget and counts what it costs."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import queue
import random
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TypeVar

from verifier.core.chat.budget import Budget, MinuteBudget, Spent
from verifier.core.chat.pieces import AsyncPieces, Pieces, Said
from verifier.core.chat.translate import translated
from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest, StreamingChatModel
from verifier.core.chat.usage import Account, Prices, Usage
from verifier.core.course import arun, run
from verifier.core.errors import ConfigError, LLMError, LLMUnavailable, LLMUnreachable

__all__ = ["Patience", "PatientChat"]

_CHARACTERS_A_TOKEN = 4
"""For the estimate before a request is let through; the reply's own count replaces it."""

_FIRST_RETRY = 0.5
"""Seconds before the one retry of a server to which no connection came about, while it has not answered yet."""
_GONE = 10.0
"""Seconds for which such a server is not asked again: whoever asks is told at once."""

Begun = TypeVar("Begun")
"""What an attempt that did not fail comes to: a whole reply, or a stream whose first piece is there."""

Attempts = Generator[float | None, Begun | Exception | None, tuple[Begun, Spent]]
"""Yields seconds to wait, or ``None`` to ask the model now; is sent what the model said or raised."""


@dataclass(frozen=True)
class Patience:
    """How long is waited for what.

    Args:
        timeout: seconds that one attempt may take as a whole, also where a server sends a byte now and then. Of a
            stream: until its first piece, and from each to the next.
        max_retries: how often a request is put again after a failure that may pass.
        pause: seconds before the first retry; doubled with each further one, up to ``longest_pause``, and multiplied
            by a random number from 0.5 to 1. A server's ``Retry-After`` is waited for if it asks for more.
        longest_pause: nothing is waited for longer, neither for the server nor for the budget: the request fails.
    """

    timeout: float = 30.0
    max_retries: int = 2
    pause: float = 1.0
    longest_pause: float = 60.0

    def before(self, retry: int, error: LLMError, jitter: float) -> float | None:
        """Seconds to wait before retry number ``retry`` (from 0); ``None`` where there is to be none."""
        if not isinstance(error, LLMUnavailable) or retry >= self.max_retries:
            return None
        wait = min(self.pause * 2.0**retry, self.longest_pause) * (0.5 + jitter / 2)
        if error.retry_after is not None:
            if error.retry_after > self.longest_pause:
                return None
            wait = max(wait, error.retry_after)
        return wait


class PatientChat:
    """A chat model over another one, for everything that asks models here. Thread-safe; fit for event loops.

    Whatever the inner model raises comes out as one of our errors, and no text of its own in it. A server that cannot
    be reached and has never answered is not waited for: it most likely does not run.

    Args:
        inner: the model that is asked.
        patience: time-outs and retries.
        requests_per_minute, tokens_per_minute: bounds over any sixty seconds; ``None`` for none.
        budget: keeps such bounds for several processes; it takes the place of these two.
        prices: of a million tokens; without them ``cost`` is ``None``.
        clock, sleep, async_sleep, jitter: time and chance; replaced in tests.
    """

    def __init__(
        self,
        inner: ChatModel,
        *,
        patience: Patience = Patience(),
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        budget: Budget | None = None,
        prices: Prices | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        async_sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.inner, self.patience = inner, patience
        self._budget = budget or MinuteBudget(requests_per_minute, tokens_per_minute, clock)
        self._account = Account(prices)
        self._clock, self._sleep, self._async_sleep, self._jitter = clock, sleep, async_sleep, jitter
        self._answered = False
        self._gone: tuple[float, LLMUnreachable] | None = None

    @property
    def identity(self) -> str:
        """The inner model's: patience changes no reply."""
        return self.inner.identity

    @property
    def usage(self) -> Usage:
        """What was asked so far, and what it cost."""
        return self._account.usage

    @property
    def prices(self) -> Prices | None:
        """What a million tokens cost, where that is known."""
        return self._account.prices

    def __repr__(self) -> str:
        return f"<PatientChat {self.identity}>"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The inner model's reply.

        Raises:
            LLMUnavailable: every attempt failed, or the budget of the minute leaves no room in time.
            LLMRejected: the request failed for good.
        """

        def do(wait: float | None) -> ChatReply | Exception | None:
            if wait is None:
                return _in_time(self.inner, request, self.patience.timeout)
            self._sleep(wait)
            return None

        return run(self._course(request), do)

    async def acomplete(self, request: ChatRequest) -> ChatReply:
        """The same as :meth:`complete`, for an event loop; a time-out cancels the inner call."""

        async def do(wait: float | None) -> ChatReply | Exception | None:
            if wait is not None:
                await self._async_sleep(wait)
                return None
            try:
                return await asyncio.wait_for(self.inner.acomplete(request), self.patience.timeout)
            except Exception as error:  # noqa: BLE001 - a user's model may raise anything; see _course
                return error

        return await arun(self._course(request), do)

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The pieces of the inner model's reply, as they come.

        Until the first piece is there, the budget is waited for and failures are retried as in :meth:`complete`.
        Afterwards nothing is retried: what was given out cannot be taken back, and another reply need not begin with
        the same words. A stream that fails then raises behind its last piece.

        Streams tell no token counts: in ``usage`` they are ``unmetered``, and in the budget of the minute their
        tokens are estimated by their characters. One that the reader leaves early counts as a reply.

        Raises:
            ConfigError: the inner model gives whole replies only.
            LLMUnavailable, LLMRejected: as :meth:`complete`; also in the midst of the reply.
        """
        inner = self._streaming()

        def do(wait: float | None) -> tuple[Said, Pieces] | Exception | None:
            if wait is not None:
                self._sleep(wait)
                return None
            pieces = Pieces(inner, request, self.patience.timeout)
            said = pieces.next()
            if isinstance(said, Exception):
                pieces.close()
                return said
            return said, pieces

        attempts: Attempts[tuple[Said, Pieces]] = self._attempts(request)
        (said, pieces), taken = run(attempts, do)
        given = 0
        try:
            while isinstance(said, str):
                given += len(said)
                yield said
                said = pieces.next()
        finally:
            pieces.close()
            self._ended(request, taken, given, said)

    async def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The same as :meth:`stream`, for an event loop; a time-out cancels the inner stream."""
        inner = self._streaming()

        async def do(wait: float | None) -> tuple[Said, AsyncPieces] | Exception | None:
            if wait is not None:
                await self._async_sleep(wait)
                return None
            pieces = AsyncPieces(inner, request, self.patience.timeout)
            said = await pieces.next()
            if isinstance(said, Exception):
                await pieces.close()
                return said
            return said, pieces

        attempts: Attempts[tuple[Said, AsyncPieces]] = self._attempts(request)
        (said, pieces), taken = await arun(attempts, do)
        given = 0
        try:
            while isinstance(said, str):
                given += len(said)
                yield said
                said = await pieces.next()
        finally:
            await pieces.close()
            self._ended(request, taken, given, said)

    def _streaming(self) -> StreamingChatModel:
        if not isinstance(self.inner, StreamingChatModel):
            raise ConfigError(f"{self.identity} gives whole replies only: it has no stream and astream")
        return self.inner

    def _ended(self, request: ChatRequest, taken: Spent, given: int, said: Said) -> None:
        """Count a stream of ``given`` characters that has begun; raise what it ended with, if that is an error."""
        self._budget.settle(taken, _estimate(request) + given // _CHARACTERS_A_TOKEN)
        if not isinstance(said, Exception):
            self._account.streamed()
            return
        error = translated(said, self.patience.timeout)
        self._account.failed(error, unmetered=True)
        raise error from (said if said is not error else said.__cause__)

    def _course(
        self, request: ChatRequest
    ) -> Generator[float | None, ChatReply | Exception | None, ChatReply]:
        """What is done in which order for a whole reply, without doing it: see ``Attempts``."""
        attempts: Attempts[ChatReply] = self._attempts(request)
        said, taken = yield from attempts
        self._budget.settle(taken, said.tokens or _estimate(request) + (request.max_tokens or 0))
        return self._account.replied(said)

    def _attempts(self, request: ChatRequest) -> Attempts[Begun]:
        """Ask until an attempt does not fail: what it came to, and what it took of the budget."""
        self._refuse_if_gone()
        for attempt in itertools.count():
            taken = yield from self._let_through(_estimate(request) + (request.max_tokens or 0))
            said = yield None
            assert said is not None
            if not isinstance(said, Exception):
                self._answered = True
                return said, taken
            error = translated(said, self.patience.timeout)
            self._account.failed(error)
            self._budget.settle(taken, error.input_tokens + error.output_tokens)
            wait = self._wait(attempt, error)
            if wait is None:
                raise error from (said if said is not error else said.__cause__)
            self._account.retried()
            yield wait
        raise AssertionError("unreachable")

    def _wait(self, attempt: int, error: LLMError) -> float | None:
        """Seconds until the next attempt; ``None`` where there is to be none."""
        wait = self.patience.before(attempt, error, self._jitter())
        if self._answered or not isinstance(error, LLMUnreachable):
            return wait
        if attempt or wait is None:
            self._gone = self._clock(), error
            return None
        return min(wait, _FIRST_RETRY)

    def _refuse_if_gone(self) -> None:
        """Tell at once of a server that was not there a moment ago."""
        if self._gone is not None and self._clock() - self._gone[0] < _GONE:
            raise LLMUnreachable(str(self._gone[1]))

    def _let_through(self, tokens: int) -> Generator[float, None, Spent]:
        """Waits until the budget has room, or gives up where that takes too long."""
        waited = 0.0
        while True:
            wait, taken = self._budget.take(tokens)
            if taken is not None:
                return taken
            waited += wait
            if waited > self.patience.longest_pause:
                raise LLMUnavailable(
                    f"the budget of the minute is used up for another {wait:.0f} s", retry_after=wait
                )
            yield wait


def _estimate(request: ChatRequest) -> int:
    """Tokens of the request, without its reply's."""
    return (len(request.instructions) + len(request.text)) // _CHARACTERS_A_TOKEN


def _in_time(chat: ChatModel, request: ChatRequest, seconds: float) -> ChatReply | Exception:
    """What ``chat`` says or raises, or that it did not in time; a hanging call is left behind in its thread."""
    said: queue.SimpleQueue[ChatReply | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            said.put(chat.complete(request))
        except Exception as error:  # noqa: BLE001 - a user's model may raise anything; see _course
            said.put(error)

    threading.Thread(target=contextvars.copy_context().run, args=(ask,), daemon=True, name="chat").start()
    try:
        return said.get(timeout=seconds)
    except queue.Empty:
        return TimeoutError()
