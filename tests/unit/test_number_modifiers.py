"""Words that modify a number: limits on both sides of it, parts that are added to it, and ages."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair
from verifier_signals.values import Form
from verifier_signals.values.extraction import parse


def _outcome(premise: str, hypothesis: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0].outcome


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Book no later than 6 weeks before the concert.", Form.AT_LEAST),
        ("Register not later than two days ahead.", Form.AT_LEAST),
        ("Orders are due no later than 3 days in advance.", Form.AT_LEAST),
        ("The gates open no earlier than 40 minutes before kick-off.", Form.AT_MOST),
        ("Cancelling later than 24 hours before the lesson costs 9 euros.", Form.BELOW),
        ("Seeds sown earlier than ten weeks before the last frost fail.", Form.ABOVE),
    ],
)
def test_a_time_counted_back_turns_the_limit(text: str, form: Form) -> None:
    [value] = [one for one in parse(text) if one.quantities and one.quantities[0].dimension == "time"]
    assert value.form is form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Reply no later than 6 weeks after the concert.", Form.AT_MOST),
        ("The report is due no later than 10 days from now.", Form.AT_MOST),
        ("The talk takes no longer than 20 minutes before the break.", Form.AT_MOST),
        ("Wait at least 30 minutes before the second coat.", Form.AT_LEAST),
        ("It arrives earlier than 2 hours after lunch.", Form.BELOW),
    ],
)
def test_other_limits_stay_as_they_are(text: str, form: Form) -> None:
    [value] = [one for one in parse(text) if one.quantities and one.quantities[0].dimension == "time"]
    assert value.form is form


PERMIT = "Applications must arrive at least 14 days before the market."
CLUB = "Parties of more than nine guests pay a deposit."


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (PERMIT, "Applications must arrive no later than 14 days before the market."),
        (PERMIT, "Applications must arrive no later than two weeks before the market."),
        (CLUB, "Parties of ten guests or more pay a deposit."),
        (CLUB, "Parties of at least ten guests pay a deposit."),
        ("Children under 5 ride free.", "Children aged 4 and under ride free."),
    ],
)
def test_a_limit_said_the_other_way_round_is_the_same_limit(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (PERMIT, "Applications must arrive no later than 7 days before the market."),
        (PERMIT, "Applications must arrive no earlier than 14 days before the market."),
        (CLUB, "Parties of eight guests or more pay a deposit."),
        (CLUB, "Parties of at least eleven guests pay a deposit."),
        ("Parcels over 9.5 kg cost extra.", "Parcels of at least 10.5 kg cost extra."),
    ],
)
def test_another_limit_is_not(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is not Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("The hike takes an hour and a quarter.", 75),
        ("The film runs for two hours and three quarters.", 165),
        ("The bread bakes for three and a quarter hours.", 195),
        ("The drive takes one and three quarter hours.", 105),
        ("The nap lasted an hour and a half.", 90),
    ],
)
def test_a_part_is_added_to_the_number_before_it(text: str, minutes: float) -> None:
    [value] = parse(text)
    assert (value.quantities[0].low, value.weak) == (60.0 * minutes, False)


@pytest.mark.parametrize(
    "text",
    [
        "Mix two and a quarter of the dough.",
        "Four boats and a quarter of the crew were lost.",
        "The tank needs 5 litres and a quarter of the bottle.",
        "She ran two and a third runner joined.",
        "Add one egg and half a lemon.",
    ],
)
def test_a_part_of_something_else_is_not(text: str) -> None:
    assert len(parse(text)) > 1


SHOP = "The bakery is open from Tuesday to Sunday."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "related"),
    [
        (SHOP, "The bakery is open on Friday.", True),
        (SHOP, "The bakery is open on Sunday.", True),
        ("The kiosk is open from Friday to Monday.", "The kiosk is open on Sunday.", True),
        ("The pool is open on weekdays.", "The pool is open on Wednesday.", True),
        ("The pool is open at weekends.", "The pool is open on Saturday.", True),
        (SHOP, "The bakery is open on Monday.", False),
        ("The kiosk is open from Friday to Monday.", "The kiosk is open on Wednesday.", False),
        ("The pool is open on weekdays.", "The pool is open on Saturday.", False),
        ("The pool is open at weekends.", "The pool is open on Thursday.", False),
        ("The pool is open on weekdays.", "The pool is open at weekends.", False),
    ],
)
def test_a_day_lies_within_a_stretch_of_the_week_or_not(premise: str, hypothesis: str, related: bool) -> None:
    assert (_outcome(premise, hypothesis) is Outcome.CONSISTENT) is related


@pytest.mark.parametrize(
    ("premise", "hypothesis", "outcome"),
    [
        ("Delivery is free from 40 euros.", "Delivery of an order of 50 euros is free.", Outcome.CONSISTENT),
        ("Delivery is free from 40 euros.", "Delivery of an order of 30 euros is free.", Outcome.CONFLICTING),
        ("Delivery is free from 40 euros.", "Delivery is free from 50 euros.", Outcome.CONFLICTING),
        ("Delivery is free from 40 euros.", "Orders of at least 40 euros are free.", Outcome.CONSISTENT),
        ("Rooms cost from 40 to 60 euros.", "A room costs 70 euros.", Outcome.CONFLICTING),
        ("The price rose from 40 euros to 60 euros.", "The price was 50 euros.", Outcome.CONFLICTING),
    ],
)
def test_a_sum_from_which_on_a_rule_holds_is_a_lower_limit(
    premise: str, hypothesis: str, outcome: Outcome
) -> None:
    assert _outcome(premise, hypothesis) is outcome


@pytest.mark.parametrize(
    ("premise", "hypothesis", "outcome"),
    [
        (
            "item: Felt; width: 140 cm; minimum order m: 200",
            "The minimum order is 30 metres.",
            Outcome.CONFLICTING,
        ),
        (
            "item: Felt; width: 140 cm; minimum order m: 200",
            "The minimum order is 200 metres.",
            Outcome.CONSISTENT,
        ),
        ("The minimum order of felt is 200 kg.", "The minimum order of felt is 30 kg.", Outcome.CONFLICTING),
        ("The deposit for boats is 200 euros.", "The lowest deposit is 30 euros.", Outcome.CONFLICTING),
        ("17 of the 19 rowers wore a vest.", "All but two of the rowers wore a vest.", Outcome.ABSENT),
        (
            "All but two of the rowers wore a vest.",
            "All but three of the rowers wore a vest.",
            Outcome.CONFLICTING,
        ),
        (
            "Prices of felt run from 20 to 40 euros.",
            "The lowest price of felt is 30 euros.",
            Outcome.CONFLICTING,
        ),
        (
            "Prices of felt run from 20 to 40 euros.",
            "The highest price of felt is 40 euros.",
            Outcome.CONSISTENT,
        ),
        (
            "Orders of felt must be of 200 kg.",
            "Orders of felt must be of at least 30 kg.",
            Outcome.CONSISTENT,
        ),
    ],
)
def test_a_limit_that_is_named_is_met_by_no_other_figure(
    premise: str, hypothesis: str, outcome: Outcome
) -> None:
    assert _outcome(premise, hypothesis) is outcome


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
        ("A child of four rides free.", COACH),
        ("A six-year-old pays half the adult fare.", COACH),
        ("Children aged 8 and 10 pay half the adult fare.", COACH),
        ("A child of seven does not ride free.", COACH),
        ("A fourteen-year-old may not drive a twin-engine kart.", KARTS),
        ("A child of nine must be accompanied by an adult in the crypt.", CRYPT),
        ("30 percent of the members are under 30.", CHOIR),
        ("The lift is not open to a child of six.", "The lift is not open to children under 8."),
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
