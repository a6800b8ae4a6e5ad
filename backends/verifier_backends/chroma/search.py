"""Nearest neighbours in a collection: HNSW candidates, or an exact search where these may not be all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["nearest", "payloads"]

_IDS_AT_ONCE = 10_000
"""Ids in one request: Chroma looks them up in SQLite, which takes 32,766 variables in a statement."""

_VECTORS_AT_ONCE = 2_000
"""Vectors read at a time where all of them are compared; bounds the answer's size."""

_DECIMALS = 6
"""Cosines are rounded to this, as in the exact index: what lies below must not break a tie."""

Ranking = list[tuple[float, str]]
"""Minus the cosine and the id, ascending: the best first, ties by id."""


def nearest(
    collection: Any, vectors: NDArray[np.float32], n_results: int, where: dict[str, Any] | None, depth: int
) -> list[Ranking]:
    """The ``n_results`` nearest ids to each row of ``vectors``, best first, ties by id.

    Chroma is asked for ``depth`` candidates or more. If it gives fewer although there may be more (its graph
    loses nodes, and a filter can cut it to pieces), all texts that match are compared instead. If the
    ``n_results``-th cosine is also that of the last candidate, it is asked for more,
    so that ties are cut by id.
    """
    total = collection.count()
    rankings: list[Ranking] = [[] for _ in vectors]
    pending, depth = list(range(len(vectors))), min(max(depth, n_results), total)
    while pending and depth:
        short, tied = [], []
        for row, found in zip(pending, _candidates(collection, vectors[pending], depth, where), strict=True):
            rankings[row] = found[:n_results]
            if len(found) < depth:
                short.append(row)
            elif n_results and depth < total and found[n_results - 1][0] == found[-1][0]:
                tied.append(row)
        if short:
            for row, found in zip(short, _compared(collection, vectors[short], where), strict=True):
                rankings[row] = found[:n_results]
        pending, depth = tied, min(4 * depth, total)
    return rankings


def payloads(collection: Any, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The stored metadata of those ids that are there."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(ids), _IDS_AT_ONCE):
        answer = collection.get(ids=list(ids[start : start + _IDS_AT_ONCE]), include=["metadatas"])
        found.update(zip(answer["ids"], answer["metadatas"], strict=True))
    return found


def _candidates(
    collection: Any, vectors: NDArray[np.float32], depth: int, where: dict[str, Any] | None
) -> Iterator[Ranking]:
    step = max(1, _IDS_AT_ONCE // depth)
    for start in range(0, len(vectors), step):
        answer = collection.query(
            query_embeddings=vectors[start : start + step],
            n_results=depth,
            where=where,
            include=["distances"],
        )
        for ids, distances in zip(answer["ids"], answer["distances"], strict=True):
            yield _ranked(1 - np.array(distances, dtype=np.float64), ids)


def _compared(collection: Any, vectors: NDArray[np.float32], where: dict[str, Any] | None) -> list[Ranking]:
    """Every text that matches, ranked by its cosine to each row."""
    ids: list[str] = []
    cosines: list[NDArray[np.float64]] = []
    while True:
        page = collection.get(where=where, limit=_VECTORS_AT_ONCE, offset=len(ids), include=["embeddings"])
        if not page["ids"]:
            break
        ids += page["ids"]
        rows = np.asarray(page["embeddings"], dtype=np.float64)
        cosines.append(vectors.astype(np.float64) @ rows.T)
    if not ids:
        return [[] for _ in vectors]
    return [_ranked(row, ids) for row in np.concatenate(cosines, axis=1)]


def _ranked(cosines: NDArray[np.float64], ids: Sequence[str]) -> Ranking:
    return sorted(zip((np.round(-cosines, _DECIMALS) + 0.0).tolist(), ids, strict=True))
