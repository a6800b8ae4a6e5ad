"""What a reader may spend: whether it may ask once more, and why not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from verifier.core.errors import LLMError, LLMRefused, LLMRejected, StateUnavailable
from verifier.core.state import State

__all__ = ["Allowance", "Breaker", "SharedAllowance"]


class Breaker:
    """Stops asking a server that keeps failing, and tries it again after a while. Thread-safe.

    After ``failures`` requests in a row that brought no reply, nothing is asked for ``pause`` seconds. The next request
    is let through then; if it fails as well, the pause begins anew. A model that refuses has replied, and so has a
    server to which a request is too long.

    Args:
        failures: at least 1.
        pause: seconds.
        clock: seconds; replaced in tests.
    """

    def __init__(
        self, failures: int = 3, pause: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.failures, self.pause = failures, pause
        self._clock = clock
        self._in_a_row = 0
        self._open_until = 0.0
        self._last = ""
        self._lock = threading.Lock()

    def refusal(self) -> str | None:
        """Why nothing is asked now; ``None`` where it is."""
        with self._lock:
            if self._in_a_row < self.failures:
                return None
            now = self._clock()
            if now >= self._open_until:
                self._open_until = now + self.pause  # this one is the trial; the others go on waiting
                return None
            return f"not asked, since its last {self._in_a_row} requests failed: {self._last}"

    def record(self, error: LLMError | None) -> None:
        """Count what came of a request."""
        with self._lock:
            if error is None or isinstance(error, LLMRefused) or _too_long(error):
                self._in_a_row = 0
                return
            self._in_a_row += 1
            self._last = str(error)
            if self._in_a_row >= self.failures:
                self._open_until = self._clock() + self.pause


def _too_long(error: LLMError) -> bool:
    return isinstance(error, LLMRejected) and "length" in error.refuses


@dataclass
class Allowance:
    """What a reader may take as long as it lives; ``None`` bounds nothing. Thread-safe.

    A request is let through where what it may take at most still fits, and that much is set aside until its reply tells
    what it took: requests at the same time cannot go beyond a bound together. What a client tries again by itself
    is one request.

    Args:
        requests: how many may be put.
        tokens: of input and output together.
        cost: in the currency of the prices; it needs prices to count.
    """

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        self._put, self._tokens, self._cost = 0, 0, 0.0
        self._lock = threading.Lock()

    def refusal(self, tokens: int = 0, cost: float = 0.0) -> str | None:
        """Which bound leaves no room for a request of at most so many tokens and such a cost; ``None``, and that much
        set aside, where all leave room."""
        with self._lock:
            sums = (self._put + 1, self._tokens + tokens, self._cost + cost)
            for part, (total, bound) in enumerate(zip(sums, self.bounds, strict=True)):
                if bound is not None and total > bound:
                    return self.passed(part, tokens, cost)
            self._put += 1
            self._tokens += tokens
            self._cost += cost
            return None

    @property
    def bounds(self) -> tuple[int | None, int | None, float | None]:
        """Of requests, tokens and cost."""
        return self.requests, self.tokens, self.cost

    def passed(self, part: int, tokens: int, cost: float) -> str:
        """That one of the :attr:`bounds`, by its place among them, leaves no room."""
        return (
            f"not asked, since its allowance of requests ({self.requests}) is used up",
            f"not asked, since its allowance of tokens ({self.tokens}) has no room for another {tokens}",
            f"not asked, since its allowance of money ({self.cost or 0:g}) has no room for another {cost:.4g}",
        )[part]

    def settle(self, tokens: int, cost: float, *, taken: int, charged: float | None) -> None:
        """Put what a request took in the place of what was set aside for it."""
        with self._lock:
            self._tokens += taken - tokens
            self._cost += (charged or 0.0) - cost


class SharedAllowance(Allowance):
    """The same for all readers that share a state, as long as its name is in use.

    Where the state cannot be reached, nothing is asked: what the others took is not known.

    Args:
        own: the bounds.
        state: where it is counted.
        name: of the count.
    """

    def __init__(self, own: Allowance, state: State, name: str) -> None:
        super().__init__(*own.bounds)
        self._state, self._name = state, name

    def refusal(self, tokens: int = 0, cost: float = 0.0) -> str | None:
        """See ``Allowance``."""
        try:
            passed = self._state.reserve(self._name, (1, tokens, cost), self.bounds)
        except StateUnavailable:
            return "not asked, since the shared allowance cannot be looked up"
        return None if passed is None else self.passed(passed, tokens, cost)

    def settle(self, tokens: int, cost: float, *, taken: int, charged: float | None) -> None:
        """See ``Allowance``; where the state cannot be reached, what was set aside stands."""
        with suppress(StateUnavailable):
            self._state.reserve(self._name, (0, taken - tokens, (charged or 0.0) - cost), (None,) * 3)
