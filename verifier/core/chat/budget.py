"""Requests and tokens a minute: how long the next request has to wait."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from verifier.core.errors import LLMRejected, LLMUnavailable, StateUnavailable
from verifier.core.state.base import WINDOW, Minute, State

__all__ = ["Budget", "MinuteBudget", "SharedBudget", "Spent"]


@dataclass
class Spent:
    """What one request took, and when it was let through."""

    at: float
    tokens: int
    key: str = ""
    """Of a budget that several processes share."""


class Budget(Protocol):
    """Lets requests through, one at a time, as far as a minute's bounds allow."""

    def take(self, tokens: int) -> tuple[float, Spent | None]:
        """``(0, what was taken)``, or the seconds until it may be tried again and ``None``.

        Raises:
            LLMRejected: so many tokens never fit into a minute.
        """

    def settle(self, taken: Spent, tokens: int) -> None:
        """Put the tokens that a reply tells in the place of the estimate."""


class MinuteBudget:
    """Requests and tokens of the last sixty seconds, against their bounds; ``None`` bounds nothing. Thread-safe.

    Tokens are taken by an estimate when a request is let through, and corrected when its reply tells them.
    """

    def __init__(self, requests: int | None, tokens: int | None, clock: Callable[[], float]) -> None:
        self._minute = Minute("", requests, tokens)
        self._clock = clock
        self._spent: deque[Spent] = deque()
        self._lock = threading.Lock()

    def take(self, tokens: int) -> tuple[float, Spent | None]:
        """``(0, what was taken)``, or the seconds until it may be tried again and ``None``.

        Raises:
            LLMRejected: so many tokens never fit into a minute.
        """
        _ensure_fits(tokens, self._minute)
        with self._lock:
            now = self._clock()
            while self._spent and self._spent[0].at <= now - WINDOW:
                self._spent.popleft()
            wait = self._minute.wait([(spent.at, spent.tokens) for spent in self._spent], tokens, now)
            if wait > 0:
                return wait, None
            taken = Spent(now, tokens)
            self._spent.append(taken)
            return 0.0, taken

    def settle(self, taken: Spent, tokens: int) -> None:
        """Put the tokens that a reply tells in the place of the estimate."""
        with self._lock:
            taken.tokens = tokens


class SharedBudget:
    """The same over a state that several processes share.

    Where the state cannot be reached, nothing is asked: what was spent elsewhere is not known.

    Args:
        state: where it is counted.
        minute: the name of the model, and the bounds.
    """

    def __init__(self, state: State, minute: Minute) -> None:
        self._state, self._minute = state, minute

    def take(self, tokens: int) -> tuple[float, Spent | None]:
        """See ``Budget``.

        Raises:
            LLMRejected: so many tokens never fit into a minute.
            LLMUnavailable: the state cannot be reached.
        """
        _ensure_fits(tokens, self._minute)
        try:
            wait, key = self._state.spend(self._minute, tokens)
        except StateUnavailable as error:
            raise LLMUnavailable("not asked, since the shared budget cannot be looked up") from error
        return (wait, None) if wait > 0 else (0.0, Spent(0.0, tokens, key))

    def settle(self, taken: Spent, tokens: int) -> None:
        """See ``Budget``; where the state cannot be reached, the estimate stands."""
        with suppress(StateUnavailable):
            self._state.settle(self._minute, taken.key, tokens)


def _ensure_fits(tokens: int, minute: Minute) -> None:
    if minute.tokens is not None and tokens > minute.tokens:
        raise LLMRejected(
            f"the request takes some {tokens} tokens, more than the {minute.tokens} of a minute"
        )
