"""The promised error: kept as often as promised, refused where it cannot be kept, and sound at its edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.measure.bounds import (
    NEVER,
    Threshold,
    certify,
    certify_share,
    labels_needed,
    rows_needed,
    smallest_target,
    upper_bound,
)

SCORED = st.lists(
    st.tuples(st.sampled_from([NEVER, 0.1, 0.4, 0.5, 0.8, 0.9, 1.0]), st.booleans()), max_size=80
)


def _world(seed: int, n: int, sharpness: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores in (0, 1), and errors that become rarer as they rise: wrong with a chance of (1 - score) ** sharpness."""
    random = np.random.default_rng(seed)
    scores = random.random(n)
    return scores, random.random(n) < (1 - scores) ** sharpness


def _true_error(above: float, sharpness: float) -> float:
    """Mean of (1 - s) ** sharpness over s in (above, 1)."""
    return (1 - max(above, 0.0)) ** sharpness / (sharpness + 1)


@pytest.mark.parametrize("n", [60, 200, 600])
@pytest.mark.parametrize(("target", "sharpness"), [(0.05, 2.0), (0.1, 1.0), (0.2, 1.0), (0.3, 0.5)])
def test_the_promise_is_broken_no_more_often_than_the_confidence_allows(
    n: int, target: float, sharpness: float
) -> None:
    worlds = 300
    broken = 0
    for seed in range(worlds):
        found = certify(*_world(seed, n, sharpness), target=target, confidence=0.9)
        broken += found is not None and _true_error(found.above, sharpness) > target
    # 10 % of 300 may break; 47 or more would happen by chance once in a thousand times.
    assert broken <= 46


@pytest.mark.parametrize("levels", [2, 5, 20])
def test_the_promise_is_kept_for_scores_that_take_few_values(levels: int) -> None:
    target, broken = 0.2, 0
    centres = (np.arange(levels) + 0.5) / levels
    for seed in range(300):
        random = np.random.default_rng(seed)
        scores = random.choice(centres, 150)
        found = certify(scores, random.random(150) < 1 - scores, target=target, confidence=0.9)
        broken += found is not None and float(1 - centres[centres > found.above].mean()) > target
    assert broken <= 46


def test_the_bound_itself_holds_in_the_stated_share_of_samples() -> None:
    random = np.random.default_rng(0)
    for chance in (0.01, 0.1, 0.5):
        seen = random.binomial(80, chance, 300)
        held = np.mean([upper_bound(int(wrong), 80, confidence=0.9) >= chance for wrong in seen])
        assert held >= 0.86


def test_a_sure_and_right_sample_is_accepted_whole() -> None:
    scores = np.linspace(0.2, 0.9, 300)
    assert certify(scores, np.zeros(300, dtype=bool), target=0.01, confidence=0.9) == Threshold(NEVER, 300, 0)


def test_one_wrong_label_at_the_top_does_not_end_it_where_rows_abound() -> None:
    scores, wrong = np.linspace(1, 0, 400), np.zeros(400, dtype=bool)
    wrong[0] = True
    found = certify(scores, wrong, target=0.1, confidence=0.9)
    assert found is not None
    assert (found.accepted, found.wrong) == (400, 1)


@pytest.mark.parametrize(
    ("scores", "wrong"),
    [
        ([], []),
        ([0.9] * 200, [True] * 200),
        ([NEVER] * 200, [False] * 200),
        ([0.9, 0.8, 0.7], [False] * 3),
    ],
    ids=["empty", "all wrong", "none may be accepted", "too few"],
)
def test_where_nothing_can_be_promised_there_is_no_threshold(scores: list[float], wrong: list[bool]) -> None:
    assert certify(scores, wrong, target=0.1, confidence=0.9) is None


def test_fewer_than_230_accepted_claims_never_prove_one_percent() -> None:
    assert certify(np.ones(229), np.zeros(229, dtype=bool), target=0.01, confidence=0.9) is None
    assert certify(np.ones(230), np.zeros(230, dtype=bool), target=0.01, confidence=0.9) is not None


@given(SCORED, st.sampled_from([0.05, 0.1, 0.2, 0.4, 0.7]))
def test_what_is_promised_is_shown_by_the_claims_accepted(
    rows: list[tuple[float, bool]], target: float
) -> None:
    scores, wrong = [score for score, _ in rows], [flag for _, flag in rows]
    found = certify(scores, wrong, target=target, confidence=0.8)
    if found is not None:
        accepted = [flag for score, flag in rows if score > found.above]
        assert (found.accepted, found.wrong) == (len(accepted), sum(accepted))
        assert upper_bound(found.wrong, found.accepted, confidence=0.8) <= target + 1e-9
        assert found.above in {*scores, NEVER}


