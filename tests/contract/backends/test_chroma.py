"""The contract suite over Chroma: embedded, on a real server, and with an embedding function of Chroma's own."""

import pytest
from verifier_backends.chroma import ChromaBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.testing import BackendContract

from tests.support.chroma_server import chroma_server
from verifier.knowledge.testing import StoreContract


@pytest.fixture(scope="class")
def server():
    with chroma_server() as port:
        yield port


class TestChromaEmbedded(BackendContract, StoreContract):
    column = "chroma (embedded)"

    def make_backend(self):
        return ChromaBackend(HashingEncoder())


class TestChromaServer(BackendContract, StoreContract):
    column = "chroma (server)"

    @pytest.fixture(autouse=True)
    def _at(self, server):
        self.port = server

    def make_backend(self):
        return ChromaBackend(HashingEncoder(), host="127.0.0.1", port=self.port)
