"""What a reader may take goes in; whether it may ask once more, and else why not, comes out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from verifier.core.errors import LLMError, LLMRefused, LLMRejected

__all__ = ["Allowance", "Breaker"]


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

    A request is let through while nothing is used up, so that the last one may go beyond a bound of tokens or money by
    what it takes itself.

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

    def refusal(self) -> str | None:
        """Which bound is used up; ``None``, and one request counted, where none is."""
        with self._lock:
            if self.requests is not None and self._put >= self.requests:
                return f"not asked, since its {self.requests} requests are used up"
            if self.tokens is not None and self._tokens >= self.tokens:
                return f"not asked, since its {self.tokens} tokens are used up"
            if self.cost is not None and self._cost >= self.cost:
                return f"not asked, since what it may cost ({self.cost:g}) is used up"
            self._put += 1
            return None

    def spend(self, tokens: int, cost: float | None) -> None:
        """Count what a request took."""
        with self._lock:
            self._tokens += tokens
            self._cost += cost or 0.0
