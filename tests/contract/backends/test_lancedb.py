"""The contract suite over LanceDB: files of its own, and a store that several read."""

import tempfile

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract

pytest.importorskip("lancedb", reason="needs the extra 'lancedb'")

from verifier_backends.lancedb import LanceDBBackend

ENCODER = HashingEncoder(dimension=256)


class TestLanceDB(BackendContract, StoreContract):
    column = "lancedb"

    def make_backend(self):
        return LanceDBBackend(ENCODER)


class TestLanceDBAtAnAddress(BackendContract, StoreContract):
    column = "lancedb (uri)"

    @pytest.fixture(autouse=True)
    def _at(self):
        with tempfile.TemporaryDirectory() as self.uri:
            yield

    def make_backend(self):
        return LanceDBBackend(ENCODER, uri=self.uri)
