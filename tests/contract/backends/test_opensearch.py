"""The contract suite over OpenSearch's real client and a local server: by the graph, and exact."""

import gc

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.opensearch import OpenSearchBackend
from verifier_backends.testing import BackendContract

from tests.support.opensearch_server import PASSWORD, USER, opensearch_server
from verifier.knowledge.testing import StoreContract

pytest.importorskip("opensearchpy", reason="needs the extra 'opensearch'")

ENCODER = HashingEncoder(dimension=128)


class _OverServer(BackendContract):
    index = "hnsw"

    @pytest.fixture(autouse=True)
    def _served(self, monkeypatch):
        monkeypatch.setenv("OPENSEARCH_USERNAME", USER)
        monkeypatch.setenv("OPENSEARCH_PASSWORD", PASSWORD)
        with opensearch_server() as self.server:
            yield

    def make_backend(self):
        return OpenSearchBackend(ENCODER, url=self.server.url, index=self.index)


class TestOpenSearch(_OverServer, StoreContract):
    column = "opensearch (local server)"

    def test_what_is_not_saved_goes_and_what_is_saved_stays_until_it_is_discarded(self, tmp_path):
        backend = self.make_backend()
        backend.add("a", "text")
        assert len(self.server.indexes) == 1
        del backend
        gc.collect()
        assert not self.server.indexes
        backend = self.make_backend()
        backend.add("a", "text")
        backend.save(tmp_path / "index")
        del backend
        gc.collect()
        assert len(self.server.indexes) == 1
        self.make_backend().discard(tmp_path / "index")
        assert not self.server.indexes


class TestOpenSearchExact(_OverServer):
    column = "opensearch (local server, exact)"
    index = "exact"
