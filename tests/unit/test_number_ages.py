"""One case against limits of age: who is let in, who is not, and which limit of two it is about."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair
from verifier_signals.values.extraction import parse

SAUNA = "The steam bath is open to people aged 16 and over."
COACH = "Children under 6 ride free, and children from 6 to 15 pay half the adult fare."
KARTS = "Drivers must be at least 12 years old; for twin-engine karts the minimum age is 15."
CRYPT = "Children under 10 must be accompanied by an adult in the crypt."
CHOIR = "The choir has 80 members, of whom 24 are under 30."


def outcome(claim: str, evidence: str) -> Outcome:
    return NumberSignal().score([TextPair(evidence, claim)])[0].outcome


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A girl of 17 may use the steam bath.", SAUNA),
        ("A child of twelve may not use the steam bath.", SAUNA),
        ("Nobody of 15 may use the steam bath.", SAUNA),
        ("A child of four rides free.", COACH),
        ("A six-year-old pays half the adult fare.", COACH),
        ("Children aged 8 and 10 pay half the adult fare.", COACH),
        ("A child of seven does not ride free.", COACH),
        ("A fourteen-year-old may not drive a twin-engine kart.", KARTS),
        ("A child of nine must be accompanied by an adult in the crypt.", CRYPT),
        ("A child of eleven need not be accompanied by an adult in the crypt.", CRYPT),
        ("30 percent of the members are under 30.", CHOIR),
        ("The lift is not open to a child of six.", "The lift is not open to children under 8."),
        ("The lift is open to a child of nine.", "The lift is not open to children under 8."),
    ],
)
def test_a_case_within_a_limit_of_age_is_borne_out(claim: str, evidence: str) -> None:
    assert outcome(claim, evidence) is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A child of twelve may use the steam bath.", SAUNA),
        ("A fifteen-year-old may use the steam bath.", SAUNA),
        ("A child of six rides free.", COACH),
        ("A child of eleven rides free.", COACH),
        ("Children aged 8 and 17 pay half the adult fare.", COACH),
        ("A fourteen-year-old may drive a twin-engine kart.", KARTS),
        ("A child of fourteen must be accompanied by an adult in the crypt.", CRYPT),
    ],
)
def test_a_case_beyond_a_limit_of_age_is_denied(claim: str, evidence: str) -> None:
    assert outcome(claim, evidence) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    "text",
    [
        "The club has members of 30 nations.",
        "The drivers of 12 lorries went on strike.",
        "A committee of nine decides.",
        "The visitors of 2023 came by train.",
        "There were under 40 visitors.",
    ],
)
def test_other_numbers_behind_people_are_no_ages(text: str) -> None:
    assert all(one.dimension != "age" for value in parse(text) for one in value.quantities)
