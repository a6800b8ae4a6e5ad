"""Amounts of one thing in two years, however far apart the words of the comparison stand."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare

BOATS = "In 2024 58 boats started, seven fewer than in 2023."
LETTERS = "Last year 812 letters arrived, some forty more than in 2019."


def contrary(premise: str, claim: str) -> bool:
    return any(clash.note == "the comparison is contrary" for clash in compare(claim, premise).clashes)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (BOATS, "More boats started in the regatta of Port Averil of 2024 than in that of 2023."),
        (BOATS, "In 2024 more boats started than in 2023."),
        (LETTERS, "Fewer letters arrived at the Sollen office of the company in 2020 than in 2019."),
        (
            "In 2020 the mill ground 9 tonnes, more than in 2019.",
            "The mill ground less in 2020 than in 2019.",
        ),
        ("In spring 30 swans nested, fewer than in autumn.", "More swans nested in spring than in autumn."),
    ],
)
def test_the_contrary_amount_clashes(premise: str, claim: str) -> None:
    assert contrary(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (BOATS, "Fewer boats started in the regatta of Port Averil of 2024 than in that of 2023."),
        (BOATS, "More boats started in the regatta of Port Averil of 2023 than in that of 2024."),
        (BOATS, "More boats started in 2022 than in 2023."),
        (BOATS, "More children came to the harbour in 2024 than in 2023."),
        (LETTERS, "More letters arrived at the Sollen office of the company in 2020 than in 2019."),
        (LETTERS, "Fewer parcels were lost in 2020 than in 2019."),
    ],
)
def test_the_same_amount_another_thing_or_another_year_does_not(premise: str, claim: str) -> None:
    assert not contrary(premise, claim)
