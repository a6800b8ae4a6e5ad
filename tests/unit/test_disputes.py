"""Two documents that disagree over a claim, told from two that speak of two things."""

from __future__ import annotations

import pytest
from verifier_backends.bm25 import BM25Backend

from verifier.knowledge.store import GroundTruthStore
from verifier.types import Claim
from verifier.verification.decision.summary import summarise
from verifier.verification.scorer import VerifiedScorer


def disputed(claim: str, *documents: str) -> bool:
    """Whether two of the documents disagree over the claim."""
    with GroundTruthStore(BM25Backend()) as store:
        for n, text in enumerate(documents):
            store.add(f"{n}.md", text)
        [read] = VerifiedScorer(store).examine([Claim(claim, 0, len(claim))])
    return summarise(read, same_thing=0.9).features["disputed"] > 0.0


@pytest.mark.parametrize(
    ("claim", "confirming", "other"),
    [
        (
            "The Elmet Choir gave 22 concerts in 2023.",
            "The Elmet Choir gave 22 concerts in 2023.",
            "In 2023 the Elmet Choir performed at 19 concerts, a record.",
        ),
        (
            "Brine Foods employed 412 people at the end of 2024.",
            "Brine Foods employed 412 people at the end of 2024.",
            "Brine Foods, with 440 employees at the end of 2024, is the largest firm in Tolm.",
        ),
    ],
)
def test_another_count_of_the_same_things_is_a_dispute(claim: str, confirming: str, other: str) -> None:
    assert disputed(claim, confirming, other)


@pytest.mark.parametrize(
    ("claim", "confirming", "other"),
    [
        (
            "Brine Foods employed 412 people at the end of 2024.",
            "Brine Foods employed 412 people at the end of 2024.",
            "At the end of 2024, Brine Foods employed 61 apprentices.",
        ),
        (
            "The Marlow Lodge has beds for 48 guests.",
            "The Marlow Lodge has beds for 48 guests.",
            "The Marlow Lodge has 7 fire doors and a siren.",
        ),
        (
            "The Elmet Choir gave more than 15 concerts in 2023.",
            "The Elmet Choir gave 22 concerts in 2023.",
            "In 2023 the Elmet Choir performed at 19 concerts, a record.",
        ),
        (
            "The Elmet Choir gave 22 concerts in 2023.",
            "The Elmet Choir gave 22 concerts in 2023.",
            "In 2023 the Elmet Choir performed at 22 concerts, a record.",
        ),
    ],
)
def test_a_count_of_other_things_or_a_limit_is_none(claim: str, confirming: str, other: str) -> None:
    assert not disputed(claim, confirming, other)


@pytest.mark.parametrize(
    ("claim", "confirming", "other"),
    [
        (
            "Brine Foods employed 398 people at the end of 2023.",
            "Brine Foods employed 398 people at the end of 2023.",
            "Brine Foods employed 412 people at the end of 2024.",
        ),
        (
            "The ferry Isla carries 300 passengers.",
            "The ferry Isla carries 60 cars and 300 passengers.",
            "The ferry Morna carries 45 cars and 220 passengers.",
        ),
    ],
)
def test_what_differs_in_two_respects_tells_of_something_else(
    claim: str, confirming: str, other: str
) -> None:
    assert not disputed(claim, confirming, other)


def test_a_document_that_holds_both_figures_disputes_nothing() -> None:
    claim = "The Isla carries 60 cars."
    assert disputed(claim, claim, "The Isla carries 52 cars.")
    assert not disputed(claim, claim, "The Isla carries 52 cars. Since the refit the Isla carries 60 cars.")


@pytest.mark.parametrize(
    ("claim", "confirming", "expected"),
    [
        (
            "The Kestrel 2 has a flight time of 34 minutes.",
            "The Kestrel 2 has a flight time of 34 minutes.",
            True,
        ),
        ("Charging the Kestrel 2 takes 75 minutes.", "Charging the Kestrel 2 takes 75 minutes.", False),
    ],
)
def test_a_row_disputes_only_what_its_field_is_called(claim: str, confirming: str, expected: bool) -> None:
    row = "model: Kestrel 2\nflight time: 29 minutes\nweight: 455 g"
    assert disputed(claim, confirming, row) is expected
