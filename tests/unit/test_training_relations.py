"""Pairs about relations: every wording filled in, one label a claim, and no wording that gives its label away."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from training.relations import KINDS, relation_pairs, situation


@pytest.mark.parametrize("kind", KINDS)
def test_a_situation_has_no_slot_left_and_no_claim_on_two_sides(kind: str) -> None:
    rng = random.Random(7)
    for _ in range(60):
        made = situation(kind, rng)
        sides = [made.says, made.wider, made.against, made.open]
        texts = [text for side in sides for text in side]
        assert len(made.says) >= 2
        assert not [text for text in texts if "{" in text]
        assert len(set(texts)) == len(texts), f"a claim stands on two sides: {Counter(texts).most_common(1)}"


def test_labels_are_nearly_even_and_the_same_for_a_seed() -> None:
    pairs = relation_pairs(3000, seed=3)
    assert pairs == relation_pairs(3000, seed=3)
    counts = Counter(pair.label for pair in pairs)
    assert set(counts) == {"entailment", "neutral", "contradiction"}
    assert min(counts.values()) > 800
    assert {pair.source for pair in pairs} == {f"relation/{kind}" for kind in KINDS}
