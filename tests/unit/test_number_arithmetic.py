"""Values that the evidence does not state but gives: sums, differences, changes, shares, periods, what is left out."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, SignalScore, TextPair
from verifier_signals.values import ValueText, parse
from verifier_signals.values.modifiers import ChangePart


def _read(premise: str, hypothesis: str) -> SignalScore:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0]


CRANES = "The port has 9 cranes on the north quay and 4 on the south quay."
FLOUR = "The price of flour rose from 80 cents in May to 1.20 euros in August."
NURSES = "The ward employs 30 nurses, 12 of them part-time."
SHOP = "The shop is open from 9:00 to 17:30."
ORGANIST = "Hanna Weiss was organist of the cathedral from 1951 to 1983."
HENS = "The farm keeps 60 hens, three times as many as in 2020."
PROFIT = "Operating profit fell to EUR 31.5 million from EUR 36.2 million."


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (CRANES, "The two quays have 13 cranes altogether."),
        (CRANES, "The north quay has five cranes more than the south quay."),
        (CRANES, "The north quay has more than twice as many cranes as the south quay."),
        (CRANES, "The south quay has fewer than half as many cranes as the north quay."),
        (FLOUR, "The price of flour rose by 40 cents."),
        (FLOUR, "The price of flour rose by 50 %."),
        (FLOUR, "The price of flour rose by half."),
        (NURSES, "40 % of the nurses work part-time."),
        (NURSES, "Two fifths of the nurses of the ward work part-time."),
        (SHOP, "The shop is open for eight and a half hours."),
        (ORGANIST, "Hanna Weiss was organist for 32 years."),
        (HENS, "In 2020 the farm kept 20 hens."),
        ("The rent of 900 euros is shared by three tenants.", "Each tenant pays 300 euros of rent."),
        (
            "A sack holds 25 kg of rice; the van carries 50 sacks.",
            "The van carries 1,250 kg of rice in total.",
        ),
        ("The chapel was built in 1820 and rebuilt 65 years later.", "The chapel was rebuilt in 1885."),
        (PROFIT, "Operating profit fell to EUR 31.5 million."),
        (PROFIT, "Operating profit fell by EUR 4.7 million."),
        (PROFIT, "Operating profit fell 13%."),
        ("country: Germany; growth in sales: -2 %", "Sales in Germany fell by 2%."),
    ],
)
def test_what_follows_from_the_evidence_is_consistent(premise: str, hypothesis: str) -> None:
    assert _read(premise, hypothesis).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (CRANES, "The two quays have 15 cranes altogether."),
        (CRANES, "The north quay has four times as many cranes as the south quay."),
        (CRANES, "There are 13 cranes on the north quay."),
        (FLOUR, "The price of flour rose by 80 %."),
        (FLOUR, "The price of flour doubled."),
        (NURSES, "Half of the nurses of the ward work part-time."),
        (SHOP, "The shop is open for eleven hours."),
        (ORGANIST, "Hanna Weiss was organist for 23 years."),
        (HENS, "In 2020 the farm kept 30 hens."),
        ("The rent of 900 euros is shared by three tenants.", "Each tenant pays 450 euros of rent."),
        ("Visits rose from 310,000 in 2021 to 402,000 in 2023.", "The number of visits grew before 2003."),
        ("Visits rose from 150 in 2021 to 402 in 2023.", "Visits were first counted in 1871."),
        (PROFIT, "Operating profit fell to EUR 36.2 million."),
        (PROFIT, "Operating profit fell 15%."),
        (f"Net sales were EUR 40 million. {PROFIT}", "Net sales fell by 10%."),
        ("Passwords are changed every 180 days. Two people approve it.", "Passwords change every 90 days."),
        ("country: Germany; growth in sales: -2 %", "Sales in Germany grew by 2%."),
    ],
)
def test_what_does_not_follow_is_not_consistent(premise: str, hypothesis: str) -> None:
    assert _read(premise, hypothesis).outcome is not Outcome.CONSISTENT


def test_a_reckoned_value_quotes_its_sources_and_says_so() -> None:
    (finding,) = _read(FLOUR, "The price of flour rose by 40 cents.").findings
    assert finding.evidence_value == "80 cents in May to 1.20 euros"
    assert finding.note == "reckoned from what the evidence states"


def test_arithmetic_is_not_tried_where_the_claim_does_not_announce_it() -> None:
    assert _read("There are 12 apples and 7 pears.", "There are 19 apples.").outcome is Outcome.CONFLICTING
    assert _read("It opened in 1971; Ann led it until 1984.", "It has 13 rooms.").outcome is Outcome.ABSENT
    assert (
        _read("film: Tide; year: 1928; copies: 2", "Tide is a film of 1926.").outcome is Outcome.CONFLICTING
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Fares rose from 40 to 45 crowns.", (ChangePart.START, ChangePart.END)),
        ("Fares rose by 5 crowns.", (ChangePart.STEP,)),
        ("The new fare is 45 crowns.", (ChangePart.END,)),
        ("The old fare was 40 crowns.", (ChangePart.START,)),
        ("The fare is 45 crowns.", (ChangePart.NONE,)),
    ],
)
def test_the_parts_of_a_change(text: str, parts: tuple[ChangePart, ...]) -> None:
    read = ValueText(text)
    assert tuple(map(read.part, read.values)) == parts


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Rents fell from 700 to 650 euros.", "Rents fell to 700 euros."),
        ("Rents fell from 700 to 650 euros.", "The new rent is 700 euros."),
        ("Rents fell from 700 to 650 euros.", "Rents fell by 650 euros."),
        ("Rents fell from 700 to 650 euros.", "The old rent was 650 euros."),
    ],
)
def test_an_end_of_a_change_is_not_its_beginning_nor_its_step(premise: str, hypothesis: str) -> None:
    assert _read(premise, hypothesis).outcome is not Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("Entrance is 18 francs; students pay 9.", ("CHF", "CHF")),
        ("Planks of 2, 3 and 4 m.", ("length", "length", "length")),
        ("It weighs 12 kg and has 4 wheels.", ("mass", "")),
        ("Prices rose 4 % to 80 euros and then to 90.", ("share", "EUR", "EUR")),
        ("| Fee (EUR) | Seats |\n|---|---|\n| 20 | 4 |", ("EUR", "")),
    ],
)
def test_a_bare_figure_has_the_unit_that_a_neighbour_says(text: str, dimensions: tuple[str, ...]) -> None:
    assert tuple(value.quantities[0].dimension for value in ValueText(text).values) == dimensions


@pytest.mark.parametrize(
    ("premise", "hypothesis", "outcome"),
    [
        ("Cats get 2 meals a day, dogs 3.", "Dogs get three meals a day.", Outcome.CONSISTENT),
        ("Anna ran 10 km and cycled 40.", "Anna cycled 40 km.", Outcome.CONSISTENT),
        ("Anna ran 10 km and cycled 40.", "Anna ran 40 km.", Outcome.CONFLICTING),
        ("In March it took 5 days, in April 9.", "In April it took 5 days.", Outcome.CONFLICTING),
        ("In the first quarter 6 ships came and in the second 8.", "In Q2 8 ships came.", Outcome.CONSISTENT),
    ],
)
def test_what_is_left_out_is_compared(premise: str, hypothesis: str, outcome: Outcome) -> None:
    assert _read(premise, hypothesis).outcome is outcome


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("an annual fee of 60 euros", "5 euros a month"),
        ("in the autumn of 2022", "3 October 2022"),
        ("since the seventies", "since 1974"),
        ("in the middle of the 14th century", "in 1348"),
        ("less than nine years", "nearly nine years"),
        ("less than 2 km", "1,987 m"),
        ("a year and a half", "18 months"),
        ("about 37 °F", "3 °C"),
        ("The minimum order is 25 euros", "at least 25 euros"),
    ],
)
def test_forms_that_agree(claim: str, evidence: str) -> None:
    premise = f"Of this it is said: {evidence}."
    score = _read(premise, f"Of this it is said: {claim}.")
    assert score.outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("0.1 euros", "9 cents"),
        ("about 59 °F", "3 °C"),
        ("in the spring of 2022", "3 October 2022"),
        ("at least 8 minutes", "24 hours"),
        ("6.3 m", "6 m, 40 cm below the record"),
    ],
)
def test_forms_that_do_not_agree(claim: str, evidence: str) -> None:
    score = _read(f"Of this it is said: {evidence}.", f"Of this it is said: {claim}.")
    assert score.outcome is not Outcome.CONSISTENT


def test_a_limit_and_the_price_behind_it_are_two_values() -> None:
    text = "Children under 16 £2.10."
    assert [text[slice(*value.core)] for value in parse(text)] == ["16", "£2.10"]


def test_a_claim_about_another_year_with_another_figure_is_not_denied() -> None:
    premise = "Wolves killed 12 calves in 2015."
    assert _read(premise, "Wolves killed 20 calves in 2012.").outcome is Outcome.ABSENT
    assert _read(premise, "Wolves killed 20 calves in 2015.").outcome is Outcome.CONFLICTING
    assert _read(premise, "Wolves killed 12 calves in 2012.").outcome is Outcome.CONFLICTING


def test_a_date_says_which_end_of_a_change_a_figure_is() -> None:
    raised = "On 1 July 2023 the fee was raised from 25 to 30 euros."
    fell = "Between 1990 and 2020 the share of smokers fell from 34 to 19 percent."
    assert _read(raised, "Since July 2023 the fee has been 30 euros.").outcome is Outcome.CONSISTENT
    assert _read(raised, "Since July 2023 the fee has been 25 euros.").outcome is not Outcome.CONSISTENT
    assert _read(fell, "In 2020, 19 percent were smokers.").outcome is Outcome.CONSISTENT
    assert _read(fell, "In 1990, 19 percent were smokers.").outcome is not Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A locker costs 3 dollars.", "Three hikers pay 42 dollars."),
        ("Children from 4 to 12 pay half.", "Two adults pay 18 dollars."),
    ],
)
def test_the_price_of_one_and_an_age_deny_nothing_of_what_several_pay(premise: str, hypothesis: str) -> None:
    assert _read(premise, hypothesis).outcome is not Outcome.CONFLICTING


def test_another_price_for_as_many_is_a_conflict() -> None:
    read = _read("Three hikers pay 45 dollars for the hut.", "Three hikers pay 42 dollars for the hut.")
    assert read.outcome is Outcome.CONFLICTING
