"""What the window that speaks best says beyond the claim, and the claim beyond it."""

from __future__ import annotations

import pytest

from signals.traceability import TraceabilitySignal
from verifier.types import Claim
from verifier.verification.features import FEATURES, IN_FAVOUR, SIGNAL_OF
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.summary import summarise
from verifier.verification.surplus import SURPLUS, surplus

CLAIM = "The mill has two wheels."


def test_a_text_has_nothing_beyond_itself() -> None:
    assert surplus(CLAIM, CLAIM) == dict.fromkeys(SURPLUS, 0.0)


@pytest.mark.parametrize(
    ("feature", "claim", "premise"),
    [
        ("values_more", CLAIM, "The mill has two wheels and 14 stones, and grinds 3 tonnes a day."),
        ("denies_more", CLAIM, "The mill has two wheels and no longer grinds."),
        ("turns", CLAIM, "The mill had two wheels, but one was taken away."),
        ("compares_alone", "The mill has more wheels than the forge.", "The mill has two wheels."),
    ],
)
def test_each_feature_tells_its_own_surplus(feature: str, claim: str, premise: str) -> None:
    assert surplus(claim, premise)[feature] > 0
    assert surplus(premise, premise)[feature] == 0


def test_the_longer_the_window_the_more_and_never_more_than_all() -> None:
    grown = [
        surplus(CLAIM, CLAIM + " It stands by the river." * times)["longer"] for times in (0, 1, 5, 50, 500)
    ]
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (0.0, 1.0)
    assert surplus(CLAIM + " It stands by the river.", CLAIM)["longer"] == 0.0


@pytest.mark.parametrize("premise", ["", "—", "²½ ∞", "but " * 3])
def test_odd_texts_keep_every_feature_in_range(premise: str) -> None:
    for given in ((CLAIM, premise), (premise, CLAIM)):
        assert all(0.0 <= value <= 1.0 for value in surplus(*given).values())


def test_features_of_a_signal_that_is_off_say_nothing() -> None:
    scorer = VerifiedScorer(
        GivenTexts.of("The mill had two wheels, but not for long; 9 stones lay there."),
        [TraceabilitySignal()],
    )
    [read] = scorer.examine([Claim(CLAIM, 0, len(CLAIM))])
    features = summarise(read, same_thing=0.9).features
    assert features["longer"] > 0
    assert not any(features[name] for name, signal in SURPLUS.items() if signal != "traceability")


def test_every_one_is_weighed_and_may_only_lower_support() -> None:
    assert set(SURPLUS) <= set(FEATURES)
    assert not set(SURPLUS) & IN_FAVOUR
    assert all(SIGNAL_OF[name] == signal for name, signal in SURPLUS.items())
