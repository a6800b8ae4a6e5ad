"""The contract suite over backends whose candidates are read again."""

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.reranked import RerankedBackend
from verifier_backends.rerankers import LateReranker
from verifier_backends.testing import BackendContract
from verifier_backends.types import Capabilities

from tests.support.minimal_backend import MinimalBackend
from tests.support.shared_words import SharedWords
from verifier.core.errors import UnsupportedOperation
from verifier.knowledge.testing import StoreContract


class TestReranked(BackendContract, StoreContract):
    column = "reranked (hybrid)"

    def make_backend(self):
        return RerankedBackend(HybridBackend(InMemoryBackend(HashingEncoder()), BM25Backend()), SharedWords())


class TestRerankedFewCandidates(BackendContract, StoreContract):
    column = "reranked (two candidates, tiny cache)"

    def make_backend(self):
        return RerankedBackend(InMemoryBackend(HashingEncoder()), SharedWords(), top_n=2, cache_size=3)


class TestRerankedByLateInteraction(BackendContract, StoreContract):
    column = "reranked (late)"
    reranker = LateReranker()  # one for the whole suite, so that a model is loaded once
    long_text_sentences = 250  # 1,750 tokens, 7 windows; asked for too, as a query

    def make_backend(self):
        return RerankedBackend(BM25Backend(), self.reranker)


class TestRerankedOverMinimalThirdParty(BackendContract, StoreContract):
    column = "reranked (of a third party's)"

    def make_backend(self):
        return RerankedBackend(MinimalBackend(), SharedWords())

    def test_it_can_do_only_what_the_inner_one_can(self):
        assert self.make_backend().capabilities == Capabilities()
        with pytest.raises(UnsupportedOperation, match="delete"):
            self.make_backend().delete(["x"])
