"""The temperature of the three classes."""

import numpy as np

from training.calibrate import calibration


def test_a_head_for_relevance_does_not_move_the_temperature() -> None:
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 3, 600)
    logits = rng.normal(size=(600, 3)).astype(np.float32)
    logits[np.arange(600), labels] += 2.0
    relevance = np.full((600, 1), 9.0, dtype=np.float32)
    assert calibration(np.hstack([logits, relevance]), labels) == calibration(logits, labels)
