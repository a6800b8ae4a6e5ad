"""The contract suite over Pinecone's real client and a local server: at once, late on every read, and on pods."""

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.pinecone import PineconeBackend
from verifier_backends.testing import BackendContract

from tests.support.pinecone_server import KEY, pinecone_server
from tests.support.pinecone_state import Clock
from verifier.knowledge.testing import StoreContract


class _OverServer(BackendContract):
    encoder = HashingEncoder(dimension=256)  # a quarter of the numbers on the wire

    @pytest.fixture(autouse=True)
    def _served(self, monkeypatch):
        monkeypatch.setenv("PINECONE_API_KEY", KEY)
        with pinecone_server() as self.server:
            yield


class TestPinecone(_OverServer, StoreContract):
    column = "pinecone (local server)"

    def make_backend(self):
        return PineconeBackend(self.encoder, host=self.server.url)


class TestPineconeLate(_OverServer, StoreContract):
    column = "pinecone (local server, writes visible late)"

    def make_backend(self):
        clock = Clock()
        self.server.lag = {"query": 2, "fetch": 3, "stats": 4}
        return PineconeBackend(self.encoder, host=self.server.url, sleep=clock.sleep, clock=clock)


class TestPineconePods(_OverServer):
    column = "pinecone (local server, pods)"

    def make_backend(self):
        clock = Clock()
        self.server.lag = {"query": 1, "fetch": 1, "stats": 1}
        return PineconeBackend(
            self.encoder, host=self.server.url, environment="us-east1-gcp", sleep=clock.sleep, clock=clock
        )
