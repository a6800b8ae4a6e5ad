"""A sample of the hostile answers, and of the true ones in the same clothes, stays as it was measured."""

from __future__ import annotations

from benchmarks.trust.hostile import FILES, Outcome, answers_of, checked

EVERY = 15
MOST_PASSED, MOST_PASSED_STRICTLY, MOST_REFUSED = 0.40, 0.20, 0.20
"""Bounds somewhat above the shares that ``python -m benchmarks.trust.hostile`` prints."""


def test_hostile_answers_are_refused_and_true_ones_are_not() -> None:
    answers = [one for path in FILES for one in answers_of(path)[::EVERY]]
    outcomes = list(checked(answers))
    hostile = [one for one in outcomes if not one.answer.is_true]
    true = [one for one in outcomes if one.answer.is_true]
    assert len(hostile) > 35
    assert len(true) > 10
    assert _share(hostile, [one for one in hostile if one.approved]) <= MOST_PASSED
    assert _share(hostile, [one for one in hostile if one.approved_strictly]) <= MOST_PASSED_STRICTLY
    assert _share(true, [one for one in true if not one.approved]) <= MOST_REFUSED


def _share(all_: list[Outcome], some: list[Outcome]) -> float:
    return len(some) / len(all_)
