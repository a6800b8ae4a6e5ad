"""Values under negation: beyond a limit or a period, or ruled out by the claim."""

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
