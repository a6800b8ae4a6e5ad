"""Fuse rankings: reciprocal rank fusion and the convex combination, as pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["convex_combination", "min_max", "reciprocal_rank_fusion"]


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], weights: Sequence[float] | None = None, *, rrf_k: float = 60
) -> list[tuple[str, float]]:
    """Fuse rankings by rank alone: ``score(d) = sum over r of weight_r / (rrf_k + rank_r(d))``, ranks from 1.

    Cormack, Clarke and Buettcher, SIGIR 2009, who found ``rrf_k = 60``; the weights are an addition. An id
    that a ranking lacks gains nothing from it.

    >>> reciprocal_rank_fusion([["a", "b"], ["b", "c"]], rrf_k=1)
    [('b', 0.8333333333333333), ('a', 0.5), ('c', 0.3333333333333333)]

    Args:
        rankings: ids, best first, without repetition.
        weights: one for each ranking, at least 0; 1 by default.
        rrf_k: how little the first ranks stand out, above -1.

    Returns:
        All ids with their scores, score descending, ties by id.
    """
    fused: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, doc_id in enumerate(ranking, 1):
            fused[doc_id] = fused.get(doc_id, 0.0) + weight / (rrf_k + rank)
    return _ordered(fused)


def convex_combination(
    scores: Sequence[Mapping[str, float]], weights: Sequence[float] | None = None
) -> list[tuple[str, float]]:
    """Fuse scores: the weighted mean of each ranking's ``min_max`` scores, in [0, 1].

    Bruch, Gai and Ingber, TOIS 2023. An id that a ranking lacks counts as its lowest score, 0.

    >>> convex_combination([{"a": 9.0, "b": 5.0, "c": 1.0}, {"b": 0.7, "c": 0.2}], [1, 3])
    [('b', 0.875), ('a', 0.25), ('c', 0.0)]

    Args:
        scores: id to score for each ranking, higher is better.
        weights: one for each ranking, at least 0 and not all 0; equal by default.

    Returns:
        All ids with their scores, score descending, ties by id.
    """
    weights = weights or [1.0] * len(scores)
    total = sum(weights)
    fused: dict[str, float] = {}
    for ranking, weight in zip(scores, weights, strict=True):
        for doc_id, score in min_max(ranking).items():
            fused[doc_id] = fused.get(doc_id, 0.0) + weight * score / total
    return _ordered(fused)


def min_max(scores: Mapping[str, float]) -> dict[str, float]:
    """The scores moved and stretched to [0, 1]; all 1 where they are equal.

    >>> min_max({"a": 3.0, "b": 1.0, "c": 2.0}), min_max({"a": 7.0})
    ({'a': 1.0, 'b': 0.0, 'c': 0.5}, {'a': 1.0})
    """
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {key: (score - low) / (high - low) if high > low else 1.0 for key, score in scores.items()}


def _ordered(fused: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(fused.items(), key=lambda pair: (-pair[1], pair[0]))
