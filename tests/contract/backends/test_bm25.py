"""The contract suite over the keyword backend."""

from verifier_backends.bm25 import BM25Backend
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract


class TestBM25(BackendContract, StoreContract):
    column = "bm25"

    def make_backend(self):
        return BM25Backend()
