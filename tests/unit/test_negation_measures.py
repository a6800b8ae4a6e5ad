"""Any age or size against a limit; the times of a rule against the people it holds for; limits that are no order."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The slide is closed to children under 8 years.", "The slide is open to children of any age."),
        ("The zip line takes riders aged 12 and over.", "The zip line takes riders of all ages."),
        (
            "The locker room stores suitcases of at most 80 cm.",
            "The locker room stores suitcases of any size.",
        ),
        ("The lift carries loads of up to 400 kg.", "The lift carries loads of any weight."),
        ("The fund pays grants of at least 500 euros.", "The fund pays grants of any amount."),
    ],
)
def test_any_measure_is_broken_by_a_limit(premise: str, claim: str) -> None:
    assert "condition" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The slide is closed to children under 8 years.", "The swing is used by people of any age."),
        ("The slide is 12 m long.", "The slide is open to children of any age."),
        (
            "The slide is open to children of any age under supervision.",
            "The slide is open to children of any age.",
        ),
        ("Children under 8 years pay half on the slide.", "The slide is not open to children of any age."),
        ("The lift carries loads of up to 400 kg.", "The lift carries loads of any size."),
    ],
)
def test_other_figures_break_it_not(premise: str, claim: str) -> None:
    assert "condition" not in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Entry is free for everyone on the last Friday of the month.",
            "On the last Friday of every month entry costs nothing.",
        ),
        ("The choir sings for everybody on Sunday.", "The choir sings every Sunday."),
        ("Everything in the shop is reduced in June.", "The shop is reduced every June."),
        ("The pool is heated for everyone in winter.", "The pool is heated each winter."),
        (
            "Nobody pays for the shuttle on the first day of the fair.",
            "The shuttle on the first day of each fair is paid.",
        ),
    ],
)
def test_how_often_is_not_compared_with_for_whom(premise: str, claim: str) -> None:
    assert "quantifier" not in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Some of the singers are paid.", "Everyone is paid among the singers."),
        ("The museum is free on some days.", "The museum is free on all days."),
        ("Most of the stalls open every day.", "All of the stalls open every day."),
        ("Half of the lamps were mended in winter.", "All of the lamps were mended in winter."),
        (
            "The guide speaks to some of the guests each week.",
            "The guide speaks to all of the guests each week.",
        ),
    ],
)
def test_quantities_of_one_sort_still_clash(premise: str, claim: str) -> None:
    assert "quantifier" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Paint the hull at least 3 days before the launch.",
            "The hull is painted no later than 3 days before the launch.",
        ),
        (
            "The seeds are sown two weeks before the frost.",
            "The seeds are sown no later than two weeks before the frost.",
        ),
        ("Guests register a day before the hike.", "Guests register not later than one day before the hike."),
        (
            "The dough rests 40 minutes before baking.",
            "The dough rests no less than 40 minutes before baking.",
        ),
        (
            "The choir rehearses an hour before the mass.",
            "The choir rehearses no later than 60 minutes before the mass.",
        ),
    ],
)
def test_no_later_than_a_length_of_time_is_no_denial(premise: str, claim: str) -> None:
    assert "antonym" not in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The hull is painted before the launch.", "The hull is painted after the launch."),
        ("The seeds are sown before the frost.", "The seeds are not sown before the frost."),
        ("The mill is older than the chapel.", "The chapel is older than the mill."),
        ("Guests register before the hike.", "The hike takes place before guests register."),
        ("The dough rests before baking.", "The dough never rests before baking."),
    ],
)
def test_the_contrary_order_or_a_denial_still_is(premise: str, claim: str) -> None:
    assert features(premise, claim) & {"antonym", "polarity"}
