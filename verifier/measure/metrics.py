"""The usual metrics over labels, predictions and scores, as pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "auroc",
    "balanced_accuracy",
    "best_threshold",
    "calibration_bins",
    "confusion",
    "expected_calibration_error",
    "f1_per_class",
]


def balanced_accuracy(truth: Sequence[bool], predicted: Sequence[bool]) -> float | None:
    """Mean of the recall of both classes; ``None`` where one of them is absent.

    >>> balanced_accuracy([True, True, False], [True, False, False])
    0.75
    """
    recalls = []
    for wanted in (True, False):
        of_class = [guess is wanted for label, guess in zip(truth, predicted, strict=True) if label is wanted]
        if not of_class:
            return None
        recalls.append(sum(of_class) / len(of_class))
    return sum(recalls) / 2


def best_threshold(parts: Sequence[tuple[list[bool], list[float]]]) -> float:
    """The threshold with the best mean balanced accuracy over the parts: labels, and scores in [0, 1].

    >>> best_threshold([([True, True, False], [0.9, 0.6, 0.4])])
    0.6
    """
    pooled = np.unique(np.round(np.concatenate([scores for _, scores in parts]), 3))
    if len(pooled) > 200:
        pooled = np.quantile(pooled, np.linspace(0, 1, 200))

    def mean(threshold: float) -> float:
        figures = [balanced_accuracy(truth, [s >= threshold for s in scores]) for truth, scores in parts]
        known = [figure for figure in figures if figure is not None]
        return float(np.mean(known)) if known else 0.0

    return float(max(pooled.tolist(), key=mean))


def auroc(truth: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Area under the ROC curve by the rank-sum formula, ties counted half; ``None`` where a class is absent.

    >>> auroc([True, False, True, False], [0.9, 0.1, 0.4, 0.4])
    0.875
    """
    labels = np.asarray(truth, dtype=bool)
    values = np.asarray(scores, dtype=float)
    positives, negatives = int(labels.sum()), int((~labels).sum())
    if not positives or not negatives:
        return None
    _, inverse, sizes = np.unique(values, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(sizes) - (sizes - 1) / 2
    rank_sum = float(mean_rank[inverse][labels].sum())
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def f1_per_class(truth: Sequence[str], predicted: Sequence[str]) -> dict[str, float]:
    """F1 of every class of ``truth``: ``2 tp / (2 tp + fp + fn)``, sorted by name.

    >>> f1_per_class(["a", "a", "b"], ["a", "b", "b"])
    {'a': 0.6666666666666666, 'b': 0.6666666666666666}
    """
    figures = {}
    for name in sorted(set(truth)):
        pairs = list(zip(truth, predicted, strict=True))
        hits = sum(label == name == guess for label, guess in pairs)
        wrong = sum((label == name) != (guess == name) for label, guess in pairs)
        figures[name] = 2 * hits / (2 * hits + wrong)
    return figures


def confusion(truth: Sequence[str], predicted: Sequence[str]) -> dict[str, dict[str, int]]:
    """Counts by true class, then predicted class; both sorted, absent pairs left out."""
    counts = Counter(zip(truth, predicted, strict=True))
    table: dict[str, dict[str, int]] = {}
    for (label, guess), n in sorted(counts.items()):
        table.setdefault(label, {})[guess] = n
    return table


def calibration_bins(values: NDArray[np.float64], most: int = 10) -> NDArray[np.intp]:
    """Where the bins of ascending values start, and behind the last its end: of equal count, equal values together.

    Bins of equal count are steadier than bins of equal width on few rows (Nguyen and O'Connor 2015). There are at
    most ``most``, and no more than leave ten rows in each.
    """
    n = len(values)
    count = max(1, min(most, n // 10))
    cuts = np.searchsorted(values, values[np.arange(1, count) * n // count])
    return np.unique(np.concatenate([[0], cuts, [n]])).astype(np.intp)


def expected_calibration_error(
    confidence: Sequence[float] | NDArray[np.float64],
    correct: Sequence[bool] | NDArray[np.float64],
    bins: int = 10,
) -> float | None:
    """Mean distance of confidence from accuracy over ``calibration_bins``, weighted by their size; in [0, 1].

    ``None`` without rows.

    >>> expected_calibration_error([1.0, 1.0], [True, False])
    0.5
    """
    if not len(confidence):
        return None
    values = np.asarray(confidence, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    gaps = values[order] - np.asarray(correct, dtype=np.float64)[order]
    starts = calibration_bins(values[order], bins)[:-1]
    return float(np.abs(np.add.reduceat(gaps, starts)).sum() / len(values))
