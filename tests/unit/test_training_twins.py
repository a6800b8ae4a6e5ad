"""Twins of entailed claims: one edit, and the label that follows from it."""

from __future__ import annotations

import pytest

from training.data import Pair
from training.twins import twin_pairs

PREMISE = "In 1999 Ann Lee sold nine boats to Bo Tan. The yard did not close before 2004."


def made(claim: str, *, label: str = "entailment", source: str = "written/number") -> set[tuple[str, str]]:
    pair = Pair(PREMISE, claim, label, source)
    return {(twin.label, twin.hypothesis) for seed in range(60) for twin in twin_pairs([pair], 9, seed)}


def test_a_name_of_the_premise_takes_the_place_of_the_one_in_the_claim() -> None:
    assert ("contradiction", "A purchase was made by Ann Lee in that yard.") in made(
        "A purchase was made by Bo Tan in that yard."
    )


def test_a_claim_is_denied_or_its_figure_changed_and_another_form_of_the_figure_is_entailed() -> None:
    twins = made("The yard was open in 2003 and had sold nine boats.")
    assert ("contradiction", "The yard was not open in 2003 and had sold nine boats.") in twins
    assert (
        "entailment",
        "The yard was open in 2003 and had sold 40 boats.",
    ) not in twins  # only two to twelve are
    years = {claim for label, claim in twins if label == "contradiction" and "nine boats" in claim}
    assert len(years) > 3


@pytest.mark.parametrize(
    ("label", "source"),
    [
        ("neutral", "written/number"),
        ("contradiction", "written/number"),
        ("entailment", "hans_generated.train"),
    ],
)
def test_claims_that_are_not_entailed_and_templates_have_none(label: str, source: str) -> None:
    assert not made("The yard was open in 2003.", label=label, source=source)


def test_the_same_seed_makes_the_same_twins_and_no_more_than_asked_for() -> None:
    pairs = [
        Pair(PREMISE, f"The yard sold {number} boats to him.", "entailment", "x") for number in range(20, 60)
    ]
    assert twin_pairs(pairs, 10, 4) == twin_pairs(pairs, 10, 4)
    assert len(twin_pairs(pairs, 10, 4)) == 10
