"""The temperature of the three classes."""

import numpy as np
import pytest

from training.calibrate import calibration


def test_a_head_for_relevance_does_not_move_the_temperature() -> None:
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 3, 600)
    logits = rng.normal(size=(600, 3)).astype(np.float32)
    logits[np.arange(600), labels] += 2.0
    relevance = np.full((600, 1), 9.0, dtype=np.float32)
    assert calibration(np.hstack([logits, relevance]), labels) == calibration(logits, labels)


def test_the_error_is_told_with_how_many_pairs_it_was_measured_on() -> None:
    labels = np.tile([0, 1, 2], 67)
    found = calibration(np.eye(3, dtype=np.float32)[labels], labels)
    assert found["pairs"] == 100
    assert {"temperature", "ece", "ece_before"} < found.keys()


def test_an_export_tells_the_temperature_and_what_is_left_of_the_error() -> None:
    pytest.importorskip("torch")
    from training.export import calibration_facts

    found = {"temperature": 1.1, "ece_before": 0.04, "ece": 0.03, "pairs": 500}
    assert calibration_facts(found) == {
        "temperature": 1.1,
        "calibration": {"ece_before": 0.04, "ece": 0.03, "pairs": 500},
    }
    assert calibration_facts({"temperature": 1.1}) == {"temperature": 1.1}
