"""The contract suite over the keyword backend."""

from backends.bm25 import BM25Backend
from backends.testing import BackendContract
from verifier.knowledge.testing import StoreContract


class TestBM25(BackendContract, StoreContract):
    column = "bm25"

    def make_backend(self):
        return BM25Backend()
