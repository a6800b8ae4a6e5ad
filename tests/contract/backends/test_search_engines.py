"""The contract suite over OpenSearch's and Elasticsearch's real clients and local servers: by the graph, and exact."""

import gc

import pytest
from verifier_backends.elasticsearch import ElasticsearchBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.opensearch import OpenSearchBackend
from verifier_backends.testing import BackendContract

from tests.support.search_engines import PASSWORD, USER, ElasticsearchServer, OpenSearchServer, running
from verifier.knowledge.testing import StoreContract

ENCODER = HashingEncoder(dimension=128)


class _OverServer(BackendContract):
    backend, kind, index = OpenSearchBackend, OpenSearchServer, "hnsw"

    @pytest.fixture(autouse=True)
    def _served(self, monkeypatch):
        [client] = self.backend.needs_one_of
        pytest.importorskip(client, reason=f"needs {self.backend.vendor}'s client")
        for variable, value in zip(self.backend.secrets, (USER, PASSWORD), strict=False):
            monkeypatch.setenv(variable, value)
        with running(self.kind) as self.server:
            yield

    def make_backend(self):
        return self.backend(ENCODER, url=self.server.url, index=self.index)


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


class TestElasticsearch(TestOpenSearch):
    column = "elasticsearch (local server)"
    backend, kind = ElasticsearchBackend, ElasticsearchServer


class TestElasticsearchExact(TestOpenSearchExact):
    column = "elasticsearch (local server, exact)"
    backend, kind = ElasticsearchBackend, ElasticsearchServer
