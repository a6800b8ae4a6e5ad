"""Fit sign-constrained weights, a temperature or Platt's line to labelled features or logits. Pure numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SoftmaxWeights", "fit_platt", "fit_softmax", "fit_temperature", "log_loss", "sigmoid", "softmax"]

Matrix = NDArray[np.float64]

STEPS = 3000
TOLERANCE = 1e-7
LEAST_SLOPE = 0.05
"""Platt's line rises at least so much: a flat or falling one would undo the order of the claims."""


@dataclass(frozen=True)
class SoftmaxWeights:
    """``logits = x @ weights + bias`` with weights [features, classes] and bias [classes]."""

    weights: Matrix
    bias: Matrix

    def logits(self, x: Matrix) -> Matrix:
        """[n, classes]."""
        return x @ self.weights + self.bias


def softmax(logits: Matrix) -> Matrix:
    """Row-wise, shifted by the row's maximum so that nothing overflows."""
    exps = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exps / exps.sum(axis=1, keepdims=True), dtype=np.float64)


def sigmoid(log_odds: Matrix) -> Matrix:
    """Element-wise, without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(log_odds / 2)), dtype=np.float64)


def log_loss(logits: Matrix, classes: NDArray[np.intp]) -> float:
    """Mean negative log-likelihood in nats."""
    chances = softmax(logits)[np.arange(len(classes)), classes]
    return float(-np.log(np.maximum(chances, 1e-12)).mean())


def fit_softmax(
    x: Matrix, classes: NDArray[np.intp], signs: NDArray[np.intp], *, l2: float, counts: Matrix | None = None
) -> SoftmaxWeights:
    """Minimise the weighted mean log loss plus ``l2 / 2 * |weights|^2`` under sign constraints.

    Accelerated projected gradient descent (FISTA, Beck and Teboulle 2009) with a fixed step of one over the
    Lipschitz constant, restarted when the momentum points uphill.

    Args:
        x: [n, features].
        classes: [n], from 0.
        signs: [features, classes]: +1 keeps a weight at or above 0, -1 at or below, 0 leaves it free, 2 fixes
            it at 0.
        l2: strength of the penalty on weights (not on the bias); positive, so that the minimum is unique.
        counts: [n], what each row counts in the mean; positive, all the same by default.
    """
    n, features = x.shape
    count = signs.shape[1]
    onehot = np.eye(count)[classes]
    shares = np.full((n, 1), 1 / n) if counts is None else (counts / counts.sum())[:, None]
    design = np.hstack([x, np.ones((n, 1))])
    penalty = np.vstack([np.full((features, count), l2), np.full((1, count), 1e-6)])
    # The softmax Hessian is at most half of the design's Gram matrix.
    step = 1.0 / (0.5 * np.linalg.norm(design * np.sqrt(shares), 2) ** 2 + l2)

    def project(parameters: Matrix) -> Matrix:
        top = parameters[:-1]
        top = np.where(signs == 1, np.maximum(top, 0), np.where(signs == -1, np.minimum(top, 0), top))
        return np.vstack([np.where(signs == 2, 0.0, top), parameters[-1:]])

    current = np.zeros((features + 1, count))
    ahead, momentum = current, 1.0
    for _ in range(STEPS):
        gradient = design.T @ ((softmax(design @ ahead) - onehot) * shares) + penalty * ahead
        following = project(ahead - step * gradient)
        if np.sum(gradient * (following - current)) > 0:
            momentum = 1.0
        grown = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = following + (momentum - 1) / grown * (following - current)
        moved = float(np.abs(following - current).max())
        current, momentum = following, grown
        if moved < TOLERANCE:
            break
    return SoftmaxWeights(current[:-1], current[-1])


def fit_temperature(logits: Matrix, classes: NDArray[np.intp]) -> float:
    """The divisor of the logits, in [0.25, 4], that minimises the log loss (Guo et al. 2017), by golden section."""
    low, high = np.log(0.25), np.log(4.0)
    ratio = (np.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if log_loss(logits / np.exp(left), classes) <= log_loss(logits / np.exp(right), classes):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


def fit_platt(log_odds: Matrix, happened: NDArray[np.bool_], *, prior: float = 1.0) -> tuple[float, float]:
    """Slope and offset that turn stated log-odds into calibrated ones (Platt 1999): ``slope * log_odds + offset``.

    Minimises the log loss, summed over rows, plus ``prior / 2`` times the squared distance from (1, 0), which leaves
    the log-odds as they are: with few rows the line is pulled there. The objective is strictly convex; damped
    Newton steps find its minimum, and a slope below ``LEAST_SLOPE`` is held there.

    Args:
        log_odds: [n], finite.
        happened: [n].
        prior: weight of the pull towards "as it was", positive.
    """
    design = np.column_stack([log_odds, np.ones(len(log_odds))])
    rest = np.array([1.0, 0.0])

    def objective(line: Matrix) -> float:
        margins = np.where(happened, 1.0, -1.0) * (design @ line)
        return float(np.logaddexp(0.0, -margins).sum() + prior / 2 * ((line - rest) ** 2).sum())

    def minimise(line: Matrix, free: list[int]) -> Matrix:
        for _ in range(100):
            chances = sigmoid(design @ line)
            gradient = design.T @ (chances - happened) + prior * (line - rest)
            spread = (design * (chances * (1 - chances))[:, None]).T @ design + prior * np.eye(2)
            step = np.zeros(2)
            step[free] = np.linalg.solve(spread[np.ix_(free, free)], gradient[free])
            while np.abs(step).max() > TOLERANCE and objective(line - step) > objective(line):
                step = step / 2
            line = line - step
            if np.abs(step).max() <= TOLERANCE:
                break
        return line

    line = minimise(rest, [0, 1])
    if line[0] < LEAST_SLOPE:
        line = minimise(np.array([LEAST_SLOPE, 0.0]), [1])
    return float(line[0]), float(line[1])
