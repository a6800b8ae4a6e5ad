"""Deadlines: long work asks at every step whether anybody still waits, and ends where nobody does.

Python cannot stop a thread from outside. So whoever runs a job for others (the server) sets a check for it, and
whatever may take long asks at each step: each claim, passage, window, pair, input of a model. What lies between two
steps is work on one text or one pair, or a single call into a regular expression or a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

__all__ = ["checkpoint", "each", "watched"]

Item = TypeVar("Item")


def _nobody_asks() -> None:
    """Work that nobody has set a check for is done to its end."""


_CHECK: ContextVar[Callable[[], None]] = ContextVar("check", default=_nobody_asks)


@contextmanager
def watched(check: Callable[[], None]) -> Iterator[None]:
    """Ask ``check`` at every :func:`checkpoint` of the block, in this thread or task.

    Args:
        check: raises a :class:`~verifier.core.errors.Cancelled` where nobody waits any more.
    """
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def checkpoint() -> None:
    """Go on, as long as somebody waits: a tenth of a microsecond where nothing is watched.

    Raises:
        Cancelled: nobody waits.
    """
    _CHECK.get()()


def each(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a :func:`checkpoint` before each."""
    for item in items:
        checkpoint()
        yield item
