"""Sums of money: what several cost at the prices of the evidence, and totals of what a claim itself gives."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair


def outcome(claim: str, evidence: str) -> Outcome:
    return NumberSignal().score([TextPair(evidence, claim)])[0].outcome


def test_a_portion_is_taken_of_what_stands_in_its_sentence() -> None:
    evidence = "The hall has 40 rows. Half of the balcony is closed."
    assert outcome("The hall has 20 rows.", evidence) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    "claim",
    [
        "A canoe with a life jacket costs 12 euros an hour.",
        "Two canoes and a rowing boat cost 32 euros an hour.",
        "A life jacket for two hours costs 6 euros.",
    ],
)
def test_the_price_of_one_does_not_deny_a_sum_for_several(claim: str) -> None:
    assert outcome(claim, "A life jacket costs 3 euros an hour.") is not Outcome.CONFLICTING


def _outcome(premise: str, hypothesis: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0].outcome


TICKETS = "A ticket for the ice rink costs 7 pounds. Skates cost 4 pounds."


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (
            "Rent is 600 euros and heating 80 euros.",
            "Rent is 600 euros and heating 80 euros, 680 euros altogether.",
        ),
        ("The hall seats 300 and the gallery 45.", "The hall seats 300 and the gallery 45, in all 345."),
    ],
)
def test_a_total_of_what_the_evidence_states_is_borne_out(premise: str, hypothesis: str) -> None:
    assert NumberSignal().score([TextPair(premise, hypothesis)])[0].findings[-1].relation.value == "match"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Each lesson costs 25 euros.", "Four lessons at 25 euros each cost 110 euros in total."),
        ("Each lesson costs 30 euros.", "Four lessons at 25 euros each cost 100 euros in total."),
        (TICKETS, "A ticket costs 7 pounds and skates 4 pounds. Together that is 12 pounds."),
        (TICKETS, "A ticket costs 8 pounds and skates 4 pounds. Together that is 12 pounds."),
        (
            "Rent is 600 euros and heating 80 euros.",
            "Rent is 600 euros and heating 80 euros, 690 euros altogether.",
        ),
    ],
)
def test_another_total_is_not(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is not Outcome.CONSISTENT
