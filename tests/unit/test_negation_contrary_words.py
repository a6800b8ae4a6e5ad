"""A sentence that is repeated but for a word that turns it round."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import Outcome, TextPair


def _features(premise: str, claim: str) -> set[str]:
    [score] = NegationSignal().score([TextPair(premise, claim)])
    return {
        name for name, value in score.features.items() if value >= 1.0 and name in ("polarity", "antonym")
    }


@pytest.mark.parametrize(
    ("premise", "claim", "feature"),
    [
        (
            "The lock was rebuilt an hour above the point where it broke.",
            "The lock was rebuilt an hour below the point where it broke.",
            "antonym",
        ),
        (
            "From May on members pay 44 cents, up from 41.",
            "From May on members pay 41 cents, down from 44.",
            "antonym",
        ),
        (
            "The two saws cut equally well, and better than the other three.",
            "The two saws cut equally well, and no better than the other three.",
            "polarity",
        ),
        (
            "The bakery has been open every day since 1960, and made a loss in all years but two.",
            "The bakery has been open every day since 1960, and made a loss in no years but two.",
            "polarity",
        ),
    ],
)
def test_one_turning_word_denies_it(premise: str, claim: str, feature: str) -> None:
    assert feature in _features(premise, claim)
    assert NegationSignal().score([TextPair(premise, claim)])[0].outcome is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The saw is not sold after the first of May.", "The saw is not sold after the first of May."),
        (
            "Returns are accepted unless the seal is broken.",
            "Returns are not accepted if the seal is broken.",
        ),
        ("The Gold card has no fee in the first year.", "The Silver card has a fee in the first year."),
        ("The ferry runs no later than nine in the evening.", "The ferry runs until nine in the evening."),
        ("The hall holds no more than ninety people at once.", "The hall holds up to ninety people at once."),
    ],
)
def test_two_of_them_or_another_thing_do_not(premise: str, claim: str) -> None:
    assert not _features(premise, claim)
