"""How a measured figure grows with a size: the power law and the straight line through the points, by least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import linregress

__all__ = ["Fit", "line", "power"]

Points = Sequence[tuple[float, float]]
"""Sizes and figures."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted slope with its standard error, and where the line meets 0."""

    slope: float
    error: float
    intercept: float


def power(points: Points) -> Fit:
    """The exponent b of y = a x^b: the slope of log y over log x, its standard error, and log a.

    Raises:
        ValueError: a size or figure is not above 0, or there are fewer than three points or two sizes.

    >>> found = power([(1, 2.0), (10, 20.0), (100, 200.0)])
    >>> round(found.slope, 6), round(found.error, 6)
    (1.0, 0.0)
    """
    if any(size <= 0 or figure <= 0 for size, figure in points):
        raise ValueError("a power law needs sizes and figures above 0")
    return _fitted(np.log(np.array(points, dtype=float).reshape(-1, 2)))


def line(points: Points) -> Fit:
    """The slope of y = a + b x, its standard error, and a.

    Raises:
        ValueError: there are fewer than three points or two sizes.
    """
    return _fitted(np.array(points, dtype=float).reshape(-1, 2))


def _fitted(points: np.ndarray) -> Fit:
    if len(points) < 3 or len(set(points[:, 0])) < 2:
        raise ValueError("a slope with its standard error needs three points of two sizes")
    found = linregress(points[:, 0], points[:, 1])
    return Fit(float(found.slope), float(found.stderr), float(found.intercept))
