"""Learn the weights and the threshold of the gate from judged answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from verifier.measure.bounds import certify, upper_bound
from verifier.measure.fit import fit_softmax
from verifier.measure.metrics import auroc

__all__ = ["MIN_JUDGED", "JudgedAnswer", "LearntGate", "learn_gate"]

MIN_JUDGED = 30
"""Fewer answers than this set no weights: five parts need some six examples each."""

_L2 = 0.01
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """The parts of the confidence in one answer, by name, and whether people called it good."""

    components: Mapping[str, float]
    good: bool


@dataclass(frozen=True, slots=True)
class LearntGate:
    """Weights that sum to 1, and a threshold with the error that it was proven to keep.

    ``auroc`` is out of fold: each answer's confidence comes from weights that were learnt without it; so is the
    threshold. ``threshold`` is ``None`` where these answers prove none. ``error_bound`` is the upper bound of the
    share of accepted answers that are bad.
    """

    weights: Mapping[str, float]
    threshold: float | None
    answers: int
    auroc: float | None
    accepted: int = 0
    error_bound: float | None = None


def learn_gate(answers: Sequence[JudgedAnswer], *, target_error: float, confidence: float) -> LearntGate:
    """Learn weights by logistic regression, none of them negative, and the lowest threshold that keeps the target.

    Args:
        answers: judged ones; all have the same components.
        target_error: largest share of accepted answers that people call bad.
        confidence: how sure that must be, given these answers.

    Raises:
        ValueError: fewer than ``MIN_JUDGED``, all judged alike, or components that differ.
    """
    if len(answers) < MIN_JUDGED:
        raise ValueError(f"{len(answers)} judged answers; weights need at least {MIN_JUDGED}")
    names = sorted(answers[0].components)
    if any(sorted(one.components) != names for one in answers):
        raise ValueError(
            "the answers were rated by different components; learn from one configuration at a time"
        )
    values = np.array([[one.components[name] for name in names] for one in answers])
    good = np.array([one.good for one in answers])
    if good.all() or not good.any():
        raise ValueError("all answers are judged alike; nothing can be told apart")
    weights = _weights(values, good)
    scores = np.empty(len(answers))
    # Every fifth answer, so that no fold holds one day's answers alone.
    for fold in range(_FOLDS):
        held = np.arange(len(answers)) % _FOLDS == fold
        scores[held] = values[held] @ _weights(values[~held], good[~held])
    found = certify(scores, ~good, target=target_error, confidence=confidence)
    rank = auroc(good.tolist(), scores.tolist())
    named = dict(zip(names, map(float, weights), strict=True))
    if found is None:
        return LearntGate(named, None, len(answers), rank)
    bound = upper_bound(found.wrong, found.accepted, confidence=confidence)
    return LearntGate(named, _just_above(found.above, scores), len(answers), rank, found.accepted, bound)


def _weights(values: np.ndarray, good: np.ndarray) -> np.ndarray:
    """Non-negative weights that sum to 1; equal ones where no part speaks for good answers."""
    signs = np.array([[-1, 1]] * values.shape[1])
    found = fit_softmax(values, good.astype(np.intp), signs, l2=_L2).weights
    slopes = found[:, 1] - found[:, 0]
    total = slopes.sum()
    return slopes / total if total > 0 else np.full(len(slopes), 1 / len(slopes))


def _just_above(threshold: float, scores: np.ndarray) -> float:
    """The gate accepts from its threshold on, so it is the lowest score that was accepted."""
    return float(scores[scores > threshold].min())
