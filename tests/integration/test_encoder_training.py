"""What the encoders learn from is what it says it is, and a taught table puts claims nearer to their evidence."""

from __future__ import annotations

import os

import numpy as np
import pytest

pytest.importorskip("torch")

from training.data import Pair, claim_hash, data_folder, held_out_claims
from training.encoders.judge import judge
from training.encoders.lesson import hard_negatives, imitated_texts
from training.encoders.pairs import development_pool, in_development, opening, retrieval_pairs
from training.encoders.static import Lesson, Schedule, distil, frequencies, teach

needs_data = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA is unset: the evaluation data is not here"
)


@needs_data
def test_no_claim_that_judges_is_learnt_from() -> None:
    data = data_folder()
    learnt, development = retrieval_pairs(data, seed=13)
    assert len(learnt) > 40_000
    learnt_claims = {claim_hash(pair.hypothesis) for pair in learnt}
    assert not learnt_claims & held_out_claims(data)
    assert not learnt_claims & {claim_hash(pair.hypothesis) for pair in development}
    assert not {opening(pair.premise) for pair in learnt} & {opening(pair.premise) for pair in development}


def test_cuts_of_one_page_stand_on_one_side() -> None:
    page = "The lighthouse of Karst Point was built in 1870."
    assert in_development(page) == in_development(f"{page} It is closed.") == in_development(page.upper())
    sides = [in_development(f"Page {n} tells of the thing number {n} and more.") for n in range(400)]
    assert 30 < sum(sides) < 100


def test_the_pool_knows_every_passage_that_bears_on_a_claim() -> None:
    pairs = [
        Pair("one passage", "a claim", "entailment", "s"),
        Pair("another passage", "a claim", "contradiction", "s"),
        Pair("another passage", "a second claim", "entailment", "t"),
    ]
    pool = development_pool(pairs, claims_a_set=5, seed=1)
    assert pool.passages == ["one passage", "another passage"]
    assert pool.claims == {"s": ["a claim"], "t": ["a second claim"]}
    assert pool.relevant == {"a claim": [0, 1], "a second claim": [1]}


def test_hard_negatives_share_words_but_not_the_page() -> None:
    rows = [
        ("Whales of the north eat krill all day long", "whales eat krill"),
        ("Whales of the north eat krill by night too", "whales eat by night"),
        ("In the south, whales and seals eat krill", "seals eat krill"),
        ("Bonds and shares fell", "bonds fell"),
    ]
    pairs = [Pair(premise, claim, "entailment", "s") for premise, claim in rows]
    negatives = hard_negatives(pairs, 1)
    assert negatives.shape == (4, 1)
    assert negatives[0, 0] == 2


def test_claims_and_evidence_to_imitate_come_in_turn() -> None:
    pairs = [Pair(f"premise {n}", f"claim {n}", "entailment", "s") for n in range(9)]
    texts = imitated_texts(pairs, 3)
    assert [text.split()[0] for text in texts] == ["premise", "claim"] * 3
    assert texts == imitated_texts(pairs, 3)


class _Table:
    """Texts of words ``w<number>``, encoded by a table of numbers."""

    identity = "table"

    def __init__(self, table: np.ndarray) -> None:
        self.table, self.dimension = table, table.shape[1]

    def encode(self, texts: list[str]) -> np.ndarray:
        rows = np.array([self.table[_ids(text)].sum(axis=0) for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _ids(text: str) -> list[int]:
    return [int(word[1:]) for word in text.split()]


def test_a_taught_table_finds_synonyms_that_the_distilled_one_does_not() -> None:
    rng = np.random.default_rng(4)
    # Word 50 + n says the same as word n; only the pairs tell.
    said = [rng.choice(50, 6, replace=False) for _ in range(300)]
    pairs = [
        Pair(" ".join(f"w{n}" for n in own), " ".join(f"w{n + 50}" for n in own[:3]), "entailment", "s")
        for own in said
    ]
    claims, evidence = [_ids(pair.hypothesis) for pair in pairs], [_ids(pair.premise) for pair in pairs]
    pieces = rng.normal(size=(100, 24)).astype(np.float32)
    table, axes = distil(pieces, frequencies([*claims, *evidence], 100), dimension=16)
    assert axes.shape == (24, 16)
    none = np.zeros((0, 16), dtype=np.float32)
    lesson = Lesson(claims[:200], evidence[:200], hard_negatives(pairs[:200], 1), [], none)
    taught = teach(table, lesson, Schedule(steps=60, batch=50, rate=3e-2))
    pool = development_pool(pairs[200:], claims_a_set=50, seed=1)
    assert judge(_Table(taught), pool).ndcg_at_10 > judge(_Table(table), pool).ndcg_at_10 + 0.3


def test_imitation_brings_the_table_nearer_to_the_targets() -> None:
    rng = np.random.default_rng(2)
    texts = [list(map(int, rng.choice(30, 5))) for _ in range(100)]
    hidden = rng.normal(size=(30, 8)).astype(np.float32)
    targets = np.array([hidden[ids].sum(axis=0) for ids in texts])
    start = rng.normal(size=(30, 8)).astype(np.float32)

    def nearness(table: np.ndarray) -> float:
        rows = np.array([table[ids].sum(axis=0) for ids in texts])
        cosines = (rows * targets).sum(1) / np.linalg.norm(rows, axis=1) / np.linalg.norm(targets, axis=1)
        return float(cosines.mean())

    lesson = Lesson([], [], np.zeros((0, 1), dtype=np.int64), texts, targets)
    taught = teach(start, lesson, Schedule(steps=100, batch=50, rate=3e-2))
    assert nearness(taught) > nearness(start) + 0.5
