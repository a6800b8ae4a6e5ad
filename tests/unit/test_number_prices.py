"""Sums of money that no document states: what several cost together, for so long, at half the price, or at less."""

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
