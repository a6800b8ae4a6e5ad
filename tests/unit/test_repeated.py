"""What a claim has otherwise than the sentence that it repeats."""

from __future__ import annotations

import pytest
from verifier_signals.repeated import gaps_in

RULES = "Harbour rules. Boats are moored for three weeks at most in summer. Dogs stay on a lead."


def _said(claim: str, premise: str = RULES) -> list[tuple[str, str]]:
    return [
        (" ".join(t.word.low for t in gap.ours), " ".join(t.word.low for t in gap.theirs))
        for gap in gaps_in(claim, premise)
    ]


@pytest.mark.parametrize(
    ("claim", "gaps"),
    [
        ("Boats are moored for two weeks at most in summer.", [("two", "three")]),
        ("Boats are moored for three weeks at most in the summer.", [("the", "")]),
        ("Boats are not moored for three weeks at most in summer.", [("not", "")]),
        (
            "Every boat is moored for three weeks at most in winter.",
            [("every", ""), ("is", "are"), ("winter", "summer")],
        ),
        ("Boats are moored for three weeks at most.", []),
        ("Boats are moored for three weeks at most in summer.", []),
    ],
)
def test_a_repeated_sentence_differs_in_its_gaps(claim: str, gaps: list[tuple[str, str]]) -> None:
    assert _said(claim) == gaps


@pytest.mark.parametrize(
    "claim",
    [
        "In summer nobody may leave a boat here for more than three weeks.",
        "Dogs stay.",
        "Boats and dogs are in the harbour for a summer of three weeks at most, on a lead.",
        "",
        "...",
    ],
)
def test_other_words_repeat_nothing(claim: str) -> None:
    assert _said(claim) == []


def test_words_that_stand_here_and_there_in_a_long_sentence_are_no_repetition() -> None:
    words = "the pier was built of stone by men of the town in the year of the flood"
    scattered = " ".join(f"{word} and so on" for word in words.split())
    assert _said(f"{words}.", f"{scattered}.") == []


def test_the_sentence_that_most_is_repeated_of_counts() -> None:
    premise = "The north gate opens at nine on Sundays. The north gate opens at ten on Mondays and Tuesdays."
    assert _said("The north gate opens at ten on Mondays and Fridays.", premise) == [("fridays", "tuesdays")]
