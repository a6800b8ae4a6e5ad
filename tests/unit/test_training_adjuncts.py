"""Phrases left out of true sentences: only those that the sentence stays true without, and what lacks them is open."""

from __future__ import annotations

import random

import pytest

from training.adjuncts import adjunct_dropped, adjuncts_dropped
from training.synth import left_out


def draws(sentence: str, times: int = 40) -> set[str | None]:
    return {adjunct_dropped(sentence, random.Random(seed)) for seed in range(times)}


@pytest.mark.parametrize(
    ("sentence", "possible"),
    [
        ("The museum opened in 1932 in Oslo.", {"The museum opened in 1932.", "The museum opened in Oslo."}),
        ("The bridge was built by Ann Lee.", {"The bridge was built."}),
        ("The angry workers marched for three weeks.", {"The angry workers marched."}),
        ("He played for the club from 1990 to 1994.", {"He played for the club."}),
        ("The town was rebuilt with the help of its people.", {"The town was rebuilt."}),
        ("Ann Lee, a painter from Rome, opened the shop.", {"Ann Lee opened the shop."}),
        ("They met Ann Lee, a painter.", {"They met Ann Lee."}),
        ("The company employs 200 people.", {"The company employs people."}),
        ("A man is playing with a ball on the beach.", {"A man is playing."}),
        ("The shop, in 1999, closed its doors.", {"The shop closed its doors."}),
    ],
)  # fmt: skip
def test_a_phrase_that_is_not_needed_is_left_out(sentence: str, possible: set[str]) -> None:
    assert draws(sentence) == possible


@pytest.mark.parametrize(
    "sentence",
    [
        "The museum is in Oslo.",
        "The museum was not opened in 1932.",
        "No museum opened in Oslo.",
        "It is the largest museum in Norway.",
        "All students passed in 1990.",
        "The shop may open in 1990.",
        "She won more races than Bo Ray in 1990.",
        "He lived in Oslo.",
        "It happened in 1932 and 1933.",
        "They walked for 5 miles.",
        "The reserve holds 12 hours of fuel.",
        "Fewer than 200 people came.",
        "He met Ann Lee, the mayor, and Bo Ray.",
    ],
)
def test_a_phrase_that_may_be_needed_stays(sentence: str) -> None:
    assert draws(sentence) == {None}


def test_several_phrases_can_go() -> None:
    sentence = "The bridge was built by Ann Lee in 1932."
    found = {adjuncts_dropped(sentence, random.Random(seed)) for seed in range(40)}
    assert "The bridge was built." in found
    assert "The bridge was built by Ann Lee." in found


def test_what_lost_a_phrase_is_entailed_and_what_has_it_more_is_open() -> None:
    sentence, after = "The museum opened in 1932 in Oslo.", "It was crowded."
    pairs = [
        pair for seed in range(30) for pair in left_out(f"{sentence} {after}", sentence, random.Random(seed))
    ]
    assert {pair.label for pair in pairs} == {"entailment", "neutral"}
    for pair in pairs:
        if pair.label == "entailment":
            assert sentence in pair.premise
            assert len(pair.hypothesis) < len(sentence)
        else:
            assert pair.hypothesis == sentence
            assert sentence not in pair.premise
            assert after in pair.premise


def test_a_phrase_that_another_sentence_has_is_not_called_open() -> None:
    sentence = "The old museum opened in Oslo."
    for seed in range(30):
        pairs = list(left_out(f"{sentence} It lies in the middle of Oslo.", sentence, random.Random(seed)))
        assert [pair.label for pair in pairs] == ["entailment"]
