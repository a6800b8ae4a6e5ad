"""The contract suite over a real PostgreSQL with pgvector, and what its graph and half precision find."""

import gc

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.pgvector import PgvectorBackend
from verifier_backends.testing import BackendContract
from verifier_backends.testing.cases import ITEMS, QUERY
from verifier_backends.types import Item

from verifier.knowledge.testing import StoreContract

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'pgvector'")

WORDS = ("amber", "cobalt", "jade", "ochre", "violet")
ENCODER = HashingEncoder(dimension=128)


class TestPgvector(BackendContract, StoreContract):
    column = "pgvector"

    @pytest.fixture(autouse=True)
    def _at(self, postgres_server):
        self.url = postgres_server

    def make_backend(self):
        return PgvectorBackend(ENCODER, url=self.url)

    def test_a_saved_index_is_searched_by_its_graph_and_a_filter_cuts_nothing_off(self, tmp_path):
        texts = [f"sentence {n} of lot {n % 7} about {word} goods" for n, word in enumerate(WORDS * 60)]
        graph, exact = self.make_backend(), PgvectorBackend(ENCODER, url=self.url, index="exact")
        for backend in (graph, exact):
            backend.add_many(Item(str(n), text, {"rare": n % 150 == 0}) for n, text in enumerate(texts))
        graph.save(tmp_path / "index")
        with psycopg.connect(self.url) as connection:
            kinds = connection.execute(
                "SELECT indexdef FROM pg_indexes WHERE tablename = %s", [graph._table.name]
            ).fetchall()
        assert any("USING hnsw (embedding vector_ip_ops)" in kind for (kind,) in kinds)
        found = [{hit["id"] for hit in one.query("amber goods of lot 3", 10)} for one in (graph, exact)]
        assert len(found[0] & found[1]) >= 9
        rare = graph.query_many(["amber goods"], 10, {"rare": True})[0]
        assert [hit["metadata"] for hit in rare] == [{"rare": True}] * 2

    def test_what_is_not_saved_goes_and_what_is_saved_stays_until_it_is_discarded(self, tmp_path):
        with psycopg.connect(self.url, autocommit=True) as connection:

            def tables():
                found = connection.execute("SELECT tablename FROM pg_tables WHERE tablename LIKE 'mine_%'")
                return {name for (name,) in found.fetchall()}

            backend = PgvectorBackend(ENCODER, url=self.url, collection="mine")
            backend.add("a", "text")
            assert len(tables()) == 1
            del backend
            gc.collect()
            assert tables() == set()
            backend = PgvectorBackend(ENCODER, url=self.url, collection="mine")
            backend.add("a", "text")
            backend.save(tmp_path / "index")
            del backend
            gc.collect()
            assert len(tables()) == 1
            PgvectorBackend(ENCODER, url=self.url, collection="mine").discard(tmp_path / "index")
            assert tables() == set()

    def test_half_precision_is_kept_as_such_and_finds_the_same(self, tmp_path):
        half = PgvectorBackend(ENCODER, url=self.url, precision="half")
        single = PgvectorBackend(ENCODER, url=self.url, index="exact")
        for backend in (half, single):
            backend.add_many(ITEMS)
        half.save(tmp_path / "index")
        with psycopg.connect(self.url) as connection:
            [(kind,)] = connection.execute(
                "SELECT indexdef FROM pg_indexes WHERE indexname = %s", [f"{half._table.name}_hnsw"]
            )
        assert "(embedding halfvec_ip_ops)" in kind
        for one, other in zip(half.query(QUERY, 6), single.query(QUERY, 6), strict=True):
            assert one["id"] == other["id"]
            assert one["score"] == pytest.approx(other["score"], abs=2e-3)
        assert half.vectors(["invoice"]) == [None], "what lost precision is not handed on"

    def test_a_server_that_cut_all_connections_that_waited_is_asked_over_new_ones(self):
        backend = self.make_backend()
        backend.add_many(ITEMS)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' "
                "AND pid <> pg_backend_pid()"
            )
        assert backend.count() == len(ITEMS)
