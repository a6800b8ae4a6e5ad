"""End jobs whose client is gone or whose time is up at their next step, and free their worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from verifier.core.deadline import watched
from verifier.core.errors import Cancelled

__all__ = ["Dear", "GivenUp", "Ticket", "spent_quickly"]

Result = TypeVar("Result")

_SHARE = 0.25
"""Of the time that is left to the most urgent of several jobs, how much they may take together."""


class GivenUp(Cancelled):
    """Nobody waits for the result any more."""


class Dear(Cancelled):
    """Somebody waits, but the work takes more than it may among short jobs."""


class Ticket:
    """Says of one job whether anybody still waits for it.

    Args:
        seconds: how long somebody waits, from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._given_up = threading.Event()

    @property
    def left(self) -> float:
        """Seconds until nobody waits; 0 where that is so now."""
        return 0.0 if self._given_up.is_set() else max(0.0, self._end - time.monotonic())

    def give_up(self) -> None:
        """Nobody waits any more."""
        self._given_up.set()

    def check(self) -> None:
        """Nothing, while somebody waits.

        Raises:
            GivenUp: nobody does.
        """
        if not self.left:
            raise GivenUp

    def spent_on(self, task: Callable[[], Result]) -> Result:
        """The result of ``task``, which ends at its next step where nobody waits.

        Raises:
            GivenUp: nobody waits.
        """
        with watched(self.check):
            self.check()
            return task()


def spent_quickly(
    tickets: Sequence[Ticket], seconds: float, task: Callable[[], Result], *, others: Callable[[], bool]
) -> Result:
    """The result of ``task``, which is done for all of these tickets at once, unless it proves dear.

    Processor time is counted, so that a busy machine makes nothing dear, and of several jobs also the time that is left
    to them: each can then go on alone.

    Args:
        tickets: of the jobs, at least one.
        seconds: of this thread's processor time that the task may take.
        task: what is done.
        others: whether others wait meanwhile; where none do, a job alone may take what it wants.

    Raises:
        Dear: it takes more, and others wait.
        GivenUp: nobody waits.
    """
    thread, processor_end = threading.get_ident(), time.thread_time() + seconds
    end = time.monotonic() + (_SHARE if len(tickets) > 1 else 1.0) * min(ticket.left for ticket in tickets)

    def check() -> None:
        if not any(ticket.left for ticket in tickets):
            raise GivenUp
        spent = threading.get_ident() == thread and time.thread_time() > processor_end
        if (spent or time.monotonic() > end) and (len(tickets) > 1 or others()):
            raise Dear

    with watched(check):
        check()
        return task()
