"""The figures of the soak and of the mutants: slopes that are there are found, others not; what counts as caught."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.trust.mutation import Mutant, changed_lines
from benchmarks.trust.soak import LIMIT, slope


@pytest.mark.parametrize("grows", [0.0, 30.0, 200.0])
def test_the_slope_is_found_within_its_error(grows: float) -> None:
    rng = Random(1)
    samples = [(float(second), 400 + grows * second / 3600 + rng.uniform(-1, 1)) for second in range(900)]
    found, error = slope(samples)
    assert abs(found - grows) <= 3 * error
    assert error < LIMIT


def test_steps_that_come_and_go_are_no_slope() -> None:
    samples = [(float(second), 400 + 5 * (second // 60 % 2)) for second in range(900)]
    found, error = slope(samples)
    assert found - 2 * error <= LIMIT


def test_a_survivor_is_one_line_and_a_killed_or_hanging_mutant_counts_as_caught() -> None:
    shown = "# m: survived\n--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
    assert changed_lines(shown) == "- return 1 + return 2"
    states = ("killed", "timeout", "survived", "no tests", "suspicious")
    assert [Mutant("m", state).caught for state in states] == [True, True, False, False, False]
