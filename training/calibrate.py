"""Fit the temperature that turns logits into probabilities, on held-back pairs, and measure the error left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from verifier.measure.metrics import expected_calibration_error

__all__ = ["calibration", "fit_temperature"]


def fit_temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The temperature with the least loss on held-back pairs (Guo et al. 2017), from a grid of ratios of 1.02."""
    grid = 1.02 ** np.arange(-60, 90)
    return float(grid[int(np.argmin([_loss(logits / t, labels) for t in grid]))])


def _loss(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = shares / shares.sum(axis=1, keepdims=True)
    binary = labels == 3
    own = np.where(binary, 1.0 - shares[:, 0], shares[np.arange(len(labels)), np.where(binary, 0, labels)])
    return float(-np.log(np.clip(own, 1e-9, None)).mean())


def calibration(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, float]:
    """The temperature, fitted on the odd rows, and the calibration error of entailment on the even ones.

    ``pairs`` says how many these are. Of ``logits`` the first three columns count: a fourth is relevance, and no class.
    """
    logits = logits[:, :3]
    temperature = fit_temperature(logits[::2], labels[::2])
    found = {"temperature": round(temperature, 4)}
    kept, truth = logits[1::2], labels[1::2] == 0
    for name, divisor in (("ece_before", 1.0), ("ece", temperature)):
        shares = np.exp((kept - kept.max(axis=1, keepdims=True)) / divisor)
        entailment = shares[:, 0] / shares.sum(axis=1)
        sure = np.maximum(entailment, 1.0 - entailment)
        right = (entailment >= 0.5) == truth
        found[name] = round(float(expected_calibration_error(sure.tolist(), right.tolist()) or 0.0), 4)
    return found | {"pairs": len(kept)}
