"""The labelled pairs of ``corpora/signals/negation.jsonl``: a floor under what the signal finds and invents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import Outcome, SignalScore, TextPair

ROOT = Path(__file__).parents[2]
ROWS = [
    json.loads(line)
    for line in (ROOT / "corpora/signals/negation.jsonl").read_text(encoding="utf-8").splitlines()
]
KINDS = sorted({row["kind"] for row in ROWS})
CONFLICTS = {"polarity", "antonym", "quantifier", "modality", "condition"}
RECALL, FALSE = 0.78, 0.13
"""What every kind of pair reaches at least and at most; measured with ``python -m benchmarks.polarity``."""


def scores(rows: list[dict[str, str]]) -> list[SignalScore]:
    return NegationSignal().score([TextPair(row["premise"], row["claim"]) for row in rows])


def conflicts(rows: list[dict[str, str]]) -> int:
    return sum(score.outcome is Outcome.CONFLICTING for score in scores(rows))


def test_the_pairs_are_many_distinct_and_labelled() -> None:
    assert len({(row["premise"], row["claim"]) for row in ROWS}) == len(ROWS) >= 600
    assert {row["relation"] for row in ROWS} == CONFLICTS | {"hedge", "consistent", "unrelated"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hedge"])
def test_conflicts_of_each_kind_are_found(kind: str) -> None:
    rows = [row for row in ROWS if row["kind"] == kind and row["relation"] in CONFLICTS]
    assert conflicts(rows) >= RECALL * len(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_hardly_any_conflict_is_invented(kind: str) -> None:
    rows = [row for row in ROWS if row["kind"] == kind and row["relation"] in ("consistent", "unrelated")]
    assert conflicts(rows) <= FALSE * len(rows)


def test_exchanging_both_sides_of_a_comparison_and_its_word_changes_nothing() -> None:
    words = [("heavier", "lighter"), ("older", "younger"), ("deeper", "shallower"), ("cheaper", "dearer")]
    for more, less in words:
        for left, right in (("Lake Suur", "Lake Ema"), ("The red crate", "The blue crate")):
            premise = (
                f"{left} is {more} than {right[0].lower() + right[1:] if right[:3] == 'The' else right}."
            )
            other = left[0].lower() + left[1:] if left[:3] == "The" else left
            claims = {
                f"{right} is {less} than {other}.": Outcome.CONSISTENT,
                f"{right} is {more} than {other}.": Outcome.CONFLICTING,
                premise.replace(more, less): Outcome.CONFLICTING,
            }
            for claim, outcome in claims.items():
                [score] = NegationSignal().score([TextPair(premise, claim)])
                assert score.outcome is outcome, (premise, claim)


@pytest.mark.parametrize(
    ("share", "claim", "outcome"),
    [
        ("Three of the twenty", "Most", Outcome.CONFLICTING),
        ("Three of the twenty", "All", Outcome.CONFLICTING),
        ("Three of the twenty", "None", Outcome.CONFLICTING),
        ("Three of the twenty", "Some", Outcome.CONSISTENT),
        ("Three of the twenty", "Few", Outcome.CONSISTENT),
        ("Nineteen of the twenty", "Most", Outcome.CONSISTENT),
        ("Nineteen of the twenty", "Few", Outcome.CONFLICTING),
        ("60% of the", "Most", Outcome.CONSISTENT),
        ("60% of the", "All", Outcome.CONFLICTING),
        ("Half of the", "All", Outcome.CONFLICTING),
        ("Almost all of the", "Most", Outcome.CONSISTENT),
        ("Almost none of the", "Most", Outcome.CONFLICTING),
        ("At least one of the", "None", Outcome.CONFLICTING),
    ],
)
def test_quantifiers_are_compared_by_the_share_they_speak_of(
    share: str, claim: str, outcome: Outcome
) -> None:
    pair = TextPair(f"{share} swallows returned in April.", f"{claim} of the swallows returned in April.")
    [score] = NegationSignal().score([pair])
    assert score.outcome is outcome
