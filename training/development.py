"""Balanced accuracy and AUROC of each development set, from token ids and a model's logits.

A hypothesis is read claim by claim, a long premise in windows, as :mod:`benchmarks.evaluation` and a verification read
them. Texts are tokenized and cut beforehand (:mod:`training.windows`); this module only handles arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.tokens import TokenizedPairs
from verifier.measure.metrics import auroc, balanced_accuracy, best_threshold

__all__ = ["DevelopmentSets", "figures_of"]


@dataclass(frozen=True)
class DevelopmentSets:
    """Rows of several sets, each of one or more claims, each read in no, one or more windows."""

    windows: TokenizedPairs
    claim_of: NDArray[np.int64]
    """The claim of each window."""
    row_of: NDArray[np.int64]
    """The row of each claim."""
    set_of: NDArray[np.int64]
    """The set of each row, a position in ``names``."""
    supported: NDArray[np.bool_]
    """Whether the label of each row says that the premise bears it out."""
    names: Sequence[str]
    real: Sequence[str]
    """Those of the sets that the threshold is fixed on."""

    def scores(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        """Support of each row, in [0, 1]: the least supported claim's, by the window that entails it most.

        A claim that was too long to be read has no window, and no support.
        """
        shares = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        claims = np.zeros(len(self.row_of))
        np.maximum.at(claims, self.claim_of, shares[:, 0] / shares.sum(axis=1))
        rows = np.ones(len(self.supported))
        np.minimum.at(rows, self.row_of, claims)
        return rows


def figures_of(sets: DevelopmentSets, logits: NDArray[np.float32]) -> dict[str, Any]:
    """The threshold, ``balanced_accuracy`` and ``auroc`` of each set, and the mean of the former over the real sets.

    The threshold is fixed on every other row of the real sets, the figures are of the rows in between.
    """
    scores = sets.scores(logits)
    rows = {name: np.flatnonzero(sets.set_of == number) for number, name in enumerate(sets.names)}
    tuned_on = [name for name in sets.names if name in sets.real] or list(sets.names)
    parts = [(sets.supported[rows[name][::2]], scores[rows[name][::2]]) for name in tuned_on]
    threshold = best_threshold([(truth.tolist(), found.tolist()) for truth, found in parts])
    table = {
        name: _of_set(sets.supported[own[1::2]], scores[own[1::2]], threshold) for name, own in rows.items()
    }
    known = [found for name in tuned_on if (found := table[name]["balanced_accuracy"]) is not None]
    return {
        "threshold": round(threshold, 4),
        "mean": round(float(np.mean(known)), 4) if known else None,
        "sets": table,
    }


def _of_set(
    supported: NDArray[np.bool_], scores: NDArray[np.float64], threshold: float
) -> Mapping[str, float | None]:
    truth = supported.tolist()
    found = {
        "balanced_accuracy": balanced_accuracy(truth, (scores >= threshold).tolist()),
        "auroc": auroc(truth, scores.tolist()),
    }
    return {name: None if value is None else round(value, 4) for name, value in found.items()}
