"""Totals of what a claim itself gives."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair


def _outcome(premise: str, hypothesis: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0].outcome


TICKETS = "A ticket for the ice rink costs 7 pounds. Skates cost 4 pounds."
FIELDS = "The farm has five fields; each field needs 30 kg of seed."


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Each lesson costs 25 euros.", "Four lessons at 25 euros each cost 100 euros in total."),
        (
            "The course has six lessons. A room costs 40 euros.",
            "Each lesson costs 25 euros, so the whole course of lessons costs 150 euros.",
        ),
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


def test_a_total_is_not_denied_by_the_price_of_something_else() -> None:
    prices = "Each stamp costs 2 euros. An envelope costs 3 euros."
    claim = "Each stamp costs 2 euros, so the whole sheet costs 40 euros."
    assert _outcome(prices, claim) is not Outcome.CONFLICTING


def test_ages_are_no_prices() -> None:
    entry = "Entry is 9 euros for adults and 5 euros for pupils; children under 6 enter free."
    assert _outcome(entry, "Two adults and three pupils pay 33 euros.") is Outcome.CONSISTENT
    assert _outcome(entry, "Two adults and three pupils pay 35 euros.") is not Outcome.CONSISTENT
