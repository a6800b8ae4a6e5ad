"""A segment goes in, what the callback says of it comes out: in time and checked, or as a failure with its reason."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from verifier.guard.streaming.types import AnyScore, AsyncScore, HaltKind, Scored, Segment

__all__ = ["Failure", "TimedScore"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A score that was not to be had."""

    kind: HaltKind
    reason: str


class TimedScore:
    """A callback that answers within ``seconds`` or counts as failed; ``None`` waits for ever.

    A call that hangs is left behind in its thread, which ends with the process; the next call gets a new one. The
    thread is kept as long as it answers, so that a score may keep connections of its own. One stream uses one.
    """

    def __init__(self, score: AnyScore, seconds: float | None) -> None:
        self._score, self._seconds = score, seconds
        self._worker: _Worker | None = None

    def ask(self, segment: Segment) -> Scored | Failure:
        """What the callback says of a segment."""
        try:
            if inspect.iscoroutinefunction(_called(self._score)):
                raise TypeError("the score is a coroutine function; use the asynchronous methods")
            if self._seconds is None:
                return Scored.of(self._score(segment))
            self._worker = self._worker or _Worker()
            answer = self._worker.put(lambda: Scored.of(self._score(segment)))
            given = answer.get(timeout=self._seconds)
        except queue.Empty:
            self._worker = None
            return self._too_late()
        except Exception as error:  # noqa: BLE001 - whatever a callback raises halts the stream with its reason
            return _failed(error)
        return _failed(given) if isinstance(given, Exception) else given

    async def aask(self, segment: Segment) -> Scored | Failure:
        """The same, for an event loop; a callback that is no coroutine function runs in a thread."""
        try:
            if inspect.iscoroutinefunction(_called(self._score)):
                coroutine = cast(AsyncScore, self._score)(segment)
                given: object = await asyncio.wait_for(coroutine, self._seconds)
            else:
                loop = asyncio.get_running_loop()
                future: asyncio.Future[Any] = loop.create_future()
                self._worker = self._worker or _Worker()
                self._worker.put(lambda: Scored.of(self._score(segment)), _into(loop, future))
                given = await asyncio.wait_for(future, self._seconds)
            return Scored.of(given)
        except TimeoutError as error:
            if str(error):
                return _failed(error)
            self._worker = None
            return self._too_late()
        except Exception as error:  # noqa: BLE001 - whatever a callback raises halts the stream with its reason
            return _failed(error)

    def close(self) -> None:
        """Let the thread end."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _too_late(self) -> Failure:
        return Failure(HaltKind.TIMEOUT, f"the score gave no answer in {self._seconds:g} s")


class _Worker:
    """One daemon thread that does what it is given, in order."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="stream-score").start()

    def put(
        self, call: Callable[[], Scored], deliver: Callable[[Scored | Exception], None] | None = None
    ) -> queue.SimpleQueue[Scored | Exception]:
        """What ``call`` returns or raises, as soon as it does; handed to ``deliver`` too, in the thread."""
        said: queue.SimpleQueue[Scored | Exception] = queue.SimpleQueue()
        give = deliver or said.put

        def work() -> None:
            try:
                give(call())
            except Exception as error:  # noqa: BLE001 - it is the answer
                give(error)

        context = contextvars.copy_context()
        self._work.put(lambda: context.run(work))
        return said

    def stop(self) -> None:
        """End after the work that was put."""
        self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()


def _into(
    loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any]
) -> Callable[[Scored | Exception], None]:
    """Hands an answer from a thread to an event loop that may have given up on it."""

    def settle(given: Scored | Exception) -> None:
        if future.done():
            return
        if isinstance(given, Exception):
            future.set_exception(given)
        else:
            future.set_result(given)

    def deliver(given: Scored | Exception) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, given)

    return deliver


def _called(score: AnyScore) -> Any:
    """The function behind a callable object."""
    return score if inspect.isroutine(score) else getattr(score, "__call__", score)  # noqa: B004


def _failed(error: Exception) -> Failure:
    message = " ".join(str(error).split())
    return Failure(HaltKind.ERROR, f"the score failed: {type(error).__name__}: {message}")
