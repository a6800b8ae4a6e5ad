"""Values under negation: beyond a limit or a period, on the other side of a time, or denied by the claim."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair


def _outcome(premise: str, hypothesis: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0].outcome


DEPOSIT = "The deposit is paid back if the hut is cancelled at least 7 days before arrival."
DOGS = "Dogs of at most 10 kg are allowed on the bus."
GARDEN = "The garden is open from April to October."


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (DEPOSIT, "If the hut is cancelled less than 7 days before arrival, the deposit is not paid back."),
        (DOGS, "Dogs over 10 kg are not allowed on the bus."),
        ("Pupils under 12 may not dive.", "Pupils aged 12 and over may dive."),
        (GARDEN, "The garden is not open in January."),
        (GARDEN, "The garden is not open from November to March."),
        ("The market is held from Tuesday to Saturday.", "The market is not held on Mondays."),
    ],
)
def test_the_other_side_of_a_limit_is_borne_out(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (DEPOSIT, "If the hut is cancelled less than 7 days before arrival, the deposit is paid back."),
        (DEPOSIT, "If the hut is cancelled less than 3 days before arrival, the deposit is not paid back."),
        (DOGS, "Dogs over 10 kg are allowed on the bus."),
        ("Pupils under 12 may dive.", "Pupils aged 12 and over may dive."),
        (GARDEN, "The garden is open in January."),
        (GARDEN, "The garden is not open from May to July, and no longer than that."),
    ],
)
def test_the_same_of_both_sides_is_not(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is not Outcome.CONSISTENT


@pytest.mark.parametrize(
    "title",
    [
        "Harl Ferries: timetable 2026",
        "Guide for Guests 2026",
        "Price List 2026",
        "Annual Report 2026",
        "Rules 2026",
    ],
)
def test_a_year_in_a_title_denies_no_count(title: str) -> None:
    read = _outcome(f"{title}. Boats. The boat carries guests.", "The boat carries 260 guests.")
    assert read is not Outcome.CONFLICTING


def test_a_count_in_the_text_still_does() -> None:
    assert (
        _outcome("Rules 2026. The boat carries 320 guests.", "The boat carries 260 guests.")
        is Outcome.CONFLICTING
    )


HOURS = "The library is open on Fridays from 9:00 to 16:00. It is closed on Mondays."


def test_the_figure_beside_tells_which_day_is_meant() -> None:
    assert _outcome(HOURS, "On Fridays it closes at 16:00.") is Outcome.CONSISTENT
    assert _outcome(HOURS, "On Mondays it closes at 15:00.") is not Outcome.CONSISTENT


LATE = "On Fridays the library stays open until 20:00."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "denied"),
    [
        (LATE, "The library is not open on Mondays.", False),
        ("The Team plan costs 29 euros a month.", "The Team plan does not cost 49 euros a month.", False),
        ("The chapel was built in 1820.", "The chapel was not built in 1780.", False),
        ("The van carries 50 sacks.", "The van cannot carry 70 sacks.", False),
        ("The lake is 31 m deep.", "Nowhere is the lake deep; it is never 40 m deep.", False),
        (LATE, "On Mondays the library stays open until 20:00.", True),
        (
            "The Team plan costs 29 euros a month.",
            "The Team plan costs 49 euros a month and has no trial.",
            True,
        ),
        ("The chapel was built in 1820.", "The chapel, which is not locked, was built in 1780.", True),
        ("The van carries 50 sacks.", "The van is not new, but carries 70 sacks.", True),
        ("The lake is 31 m deep.", "The lake is 40 m deep and does not freeze.", True),
        ("Nobody may leave for the first 20 minutes.", "Nobody may leave for the first 30 minutes.", True),
    ],
)
def test_a_value_that_the_claim_rules_out_is_denied_by_no_other(
    premise: str, hypothesis: str, denied: bool
) -> None:
    assert (_outcome(premise, hypothesis) is Outcome.CONFLICTING) is denied


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Returns are accepted within 30 days.", "Returns are accepted after 30 days."),
        ("Unused goods are taken back within 14 days of delivery.", "Goods are taken back after two weeks."),
        (
            "Notice must be given at least 14 days before the event.",
            "Notice must be given within 14 days of the event.",
        ),
        ("Refunds are paid within ten working days.", "Refunds are paid after ten working days."),
        (
            "Parcels handed in before 5 pm leave the same day.",
            "Parcels handed in after 5 pm leave the same day.",
        ),
        ("The pool is open until 8 pm.", "The pool is open from 8 pm."),
        ("The offer is valid from 3 May 2024.", "The offer is valid until 3 May 2024."),
        ("Guests must leave the rooms by 11 am.", "Guests must leave the rooms after 11 am."),
        ("She led the choir until 1998.", "She led the choir from 1998."),
    ],
)
def test_the_same_of_the_other_side_conflicts(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Returns are accepted within 14 days.", "Returns are accepted in at most two weeks."),
        (
            "Returns are accepted within 14 days of delivery.",
            "Returns are accepted no later than 14 days after delivery.",
        ),
        ("Returns are accepted within 30 days.", "Returns are not accepted after 30 days."),
        ("Returns are accepted within 30 days.", "After 30 days returns are refused."),
        ("No returns are accepted after 30 days.", "Returns are accepted within 30 days."),
        ("Orders within 30 days are free, later ones cost 5 euros.", "Orders after 30 days cost 5 euros."),
        ("The trial ends after 14 days.", "The trial ends within 14 days."),
        ("Records are kept for 30 days.", "Records are deleted after 30 days."),
        (
            "Places can be booked up to 3 days before the talk.",
            "Places can be booked at least 3 days before the talk.",
        ),
        ("The shop is open from 8 am until 8 pm.", "The shop is open until 8 pm."),
        ("From 1 May 2024 all shops must take cards.", "By 1 May 2024 all shops must take cards."),
        ("The offer is valid until 3 May 2024.", "The offer expires after 3 May 2024."),
        ("She led the choir until 1998.", "From 1998 she led the school."),
        ("The museum was closed until 2019, and open from 2019.", "The museum was open from 2019."),
        ("Swimming is allowed until 8 pm and diving from 8 pm.", "Diving is allowed from 8 pm."),
    ],
)
def test_what_agrees_or_speaks_of_something_else_does_not(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is not Outcome.CONFLICTING


BEDS = "Hut: Upper Kern; Height: 2,410 m; Beds: 64; Dogs: no; Opens: 15 June"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (BEDS, "The Upper Kern hut does not have 64 beds."),
        ("The value on the glazing line was 0.03.", "On the glazing line the value was not 0.03."),
        ("Kessmere cost seventy-four million crowns.", "Kessmere did not cost 74 million crowns."),
    ],
)
def test_a_figure_that_the_claim_denies_and_the_evidence_states_conflicts(
    premise: str, hypothesis: str
) -> None:
    assert _outcome(premise, hypothesis) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (BEDS, "The Upper Kern hut does not only have 64 beds."),
        (BEDS, "The Upper Kern hut has 64 beds and does not allow dogs."),
        ("The hut does not have 64 beds but 40.", "The hut does not have 64 beds."),
        ("The firm made a loss of 3 million euros.", "The firm did not make a profit of 3 million euros."),
        (
            "The pass is 49 euros for adults and 30 for children.",
            "Children do not pay 49 euros for the pass.",
        ),
        ("The hall seats 300.", "The hall does not seat more than 300."),
        ("The bridge was opened in 1932 and lit in 1951.", "The bridge was not lit in 1932."),
    ],
)
def test_a_denial_of_something_else_leaves_the_figure_alone(premise: str, hypothesis: str) -> None:
    assert _outcome(premise, hypothesis) is not Outcome.CONFLICTING
