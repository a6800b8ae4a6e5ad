"""The number signal: a differing value is no conflict where it measures another sort of thing."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Relation, TextPair

HOURS = "Lorries may unload in the yard between 5:00 and 7:00 in the morning."
SHIFTS = "The crane may run between 8:00 and 11:00 and between 14:00 and 17:00."
RESULTS = "Orrin Mills: report for 2022. There were 31 late deliveries, against 48 in 2021."
BRACKETS = "Report for 2022. Turnover came to 40 million crowns (2021: 36 million crowns)."
FARES = "Ticket: Day; On the web: €14; At the desk: €19"
FUND = "fund: Orrin Bonds; yearly charge: 0.25 %; entry charge: 0 %; risk class: 3"


def relations(premise: str, hypothesis: str) -> dict[str, Relation]:
    found = NumberSignal().score([TextPair(premise, hypothesis)])[0].findings
    return {finding.claim_value: finding.relation for finding in found}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (HOURS, "At six in the morning lorries may unload in the yard."),
        ("The mast rises 84 m above the quay.", "The quay basin is 12 m deep."),
        ("The flu struck 17 people in the ward.", "People over 70 are at risk from the flu in the ward."),
        ("Pupils who had a tutor scored 6 points more on average.", "Pupils with 71 points had a tutor."),
        ("Figures. Year: 2022; Plays: 94; Guests: 41,800", "In 2022 more than half of the plays were new."),
        ("She has sung 40 roles. Her choir grew.", "She gave 12 of the concerts abroad."),
        (
            "It employs 900 people at two mills: 350 at Orr, and 550 at Lund.",
            "Of its two mills only Lund stays.",
        ),
        (
            "7.0, May 2025. In our test a roster took 16 seconds instead of 48.",
            "Rota 7.0 made a roster in our test.",
        ),
        ("Members are paid in shares, unless they hold fewer than 200.", "Members who hold 500 get shares."),
        ("Divers go alone, unless they are under 18 years old.", "A diver of 30 years may go alone."),
    ],
)
def test_a_value_of_another_sort_denies_nothing(premise: str, hypothesis: str) -> None:
    assert Relation.CONFLICT not in relations(premise, hypothesis).values()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (HOURS, "Unloading in the yard begins at six in the morning."),
        ("The basin is 15 m deep.", "The basin is 12 m deep."),
        (SHIFTS, "At noon the crane may run."),
        (RESULTS, "There were 48 late deliveries in 2022."),
        (FUND, "Orrin Bonds is in risk class 5."),
        (FUND, "Orrin Bonds has a yearly charge of 0.75 %."),
        ("Seven of the nine wells are dry.", "Four of the nine wells are dry."),
    ],
)
def test_a_value_of_the_same_sort_still_denies(premise: str, hypothesis: str) -> None:
    assert Relation.CONFLICT in relations(premise, hypothesis).values()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (RESULTS, "Most of the 31 late deliveries in 2022 were parcels."),
        (SHIFTS, "At half past nine in the morning the crane may run."),
        ("Report for 2022. It sold 5.2 tonnes, against 4.8 tonnes in 2021.", "It sold 5.2 tonnes in 2022."),
        (BRACKETS, "Turnover in 2022 was 40 million crowns."),
        (FARES, "A day ticket saves €5 on the web."),
        (FUND, "Orrin Bonds sits in risk class 3."),
        ("fund: Orrin Bonds; charge: 0.25 %", "Funds that hold no shares charge under one per cent."),
        ("The study ran at 30 clinics in six towns.", "The study ran at 30 clinics spread over six towns."),
        (
            "She has staged 40 plays, nine of them by Ada Orr.",
            "Nine of the plays that she staged are by Ada Orr.",
        ),
        ("A tremor of magnitude 4.7 was felt.", "The magnitude 4.7 shock did no harm."),
        ("Year 9. There are four classes.", "The school has four Year 9 classes."),
    ],
)
def test_values_of_one_sort_are_found(premise: str, hypothesis: str) -> None:
    assert set(relations(premise, hypothesis).values()) == {Relation.MATCH}
