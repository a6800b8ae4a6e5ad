"""Recall and nDCG of an encoder on the development pool, alone and beside BM25, set by set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import Encoder
from verifier_backends.evaluation import ndcg_at, recall_at
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item

from training.encoders.pairs import Pool

__all__ = ["Figures", "judge"]

DEPTH = 20


class Figures(NamedTuple):
    """Means over the sets, each set counting alike."""

    recall_at_20: float
    ndcg_at_10: float
    hybrid_recall_at_20: float
    hybrid_ndcg_at_10: float
    by_set: Mapping[str, tuple[float, float]]
    """nDCG@10 of each set, alone and in the hybrid."""


def judge(encoder: Encoder, pool: Pool) -> Figures:
    """How well the claims of ``pool`` find their passages by ``encoder``, and by it together with BM25."""
    hybrid = HybridBackend(InMemoryBackend(encoder), BM25Backend())
    hybrid.add_many(Item(str(place), text) for place, text in enumerate(pool.passages))
    rows: dict[str, list[float]] = {}
    for name, claims in pool.claims.items():
        wanted = [{str(place): 1 for place in pool.relevant[claim]} for claim in claims]
        rows[name] = []
        for backend in (hybrid.dense, hybrid):
            rankings = [[hit["id"] for hit in hits] for hits in backend.query_many(claims, DEPTH)]
            for measure, k in ((recall_at, DEPTH), (ndcg_at, 10)):
                scores = [measure(k, found, grades) for found, grades in zip(rankings, wanted, strict=True)]
                rows[name].append(float(np.mean(scores)))
    means = np.mean(list(rows.values()), axis=0)
    return Figures(*map(float, means), by_set={name: (row[1], row[3]) for name, row in rows.items()})
