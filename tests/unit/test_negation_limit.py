"""Conditions and limits that a claim overrides, against those that it keeps."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "It is extended to five years if the boiler is registered.",
            "The cover lasts five years whether or not the boiler is registered.",
        ),
        (
            "Line: 4; From: Quay; Remark: suspended when gusts exceed 80 km/h",
            "Line 4 leaves the Quay however strong the gusts are.",
        ),
        (
            "Damages are limited to the price; the limit does not apply to fraud.",
            "Damages are limited to the price in each and every case, fraud included.",
        ),
        (
            "Fund: Elm; Exit fee: 2%; Remark: exit fee waived after five years",
            "Elm charges its exit fee regardless of how long one stays.",
        ),
        (
            "Item: Phone; Paid: 20 EUR, if it is used at work",
            "A phone is paid with 20 EUR whether it is used at work or not.",
        ),
    ],
)
def test_a_limit_that_the_claim_overrides_clashes(premise: str, claim: str) -> None:
    assert "condition" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "It is extended to five years if the boiler is registered.",
            "The cover lasts five years if the boiler is registered.",
        ),
        ("Line: 4; From: Quay; Remark: suspended when gusts exceed 80 km/h", "Line 4 leaves the Quay."),
        (
            "Damages are limited to the price; the limit does not apply to fraud.",
            "The limit on damages does not apply to fraud.",
        ),
        (
            "Fund: Elm; Exit fee: 2%; Remark: exit fee waived after five years",
            "Ash always charges a deposit.",
        ),
        ("Water costs 3 EUR a bottle, unless it is from the tap.", "The ferry always leaves at noon."),
    ],
)
def test_a_limit_that_is_kept_or_of_something_else_does_not(premise: str, claim: str) -> None:
    assert "condition" not in features(premise, claim)


@pytest.mark.parametrize("premise", ["Delivery is free from 40 euros.", "Delivery is free from Monday on."])
def test_free_from_a_sum_or_a_day_on_is_no_denial(premise: str) -> None:
    assert features(premise, "Delivery is never free.") == {"polarity"}
    assert not features(premise, "Delivery is free.")


DOGS = "Assistance dogs may go everywhere except the operating theatres and the isolation rooms."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "broken"),
    [
        (DOGS, "Assistance dogs may go into the operating theatres.", True),
        (DOGS, "The operating theatres are among the places that an assistance dog may not enter.", False),
        (DOGS, "Assistance dogs may go into the library.", False),
        (
            "The crest is open all year, except when the wind exceeds 75 km/h.",
            "The crest is always open.",
            True,
        ),
        (
            "The crest is open all year, except when the wind exceeds 75 km/h.",
            "The crest is never closed to walkers unless the wind is above 75 km/h.",
            False,
        ),
        (
            "Clean the filter every two weeks, or weekly if there are pets in the home.",
            "If you keep pets, the filter needs cleaning every week.",
            False,
        ),
    ],
)
def test_one_of_several_exceptions_is_enough_and_how_often_claims_no_case(
    premise: str, hypothesis: str, broken: bool
) -> None:
    assert bool(features(premise, hypothesis) & {"condition", "polarity"}) is broken
