"""Values in words, intervals, multiples, parts of a year and table rows under headings, through the signal."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, SignalScore, TextPair


def _read(premise: str, hypothesis: str) -> SignalScore:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Doors open at half past nine.", "Doors open at 9:30 am."),
        ("Doors open at a quarter to ten.", "Doors open at 21:45."),
        ("Doors open at twenty past eight.", "Doors open at 8:20 pm."),
        ("Doors open at nine in the evening.", "Doors open at 21:00."),
        ("He died in the second half of November 1987.", "He died on 21 November 1987."),
        ("The gates opened in the second half of the 1950s.", "The gates opened in 1956."),
        ("Sales rose in the first half of 2023.", "Sales rose in May 2023."),
        ("The town dates to the seventh and sixth centuries BCE.", "The town dates to 640 to 510 BCE."),
        ("The town dates to the seventh century BC.", "The town dates to 640 BC."),
        ("Between 2016 and 2022 the meadows shrank.", "Seagrass, 2016-2022. The meadows shrank."),
        ("The race is held twice a year.", "The race is held every six months."),
        ("The boat sails every other day.", "The boat sails every two days."),
        ("Interest is paid quarterly.", "Interest is paid every quarter."),
        ("Profits halved in 2020.", "Profits fell by 50% in 2020."),
        ("Sales grew threefold.", "Sales tripled."),
        ("It runs at no less than 180 and no more than 240 °C.", "It runs at 180 to 240 °C."),
        ("A fire broke out in Kiln 1 possibly.", "The fire in Kiln 1 may be arson."),
    ],
)
def test_values_told_otherwise_agree(claim: str, evidence: str) -> None:
    assert _read(evidence, claim).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Doors open at half past nine.", "Doors open at 10:30 am."),
        ("He died in the first half of November 1987.", "He died on 21 November 1987."),
        ("The gates opened in the late 1950s.", "The gates opened in 1952."),
        ("The town dates to the fifth century BC.", "The town dates to 640 BC."),
        ("Interest is paid monthly.", "Interest is paid every quarter."),
        ("Profits doubled in 2020.", "Profits tripled in 2020."),
        ("Groups of more than 10 get a discount.", "Groups of more than 20 get a discount."),
        ("The next audit is planned for March 2027.", "The next audit is due in March 2026."),
    ],
)
def test_values_told_otherwise_conflict(claim: str, evidence: str) -> None:
    assert _read(evidence, claim).outcome is Outcome.CONFLICTING


def test_a_rounder_limit_is_no_conflict() -> None:
    score = _read("Groups of more than 12 get a discount.", "Groups of more than 10 get a discount.")
    assert score.outcome is Outcome.ABSENT


def test_how_many_millions_is_not_made_up() -> None:
    score = _read("It cost 2 million crowns.", "It cost a couple of million crowns.")
    assert score.outcome is not Outcome.CONFLICTING


_ROW = "Lantern Theatre: season 2024/25. Productions. Title: Salt; Premiere: 10 May 2025; Stage: Studio"


def test_a_row_under_a_heading_is_named_by_its_own_first_cell() -> None:
    assert _read(_ROW, "Salt has its premiere on 10 March 2025.").outcome is Outcome.CONFLICTING
    assert _read(_ROW, "Salt has its premiere on 10 May 2025.").outcome is Outcome.CONSISTENT


def test_a_figure_in_a_label_is_no_rival_and_four_digits_may_be_a_count() -> None:
    row = "list: Green Harbour; votes 2024: 1480; seats 2024: 3; votes 2019: 1105; seats 2019: 2"
    right = _read(row, "Green Harbour got 1,480 votes in 2024.")
    wrong = _read(row, "Green Harbour got 1,580 votes in 2024.")
    assert right.features["conflict"] == 0.0
    assert right.outcome is Outcome.CONSISTENT
    assert wrong.outcome is Outcome.CONFLICTING


def test_the_period_of_a_title_does_not_contradict_a_date() -> None:
    premise = "Seagrass meadows in the bay, 2016-2022. Six sites were surveyed."
    score = _read(premise, "The study of the seagrass meadows in the bay came out in March 2023.")
    assert score.outcome is not Outcome.CONFLICTING


def test_figures_of_wholly_different_size_do_not_conflict() -> None:
    score = _read("Each further withdrawal costs £5.", "Each withdrawal below £20,000 costs nothing.")
    assert score.outcome is not Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("evidence", "claim", "outcome"),
    [
        ("The library opens at 9 am on weekdays.", "The library opens at nine on weekdays.", "consistent"),
        ("The kiosk closes at 18:00.", "The kiosk closes at six.", "consistent"),
        ("The office is open from 9:00 to 17:00.", "The office is open from nine to five.", "consistent"),
        ("The coach leaves at 7.15 p.m. and 10 p.m.", "The last coach leaves at ten.", "consistent"),
        ("The committee met at 2 p.m.", "The committee met at two.", "consistent"),
        ("The library opens at 9 am on weekdays.", "The library opens at ten on weekdays.", "conflicting"),
        ("The firm opened at nine sites.", "The firm opened at 9 sites.", "consistent"),
        ("The ladder starts at one and stops at ten rungs.", "The ladder starts at 1.", "consistent"),
        ("The survey begins at three of the wells.", "The survey begins at 3 of the wells.", "consistent"),
        ("The climb starts at seven metres.", "The climb starts at 7 m.", "consistent"),
        ("She left at nine years of age.", "She left at 9 years of age.", "consistent"),
    ],
)
def test_an_hour_behind_a_verb_of_schedules_is_a_time_of_day_and_a_count_stays_one(
    evidence: str, claim: str, outcome: str
) -> None:
    [score] = NumberSignal().score([TextPair(evidence, claim)])
    assert score.outcome.value == outcome


def outcome(premise: str, claim: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, claim)])[0].outcome


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("The plant opened in Q3 2024.", "The plant opened in the second half of 2024.", Outcome.CONSISTENT),
        ("It shut in the second quarter of 2019.", "It shut in the first half of 2019.", Outcome.CONSISTENT),
        ("The plant opened in Q3 2024.", "The plant opened in the first half of 2024.", Outcome.CONFLICTING),
        ("The plant opened in Q3 2024.", "The plant opened in the second half of 2023.", Outcome.CONFLICTING),
        ("Sales fell in Q1 2020.", "Sales fell in Q2 2020.", Outcome.CONFLICTING),
        ("The trial began in early 2020.", "The trial began in mid 2020.", Outcome.CONFLICTING),
        ("The trial began in the second half of 2020.", "The trial began in Q4 2020.", Outcome.ABSENT),
        ("The mast is 5 ft 6 in tall.", "The mast is 66 inches tall.", Outcome.CONSISTENT),
        ("The mast is 66 inches tall.", "The mast is 5 ft 6 in.", Outcome.CONSISTENT),
        ("The mast is 5 ft 6 in tall.", "The mast is 56 inches tall.", Outcome.CONFLICTING),
        ("The ditch is 5 feet deep, 6 in the middle.", "The ditch is 5 feet deep.", Outcome.CONSISTENT),
        ("A team has at least 20 players.", "A team has at most 20 players.", Outcome.CONFLICTING),
        ("The lift carries up to 400 kg.", "The lift carries at least 400 kg.", Outcome.CONFLICTING),
        ("Cancel up to 14 days before arrival.", "Cancel at least 14 days before arrival.", Outcome.ABSENT),
    ],
)  # fmt: skip
def test_what_parts_and_limits_say_of_each_other(premise: str, claim: str, expected: Outcome) -> None:
    assert outcome(premise, claim) is expected
