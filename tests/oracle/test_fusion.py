"""Fusion against its formulas computed by hand and by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.fusion import convex_combination, min_max, reciprocal_rank_fusion
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item

IDS = st.lists(st.sampled_from("abcdefghij"), unique=True)
WEIGHT = st.floats(0, 10)


def test_ranks_start_at_one():
    assert reciprocal_rank_fusion([["a"]]) == [("a", 1 / 61)]


@given(IDS, IDS, WEIGHT, WEIGHT, st.floats(0, 100))
def test_rrf_is_the_weighted_sum_of_reciprocal_ranks(first, second, w1, w2, rrf_k):
    expected = {}
    for doc_id in {*first, *second}:
        terms = [
            weight / (rrf_k + ranking.index(doc_id) + 1)
            for ranking, weight in ((first, w1), (second, w2))
            if doc_id in ranking
        ]
        expected[doc_id] = sum(terms)
    fused = reciprocal_rank_fusion([first, second], [w1, w2], rrf_k=rrf_k)
    assert dict(fused) == pytest.approx(expected)
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))


def test_ties_go_by_id():
    assert [doc_id for doc_id, _ in reciprocal_rank_fusion([["b", "a"], ["a", "b"]])] == ["a", "b"]
    assert [doc_id for doc_id, _ in convex_combination([{"b": 1.0}, {"a": 5.0}])] == ["a", "b"]


def test_a_number_of_weights_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([["a"], ["b"]], [1.0])


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(-1e6, 1e6)), st.floats(0.1, 10), st.floats(-99, 99)
)
def test_min_max_stays_in_range_and_keeps_the_order(scores, stretch, shift):
    scaled = min_max(scores)
    assert scaled.keys() == scores.keys()
    assert all(0 <= value <= 1 for value in scaled.values())
    for one in scores:
        for other in scores:
            if scores[one] > scores[other]:
                assert scaled[one] >= scaled[other]


def test_convex_combination_weighs_the_normalised_scores():
    fused = dict(convex_combination([{"a": 3.0, "b": 2.0, "c": 1.0}, {"c": 30.0, "b": 10.0}], [3, 1]))
    assert fused == pytest.approx({"a": 0.75, "b": 0.375, "c": 0.25})


def test_nothing_fused_is_nothing():
    assert reciprocal_rank_fusion([]) == reciprocal_rank_fusion([[], []]) == []
    assert convex_combination([]) == convex_combination([{}, {}]) == []


TEXTS = ["copper bell tower", "bell of copper", "silver spoon", "towering silver clouds", "a spoon of copper"]


def parts():
    dense, sparse = InMemoryBackend(HashingEncoder()), BM25Backend()
    items = [Item(f"d{i}", text) for i, text in enumerate(TEXTS)]
    dense.add_many(items)
    sparse.add_many(items)
    return dense, sparse


@pytest.mark.parametrize("weights", [(1.0, 1.0), (0.3, 2.0), (0.0, 1.0)])
def test_hybrid_scores_are_the_fusion_of_its_parts(weights):
    dense, sparse = parts()
    hybrid = HybridBackend(dense, sparse, rrf_k=10, dense_weight=weights[0], sparse_weight=weights[1])
    query = "the copper tower"
    rankings = [[hit["id"] for hit in part.query(query, 5)] for part in (dense, sparse)]
    expected = reciprocal_rank_fusion(rankings, weights, rrf_k=10)
    assert [(hit["id"], hit["score"]) for hit in hybrid.query(query, 5)] == expected


def test_hybrid_with_one_part_empty_ranks_by_the_other():
    dense, _ = parts()
    hybrid = HybridBackend(dense, BM25Backend(), method="convex")
    query = "copper tower"
    assert [hit["id"] for hit in hybrid.query(query, 3)] == [hit["id"] for hit in dense.query(query, 3)]


def three_parts():
    """Backends over the same texts that rank them in different ways, and the rankings of each."""
    parts = {
        "dense": InMemoryBackend(HashingEncoder()),
        "words": BM25Backend(),
        "short": BM25Backend(b=1.0, k1=0.2, language=None),
    }
    for part in parts.values():
        part.add_many(Item(f"d{i}", text) for i, text in enumerate(TEXTS))
    return parts


def brute_force(rankings, weights, method, rrf_k):
    """Both fusions, document by document, from their definitions."""
    fused = {}
    for doc_id in {hit["id"] for ranking in rankings for hit in ranking}:
        total = 0.0
        for ranking, weight in zip(rankings, weights, strict=True):
            scores = [hit["score"] for hit in ranking]
            for rank, hit in enumerate(ranking):
                if hit["id"] != doc_id:
                    continue
                spread = max(scores) - min(scores)
                normal = (hit["score"] - min(scores)) / spread if spread else 1.0
                total += weight / (rrf_k + rank + 1) if method == "rrf" else weight * normal / sum(weights)
        fused[doc_id] = total
    return sorted(fused.items(), key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize("method", ["rrf", "convex"])
@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (0.2, 3.0, 0.5), (0.0, 1.0, 0.0)])
@pytest.mark.parametrize("query", ["the copper tower", "silver", "a spoon and clouds", "nothing of this"])
def test_three_parts_are_fused_as_brute_force_has_it(method, weights, query):
    parts = three_parts()
    hybrid = HybridBackend(
        parts["dense"],
        inner={"words": parts["words"], "short": parts["short"]},
        dense_weight=weights[0],
        weights={"words": weights[1], "short": weights[2]},
        method=method,
        rrf_k=7,
    )
    rankings = [part.query(query, 30) for part in parts.values()]
    expected = brute_force(rankings, weights, method, 7)
    found = hybrid.query(query, 5)
    assert [hit["score"] for hit in found] == pytest.approx([score for _, score in expected[:5]])
    exact = dict(expected)
    for hit in found:
        assert hit["score"] == pytest.approx(exact[hit["id"]])
