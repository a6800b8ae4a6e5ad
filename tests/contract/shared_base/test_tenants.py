"""Namespaces as tenants of a knowledge base in PostgreSQL: none gets at another one, by any way tried here."""

from __future__ import annotations

import pytest

from tests.support.shared_base import asked, shared_store
from tests.support.stores import PETS, doc, sources
from verifier.core.errors import KnowledgeBaseError
from verifier.knowledge.records import FailedSource

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'pgvector'")


def test_no_tenant_gets_at_the_texts_of_another_one_by_any_name_or_filter(url: str) -> None:
    secret = doc("blue.md", "The blue code is Zanzibar.", owner="blue")
    with shared_store(url) as store:
        store.ingest([doc("red.md", "The red code is on the hook.", owner="red")], namespace="red")
        store.ingest([secret], namespace="blue")
        (hidden,) = store.documents("blue")
        assert sources(store.retrieve(["Zanzibar"], namespace="blue")[0]) == ["blue.md"]
        for name in ("red", "red' OR '1'='1", "red\\' --", "blue ", "BLUE", "%", "b%", "'; DROP TABLE x; --"):
            for where in (
                None,
                {"doc_id": hidden.doc_id},
                {"owner": "blue"},
                {"owner": ["red", "blue", None]},
            ):
                found = store.retrieve(["the blue code is Zanzibar"], namespace=name, where=where, top_k=9)[0]
                assert "blue.md" not in sources(found), (name, where)
            assert store.known_terms(["zanzibar"], name) == set()
            assert store.known_names(["blue"], name) == set()
            assert store.term_document_frequency(["zanzibar"], name) == {"zanzibar": 0}
            assert "blue.md" not in [record.source for record in store.documents(name)]
            for called in (hidden.doc_id, "blue.md", secret.uri):
                assert (store.resolve(called, name), store.delete(called, name)) == (None, 0)
            store.prune(["/"], keep=[], namespace=name)
        with pytest.raises(ValueError, match="namespace"):
            store.retrieve(["x"], namespace="red", where={"namespace": "blue"})
        assert [record.source for record in store.documents()] == ["blue.md"]


def test_the_database_itself_keeps_a_user_out_of_other_namespaces(url: str) -> None:
    asked(url, "CREATE ROLE plainowner LOGIN")
    asked(url, f"GRANT CREATE ON DATABASE {url.rpartition('/')[2]} TO plainowner")
    asked(url, "CREATE EXTENSION IF NOT EXISTS vector")
    with shared_store(url.replace("postgres@", "plainowner@")) as store:
        store.ingest([doc("red.md", "The red code is on the hook.")], namespace="red")
        store.ingest(
            [doc("blue.md", "The blue code is Zanzibar."), FailedSource("b", "/b", "Zanzibar")],
            namespace="blue",
        )
    asked(url, "CREATE ROLE reda LOGIN")
    asked(url, "GRANT USAGE ON SCHEMA verifier TO reda")
    red = url.replace("postgres@", "reda@")
    with shared_store(red, create=False) as outside:
        assert outside.retrieve(["the code"], namespace="red") == [[]]
    asked(url, "INSERT INTO verifier.tenants VALUES ('reda', 'red')")
    with shared_store(red, create=False) as tenant:
        (hit,) = tenant.retrieve(["the red code"], namespace="red")[0]
        assert (hit.source, hit.retrieved_by) == ("red.md", "vector")
        assert tenant.known_terms(["hook", "zanzibar"], "red") == {"hook"}
        assert (tenant.retrieve(["Zanzibar"], namespace="blue"), tenant.namespaces()) == ([[]], ["red"])
        assert (tenant.stats()["documents"], tenant.unread("blue")) == (1, [])
        for refused in (
            lambda: tenant.ingest([PETS]),
            lambda: tenant.delete("red.md", "red"),
            tenant.reindex,
        ):
            with pytest.raises(KnowledgeBaseError, match="may only read"):
                refused()
    seen = 0
    for (table,) in asked(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'verifier'"):
        try:
            rows = asked(red, f"SELECT t::text FROM verifier.{table} t")
        except psycopg.errors.InsufficientPrivilege:
            continue
        seen += len(rows)
        assert not any("zanzibar" in row.casefold() or "blue" in row for (row,) in rows), table
        for statement in (f"DELETE FROM verifier.{table}", f"TRUNCATE verifier.{table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                asked(red, statement)
    assert seen > 8
