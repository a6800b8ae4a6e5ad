"""The hits of a query vector in a namespace, the best first, ties by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.core.errors import BackendUnavailable
from verifier_backends.pinecone.namespace import MOST_RESULTS, Namespace
from verifier_backends.pinecone.records import doc_id_of, hit_of
from verifier_backends.types import Hit

__all__ = ["nearest"]

_SPARE, _AT_LEAST = 2, 20
"""Candidates asked for, as a multiple of ``n_results``, and the fewest: a tie at the cut must be seen whole."""

_DECIMALS = 6
"""Scores are rounded to this, as in the exact index: what lies below must not break a tie."""


def nearest(
    namespace: Namespace, vector: Sequence[float], n_results: int, where: Mapping[str, Any] | None
) -> list[Hit]:
    """The ``n_results`` nearest, best first, ties by id.

    Where the last one asked for is tied with the last one given, more are asked for, so that ties are cut by id.
    """
    most = min(n_results, MOST_RESULTS)
    depth = min(max(_SPARE * most, _AT_LEAST), MOST_RESULTS)
    while True:
        found = [
            (round(-score, _DECIMALS) + 0.0, doc_id_of(own), own, known)
            for score, own, known in namespace.nearest(vector, depth, where)
        ]
        found.sort(key=lambda one: one[:2])
        if len(found) < depth or depth == MOST_RESULTS or found[most - 1][0] != found[-1][0]:
            break
        depth = min(4 * depth, MOST_RESULTS)
    best = found[:most]
    records = {own: known for _, _, own, known in best if known is not None}
    records |= namespace.read([own for _, _, own, known in best if known is None])
    if len(records) < len(best):
        raise BackendUnavailable("Pinecone lost sight of a text during a search: somebody is removing some")
    return [hit_of(own, namespace.content(records[own]), -negated) for negated, _, own, _ in best]
