"""Denials that another word cancels, and ``whether or not``, which denies nothing."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import TextPair


def features_of(premise: str, claim: str) -> dict[str, float]:
    [score] = NegationSignal().score([TextPair(premise, claim)])
    return dict(score.features)


@pytest.mark.parametrize(
    ("premise", "claim", "shared"),
    [
        ("Stock held for sale is not insured.", "Stock held for sale is not insured by the policy.", 1.0),
        ("Stock held for sale is not insured.", "Stock held for sale is not excluded.", 0.0),
        ("Stock held for sale is not excluded.", "Stock held for sale is not excluded from cover.", 1.0),
        (
            "Do not take Ordavine if you are allergic to soya.",
            "Being allergic to soya is no reason not to take Ordavine.",
            0.0,
        ),
        (
            "His group would not support the freeze of charges.",
            "The group does not refuse to support the freeze of charges.",
            0.0,
        ),
    ],
)
def test_a_denial_is_shared_only_by_one_that_stands(premise: str, claim: str, shared: float) -> None:
    assert features_of(premise, claim)["denial"] == shared


@pytest.mark.parametrize(
    "claim",
    [
        "A book from Dunmarrow Library can be renewed twice, whether or not somebody else has reserved it.",
        "Any tenant may renew a loan twice, whether or not another reader has reserved the item.",
    ],
)
def test_whether_or_not_is_no_denial_and_breaks_a_condition(claim: str) -> None:
    rule = "A loan can be renewed twice, unless another reader has reserved the item."
    found = features_of(f"Dunmarrow Library: borrowing rules. {rule}", claim)
    assert (found["condition"] >= 0.9, found["denial"]) == (True, 0.0)


def test_a_light_verb_is_denied_too() -> None:
    assert (
        features_of("Both cones came through the fire.", "The cones did not come through the fire.")[
            "polarity"
        ]
        == 1.0
    )
    assert (
        features_of("Both cones came through the fire.", "The cones came through the fire.")["polarity"]
        == 0.0
    )
