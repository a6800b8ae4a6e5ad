"""Clusters of candidates against scikit-learn's agglomerative clustering."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.cluster import AgglomerativeClustering

from verifier.guard.consistency.select import agglomerate

matrices = st.integers(2, 7).flatmap(lambda n: arrays(np.float64, (n, n), elements=st.floats(0, 1)))


@settings(deadline=None)
@given(matrices, st.floats(0.05, 1))
def test_clusters_are_those_of_average_linkage(values, same_at):
    # A little noise: what equal links are joined first is a matter of taste.
    values = np.round(values, 3) + np.random.default_rng(0).uniform(0, 1e-4, values.shape)
    matrix = np.clip((values + values.T) / 2, 0, 1)
    np.fill_diagonal(matrix, 1.0)
    oracle = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1 - same_at
    ).fit(1 - matrix)
    expected = {tuple(np.flatnonzero(oracle.labels_ == label)) for label in set(oracle.labels_)}
    assert set(agglomerate(matrix, same_at)) == expected
