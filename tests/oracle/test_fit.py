"""The constrained softmax regression against scikit-learn's, and its constraints."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from verifier.measure.fit import fit_softmax, fit_temperature, log_loss, softmax


def _data(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.random((300, 4))
    truth = x @ np.array([[2.0, -1.0, 0.5], [-2.0, 1.0, 0.0], [0.0, 3.0, -1.0], [0.5, 0.0, 0.0]])
    chances = softmax(truth)
    return x, np.array([rng.choice(3, p=row) for row in chances])


def test_without_constraints_it_finds_scikit_learns_minimum() -> None:
    x, classes = _data()
    ours = fit_softmax(x, classes, np.zeros((4, 3), dtype=int), l2=0.01)
    theirs = LogisticRegression(C=1 / (0.01 * len(x)), tol=1e-9, max_iter=5000).fit(x, classes)
    assert softmax(ours.logits(x)) == pytest.approx(theirs.predict_proba(x), abs=2e-3)


def test_every_weight_keeps_its_sign() -> None:
    x, classes = _data(1)
    signs = np.array([[2, -1, -1], [2, 1, 1], [2, 1, 0], [2, -1, 1]])
    weights = fit_softmax(x, classes, signs, l2=0.001).weights
    assert (weights[signs == 1] >= 0).all()
    assert (weights[signs == -1] <= 0).all()
    assert (weights[signs == 2] == 0).all()
    assert np.abs(weights).max() > 0.1


def test_a_constrained_minimum_is_no_better_than_the_free_one_and_beats_its_neighbours() -> None:
    x, classes = _data(2)
    signs = np.array([[2, 1, 1], [2, 1, 1], [2, -1, -1], [2, 1, 1]])
    bound = fit_softmax(x, classes, signs, l2=0.01)
    free = fit_softmax(x, classes, np.zeros((4, 3), dtype=int), l2=0.01)

    def objective(weights: np.ndarray, bias: np.ndarray) -> float:
        return log_loss(x @ weights + bias, classes) + 0.005 * float((weights**2).sum())

    best = objective(bound.weights, bound.bias)
    assert best >= objective(free.weights, free.bias) - 1e-6
    rng = np.random.default_rng(0)
    for _ in range(50):
        moved = bound.weights + rng.normal(0, 0.05, bound.weights.shape)
        moved = np.where(signs == 1, np.maximum(moved, 0), np.where(signs == -1, np.minimum(moved, 0), 0.0))
        assert objective(moved, bound.bias) >= best - 1e-6


def test_the_temperature_undoes_a_scaling_of_the_logits() -> None:
    x, classes = _data(3)
    logits = fit_softmax(x, classes, np.zeros((4, 3), dtype=int), l2=1e-4).logits(x)
    assert fit_temperature(logits * 3, classes) == pytest.approx(
        3 * fit_temperature(logits, classes), rel=0.02
    )
