"""Backends over tables of databases: what is not there, may not be given, or comes from a server that failed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from verifier_backends.elasticsearch import ElasticsearchBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.index.binding import write_binding
from verifier_backends.lancedb import LanceDBBackend
from verifier_backends.opensearch import OpenSearchBackend
from verifier_backends.pgvector import PgvectorBackend
from verifier_backends.qdrant import QdrantBackend
from verifier_backends.types import Item

from tests.support.chroma_server import free_port
from verifier.core.errors import BackendRejected, BackendUnavailable, ConfigError

ENCODER = HashingEncoder(dimension=64)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    pytest.importorskip("psycopg")
    pytest.importorskip("qdrant_client")
    pytest.importorskip("opensearchpy")
    pytest.importorskip("elasticsearch")
    port = free_port()
    for backend in (
        PgvectorBackend(ENCODER, url=f"postgresql://127.0.0.1:{port}/none", timeout=2),
        QdrantBackend(ENCODER, url=f"http://127.0.0.1:{port}", timeout=2),
        OpenSearchBackend(ENCODER, url=f"http://127.0.0.1:{port}"),
        ElasticsearchBackend(ENCODER, url=f"http://127.0.0.1:{port}"),
    ):
        assert backend.count() == 0, "nothing was stored, and so nobody is asked"
        with pytest.raises(BackendUnavailable, match=f"{backend.vendor} could not"):
            backend.add("a", "text")


REFUSED = [
    (PgvectorBackend, {"url": "postgresql://me:secret@host/db"}, "set PGPASSWORD"),
    (PgvectorBackend, {"url": "host=h password=secret"}, "set PGPASSWORD"),
    (PgvectorBackend, {"index": "ivf"}, "index must be"),
    (PgvectorBackend, {"precision": "double"}, "precision 'single' or 'half'"),
    (PgvectorBackend, {"max_neighbors": 64}, "at least 2 max_neighbors"),
    (PgvectorBackend, {"collection": "a; DROP TABLE b"}, "letters, digits"),
    (QdrantBackend, {"ef_search": 0}, "at least 1"),
    (LanceDBBackend, {"collection": "Über"}, "letters, digits"),
    (OpenSearchBackend, {"url": "https://me:secret@host:9200"}, "set OPENSEARCH_USERNAME and"),
    (ElasticsearchBackend, {"url": "https://me:secret@host:9200"}, "and ELASTICSEARCH_PASSWORD in the env"),
    (OpenSearchBackend, {"url": "host:9200"}, "url must be https://HOST:PORT"),
    (OpenSearchBackend, {"index": "ivf"}, "index must be"),
    (OpenSearchBackend, {"ef_search": 10_001}, "1 to 10000"),
]


@pytest.mark.parametrize(("cls", "options", "said"), REFUSED)
def test_what_cannot_work_is_refused_as_it_is_configured(cls: type, options: dict, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        cls(ENCODER, **options)


def test_errors_of_postgres_are_told_apart_by_whether_a_retry_may_help() -> None:
    errors = pytest.importorskip("psycopg.errors")
    backend = PgvectorBackend(ENCODER)
    for name in ("AdminShutdown", "TooManyConnections", "QueryCanceled", "ConnectionFailure"):
        assert isinstance(backend._ours("search", getattr(errors, name)("x")), BackendUnavailable), name
    for name in ("UndefinedTable", "InsufficientPrivilege", "InvalidPassword"):
        assert isinstance(backend._ours("search", getattr(errors, name)("x")), BackendRejected), name


def test_errors_of_qdrant_are_told_apart_by_their_status() -> None:
    errors = pytest.importorskip("qdrant_client.http.exceptions")
    backend = QdrantBackend(ENCODER)
    for status, kind in ((503, BackendUnavailable), (429, BackendUnavailable), (403, BackendRejected)):
        error = errors.UnexpectedResponse(status, "no", b"{}", {})
        assert isinstance(backend._ours("search", error), kind)


def test_others_read_a_table_of_lancedb_while_one_writes(tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    writer, reader = (LanceDBBackend(ENCODER, uri=str(tmp_path / "store")) for _ in range(2))
    writer.add_many([Item(str(n), f"text number {n}", {"even": n % 2 == 0}) for n in range(20)])
    writer.save(tmp_path / "index")
    reader.load(tmp_path / "index")
    writer.delete(["3"])
    writer.add("new", "copper bells")
    assert reader.count() == 20
    assert reader.query("copper bells", 1)[0]["id"] == "new"
    assert len(reader.query_many(["text number"], 50, {"even": [False, None]})[0]) == 10


def test_vectors_come_back_as_they_were_given(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client")
    backend = QdrantBackend(ENCODER)
    backend.add("a 'b'", "copper bells")
    found, missing = backend.vectors(["a 'b'", "none"])
    assert missing is None
    assert np.allclose(found, ENCODER.encode(["copper bells"])[0], atol=1e-6)


def test_an_index_whose_table_is_gone_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    options = {"uri": str(tmp_path / "store")}
    backend = LanceDBBackend(ENCODER, **options)
    backend.add("a", "text")
    backend.save(tmp_path / "index")
    LanceDBBackend(ENCODER, **options).discard(tmp_path / "index")
    with pytest.raises(BackendRejected, match="is gone; build the index anew"):
        LanceDBBackend(ENCODER, **options).load(tmp_path / "index")


def test_no_table_is_removed_or_opened_but_those_of_ours(tmp_path: Path) -> None:
    lancedb = pytest.importorskip("lancedb")
    store = lancedb.connect(tmp_path / "store")
    store.create_table("accounts", [{"id": 1}])
    backend = LanceDBBackend(ENCODER, uri=str(tmp_path / "store"))
    backend.save(tmp_path / "index")
    write_binding(tmp_path / "index", {"name": "accounts"})
    backend.discard(tmp_path / "index")
    assert store.list_tables().tables == ["accounts"]
    with pytest.raises(BackendRejected):
        backend.load(tmp_path / "index")


def test_vectors_too_long_for_a_graph_are_refused_with_the_remedy() -> None:
    from verifier_backends.pgvector import _Database

    database = object.__new__(_Database)
    database.kind = {"index": "hnsw", "precision": "single"}
    with pytest.raises(BackendRejected, match='set index = "exact", or precision = "half"'):
        database.create("t", 2_001)
