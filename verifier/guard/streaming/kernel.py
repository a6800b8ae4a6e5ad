"""The kernel: pass on a stream's tokens, or only checked sentences, until a score halts it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from typing import Literal

from verifier.core.course import arun, run
from verifier.core.errors import ConfigError
from verifier.guard.streaming.calls import TimedScore
from verifier.guard.streaming.course import Course, Rules
from verifier.guard.streaming.types import AnyScore, StreamSession

__all__ = ["StreamingKernel"]


class StreamingKernel:
    """Watches streams and halts those whose scores fall too low.

    ``stream`` passes tokens on as they come, so that a bad sentence is out before its score is known; ``release``
    holds each sentence until it was scored, and gives out nothing of one that cuts it. Each has an
    asynchronous twin, and ``run`` takes a whole stream at once.

    Rules, after each score, the first that applies:

    1. ``hard_limit``: the score is below it.
    2. ``window_mean``: the mean of the last ``window_size`` scores is below ``window_threshold``.
    3. ``trend``: the line fitted through the last ``trend_window`` scores falls by more than ``trend_threshold`` from
       its first to its last: slope * (trend_window - 1) < -trend_threshold.

    A sentence that nobody sees who reads the stream rendered (``hidden_in``) halts it: at once where what stands close
    before it hides it, at the end of the stream at the latest.

    A score that raises, gives no number in [0, 1], or does not answer within ``time_limit`` halts the stream, with
    that as the reason; ``on_error="skip"`` notes it in the events and goes on. Segments without anything to check
    (``None``) enter no window. The work for a token does not grow with the stream, and a kernel keeps nothing of a
    stream but in its session, so that it can be used again and by several threads.

    Args:
        score: called with each :class:`Segment`; its number is in [0, 1], higher is better.
        every: ``"sentence"``, or after how many tokens a score is due.
        halt_mode: ``"hard"`` cuts at once; ``"soft"`` lets rules 2 and 3 finish the sentence that has begun, in at
            most ``soft_cap`` tokens. The hard limit and failures cut at once in either.
        on_error: ``"halt"`` or ``"skip"``.
        time_limit: seconds for one score; ``None`` waits for ever.
        hold_tokens: ``release`` holds nothing back for more tokens than this; a sentence that is longer is scored and
            given out in parts.
        hold_seconds: nor for longer than this, the score not counted; ``None`` for no such bound. ``release`` can look
            at the clock only when a token comes, ``arelease`` does so in time.
        allow_hidden: whether sentences are let through that nobody sees who reads the stream rendered.
        context_chars: how much of what stands before a segment its score is given, in code points.
        clock: what tells the seconds.

    Raises:
        ConfigError: an argument is out of its bounds.
    """

    def __init__(
        self,
        score: AnyScore,
        *,
        hard_limit: float = 0.5,
        window_size: int = 10,
        window_threshold: float = 0.55,
        trend_window: int = 5,
        trend_threshold: float = 0.45,
        halt_mode: Literal["hard", "soft"] = "hard",
        soft_cap: int = 50,
        every: Literal["sentence"] | int = "sentence",
        on_error: Literal["halt", "skip"] = "halt",
        time_limit: float | None = 30.0,
        hold_tokens: int = 200,
        hold_seconds: float | None = None,
        context_chars: int = 1000,
        allow_hidden: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.score, self.time_limit = score, time_limit
        self.rules = Rules(
            hard_limit=hard_limit,
            window_size=window_size,
            window_threshold=window_threshold,
            trend_window=trend_window,
            trend_threshold=trend_threshold,
            halt_mode=halt_mode,
            soft_cap=soft_cap,
            every=every,
            on_error=on_error,
            hold_tokens=hold_tokens,
            hold_seconds=hold_seconds,
            context_chars=context_chars,
            allow_hidden=allow_hidden,
        )
        self._clock = clock
        if time_limit is not None and not time_limit > 0:
            raise ConfigError(f"time_limit = {time_limit!r}: expected a number of seconds above 0, or None")

    def run(self, tokens: Iterable[str]) -> StreamSession:
        """Take a whole stream, or as much of it as passes; what happened comes back."""
        session = StreamSession()
        for _ in self.stream(tokens, session):
            pass
        return session

    async def arun(self, tokens: AsyncIterable[str]) -> StreamSession:
        """The same as :meth:`run`, for an event loop."""
        session = StreamSession()
        async for _ in self.astream(tokens, session):
            pass
        return session

    def stream(self, tokens: Iterable[str], session: StreamSession | None = None) -> Iterator[str]:
        """The tokens, until one halts the stream; that one is not given out.

        ``session`` is filled as the stream goes on; give a new one. A token that ends with half a surrogate pair is
        given out with the next one, in one piece.
        """
        return self._watch(tokens, session, release=False)

    def astream(self, tokens: AsyncIterable[str], session: StreamSession | None = None) -> AsyncIterator[str]:
        """The same as :meth:`stream`, for an event loop."""
        return self._awatch(tokens, session, release=False)

    def release(self, tokens: Iterable[str], session: StreamSession | None = None) -> Iterator[str]:
        """The sentences, each once it was scored; put together they are the text, to the character.

        Raises:
            ConfigError: scores are due by tokens.
        """
        return self._watch(tokens, session, release=True)

    def arelease(
        self, tokens: AsyncIterable[str], session: StreamSession | None = None
    ) -> AsyncIterator[str]:
        """The same as :meth:`release`, for an event loop; what is held too long is scored though no token comes."""
        return self._awatch(tokens, session, release=True)

    def _watch(self, tokens: Iterable[str], session: StreamSession | None, *, release: bool) -> Iterator[str]:
        course, score = self._begin(session, release=release)
        try:
            for token in tokens:
                run(course.take(token), score.ask)
                yield from course.due()
                if course.over:
                    return
            run(course.finish(), score.ask)
            yield from course.due()
        finally:
            score.close()
            if isinstance(tokens, Generator):
                tokens.close()  # a model that is halted speaks to nobody

    async def _awatch(
        self, tokens: AsyncIterable[str], session: StreamSession | None, *, release: bool
    ) -> AsyncIterator[str]:
        course, score = self._begin(session, release=release)
        source = _Source(tokens)
        try:
            while not course.over:
                try:
                    token = await source.next_within(course.seconds_left)
                except StopAsyncIteration:
                    await arun(course.finish(), score.aask)
                else:
                    await arun(course.cut() if token is None else course.take(token), score.aask)
                for piece in course.due():
                    yield piece
        finally:
            score.close()
            await source.close()

    def _begin(self, session: StreamSession | None, *, release: bool) -> tuple[Course, TimedScore]:
        session = StreamSession() if session is None else session
        if session.tokens or session.finished:
            raise ConfigError("this session belongs to another stream; give a new one")
        if release and self.rules.every != "sentence":
            raise ConfigError("release gives out whole sentences: it needs every='sentence'")
        return Course(self.rules, session, release=release, clock=self._clock), TimedScore(
            self.score, self.time_limit
        )


class _Source:
    """Asynchronous tokens, the next of which may be waited for with a limit and again afterwards."""

    def __init__(self, tokens: AsyncIterable[str]) -> None:
        self._tokens = aiter(tokens)
        self._waiting: asyncio.Future[str] | None = None

    async def next_within(self, seconds: float | None) -> str | None:
        """The next token; ``None`` where it does not come in time."""
        if self._waiting is None:
            if seconds is None:
                return await anext(self._tokens)
            self._waiting = asyncio.ensure_future(anext(self._tokens))
        await asyncio.wait([self._waiting], timeout=seconds)
        if not self._waiting.done():
            return None
        done, self._waiting = self._waiting, None
        return done.result()

    async def close(self) -> None:
        """Wait no longer, and leave a generator where it stands."""
        if self._waiting is not None:
            self._waiting.cancel()
        elif isinstance(self._tokens, AsyncGenerator):
            await self._tokens.aclose()
