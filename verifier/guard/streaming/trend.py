"""Rolling mean and slope of the last few scores, at constant cost for each."""

from __future__ import annotations

import math
from collections import deque

__all__ = ["RollingMean", "RollingSlope"]


class RollingMean:
    """The mean of the last ``size`` scores.

    >>> mean = RollingMean(2)
    >>> mean.push(1.0), mean.push(0.5), mean.push(0.0)
    (None, 0.75, 0.25)
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._scores: deque[float] = deque(maxlen=size)
        self._sum = 0.0
        self._pushed = 0

    def push(self, score: float) -> float | None:
        """The mean with this score; ``None`` until there are ``size`` of them."""
        if len(self._scores) == self.size:
            self._sum -= self._scores[0]
        self._scores.append(score)
        self._sum += score
        self._pushed += 1
        if self._pushed % self.size == 0:  # forget the rounding of the steps since the last full round
            self._sum = math.fsum(self._scores)
        return self._sum / self.size if len(self._scores) == self.size else None


class RollingSlope:
    """The slope of the least-squares line through the last ``size`` scores, at x = 0, 1, ..., size - 1.

    With S = sum(y) and T = sum(x*y), slope = (size*T - sum(x)*S) / (size*sum(x*x) - sum(x)**2). When the window moves
    on by one, every x falls by 1: T' = T - (S - y_oldest) + (size - 1)*y_new.

    >>> slope = RollingSlope(3)
    >>> slope.push(0.9), slope.push(0.7), round(slope.push(0.5), 9)
    (None, None, -0.2)
    """

    def __init__(self, size: int) -> None:
        if size < 2:
            raise ValueError(f"a line needs at least 2 scores, not {size}")
        self.size = size
        self._scores: deque[float] = deque(maxlen=size)
        self._sum = self._moment = 0.0
        self._pushed = 0
        self._sum_x = size * (size - 1) / 2
        self._denominator = size * (size - 1) * (2 * size - 1) / 6 * size - self._sum_x**2

    def push(self, score: float) -> float | None:
        """The slope with this score, in score a step; ``None`` until there are ``size`` of them."""
        if len(self._scores) == self.size:
            oldest = self._scores[0]
            self._moment += (self.size - 1) * score - (self._sum - oldest)
            self._sum += score - oldest
        else:
            self._moment += len(self._scores) * score
            self._sum += score
        self._scores.append(score)
        self._pushed += 1
        if self._pushed % self.size == 0:  # forget the rounding of the steps since the last full round
            self._sum = math.fsum(self._scores)
            self._moment = math.fsum(x * y for x, y in enumerate(self._scores))
        if len(self._scores) < self.size:
            return None
        return (self.size * self._moment - self._sum_x * self._sum) / self._denominator
