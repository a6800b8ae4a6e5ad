"""Retrieval metrics: recall and nDCG as pure functions of rankings and relevance judgements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

__all__ = ["ndcg_at", "recall_at"]


def recall_at(k: int, ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Share of the relevant ids among the first ``k`` of ``ranking``.

    >>> recall_at(2, ["a", "b", "c"], {"a": 1, "c": 1, "b": 0})
    0.5

    Args:
        k: how deep to look, at least 1.
        ranking: ids, best first.
        relevance: id to grade; above 0 is relevant. At least one must be.
    """
    relevant = {doc_id for doc_id, grade in relevance.items() if grade > 0}
    return len(relevant.intersection(ranking[:k])) / len(relevant)


def ndcg_at(k: int, ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Discounted gain of the first ``k`` of ``ranking``, against that of the best order possible.

    ``DCG@k = sum over ranks r <= k of grade(r) / log2(1 + r)`` (Jarvelin and Kekalainen, TOIS 2002).

    >>> ndcg_at(2, ["b", "a"], {"a": 1})  # 1 / log2(3)
    0.6309297535714575
    """
    gains = [max(0, relevance.get(doc_id, 0)) for doc_id in ranking[:k]]
    ideal = sorted((grade for grade in relevance.values() if grade > 0), reverse=True)[:k]
    return _dcg(gains) / _dcg(ideal)


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(1 + rank) for rank, gain in enumerate(gains, 1))
