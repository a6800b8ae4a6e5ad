"""The binomial figures against scipy's, and Platt's line against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression

from verifier.measure.bounds import binomial_cdf, rows_needed, upper_bound
from verifier.measure.fit import fit_platt, sigmoid

CASES = [
    (0, 1, 0.5),
    (0, 230, 0.01),
    (3, 50, 0.1),
    (40, 50, 0.9),
    (50, 50, 0.2),
    (180, 1000, 0.2),
    (2, 5000, 0.001),
]


@pytest.mark.parametrize(("wrong", "trials", "chance"), CASES)
def test_the_distribution_function_is_scipys(wrong: int, trials: int, chance: float) -> None:
    assert binomial_cdf(wrong, trials, chance) == pytest.approx(
        stats.binom.cdf(wrong, trials, chance), rel=1e-9
    )


@pytest.mark.parametrize(
    ("wrong", "trials"), [(0, 1), (0, 230), (1, 388), (7, 40), (39, 40), (40, 40), (0, 0)]
)
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_the_upper_bound_is_the_quantile_of_the_beta_distribution(
    wrong: int, trials: int, confidence: float
) -> None:
    expected = 1.0 if wrong == trials else stats.beta.ppf(confidence, wrong + 1, trials - wrong)
    assert upper_bound(wrong, trials, confidence=confidence) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("wrong", [0, 1, 5, 30])
@pytest.mark.parametrize("target", [0.01, 0.1, 0.5, 0.9])
def test_the_rows_needed_are_the_fewest_that_pass(wrong: int, target: float) -> None:
    needed = rows_needed(wrong, target=target, confidence=0.9)
    assert stats.binom.cdf(wrong, needed, target) <= 0.1 + 1e-12
    assert stats.binom.cdf(wrong, needed - 1, target) > 0.1


def _odds(seed: int, n: int, slope: float, offset: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    odds = random.normal(0, 2, n)
    return odds, random.random(n) < sigmoid(slope * odds + offset)


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.4, 1.0), (2.5, -2.0)])
def test_with_a_faint_prior_the_line_is_scikit_learns(slope: float, offset: float) -> None:
    odds, happened = _odds(0, 500, slope, offset)
    free = LogisticRegression(C=1e9, tol=1e-10, max_iter=1000).fit(odds[:, None], happened)
    found = fit_platt(odds, happened, prior=1e-9)
    assert found == pytest.approx((free.coef_[0, 0], free.intercept_[0]), abs=1e-4)


def test_few_rows_leave_the_line_near_where_it_was_and_none_leave_it_there() -> None:
    slope, offset = fit_platt(np.array([4.0, 5.0]), np.array([False, True]))
    assert abs(slope - 1) + abs(offset) < 1.5
    assert fit_platt(np.array([]), np.array([], dtype=bool)) == (1.0, 0.0)


def test_labels_that_contradict_the_order_flatten_the_line_and_never_turn_it() -> None:
    odds = np.linspace(-3, 3, 200)
    slope, offset = fit_platt(odds, odds < 0)
    assert slope == 0.05
    assert abs(offset) < 0.1


def test_labels_of_one_kind_and_extreme_odds_have_a_finite_line() -> None:
    for happened in (np.ones(80, dtype=bool), np.zeros(80, dtype=bool)):
        assert np.isfinite(fit_platt(np.linspace(-600, 600, 80), happened)).all()
