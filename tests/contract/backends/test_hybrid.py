"""The contract suite over fused backends, by rank and by score."""

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.testing import BackendContract
from verifier_backends.types import Capabilities

from tests.support.minimal_backend import MinimalBackend
from verifier.core.errors import UnsupportedOperation
from verifier.knowledge.testing import StoreContract


class TestHybridByRank(BackendContract, StoreContract):
    column = "hybrid (rrf)"

    def make_backend(self):
        return HybridBackend(InMemoryBackend(HashingEncoder()), BM25Backend())


class TestHybridByScore(BackendContract, StoreContract):
    column = "hybrid (convex)"

    def make_backend(self):
        return HybridBackend(InMemoryBackend(HashingEncoder()), BM25Backend(), method="convex")


class TestHybridOfThree(BackendContract, StoreContract):
    column = "hybrid (three parts)"

    def make_backend(self):
        vectors = InMemoryBackend(HashingEncoder())
        parts = {"stems": BM25Backend(), "words": BM25Backend(language=None), "vectors": vectors}
        return HybridBackend(inner=parts, weights={"words": 0.5})


class TestHybridOverMinimalThirdParty(BackendContract, StoreContract):
    column = "hybrid (of a third party's)"

    def make_backend(self):
        return HybridBackend(MinimalBackend(), BM25Backend())

    def test_it_can_do_only_what_both_parts_can(self):
        assert self.make_backend().capabilities == Capabilities()
        with pytest.raises(UnsupportedOperation, match="delete"):
            self.make_backend().delete(["x"])
