"""Numbers that belong to names, parts of wholes, dated columns and cases put to a limit, through the number signal."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Relation, TextPair
from verifier_signals.values.extraction import parse


def relations(premise: str, hypothesis: str) -> dict[str, Relation]:
    found = NumberSignal().score([TextPair(premise, hypothesis)])[0].findings
    return {finding.claim_value: finding.relation for finding in found}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The tank of the Veltra 300 holds 3 litres.", "Veltra 300"),
        ("Veltra 300 comes with a hose.", "Veltra 300"),
        ("Osmark Veltra 300 pump: instructions for use.", "Veltra 300"),
        ("The Tamsin 40 stove is loud.", "Tamsin 40"),
        ("A Cessna 172 pilot saw it.", "Cessna 172"),
        ("Wash the Veltra 300's filter.", "Veltra 300"),
    ],
)
def test_a_number_in_a_name_is_no_quantity(text: str, name: str) -> None:
    first = parse(text)[0]
    assert (text[first.start : first.end], first.kind, first.weak) == (name, "code", True)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("In Tessary 300 people live.", "300"),
        ("At Torvik 300 seats are free.", "300"),
        ("They gave Torvik 300 books.", "300"),
        ("In Norway 300 ships were lost.", "300"),
        ("In Osk 300 attended.", "300"),
    ],
)
def test_a_number_behind_the_name_of_a_place_counts(text: str, count: str) -> None:
    first = parse(text)[0]
    assert (text[first.start : first.end], first.kind) == (count, "number")


def test_the_number_of_a_name_is_met_by_the_same_name_only() -> None:
    manual = "Osmark Veltra 300 pump: instructions for use. A gurgling noise is normal."
    assert relations(manual, "A noise from the Veltra 300 is normal.") == {"Veltra 300": Relation.MATCH}
    assert Relation.MATCH not in relations(manual, "A noise from the Veltra 500 is normal.").values()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("187 of 204 members have paid.", "187 members have paid."),
        ("Nine of the 14 boats were lost.", "Nine boats were lost."),
        ("87 out of 96 pupils passed.", "87 pupils passed."),
        ("Of the 60 lamps, 41 of its 58 bulbs were lit.", "41 bulbs were lit."),
        ("12 out of 30 songs were new.", "30 songs were sung."),
    ],
)
def test_a_part_counts_what_its_whole_counts(premise: str, hypothesis: str) -> None:
    assert set(relations(premise, hypothesis).values()) == {Relation.MATCH}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("187 of 204 members have paid.", "178 members have paid."),
        ("Nine of the 14 boats were lost.", "Six boats were lost."),
        ("87 out of 96 pupils passed.", "78 pupils passed."),
        ("Four of the 25 wells are dry.", "Five of the 25 wells are dry."),
        ("52 of the 70 flats have a balcony.", "25 flats have a balcony."),
    ],
)
def test_another_part_is_still_denied(premise: str, hypothesis: str) -> None:
    assert Relation.CONFLICT in relations(premise, hypothesis).values()


STAFF = "Item: Staff; 2021: 310; 2022: 345"
TURNOVER = "Firm: Fell Water; H1 2023 (million crowns): 41.5; H1 2022 (million crowns): 39.1"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (STAFF, "There were 310 staff in 2022."),
        (STAFF, "In 2021 it had a staff of 345."),
        (TURNOVER, "Fell Water took 39.1 million crowns in the first half of 2023."),
        (TURNOVER, "In May 2022 Fell Water took 41.5 million crowns."),
        ("Pupils: boys; 2019: 88; 2020: 93; 2021: 97", "In 2020 there were 97 boys."),
    ],
)
def test_the_value_of_another_years_column_is_denied(premise: str, hypothesis: str) -> None:
    assert Relation.CONFLICT in relations(premise, hypothesis).values()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (STAFF, "There were 345 staff in 2022."),
        (STAFF, "The staff grew from 310 in 2021 to 345 in 2022."),
        (STAFF, "It had a staff of 310."),
        (STAFF, "It had a staff of 310 before it moved in 2025."),
        ("Pupils: boys; 2019: 88; 2020: 88", "In 2020 there were 88 boys."),
        ("Effect: itching; 10 mg: 31; 5 mg: 14; Placebo: 12", "On 5 mg 14 patients suffered from itching."),
        ("Effect: itching; 10 mg: 31; 5 mg: 14", "31 patients on 10 mg and 14 on 5 mg had itching."),
        ("Hut: Elm; Height: 1,800 m; Beds: 24", "The Elm hut at 1,800 m has 24 beds."),
    ],
)
def test_the_value_of_the_meant_column_is_not(premise: str, hypothesis: str) -> None:
    assert Relation.CONFLICT not in relations(premise, hypothesis).values()


TERMS = (
    "The guarantee lasts two years from the day of purchase. It is extended to three years if you register the "
    "appliance within 60 days."
)
LEAVE = "Staff have 25 days of leave. They have 28 days if they have worked here for at least 5 years."


def test_a_case_is_held_against_the_limit_of_its_own_rule() -> None:
    early = relations(TERMS, "Who registers a month after the purchase has a guarantee of three years.")
    assert Relation.CONFLICT not in early.values()
    worked = relations(LEAVE, "Staff have 28 days of leave if they have worked here for 6 years.")
    assert Relation.CONFLICT not in worked.values()


def test_another_figure_than_that_of_the_rule_is_denied() -> None:
    found = relations(TERMS, "Who registers a month after the purchase has a guarantee of four years.")
    assert found["four years"] is Relation.CONFLICT


@pytest.mark.parametrize(
    ("hypothesis", "value"),
    [
        ("Ada Orrin holds the record over 800 m.", "800 m"),
        ("Ada Orrin's title over 800 m is her first.", "800 m"),
        ("Ada Orrin ran over 800 m.", "over 800 m"),
        ("The path is over 800 m long.", "over 800 m"),
    ],
)
def test_over_a_distance_that_is_raced_sets_no_limit(hypothesis: str, value: str) -> None:
    first = parse(hypothesis)[0]
    assert hypothesis[first.start : first.end] == value
