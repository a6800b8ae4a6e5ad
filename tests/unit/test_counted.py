"""``Half of them``: of what the sentence or the question before has counted."""

from __future__ import annotations

import pytest

from verifier.verification.claims import extract_answer, extract_claims


@pytest.mark.parametrize(
    ("prompt", "answer", "last"),
    [
        (
            "How big is the archive?",
            "The archive holds 8,400 letters. Roughly one in seven of them can be read.",
            "Roughly one in seven of the letters can be read.",
        ),
        (
            "How many boats does the club own?",
            "It owns 36. A quarter of them are canoes.",
            "A quarter of the boats are canoes.",
        ),
        ("How many lamps are lit?", "Two in five of them are lit.", "Two in five of the lamps are lit."),
        (
            "",
            "The choir has 80 voices. 30 percent of them are basses.",
            "30 percent of the voices are basses.",
        ),
        (
            "How many rooms are there?",
            "It has 30. Half of them have a bath.",
            "Half of the rooms have a bath.",
        ),
    ],
)
def test_a_part_is_one_of_what_was_counted(prompt: str, answer: str, last: str) -> None:
    assert extract_answer(answer, prompt, extract_claims).claims[-1].hypothesis == last


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("What does it cost?", "The hire takes 5 hours. Half of them are free."),
        ("", "The choir has 80 voices and 12 boards. Half of them are old."),
        ("How many boats are there?", "There are lanterns on the lake. Half of them are red."),
        ("", "She bought tickets. Two of them are left."),
        ("", "The club owns 36 boats. It sold some of them."),
    ],
)
def test_it_stays_where_several_things_may_be_meant_or_none_was_counted(prompt: str, answer: str) -> None:
    assert " of them" in extract_answer(answer, prompt, extract_claims).claims[-1].hypothesis
