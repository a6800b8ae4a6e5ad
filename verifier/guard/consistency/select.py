"""Choose a candidate by a matrix of similarities: agreement, clusters and semantic entropy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Choice",
    "agglomerate",
    "average_similarities",
    "choose",
    "consistency",
    "mean_pairwise",
    "semantic_entropy",
    "unanimous",
]

Matrix = NDArray[np.float64]
Cluster = tuple[int, ...]


class Choice(StrEnum):
    """Among which candidates the one most like the others is sought."""

    ALL = "all"
    LARGEST = "largest"
    """Those of the largest cluster."""
    COHERENT = "coherent"
    """Those of the cluster of two or more whose members are most alike."""


def average_similarities(matrix: Matrix) -> NDArray[np.float64]:
    """Each candidate's mean similarity to the others, shape [n]; NaN for a single one.

    >>> average_similarities(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]])).round(2).tolist()
    [0.5, 0.6, 0.2]
    """
    others = len(matrix) - 1
    if others < 1:
        return np.full(len(matrix), np.nan)
    averages: NDArray[np.float64] = (matrix.sum(axis=1) - np.diagonal(matrix)) / others
    return averages


def mean_pairwise(matrix: Matrix) -> float:
    """Mean similarity over all pairs of different candidates; NaN for a single one."""
    return float(average_similarities(matrix).mean())


def consistency(matrix: Matrix) -> float | None:
    """``sqrt(max_mean * mean_pairwise)`` in [0, 1]: how near the best is to the others, times how near all are.

    ``None`` for a single candidate, which agrees with nobody.

    >>> round(consistency(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]])), 3)
    0.51
    """
    if len(matrix) < 2:
        return None
    return math.sqrt(float(average_similarities(matrix).max()) * mean_pairwise(matrix))


def unanimous(matrix: Matrix, same_at: float) -> bool:
    """Whether each two of two or more candidates count as the same answer."""
    return len(matrix) > 1 and bool((matrix >= same_at).all())


def agglomerate(matrix: Matrix, same_at: float) -> list[Cluster]:
    """Agglomerative clusters by average linkage, the largest first, then by their first member.

    The two clusters whose members are most alike on average are joined, as long as that average is at least
    ``same_at``; among equals those with the earliest members.

    >>> agglomerate(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]]), 0.8)
    [(0, 1), (2,)]
    """
    clusters: list[Cluster] = [(index,) for index in range(len(matrix))]
    while len(clusters) > 1:
        pairs = [(a, b) for a in range(len(clusters)) for b in range(a + 1, len(clusters))]
        links = [float(matrix[np.ix_(clusters[a], clusters[b])].mean()) for a, b in pairs]
        best = max(range(len(pairs)), key=links.__getitem__)
        if links[best] < same_at:
            break
        a, b = pairs[best]
        joined = tuple(sorted(clusters[a] + clusters[b]))
        clusters = [cluster for at, cluster in enumerate(clusters) if at not in (a, b)]
        clusters = sorted([*clusters, joined])
    return sorted(clusters, key=lambda cluster: (-len(cluster), cluster))


def semantic_entropy(clusters: Sequence[Cluster]) -> float:
    """Entropy of the meanings in nats, 0 where all candidates mean the same, ``ln n`` where no two do.

    Each cluster's share of the candidates is its probability: the discrete form of Farquhar et al. 2024
    (doi:10.1038/s41586-024-07421-0), which needs no token probabilities.

    >>> semantic_entropy([(0, 1, 2)]), round(semantic_entropy([(0,), (1,)]), 3)
    (0.0, 0.693)
    """
    total = sum(len(cluster) for cluster in clusters)
    return sum(share * math.log(1 / share) for share in (len(cluster) / total for cluster in clusters))


def choose(matrix: Matrix, clusters: Sequence[Cluster], among: Choice) -> int:
    """The candidate most like the others, of all or of one cluster; the earliest of equals."""
    pool = range(len(matrix)) if among is Choice.ALL else _pool(matrix, clusters, among)
    inside = matrix[np.ix_(pool, pool)]
    averages = average_similarities(inside) if len(pool) > 1 else np.ones(1)
    return int(pool[int(averages.argmax())])


def _pool(matrix: Matrix, clusters: Sequence[Cluster], among: Choice) -> Cluster:
    if among is Choice.LARGEST:
        # Of equally large ones that whose members are most alike.
        return max(clusters, key=lambda cluster: (len(cluster), _inner(matrix, cluster)))
    several = [cluster for cluster in clusters if len(cluster) > 1]
    return max(several or clusters, key=lambda cluster: (_inner(matrix, cluster), len(cluster)))


def _inner(matrix: Matrix, cluster: Cluster) -> float:
    return mean_pairwise(matrix[np.ix_(cluster, cluster)]) if len(cluster) > 1 else 0.0
