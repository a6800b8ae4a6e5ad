"""The contract suite over the keyword backend."""

from backends.bm25 import BM25Backend
from backends.testing import BackendContract


class TestBM25(BackendContract):
    column = "bm25"

    def make_backend(self):
        return BM25Backend()
