"""Requests and tokens a minute: how long the next request has to wait."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from verifier.core.errors import LLMRejected

__all__ = ["MinuteBudget", "Spent"]

_WINDOW = 60.0
"""Seconds over which requests and tokens are counted."""


@dataclass
class Spent:
    """What one request took, and when it was let through."""

    at: float
    tokens: int


class MinuteBudget:
    """Requests and tokens of the last sixty seconds, against their bounds; ``None`` bounds nothing. Thread-safe.

    Tokens are taken by an estimate when a request is let through, and corrected when its reply tells them.
    """

    def __init__(self, requests: int | None, tokens: int | None, clock: Callable[[], float]) -> None:
        self.requests, self.tokens = requests, tokens
        self._clock = clock
        self._spent: deque[Spent] = deque()
        self._lock = threading.Lock()

    def take(self, tokens: int) -> tuple[float, Spent | None]:
        """``(0, what was taken)``, or the seconds until it may be tried again and ``None``.

        Raises:
            LLMRejected: so many tokens never fit into a minute.
        """
        if self.tokens is not None and tokens > self.tokens:
            raise LLMRejected(
                f"the request takes some {tokens} tokens, more than the {self.tokens} of a minute"
            )
        with self._lock:
            now = self._clock()
            while self._spent and self._spent[0].at <= now - _WINDOW:
                self._spent.popleft()
            wait = self._wait(now, tokens)
            if wait > 0:
                return wait, None
            taken = Spent(now, tokens)
            self._spent.append(taken)
            return 0.0, taken

    def settle(self, taken: Spent, tokens: int) -> None:
        """Put the tokens that a reply tells in the place of the estimate."""
        with self._lock:
            taken.tokens = tokens

    def _wait(self, now: float, tokens: int) -> float:
        """Seconds until enough of the oldest requests have left the window."""
        excess_requests = len(self._spent) + 1 - self.requests if self.requests is not None else 0
        excess_tokens = (
            sum(spent.tokens for spent in self._spent) + tokens - self.tokens
            if self.tokens is not None
            else 0
        )
        until = now
        for spent in self._spent:
            if excess_requests <= 0 and excess_tokens <= 0:
                break
            excess_requests -= 1
            excess_tokens -= spent.tokens
            until = spent.at + _WINDOW
        return until - now
