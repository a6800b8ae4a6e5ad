"""The contract suite catches broken backends; it runs over every backend in ``tests/contract/backends/``."""

import pytest
from verifier_backends.memory import InMemoryBackend
from verifier_backends.testing import BackendContract

from tests.support.minimal_backend import MinimalBackend


class ForgetsToDelete(InMemoryBackend):
    def delete(self, doc_ids):
        return len(set(doc_ids) & {"invoice"})


class ScoresAreDistances(InMemoryBackend):
    def query_many(self, texts, n_results=3, where=None):
        return [hits[::-1] for hits in super().query_many(texts, n_results, where)]


class CutsBeforeItFilters(InMemoryBackend):
    def query_many(self, texts, n_results=3, where=None):
        ranked = super().query_many(texts, n_results)
        return [
            [hit for hit in hits if all(hit["metadata"].get(k) == v for k, v in (where or {}).items())]
            for hits in ranked
        ]


class SilentlyDoesNotPersist(MinimalBackend):
    def save(self, directory):
        pass


@pytest.mark.parametrize(
    ("broken", "test", "message"),
    [
        (ForgetsToDelete, "test_deleted_texts_are_gone", "unknown afterwards"),
        (ScoresAreDistances, "test_the_best_hit_comes_first_and_scores_never_rise", "came first"),
        (CutsBeforeItFilters, "test_filters_select_before_n_results_cuts", "where="),
        (SilentlyDoesNotPersist, "test_a_saved_index_gives_the_same_hits", "must raise UnsupportedOperation"),
    ],
)
def test_the_suite_catches_a_broken_backend_and_says_what_to_mend(broken, test, message):
    class Suite(BackendContract):
        def make_backend(self):
            return broken()

    with pytest.raises(AssertionError, match=message):
        getattr(Suite(), test)()
