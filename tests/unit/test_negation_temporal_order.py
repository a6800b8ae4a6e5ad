"""Orders in time: below headings, and as a rule says from when on it holds."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def notes(premise: str, claim: str) -> set[str]:
    return {clash.note for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The toll ends when the tunnel opens, and not before.", "The toll ends before the tunnel opens."),
        (
            "The gate is unlocked only when the guard arrives.",
            "The gate is unlocked before the guard arrives.",
        ),
        (
            "Salaries rise when the accounts are signed, not earlier.",
            "Salaries rise ahead of the signing of the accounts.",
        ),
        (
            "Mill Lane: yearly report. Works. The bridge was painted. The road was paved later.",
            "The people of Mill Lane paved the road before they painted the bridge.",
        ),
        (
            "Elmer Hall: interim report of 2019. The roof was mended first. Later the cellar was drained.",
            "At Elmer Hall the cellar was drained before the roof was mended.",
        ),
    ],
)
def test_a_contrary_order_clashes(premise: str, claim: str) -> None:
    assert "the order is contrary" in notes(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The toll ends when the tunnel opens, and not before.", "The toll ends after the tunnel opens."),
        ("The toll ends when the tunnel opens.", "The toll ends before the ferry sails."),
        ("The crew sang when the ship sank.", "The crew sang before the ship sank."),
        (
            "Mill Lane: yearly report. Works. The bridge was painted. The road was paved later.",
            "The people of Mill Lane painted the bridge before they paved the road.",
        ),
        (
            "Elmer Hall: interim report of 2019. The roof was mended first. Later the cellar was drained.",
            "At Elmer Hall the stairs were swept before the windows were cleaned.",
        ),
    ],
)
def test_an_order_that_agrees_or_is_of_other_things_does_not(premise: str, claim: str) -> None:
    assert "the order is contrary" not in notes(premise, claim)


def test_a_verb_with_after_puts_nothing_in_order() -> None:
    premise = "Most of the committees that look after the new wells are led by women."
    claim = "Women lead most of the committees looking after the new wells."
    assert notes(premise, claim) == set()
