"""Changes that a claim tells in words, against pairs of figures in the evidence."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Net income was $41 million (2019: $47 million).", "Net income grew in 2020."),
        (
            "The share of late trams was 9%, compared with 13% a year earlier.",
            "The share of late trams rose.",
        ),
        ("Tonnage came to 310,000 t, down from 355,000 t.", "Tonnage went up."),
        ("The fee was lowered from $30 to $25.", "The fee rose."),
        (
            "The pond cooled from 24 °C to 19 °C.",
            "The pond became warmer than in the previous year; it heated up.",
        ),
        ("Output in 2019 was 410 t, in 2023 it was 500 t.", "Output shrank."),
        ("Memory used in the test fell from 410 MB to 260 MB.", "It uses more memory than its predecessor."),
        (
            "The start took 9 s, compared with 14 s a year earlier.",
            "The start of 3.1.0 took longer than before.",
        ),
        (
            "Takings were 410,000 crowns, up from 370,000 crowns two years ago.",
            "Takings were down on two years ago.",
        ),
    ],
)
def test_figures_that_show_the_contrary_change_clash(premise: str, claim: str) -> None:
    assert "antonym" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Net income was $41 million (2019: $47 million).", "Net income fell in 2020."),
        ("Net income was $41 million (2019: $47 million).", "Wages grew in 2020."),
        ("Net income was $41 million (2019: $47 million).", "Net income grew in 2012."),
        ("Unemployment was 4.1%, against a target of 5%.", "Unemployment rose."),
        ("Rents in the north were 900 EUR, in the south 700 EUR.", "Rents rose."),
        ("The fee was lowered from $30 to $25.", "The fee did not rise."),
        ("Shifts last from 8 to 12 hours.", "Shifts became shorter: they fell."),
        (
            "Takings were 410,000 crowns, up from 370,000 crowns two years ago.",
            "Takings were up on two years ago.",
        ),
        (
            "In May 2021 the plant burnt 70 t of coal a day; the mill in 2023 burnt 44 t.",
            "The coal of the plant shrank.",
        ),
        ("The lift carried 900 people, up from 700 a year earlier.", "The lift was down in May."),
    ],
)
def test_figures_that_agree_or_are_of_something_else_do_not(premise: str, claim: str) -> None:
    assert "antonym" not in features(premise, claim)
