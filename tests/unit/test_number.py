"""The number signal: each value is compared with the one that measures the same thing."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair


def score(premise: str, hypothesis: str) -> SignalScore:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0]


TWO_PERIODS = "The refund period is 30 days. The notice period is 14 days."
TWO_PRICES = "The basic plan costs $79 and the pro plan costs $99."
TWO_SIZES = "The bridge is 312 m long and 9.5 m wide."
TWO_YEARS = "The law passed in 2019 and took effect in 2021."
LIFE = "Ann Lee (5 May 1950 – 7 June 2001) was a painter."
TABLE = "| Item | C4 | C2 |\n|---|---|---|\n| Power | 1,450 W | 1,250 W |\n| Weight | 9.4 kg | 7.8 kg |"
RECORD = "hut: Falcon Hut\naltitude_m: 2210\nbeds: 64\nhalf_board_eur: 64"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (TWO_PERIODS, "The refund period is 14 days."),
        (TWO_PRICES, "The basic plan costs $99."),
        (TWO_SIZES, "The bridge is 312 m wide."),
        (TWO_SIZES, "The bridge is 9.5 m long."),
        (TWO_YEARS, "The law took effect in 2019."),
        (LIFE, "Ann Lee was born in 2001."),
        ("There are 12 apples and 7 pears.", "There are 7 apples."),
        ("The trial had 412 patients in 12 hospitals.", "The trial had 12 patients."),
        (TABLE, "The C2 has a power of 1,450 watts."),
        (RECORD, "Falcon Hut stands about 5,900 feet above sea level."),
        ("Refunds take 5-10 days.", "Refunds take 12 days."),
        ("The fee is 20 USD.", "The fee is 20 EUR."),
        ("The farm produced 742 GWh in 2024.", "In 2024 the farm generated 742 MWh."),
        ("Children under 5 travel free.", "Children under 12 travel free."),
        ("Data is encrypted with AES-256.", "Data is encrypted with AES-128."),
        ("Prices rose from 5 to 8 euros.", "Prices rose from 5 to 9 euros."),
        ("The office is on the third floor.", "The office is on the fourth floor."),
        ("You cannot upload more than 20 files.", "You can upload up to 30 files."),
        ("The museum did not open until 1994.", "The museum opened in 1990."),
        ("He did not retire before 2005.", "He retired in 2001."),
        ("The war lasted from 1914 to 1918.", "The war ended in 1914."),
        ("The war lasted from 1914 to 1918.", "The war began in 1916."),
        ("The fair runs from 3 May to 8 September.", "The fair opens on 8 September."),
        ("The fee is 40 to 60 euros.", "The fee is 40 to 80 euros."),
        ("The line carries 95,000 passengers a day.", "The line carries 95,000 passengers a week."),
        ("The API allows 100 requests per minute.", "The API allows 100 requests per second."),
    ],
)
def test_another_value_for_the_same_thing_is_a_conflict(premise: str, hypothesis: str) -> None:
    got = score(premise, hypothesis)
    assert got.outcome is Outcome.CONFLICTING
    assert got.support == 0.0
    assert got.features["conflict"] > 0.0


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (TWO_PERIODS, "The refund period is 30 days."),
        (TWO_PRICES, "The pro plan costs $99."),
        (TWO_SIZES, "The bridge is 9.5 m wide."),
        (TWO_YEARS, "The law took effect in 2021."),
        (LIFE, "Ann Lee was born in 1950."),
        (TABLE, "The C4 weighs 9.4 kg."),
        (RECORD, "Half board at Falcon Hut is 64 euros."),
        ("The warranty lasts 30 days.", "The warranty lasts 720 hours."),
        ("The city has 69.3 million inhabitants.", "About 70 million people live in the city."),
        ("One in five patients improved.", "20 % of patients improved."),
        ("No suitcase may weigh more than 23 kg.", "A suitcase may weigh up to 23 kg."),
        ("B is for 60 to 69 marks.", "A student with 64 marks gets a B."),
        ("Children under 5 travel free.", "A four-year-old child travels free."),
        ("He led it from 2000 to 2001 and from 2005 to 2013.", "From 2005 to 2013 he led it."),
        ("THE WARRANTY LASTS 30 DAYS.", "the warranty lasts 30 days."),
        ("The museum did not open until 1994.", "The museum opened in 1994."),
        ("You cannot upload more than 20 files.", "You can upload up to 20 files."),
        ("The war lasted from 1914 to 1918.", "The war ended in 1918."),
        ("The fair runs from 3 May to 8 September.", "The fair opens on 3 May."),
        ("The museum was closed from 2014 to 2016.", "The museum closed in 2014."),
        ("The API allows 60 requests per minute.", "The API allows 3,600 requests an hour."),
    ],
)
def test_the_same_value_in_any_form_is_consistent(premise: str, hypothesis: str) -> None:
    got = score(premise, hypothesis)
    assert got.outcome is Outcome.CONSISTENT
    assert got.support == 1.0
    assert got.features == {"conflict": 0.0, "match": 1.0, "absent": 0.0}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The ferry leaves at noon.", "The museum holds 1,250 paintings."),
        ("Refunds take 5-10 days.", "Refunds take 7 days."),
        ("It opened in March 2024.", "It opened on 3 March 2024."),
        ("The bridge has 4 towers.", "The bridge cost 3 million euros."),
        ("Leo was born on 3 May 1961.", "Leo worked on the series in the 1990s."),
        ("Anna scored 35 goals, Mia 32.", "Anna scored 3 more goals than Mia."),
        ("Candidates up to 30 minutes late are admitted.", "One who is forty minutes late is not admitted."),
    ],
)
def test_what_the_evidence_does_not_measure_is_absent_and_no_conflict(premise: str, hypothesis: str) -> None:
    got = score(premise, hypothesis)
    assert got.outcome is Outcome.ABSENT
    assert got.features["conflict"] == 0.0


@pytest.mark.parametrize("hypothesis", ["It rains.", "No one came.", "", "One of them left."])
def test_a_claim_without_values_is_not_applicable(hypothesis: str) -> None:
    got = score("It costs 5 EUR.", hypothesis)
    assert got.outcome is Outcome.NOT_APPLICABLE
    assert got.support is None


def test_a_finding_carries_the_pair_of_values_with_their_spans() -> None:
    premise, hypothesis = TWO_PERIODS, "The refund period is 60 days."
    (finding,) = score(premise, hypothesis).findings
    assert finding.relation is Relation.CONFLICT
    assert (finding.claim_value, finding.evidence_value) == ("60 days", "30 days")
    assert hypothesis[slice(*finding.claim_span)] == "60 days"
    assert finding.evidence_span == (21, 28)


def test_a_note_says_only_what_the_values_do_not() -> None:
    assert score("The pipe is 3 m long.", "The pipe is 3 feet long.").findings[0].note == "the units differ"
    assert score("The pipe is 3 m long.", "The pipe is 5 m long.").findings[0].note == ""


def test_shares_count_the_claim_s_values() -> None:
    got = score("The hall has 300 seats.", "The hall has 300 seats and cost 4.5 million euros.")
    assert got.outcome is Outcome.ABSENT
    assert got.features == {"conflict": 0.0, "match": 0.5, "absent": 0.5}
    assert got.support == 0.5


def test_irrelevant_sentences_do_not_change_the_outcome() -> None:
    noise = "The café has 40 seats. It opened in 2011. Coffee costs 3 euros."
    for claim, outcome in (("30", Outcome.CONSISTENT), ("60", Outcome.CONFLICTING)):
        hypothesis = f"The refund period is {claim} days."
        assert score(f"{noise} {TWO_PERIODS}", hypothesis).outcome is outcome
        assert score(f"{TWO_PERIODS} {noise}", hypothesis).outcome is outcome
