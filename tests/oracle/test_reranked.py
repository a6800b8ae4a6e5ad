"""The reranked backend against a plain calculation of its formula over all candidates."""

import random

import numpy as np
import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.reranked import RerankedBackend
from verifier_backends.types import Item

from tests.support.shared_words import SharedWords

WORDS = [
    *("amber", "bell", "copper", "delta", "ember", "frost"),
    *("grain", "harbour", "iron", "juniper", "kettle"),
]


def texts(rng: random.Random) -> dict[str, str]:
    return {f"d{n:02d}": " ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for n in range(60)}


def stretched(scores: np.ndarray) -> np.ndarray:
    spread = np.ptp(scores)
    return (scores - scores.min()) / spread if spread > 0 else np.ones(len(scores))


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("top_n", [1, 7, 100])
def test_ranking_and_scores_are_those_of_the_formula(weight: float, top_n: int) -> None:
    rng = random.Random(f"{weight}/{top_n}")
    plain, stored = BM25Backend(), texts(rng)
    backend = RerankedBackend(BM25Backend(), SharedWords(), top_n=top_n, weight=weight)
    for each in (plain, backend):
        each.add_many(Item(doc_id, text) for doc_id, text in stored.items())
    for _ in range(10):
        query = " ".join(rng.sample(WORDS, 3))
        found = plain.query(query, 100)
        head = found[:top_n]
        first = np.array([hit["score"] for hit in head])
        normal = stretched(first)
        read = stretched(SharedWords().score(query, [hit["text"] for hit in head]).round(5))
        expected = sorted(
            (round(-(weight * r + (1 - weight) * f), 9), hit["id"])
            for r, f, hit in zip(read, normal, head, strict=True)
        )
        hits = backend.query(query, 100)
        assert [hit["id"] for hit in hits] == [
            *(doc_id for _, doc_id in expected),
            *(hit["id"] for hit in found[top_n:]),
        ]
        assert [hit["score"] for hit in hits[: len(head)]] == pytest.approx([-score for score, _ in expected])
        tail = [hit["score"] for hit in hits[len(head) :]]
        assert tail == sorted(tail, reverse=True)
        assert all(-1.0 < score < 0.0 for score in tail)
