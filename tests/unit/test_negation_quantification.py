"""All, none, most and some: of the same things, of others, and of one of them."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The Starter plan has no phone support.", "Every plan has phone support."),
        ("The corner room has no balcony.", "All rooms have a balcony."),
        ("The night ferry does not carry bicycles.", "All ferries carry bicycles."),
        ("The Gold card includes insurance.", "None of the cards includes insurance."),
        ("The Dunley meadow gained area.", "Every meadow lost area."),
    ],
)
def test_one_of_them_speaks_against_all_or_none(premise: str, claim: str) -> None:
    assert features(premise, claim) & {"polarity", "antonym"}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The night bus does not carry bicycles.", "All ferries carry bicycles."),
        ("The night ferry does not carry bicycles.", "All ferries carry cars."),
        ("The Starter plan has phone support.", "Every plan has phone support."),
        ("The Gold card excludes insurance.", "None of the cards includes insurance."),
        ("The Starter plan has no phone support.", "The Business plan has phone support."),
    ],
)
def test_another_thing_or_one_that_agrees_does_not(premise: str, claim: str) -> None:
    assert not features(premise, claim) & {"polarity", "antonym"}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Of 52 pumps, all had been tested within the past year except three.",
            "Each of the pumps had been tested.",
        ),
        (
            "Lichens were seen on small stones, some of them grey.",
            "Lichens were seen on small stones, all of them grey.",
        ),
        ("Every window was replaced except the one in the loft.", "Every window was replaced."),
        ("All but two of the boats were insured.", "All of the boats were insured."),
        ("Some of the boats were insured.", "None of the boats was insured."),
    ],
)
def test_other_quantities_of_the_same_things_clash(premise: str, claim: str) -> None:
    assert "quantifier" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Most of them stood within ten metres of the wall.",
            "Most trees were no further than ten metres from the wall.",
        ),
        ("Every room has a desk but the lamps are old.", "Every room has a desk."),
        (
            "Some of the crew were recruits; none of them spoke Dutch.",
            "At least a few of the crew were recruits.",
        ),
        (
            "Every window was replaced except the one in the loft.",
            "Every window except the one in the loft was replaced.",
        ),
        ("Most requests came from pupils, and some of them had an error.", "Most requests came from pupils."),
    ],
)
def test_quantities_of_other_things_do_not(premise: str, claim: str) -> None:
    assert "quantifier" not in features(premise, claim)
