"""Call a scoring callback with a time limit, and check what it returns."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from verifier.guard.streaming.types import AnyScore, AsyncScore, HaltKind, Scored, Segment

__all__ = ["MOST_HUNG", "Failure", "TimedScore"]

_GRACE = 0.05
"""Seconds by which a busy event loop may be slower than an answer that was in time."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A score that was not to be had."""

    kind: HaltKind
    reason: str


_RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""All but the wish of whoever sits at the keyboard."""

MOST_HUNG = 4
"""After so many calls without an answer a score is asked no more: each has left a thread or a task behind."""


class TimedScore:
    """A callback that answers within ``seconds`` or counts as failed; ``None`` waits for ever.

    A call that hangs is left behind in its thread, which ends with the process; the next call gets a new one, up to
    :data:`MOST_HUNG`. The thread is kept as long as it answers, so that a score may keep connections of its own. One
    stream uses one. A coroutine that blocks the event loop cannot be interrupted; its answer counts as late.
    """

    def __init__(self, score: AnyScore, seconds: float | None) -> None:
        self._score, self._seconds = score, seconds
        self._worker: _Worker | None = None
        self._hung = 0

    def ask(self, segment: Segment) -> Scored | Failure:
        """What the callback says of a segment."""
        if inspect.iscoroutinefunction(_called(self._score)):
            return _failed(TypeError("the score is a coroutine function; use the asynchronous methods"))
        if self._seconds is None:
            try:
                return Scored.of(self._score(segment))
            except _RAISED as error:  # whatever a callback raises halts the stream with its reason
                return _failed(error)
        if self._hung >= MOST_HUNG:
            return self._too_late()
        said: queue.SimpleQueue[Scored | Failure] = queue.SimpleQueue()
        self._put(segment, said.put)
        try:
            return said.get(timeout=self._seconds)
        except queue.Empty:
            return self._too_late()

    async def aask(self, segment: Segment) -> Scored | Failure:
        """The same, for an event loop; a callback that is no coroutine function runs in a thread."""
        if self._hung >= MOST_HUNG:
            return self._too_late()
        loop, began = asyncio.get_running_loop(), time.monotonic()
        if inspect.iscoroutinefunction(_called(self._score)):
            answer: asyncio.Future[Any] = loop.create_task(_told(cast(AsyncScore, self._score), segment))
        else:
            answer = loop.create_future()
            self._put(segment, _into(loop, answer))
        try:
            await asyncio.wait({answer}, timeout=self._seconds)
        finally:
            answer.cancel()  # no effect where it is done
        late = self._seconds is not None and time.monotonic() - began > self._seconds + _GRACE
        if late or not answer.done():
            return self._too_late()
        if answer.cancelled():
            return _failed(asyncio.CancelledError("the score was cancelled"))
        given: Scored | Failure = answer.result()
        return given

    def close(self) -> None:
        """Let the thread end."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _put(self, segment: Segment, deliver: Callable[[Scored | Failure], None]) -> None:
        self._worker = self._worker or _Worker()
        self._worker.put(lambda: Scored.of(self._score(segment)), deliver)

    def _too_late(self) -> Failure:
        self._worker = None
        self._hung += 1
        if self._hung > MOST_HUNG:
            return Failure(
                HaltKind.TIMEOUT, f"the score gave no answer {MOST_HUNG} times and is asked no more"
            )
        return Failure(HaltKind.TIMEOUT, f"the score gave no answer in {self._seconds:g} s")


async def _told(score: AsyncScore, segment: Segment) -> Scored | Failure:
    """What a coroutine function says, its own errors included: only our waiting can time out."""
    try:
        return Scored.of(await score(segment))
    except asyncio.CancelledError:
        raise
    except _RAISED as error:  # whatever a callback raises halts the stream with its reason
        return _failed(error)


class _Worker:
    """One daemon thread that does what it is given, in order."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="stream-score").start()

    def put(self, call: Callable[[], Scored], deliver: Callable[[Scored | Failure], None]) -> None:
        """Hand what ``call`` returns or raises to ``deliver``, in the thread, as soon as it does."""

        def work() -> None:
            try:
                given: Scored | Failure = call()
            except BaseException as error:  # noqa: BLE001 - it is the answer, and the thread goes on
                given = _failed(error)
            deliver(given)

        context = contextvars.copy_context()
        self._work.put(lambda: context.run(work))

    def stop(self) -> None:
        """End after the work that was put."""
        self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()


def _into(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any]) -> Callable[[Scored | Failure], None]:
    """Hands an answer from a thread to an event loop that may have given up on it."""

    def settle(given: Scored | Failure) -> None:
        if not future.done():
            future.set_result(given)

    def deliver(given: Scored | Failure) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, given)

    return deliver


def _called(score: AnyScore) -> Any:
    """The function behind a callable object."""
    return score if inspect.isroutine(score) else getattr(score, "__call__", score)  # noqa: B004


def _failed(error: BaseException) -> Failure:
    message = " ".join(str(error).split())
    return Failure(HaltKind.ERROR, f"the score failed: {type(error).__name__}: {message}")
