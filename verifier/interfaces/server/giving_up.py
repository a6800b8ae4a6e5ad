"""A job whose client is gone or whose time is up goes in; it ends at its next step, and frees its worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from verifier.core.deadline import watched
from verifier.core.errors import Cancelled

__all__ = ["GivenUp", "Ticket", "together"]

Result = TypeVar("Result")

_SHARE = 0.25
"""Of the time that is left to the most urgent of several jobs, how much they may take together: then each goes on
alone, so that a dear one costs the others no more than that."""


class GivenUp(Cancelled):
    """Nobody waits for the result any more."""


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


def together(tickets: Sequence[Ticket]) -> Ticket:
    """The time that jobs may take as one: of the time that is left to the first of them, the fourth part."""
    return Ticket(_SHARE * min(ticket.left for ticket in tickets))
