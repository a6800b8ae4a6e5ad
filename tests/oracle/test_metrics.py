"""The metrics agree with scikit-learn's on random rows, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

from verifier.measure.metrics import (
    auroc,
    balanced_accuracy,
    confusion,
    expected_calibration_error,
    f1_per_class,
)


@pytest.mark.parametrize("seed", range(5))
def test_binary_figures_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = [bool(flag) for flag in rng.random(60) < 0.4]
    scores = [float(score) for score in rng.integers(0, 8, 60) / 7]
    predicted = [score > 0.5 for score in scores]
    assert auroc(truth, scores) == pytest.approx(sk.roc_auc_score(truth, scores))
    assert balanced_accuracy(truth, predicted) == pytest.approx(sk.balanced_accuracy_score(truth, predicted))


@pytest.mark.parametrize("seed", range(5))
def test_class_figures_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = np.array(["supported", "contradicted", "unverifiable"])
    truth = [str(name) for name in names[rng.integers(0, 3, 50)]]
    predicted = [str(name) for name in names[rng.integers(0, 3, 50)]]
    labels = sorted(set(truth))
    expected = sk.f1_score(truth, predicted, labels=labels, average=None)
    assert list(f1_per_class(truth, predicted).values()) == pytest.approx(list(expected))
    matrix = sk.confusion_matrix(truth, predicted, labels=sorted(set(truth) | set(predicted)))
    assert sum(sum(row.values()) for row in confusion(truth, predicted).values()) == matrix.sum()
    assert confusion(truth, predicted)[labels[0]].get(labels[0], 0) == matrix[0, 0]


def test_figures_of_nothing_are_none_rather_than_a_number() -> None:
    assert auroc([True, True], [0.1, 0.2]) is None
    assert balanced_accuracy([False], [False]) is None
    assert expected_calibration_error([], []) is None


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    sure_and_right = expected_calibration_error([1.0] * 4, [True] * 4)
    half_right = expected_calibration_error([0.9] * 10, [True] * 5 + [False] * 5, bins=1)
    assert sure_and_right == 0.0
    assert half_right == pytest.approx(0.4)
