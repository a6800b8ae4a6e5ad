"""The contract of counts that several processes share: whether there is room for one more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["WINDOW", "Bucket", "Minute", "State"]

WINDOW = 60.0
"""Seconds of a minute's bounds."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many tokens at most for a name, refilled all the time.

    Args:
        name: whose it is.
        size: tokens that it holds, and that a minute brings; at least 1.
    """

    name: str
    size: int

    def refilled(self, left: float, seconds: float) -> float:
        """What it holds so many seconds after ``left``.

        >>> Bucket("a", 60).refilled(-1.0, 3.0)
        2.0
        """
        return min(float(self.size), left + max(0.0, seconds) * self.size / WINDOW)

    def taken(self, left: float) -> tuple[float, float]:
        """What is left of ``left`` when one is taken, and the seconds until there is one, in which case none is."""
        return (left - 1, 0.0) if left >= 1 else (left, (1 - left) * WINDOW / self.size)


@dataclass(frozen=True, slots=True)
class Minute:
    """What may be asked under a name in any sixty seconds; ``None`` bounds nothing.

    Args:
        name: of the model that is asked.
        requests, tokens: the bounds.
    """

    name: str
    requests: int | None
    tokens: int | None

    def wait(self, spent: Sequence[tuple[float, int]], tokens: int, now: float) -> float:
        """Seconds until enough of what was spent, oldest first as ``(when, tokens)``, has left the minute."""
        requests = len(spent) + 1 - self.requests if self.requests is not None else 0
        excess = sum(taken for _, taken in spent) + tokens - self.tokens if self.tokens is not None else 0
        until = now
        for at, taken in spent:
            if requests <= 0 and excess <= 0:
                break
            requests -= 1
            excess -= taken
            until = at + WINDOW
        return until - now


class State(ABC):
    """Counts that hold for all processes that open the same place. Thread-safe; each method is one atomic step.

    Every method raises ``StateUnavailable`` where the place cannot be reached. Nothing is counted then, as far as can
    be known.
    """

    @abstractmethod
    def take(self, bucket: Bucket) -> float:
        """0 and one token less, or the seconds until there is one."""

    @abstractmethod
    def charge(self, bucket: Bucket, tokens: int) -> None:
        """So many tokens less, even where there are none: the next one waits for the debt."""

    @abstractmethod
    def spend(self, minute: Minute, tokens: int) -> tuple[float, str]:
        """``(0, key of what was spent)`` and one request with so many tokens more, or the seconds until there may be
        room and an empty key."""

    @abstractmethod
    def settle(self, minute: Minute, key: str, tokens: int) -> None:
        """Put the tokens that a request took in the place of those that were spent on it."""

    @abstractmethod
    def reserve(self, name: str, amounts: Sequence[float], bounds: Sequence[float | None]) -> int | None:
        """``None``, and so much more counted for good under a name, where no bound is passed; else which one would be.

        Args:
            name: of the count.
            amounts: to be added, each to its own sum; the same number of them each time. They may be negative.
            bounds: of the sums; ``None`` bounds nothing.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection; what was counted stays."""
