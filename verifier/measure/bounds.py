"""The lowest threshold whose error is proven to be below a target, from the scores of labelled claims.

The promise: with at least the stated confidence over the draw of the labelled claims, at most ``target`` of all
claims drawn in the same way whose score is above the threshold are wrong. It comes from *learn then test*
(Angelopoulos, Bates, Candès, Jordan and Lei 2021, "Learn then Test: Calibrating Predictive Algorithms to Achieve Risk
Control") with fixed sequence testing: thresholds are tried from the strictest down, each by the exact binomial test
behind the bound of Clopper and Pearson (1934), until one fails, and the last one that passed is taken. Because the
order is fixed before a label is seen, every test may spend the whole of ``1 - confidence``.

Candidates are the scores themselves: the ``n`` claims above the next lower score are independent draws from all claims
above it, whatever it is. Two things are assumed: that the labelled claims are an independent and fair sample, and that
the error rate, once it passes the target as the threshold falls, stays above it.

Conformal risk control was not taken: it bounds the share of *all* claims that are wrongly accepted, on average over
samples; asked here is the share of the accepted ones, with a confidence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "NEVER",
    "Threshold",
    "binomial_cdf",
    "certify",
    "certify_share",
    "labels_needed",
    "rows_needed",
    "smallest_target",
    "upper_bound",
]

NEVER = -math.inf
"""The score of a claim that no threshold accepts."""

FIRST_SHARE = 4
"""The sequence starts at a quarter of the claims where these are more than the fewest that could pass: there a test
forgives some errors, so that one wrong label at the very top does not end it."""

MIN_SEEN = 10
"""A rate is not guessed from fewer claims."""

MOST_TIMES = 50
"""Beyond so many times the labels nothing is said about how many it takes."""

STEPS = 50
"""Numbers of labels are tried in steps of a fiftieth."""

_TARGETS = (*(n / 1000 for n in range(1, 100)), *(n / 100 for n in range(10, 100)))
"""What ``smallest_target`` tries."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Claims that score higher than ``above`` are accepted; of the labelled ones ``accepted`` are, ``wrong`` of them
    wrongly."""

    above: float
    accepted: int
    wrong: int


def binomial_cdf(successes: int, trials: int, chance: float) -> float:
    """Probability of at most ``successes`` in ``trials`` independent trials of ``chance`` in (0, 1).

    >>> round(binomial_cdf(1, 3, 0.5), 6)
    0.5
    """
    if successes >= trials:
        return 1.0
    steps = np.arange(successes)
    # Each term from the one before it: (trials - i) / (i + 1) * odds; in logarithms, which do not underflow.
    ratios = np.log((trials - steps) / (steps + 1)) + math.log(chance / (1 - chance))
    logs = trials * math.log1p(-chance) + np.concatenate([[0.0], np.cumsum(ratios)])
    return min(1.0, float(np.exp(logs).sum()))


def upper_bound(wrong: int, trials: int, *, confidence: float) -> float:
    """The one-sided bound of Clopper and Pearson (1934) on a rate of which ``wrong`` in ``trials`` were seen.

    It is the rate at which so few would be seen with a probability of ``1 - confidence``; 1 where nothing was tried.

    >>> round(upper_bound(0, 230, confidence=0.9), 4)
    0.01
    """
    if wrong >= trials:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if binomial_cdf(wrong, trials, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


@lru_cache(maxsize=100_000)
def rows_needed(wrong: int, *, target: float, confidence: float) -> int:
    """The fewest trials, ``wrong`` of them wrong, that prove an error rate of at most ``target``.

    >>> rows_needed(0, target=0.01, confidence=0.9)
    230
    """
    low, high = wrong, 2 * wrong + 1
    while binomial_cdf(wrong, high, target) > 1 - confidence:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if binomial_cdf(wrong, middle, target) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def certify(
    scores: ArrayLike, wrong: ArrayLike, *, target: float, confidence: float, floor: float = NEVER
) -> Threshold | None:
    """The lowest threshold that keeps the error of accepted claims at ``target``, proven with ``confidence``.

    Args:
        scores: [n], higher is surer; ``NEVER`` for claims that are not accepted at any threshold. Ties are broken at
            random, with a fixed seed, for the order of testing; the threshold never falls between equal scores.
        wrong: [n], whether accepting the claim would be an error.
        target, confidence: in (0, 1).
        floor: the threshold is no lower than this; a stricter one than the proven one is proven too.

    Returns:
        ``None`` where these claims are too few, or too often wrong, for any threshold.

    Raises:
        ValueError: a score is NaN, the lengths differ, or a share is outside (0, 1).
    """
    values, errors = _accepted_first(scores, wrong, target, confidence)
    errors_among = np.cumsum(errors)
    start = _start(len(values), target, confidence)
    passed = 0
    for trials in range(start, len(values) + 1):
        if trials < rows_needed(int(errors_among[trials - 1]), target=target, confidence=confidence):
            break
        passed = trials
    if not passed:
        return None
    above = float(values[passed]) if passed < len(values) else NEVER
    accepted = int((values > above).sum())
    if accepted < start:
        return None
    if above < floor:
        above, accepted = floor, int((values > floor).sum())
    mistaken = int(errors_among[accepted - 1]) if accepted else 0
    if accepted < rows_needed(mistaken, target=target, confidence=confidence):
        return None
    return Threshold(above, accepted, mistaken)


def certify_share(scores: ArrayLike, *, target: float, confidence: float) -> Threshold | None:
    """The lowest threshold above which at most ``target`` of all claims of a kind score, proven with ``confidence``.

    The kind is known from the labels (supported ones, say), and scoring above the threshold is the error. The share can
    only grow as the threshold falls, so that the exact bounds of Clopper and Pearson (1934) are tested in that order.

    Args:
        scores: [n], of claims of that kind; ``NEVER`` where no threshold makes it an error.
        target, confidence: in (0, 1).

    Returns:
        ``None`` where these claims are too few for any threshold.

    >>> certify_share([0.9, 0.8, *[NEVER] * 98], target=0.05, confidence=0.9)
    Threshold(above=0.8, accepted=1, wrong=1)
    """
    values = np.sort(np.asarray(scores, dtype=np.float64))[::-1]
    allowed = -1
    while allowed < len(values) and upper_bound(allowed + 1, len(values), confidence=confidence) <= target:
        allowed += 1
    if allowed < 0:
        return None
    above = float(values[allowed]) if allowed < len(values) else NEVER
    wrong = int((values > above).sum())
    return Threshold(above, wrong, wrong)


def smallest_target(
    scores: ArrayLike, wrong: ArrayLike, *, confidence: float, floor: float = NEVER
) -> float | None:
    """The smallest error, to a tenth of a percent below 10 %, else to a percent, that ``certify`` can promise.

    It is chosen with the labels in view, so it is a hint of what to ask for, on other labels, and no promise.
    """
    return next(
        (
            target
            for target in _TARGETS
            if certify(scores, wrong, target=target, confidence=confidence, floor=floor) is not None
        ),
        None,
    )


def labels_needed(
    scores: ArrayLike, wrong: ArrayLike, *, target: float, confidence: float, floor: float = NEVER
) -> int | None:
    """About how many labels the target takes at least, if more of them score, and are right, as these do.

    That is the smallest number of labels, of those tried, with which ``certify`` keeps the target when these are
    spread over it: each stands for as many like it. Other labels may fall out less evenly, and more be needed. No
    fewer than these are tried. ``None`` where not even ``MOST_TIMES`` as many suffice, or too few are accepted to
    guess from.
    """
    values, errors = _accepted_first(scores, wrong, target, confidence)
    if (values > floor).sum() < MIN_SEEN:
        return None
    count, all_of_them = len(values), np.asarray(scores).size
    size = count
    while size <= MOST_TIMES * count:
        spread = np.arange(size) * count // size
        if certify(values[spread], errors[spread], target=target, confidence=confidence, floor=floor):
            return math.ceil(size * all_of_them / count)
        size += max(1, size // STEPS)
    return None


def _accepted_first(
    scores: ArrayLike, wrong: ArrayLike, target: float, confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores and errors of the claims that can be accepted, best first."""
    values, errors = np.asarray(scores, dtype=np.float64), np.asarray(wrong, dtype=np.bool_)
    if values.shape != errors.shape or values.ndim != 1:
        raise ValueError(f"{values.shape} scores and {errors.shape} labels: both must be [n]")
    if np.isnan(values).any():
        raise ValueError("a score is NaN")
    for name, share in (("target", target), ("confidence", confidence)):
        if not 0 < share < 1:
            raise ValueError(f"{name} = {share} is outside (0, 1)")
    values, errors = values[values > NEVER], errors[values > NEVER]
    order = np.lexsort((np.random.default_rng(0).random(len(values)), -values))
    return values[order], errors[order]


def _start(count: int, target: float, confidence: float) -> int:
    """Where the sequence starts, from the number of claims alone: no label may have a say in it."""
    start = rows_needed(0, target=target, confidence=confidence)
    for forgiven in range(1, count):
        trials = rows_needed(forgiven, target=target, confidence=confidence)
        if trials > count // FIRST_SHARE:
            break
        start = trials
    return start
