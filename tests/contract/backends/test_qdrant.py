"""The contract suite over Qdrant's own client in its local mode."""

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract

pytest.importorskip("qdrant_client", reason="needs the extra 'qdrant'")

from verifier_backends.qdrant import QdrantBackend

ENCODER = HashingEncoder(dimension=128)


class TestQdrant(BackendContract, StoreContract):
    column = "qdrant (local mode)"

    def make_backend(self):
        return QdrantBackend(ENCODER)
