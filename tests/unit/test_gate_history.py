"""The gate's record: what is counted, what is learnt from it, and that no text is in it."""

import numpy as np
import pytest

from verifier.core.errors import ConfigError
from verifier.guard.gate.history import Decision, GateHistory
from verifier.guard.gate.plot import histogram_svg
from verifier.guard.gate.stats import gate_stats
from verifier.measure.gate import MIN_JUDGED, JudgedAnswer, learn_gate


def decision(number, **values):
    given = {
        "execution_id": str(number),
        "at": float(number),
        "kind": "informational",
        "status": "accepted",
        "threshold": 0.75,
        "confidence": 0.8,
        "attempts": 1,
        "duration": 0.1,
        "components": {"rules": 0.5, "llm": 0.9},
    }
    return Decision(**{**given, **values})


def test_rates_are_counted_in_all_and_by_kind():
    found = gate_stats(
        [
            decision(1),
            decision(2, attempts=3, confidence=1.0, good=True),
            decision(3, attempts=5, status="fallback", confidence=0.4, good=False),
            decision(4, attempts=1, status="failed", confidence=None, kind="unclear"),
        ]
    )
    assert found.decisions == 4
    assert found.average_confidence == pytest.approx(2.2 / 3)
    assert (found.histogram[4], found.histogram[8], found.histogram[9], found.unrated) == (1, 1, 1, 1)
    assert (found.retry_rate, found.accepted_after_retry, found.fallback_rate) == (0.5, 0.5, 0.5)
    assert (found.judged, found.approval) == (2, 0.5)
    assert found.by_kind["unclear"].fallback_rate == 1
    assert found.by_kind["unclear"].accepted_after_retry is None


def test_no_decisions_give_no_rates():
    found = gate_stats([])
    assert found.average_confidence is found.retry_rate is found.shadow is None
    assert "</svg>" in histogram_svg(found)


def test_a_shadow_threshold_is_compared_decision_by_decision():
    found = gate_stats(
        [
            decision(1, shadow_threshold=0.6, shadow_accepted_on=1),
            decision(2, attempts=3, shadow_threshold=0.6, shadow_accepted_on=2),
            decision(3, attempts=5, status="fallback", shadow_threshold=0.6, shadow_accepted_on=5),
            decision(4, attempts=5, status="fallback", shadow_threshold=0.6),
            decision(5, shadow_threshold=0.9),
            decision(6),
        ]
    ).shadow
    assert (found.decisions, found.same, found.accepted_earlier, found.not_accepted) == (5, 2, 2, 1)


def test_feedback_needs_its_decision_and_a_file_that_is_a_history(tmp_path):
    with pytest.raises(ConfigError, match="no history"):
        GateHistory(tmp_path / "none.sqlite").decisions()
    (tmp_path / "text.sqlite").write_text("no database at all, but long enough to look at. " * 40)
    with pytest.raises(ConfigError, match="cannot use"):
        GateHistory(tmp_path / "text.sqlite").decisions()


def judged(n, seed=0):
    """Answers whose groundedness tells whether they are good, while the length of a model's praise does not."""
    draw = np.random.default_rng(seed)
    good = draw.random(n) < 0.5
    return [
        JudgedAnswer(
            {
                "groundedness": float(np.clip(0.3 + 0.5 * one + 0.1 * draw.normal(), 0, 1)),
                "llm": draw.random(),
            },
            bool(one),
        )
        for one in good
    ]


def test_weights_go_to_the_part_that_tells_good_answers():
    found = learn_gate(judged(400), target_error=0.1, confidence=0.9)
    assert sum(found.weights.values()) == pytest.approx(1)
    assert found.weights["groundedness"] > 0.8
    assert found.auroc > 0.95
    assert found.error_bound <= 0.1
    fresh = judged(2000, seed=1)
    scores = [sum(found.weights[name] * value for name, value in one.components.items()) for one in fresh]
    accepted = [one.good for one, score in zip(fresh, scores, strict=True) if score >= found.threshold]
    assert 1 - sum(accepted) / len(accepted) < 0.1


def test_a_target_that_cannot_be_proven_gives_weights_and_no_threshold():
    found = learn_gate(judged(40), target_error=0.001, confidence=0.99)
    assert found.threshold is None
    assert found.error_bound is None


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (judged(MIN_JUDGED - 1), "at least"),
        ([JudgedAnswer({"llm": 0.5}, True)] * 50, "alike"),
        ([*judged(40), JudgedAnswer({"llm": 0.5}, True)], "different components"),
    ],
)
def test_what_cannot_be_learnt_is_refused(answers, message):
    with pytest.raises(ValueError, match=message):
        learn_gate(answers, target_error=0.1, confidence=0.9)


def test_a_history_is_made_for_its_owner_alone_and_one_that_is_there_stays_as_it_is(tmp_path):
    new, shared = tmp_path / "new.sqlite", tmp_path / "shared.sqlite"
    shared.touch(0o640)
    for path in (new, shared):
        with GateHistory(path)._open():
            pass
    assert [path.stat().st_mode & 0o777 for path in (new, shared)] == [0o600, 0o640]
