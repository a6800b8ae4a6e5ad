"""Sums of money: what several cost at the prices of the evidence, and totals of what a claim itself gives."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair

BOATS = (
    "A canoe costs 9 euros an hour and a rowing boat 14 euros an hour. A life jacket costs 3 euros an hour. "
    "Students get a discount of 10 percent on every boat."
)
ZOO = (
    "Admission is 16 euros for adults. Children from 5 to 13 pay half the adult admission, and children under 5 enter "
    "free. A parking ticket costs 6 euros a day. Groups of ten or more pay 25 percent less."
)
FERRY = "A single to Holm costs 20 pounds, a single to Tarn 34 pounds. Pensioners pay half the single fare."
MEALS = "Supper costs 19 euros, breakfast 11 euros. A shower costs 4 euros."
COURSE = "The course costs 80 euros; members pay 15 percent less. A textbook costs 24 euros."


def outcome(claim: str, evidence: str) -> Outcome:
    return NumberSignal().score([TextPair(evidence, claim)])[0].outcome


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A canoe costs 27 euros for three hours.", BOATS),
        ("A canoe for three hours costs 27 euros.", BOATS),
        ("A canoe and a rowing boat cost 23 euros an hour together.", BOATS),
        ("A canoe with a life jacket costs 12 euros an hour.", BOATS),
        ("Two canoes and a rowing boat cost 32 euros an hour.", BOATS),
        ("A rowing boat costs 12.60 euros an hour for students.", BOATS),
        ("Students pay 8.10 euros an hour for a canoe.", BOATS),
        ("A child of seven pays 8 euros.", ZOO),
        ("Two adults and a child of six pay 40 euros together.", ZOO),
        ("Two adults and three children aged 6, 8 and 10 pay 56 euros in all.", ZOO),
        ("Parking for four days costs 24 euros.", ZOO),
        ("A pensioner pays 17 pounds to Tarn.", FERRY),
        ("A pensioner pays 10 pounds to Holm.", FERRY),
        ("Members pay 68 euros for the course.", COURSE),
        ("The course and a textbook cost 104 euros together.", COURSE),
        ("Supper and breakfast cost 30 euros together.", MEALS),
        (
            "The jab with the certificate costs 72 euros.",
            "The jab costs 72 euros, including the certificate.",
        ),
        ("The course is 80 euros with the exam and the textbook 24 euros.", COURSE),
        ("The course with its exam is 80 euros and the textbook 24 euros.", COURSE),
    ],
)
def test_what_the_prices_make_is_borne_out(claim: str, evidence: str) -> None:
    assert outcome(claim, evidence) is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A canoe for three hours costs 29 euros.", BOATS),
        ("A canoe with a life jacket costs 13 euros an hour.", BOATS),
        ("Two canoes and a rowing boat cost 37 euros an hour.", BOATS),
        ("A canoe costs 8.10 euros an hour.", BOATS),
        ("Students pay 9.10 euros an hour for a canoe.", BOATS),
        ("A child of seven pays 9 euros.", ZOO),
        ("A child of three pays 8 euros.", ZOO),
        ("An adult pays 8 euros.", ZOO),
        ("Adults pay 12 euros.", ZOO),
        ("Two adults and a child of six pay 48 euros together.", ZOO),
        ("Two adults and two children aged 2 and 3 pay 48 euros in all.", ZOO),
        ("A canoe with a life jacket costs 3 euros an hour.", BOATS),
        ("A pensioner pays 17 pounds to Holm.", FERRY),
        ("Pensioners pay 10 pounds.", FERRY),
        ("A single to Tarn costs 17 pounds.", FERRY),
        ("The course costs 68 euros.", COURSE),
        ("A textbook costs 68 euros.", COURSE),
        ("Supper and breakfast cost 34 euros together.", MEALS),
    ],
)
def test_another_sum_is_not(claim: str, evidence: str) -> None:
    assert outcome(claim, evidence) in (Outcome.CONFLICTING, Outcome.ABSENT)


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
