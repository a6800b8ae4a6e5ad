"""The parts of the kernel: the window's mean and slope, sentences cut as they come, what a callback may give."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.text import MAX_SENTENCE, sentence_spans
from verifier.guard.streaming.segments import Sentences
from verifier.guard.streaming.trend import RollingMean, RollingSlope
from verifier.guard.streaming.types import Scored, paired

STREAMS = Path(__file__).resolve().parents[2] / "corpora" / "streams"
scores = st.lists(st.floats(0, 1), min_size=1, max_size=200)


@given(scores, st.integers(2, 12))
def test_slope_and_mean_are_those_of_a_fit_over_the_window(values: list[float], size: int) -> None:
    mean, slope = RollingMean(size), RollingSlope(size)
    for at, value in enumerate(values):
        found = mean.push(value), slope.push(value)
        window = values[max(0, at + 1 - size) : at + 1]
        if len(window) < size:
            assert found == (None, None)
        else:
            assert found[0] == pytest.approx(np.mean(window), abs=1e-9)
            assert found[1] == pytest.approx(np.polyfit(range(size), window, 1)[0], abs=1e-9)


def test_rounding_does_not_add_up_over_a_long_stream() -> None:
    draw = random.Random(4)
    mean, slope, window = RollingMean(10), RollingSlope(5), [0.0] * 10
    for _ in range(50_003):
        value = draw.random()
        window = [*window[1:], value]
        found = mean.push(value), slope.push(value)
    assert found[0] == pytest.approx(np.mean(window), abs=1e-12)
    assert found[1] == pytest.approx(np.polyfit(range(5), window[-5:], 1)[0], abs=1e-12)


def corpus() -> list[str]:
    return [
        json.loads(line)["text"]
        for name in ("tuning", "measuring")
        for line in (STREAMS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.parametrize("width", [1, 3, 40])
def test_sentences_are_those_of_the_whole_text_however_it_comes(width: int) -> None:
    for text in corpus():
        sentences = Sentences()
        pieces = [
            piece for at in range(0, len(text), width) for piece in sentences.push(text[at : at + width])
        ]
        pieces += sentences.finish()
        assert "".join(pieces) == text
        assert [piece.strip() for piece in pieces] == [text[slice(*span)] for span in sentence_spans(text)]


@given(st.lists(st.text(alphabet="ab.!? \n\t\r1-。\x00é\U0001f600", max_size=12), max_size=60))
def test_nothing_of_a_stream_is_lost_or_changed(tokens: list[str]) -> None:
    sentences = Sentences()
    pieces = [piece for token in tokens for piece in sentences.push(token)]
    pieces += sentences.cut()
    assert "".join([*pieces, *sentences.finish()]) == "".join(tokens)


@pytest.mark.parametrize("text", ["a", " ", "a. ", "a.b", "word ", "\n", "é…", "1. ", ". "])
def test_what_is_held_stays_bounded_whatever_comes(text: str) -> None:
    sentences = Sentences()
    longest = 0
    for _ in range(3 * MAX_SENTENCE // len(text)):
        sentences.push(text)
        longest = max(longest, len(sentences.pending))
    assert longest <= 2 * MAX_SENTENCE + 300


def test_a_megabyte_in_one_token_is_cut_into_sentences() -> None:
    text = "The fee is 5 euros. " * 52_429
    sentences = Sentences()
    pieces = [*sentences.push(text), *sentences.finish()]
    assert "".join(pieces) == text
    assert len(pieces) == 52_429


def test_a_blank_line_ends_a_sentence_at_once() -> None:
    assert Sentences().push("Prices\n\n") == ["Prices\n\n"]


def test_an_abbreviation_waits_for_the_word_behind_it() -> None:
    sentences = Sentences()
    assert sentences.push("It opens at 5 p.m.") == []
    assert sentences.push(" on") == []
    assert sentences.push(" Monday. Then") == []
    assert sentences.push(" it") == ["It opens at 5 p.m. on Monday. "]


@pytest.mark.parametrize("given", [float("nan"), float("inf"), -0.1, 1.1, True, "0.5", [0.5]])
def test_what_is_no_score_is_refused(given: object) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        Scored.of(given)


def test_halves_of_a_surrogate_pair_are_put_together_and_a_lone_one_stays() -> None:
    assert paired("a\ud83d\ude00b") == "a\U0001f600b"
    assert paired("é\ude00\ud83d") == "é\ude00\ud83d"
