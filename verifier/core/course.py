"""Run a procedure that is written once as a generator: its steps are carried out in a thread or in an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import TypeVar, cast

__all__ = ["arun", "run"]

Step = TypeVar("Step")
Outcome = TypeVar("Outcome")
Result = TypeVar("Result")


def run(course: Generator[Step, Outcome | None, Result], do: Callable[[Step], Outcome]) -> Result:
    """Give each step of ``course`` to ``do``, send back what came of it, and return what the course returns.

    A procedure written as a generator serves threads and event loops alike: see :func:`arun`.
    """
    outcome: Outcome | None = None
    while True:
        step, end = _advanced(course, outcome)
        if end is not None:
            return cast(Result, end.value)
        outcome = do(cast(Step, step))


async def arun(
    course: Generator[Step, Outcome | None, Result],
    do: Callable[[Step], Awaitable[Outcome]],
    *,
    in_thread: bool = False,
) -> Result:
    """The same as :func:`run`, where a step is awaited.

    With ``in_thread`` what the course does between its steps happens off the event loop: for one that reckons.
    """
    outcome: Outcome | None = None
    while True:
        if in_thread:
            step, end = await asyncio.to_thread(_advanced, course, outcome)
        else:
            step, end = _advanced(course, outcome)
        if end is not None:
            return cast(Result, end.value)
        outcome = await do(cast(Step, step))


def _advanced(
    course: Generator[Step, Outcome | None, Result], outcome: Outcome | None
) -> tuple[Step | None, StopIteration | None]:
    """The next step, or the end: ``StopIteration`` cannot leave a thread."""
    try:
        return course.send(outcome), None
    except StopIteration as end:
        return None, end.with_traceback(None)
