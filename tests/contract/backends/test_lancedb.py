"""The contract suite over LanceDB in files of its own."""

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract

pytest.importorskip("lancedb", reason="needs the extra 'lancedb'")

from verifier_backends.lancedb import LanceDBBackend

ENCODER = HashingEncoder(dimension=128)


class TestLanceDB(BackendContract, StoreContract):
    column = "lancedb"

    def make_backend(self):
        return LanceDBBackend(ENCODER)
