"""The negation signal: claims that reach beyond what the evidence ranks, limits or speaks of."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair

GROUPS = "Parties of eight or more pay 20 % less, except on Sundays."


def score(premise: str, hypothesis: str) -> SignalScore:
    return NegationSignal().score([TextPair(premise, hypothesis)])[0]


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Orrin Mill has 14 looms.", "Orrin Mill is the largest weaving mill."),
        ("The C2 is made by Orrin.", "The C2 is Orrin's best-selling loom."),
        ("Orrin Mill is the oldest mill of the group.", "Orrin Mill is the oldest mill in the country."),
        ("It is used in many homes.", "It is the most popular lamp."),
    ],
)
def test_a_rank_or_a_wider_world_without_evidence_is_left_open(premise: str, hypothesis: str) -> None:
    result = score(premise, hypothesis)
    assert result.features["reach"] >= 0.7
    assert result.outcome is not Outcome.CONSISTENT
    [finding] = [finding for finding in result.findings if finding.kind == "reach"]
    assert finding.relation is Relation.ABSENT
    assert finding.evidence_value is None
    assert finding.note


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Orrin Mill is the largest of the six mills.", "Of the six mills Orrin is the largest."),
        (
            "The ferry leaves from the west quay.",
            "The ferry leaves from the west quay at the latest by noon.",
        ),
        ("Guests like the rest area.", "Guests like the rest area."),
        ("At least five looms ran.", "At least five looms ran."),
        ("Most of the looms ran.", "Most of the looms ran."),
    ],
)
def test_what_is_no_rank_or_is_ranked_so_reaches_no_further(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).features["reach"] == 0.0


@pytest.mark.parametrize(
    ("premise", "hypothesis", "open_"),
    [
        ("Some of the looms were sold.", "Most of the looms were sold.", True),
        ("Weavers report headaches.", "The majority of weavers report headaches.", True),
        ("Most weavers praise the light; some find the hall loud.", "Most weavers find the hall loud.", True),
        ("The average saving was 310 euros in 2024.", "Most of the weavers saved more than 300 euros.", True),
        ("Usually weavers report headaches.", "Most weavers report headaches.", False),
        ("Of the 19 looms, 17 were sold in 2020.", "Most of the looms were sold in 2020.", False),
        ("The mill had 40 looms. 31 were sold.", "Most of the looms of the mill were sold.", False),
        ("60 % of the looms were sold.", "Most of the looms were sold.", False),
    ],
)
def test_a_majority_is_open_where_the_evidence_counts_nothing(
    premise: str, hypothesis: str, open_: bool
) -> None:
    assert (score(premise, hypothesis).features["reach"] > 0) is open_


@pytest.mark.parametrize(
    "hypothesis",
    [
        "A party of ten pays 20 % less on any day, whatever its tickets.",
        "Every party of eight or more pays 20 % less.",
    ],
)
def test_a_claim_of_all_cases_breaks_a_limit_that_it_does_not_name(hypothesis: str) -> None:
    assert score(GROUPS, hypothesis).features["condition"] >= 0.7


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (GROUPS, "Every party of eight or more pays 20 % less, except on Sundays."),
        (GROUPS, "Every dog must be kept on a lead."),
        ("The offer is limited to members. Dogs may come along.", "Any dog may come along."),
    ],
)
def test_a_limit_that_is_named_or_about_something_else_is_not_broken(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).features["condition"] < 0.7


def test_what_is_excluded_is_not_covered() -> None:
    premise = "The policy covers theft. Damage by hail is excluded."
    assert score(premise, "The policy covers damage by hail.").outcome is Outcome.CONFLICTING
    assert score(premise, "The policy covers theft.").outcome is not Outcome.CONFLICTING