@given(st.permutations(range(60)))
def test_the_order_of_rows_without_ties_changes_nothing(order: list[int]) -> None:
    scores, wrong = _world(3, 60, 2.0)
    found = certify(scores, wrong, target=0.3, confidence=0.9)
    assert found is not None
    assert certify(scores[order], wrong[order], target=0.3, confidence=0.9) == found


def test_a_larger_target_and_a_lower_confidence_ask_for_fewer_rows() -> None:
    needed = [rows_needed(2, target=target, confidence=0.9) for target in (0.01, 0.02, 0.05, 0.1, 0.3)]
    assert needed == sorted(needed, reverse=True)
    sure = [rows_needed(2, target=0.05, confidence=confidence) for confidence in (0.5, 0.8, 0.9, 0.99)]
    assert sure == sorted(sure)
    errors = [rows_needed(wrong, target=0.05, confidence=0.9) for wrong in range(10)]
    assert errors == sorted(set(errors))


def test_on_average_a_larger_target_accepts_more() -> None:
    def mean_accepted(target: float) -> float:
        found = (certify(*_world(seed, 300, 1.0), target=target, confidence=0.9) for seed in range(60))
        return float(np.mean([item.accepted if item else 0 for item in found]))

    accepted = [mean_accepted(target) for target in (0.05, 0.1, 0.2, 0.3, 0.45)]
    assert accepted == sorted(accepted)


def test_the_smallest_target_can_be_promised_and_none_of_those_below_it() -> None:
    scores, wrong = _world(1, 120, 2.0)
    best = smallest_target(scores, wrong, confidence=0.9)
    assert best is not None
    assert certify(scores, wrong, target=best, confidence=0.9) is not None
    for smaller in (best * 0.9, best / 2):
        assert certify(scores, wrong, target=smaller, confidence=0.9) is None
    assert smallest_target([0.5] * 60, [True] * 60, confidence=0.9) is None


def test_the_labels_needed_are_those_that_bring_enough_accepted_claims() -> None:
    scores = np.array([0.9] * 25 + [NEVER] * 25)
    assert 460 <= (labels_needed(scores, np.zeros(50, dtype=bool), target=0.01, confidence=0.9) or 0) <= 470
    assert labels_needed(scores, np.ones(50, dtype=bool), target=0.01, confidence=0.9) is None


def test_a_wrong_label_among_the_surest_takes_more_labels_the_smaller_the_target_is() -> None:
    """With few labels one such ends the sequence of tests, however well the others would do."""
    scores, wrong = np.linspace(1, 0, 53), np.zeros(53, dtype=bool)
    wrong[[3, *range(30, 53)]] = True
    needed = {}
    for target in (0.1, 0.15, 0.2):
        assert certify(scores, wrong, target=target, confidence=0.9) is None
        needed[target] = labels_needed(scores, wrong, target=target, confidence=0.9) or 0
    assert sorted(needed.values(), reverse=True) == list(needed.values())
    assert needed[0.15] > needed[0.2] > 54


def test_a_floor_raises_the_threshold_and_may_leave_too_few() -> None:
    scores, wrong = np.linspace(1, 0, 101), np.zeros(101, dtype=bool)
    found = certify(scores, wrong, target=0.1, confidence=0.9, floor=0.7)
    assert found is not None
    assert (found.above, found.accepted) == (0.7, int((scores > 0.7).sum()))
    assert certify(scores, wrong, target=0.1, confidence=0.9, floor=0.9) is None
    assert (smallest_target(scores, wrong, confidence=0.9, floor=0.9) or 0) > 0.1


@pytest.mark.parametrize(
    ("scores", "wrong", "target", "confidence", "message"),
    [
        ([float("nan")], [True], 0.1, 0.9, "NaN"),
        ([0.5, 0.6], [True], 0.1, 0.9, "both must be"),
        ([0.5], [True], 0.0, 0.9, "target"),
        ([0.5], [True], 0.1, 1.0, "confidence"),
    ],
)
def test_what_makes_no_sense_is_refused(
    scores: list[float], wrong: list[bool], target: float, confidence: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        certify(scores, wrong, target=target, confidence=confidence)


@pytest.mark.parametrize("n", [60, 400])
def test_the_share_of_a_kind_is_kept_as_often_as_the_confidence_says(n: int) -> None:
    broken = 0
    for seed in range(200):
        scores = np.random.default_rng(seed).random(n)
        threshold = certify_share(scores, target=0.1, confidence=0.9)
        broken += threshold is not None and 1 - threshold.above > 0.1
    assert broken <= 200 * 0.1 + 3 * np.sqrt(200 * 0.1 * 0.9)


def test_too_few_claims_of_a_kind_prove_no_share() -> None:
    assert certify_share([NEVER] * 20, target=0.1, confidence=0.9) is None
    assert certify_share([NEVER] * 22, target=0.1, confidence=0.9) == Threshold(NEVER, 0, 0)
