"""Denials that both texts have, that only one has, that another word cancels; ``whether or not`` denies nothing."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import TextPair


def features_of(premise: str, claim: str) -> dict[str, float]:
    [score] = NegationSignal().score([TextPair(premise, claim)])
    return dict(score.features)


def denial(premise: str, claim: str) -> float:
    return features_of(premise, claim)["denial"]


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The ferry does not run on Sundays.", "No ferry runs on Sundays."),
        ("There is no shower on the upper deck.", "The upper deck is without a shower."),
        ("Smoking is prohibited on the terrace.", "Nobody may smoke on the terrace."),
        ("None of the bolts was loose.", "Not a single bolt was loose."),
        ("The choir has never sung abroad.", "The choir has not sung in another country."),
        ("The guild never admitted Mara Veil.", "It is not true that the guild admitted Mara Veil."),
    ],
)
def test_what_both_texts_deny_is_a_denial_that_is_borne_out(premise: str, claim: str) -> None:
    assert denial(premise, claim) == 1.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The ferry runs on Sundays.", "The ferry does not run on Sundays."),
        ("The ferry does not run on Sundays.", "The ferry runs on Sundays."),
        ("The cook was ill. No bicycle may be left in the yard.", "The ferry does not run on Sundays."),
        ("The upper deck has a shower.", "The upper deck is without a shower."),
        ("Members sing every week.", "The choir has not sung abroad."),
        ("The guild never admitted Mara Veil.", "It is not true that the guild shut its doors to Mara Veil."),
        ("The bank did not lend Orlow money.", "It is not the case that the bank turned Orlow's mayor away."),
    ],
)
def test_a_denial_of_one_text_or_of_something_else_is_not(premise: str, claim: str) -> None:
    assert denial(premise, claim) == 0.0


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
    assert denial(premise, claim) == shared


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
