"""A course of steps without the doing goes in, with what does a step; its result comes out, in a thread or a loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import TypeVar

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
        try:
            step = course.send(outcome)
        except StopIteration as end:
            result: Result = end.value
            return result
        outcome = do(step)


async def arun(
    course: Generator[Step, Outcome | None, Result], do: Callable[[Step], Awaitable[Outcome]]
) -> Result:
    """The same as :func:`run`, where a step is awaited."""
    outcome: Outcome | None = None
    while True:
        try:
            step = course.send(outcome)
        except StopIteration as end:
            result: Result = end.value
            return result
        outcome = await do(step)
