"""A knowledge base in a real PostgreSQL: the same store, several writers at once, and what goes wrong with a server."""

from __future__ import annotations

import inspect
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from verifier_backends.encoders import HashingEncoder

from tests.support.shared_base import asked, new_database, shared_store
from tests.support.stores import PETS, REFUNDS, SHIPPING, BlindBackend, CountingBackend, doc, sources
from tests.unit.store import test_store, test_store_search
from verifier.core.errors import (
    BackendError,
    KnowledgeBaseError,
    KnowledgeBaseLocked,
    KnowledgeBaseMismatch,
    KnowledgeBaseNotFound,
    KnowledgeBaseUnavailable,
)
from verifier.interfaces.parsing.pool import FileReaders
from verifier.knowledge.cutting import CutDocument
from verifier.knowledge.ingest import ReadOptions, discover
from verifier.knowledge.records import FailedSource, IngestSummary
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'pgvector'")

PROMISES = [
    test_store.test_a_second_ingest_of_the_same_embeds_nothing,
    test_store.test_a_changed_file_replaces_its_passages,
    test_store.test_a_duplicate_is_stored_once_and_keeps_both_sources,
    test_store.test_prune_removes_what_vanished_below_the_given_folders_only,
    test_store_search.test_evidence_quotes_the_document_to_the_character,
    test_store_search.test_filters_select_before_the_cut,
    test_store_search.test_namespaces_never_leak,
    test_store_search.test_deleted_and_replaced_passages_are_gone_from_every_path,
    test_store_search.test_terms_are_found_whatever_their_case_accents_and_script,
]
"""What a store in a folder promises, and this one too."""


def writer(url: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.shared_writer", url, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_it_keeps_what_a_store_in_a_folder_promises(url: str, promise: Callable[..., None]) -> None:
    backend = CountingBackend()
    with GroundTruthStore(backend, url, create=True) as store:
        promise(*(store, backend)[: len(inspect.signature(promise).parameters)])


def test_keywords_rank_as_in_a_folder(url: str, tmp_path: Path) -> None:
    documents = [
        REFUNDS,
        SHIPPING,
        PETS,
        doc("more", "Refunds, refunds and refunds: 60-day refunds at the café."),
    ]
    rankings = []
    for place in (tmp_path / "kb", url):
        with GroundTruthStore(BlindBackend(), place, create=True) as store:
            store.ingest(documents)
            queries = [
                "When are REFUNDS paid?",
                "cats, parcels",
                "CAFE 60",
                "head:refunds OR (",
                "'; DROP",
                "a" * 9000,
            ]
            found = store.retrieve(queries, top_k=3)
            rankings.append([[(one.source, round(one.score, 6)) for one in hits] for hits in found])
            assert store.known_terms(["60-day refunds", "day 60", "clocks\0"]) == {"60-day refunds"}
    assert rankings[0] == rankings[1]


def test_what_one_machine_ingests_another_one_finds(url: str) -> None:
    with shared_store(url) as one, shared_store(url) as other:
        assert one.ingest([REFUNDS, SHIPPING]).passages_embedded == 2
        assert sources(other.retrieve_context("refunds are paid", top_k=1)) == ["refunds.md"]
        assert one.ingest([REFUNDS, SHIPPING]).unchanged == 2
        assert other.ingest([PETS, FailedSource("bad", "/bad", "broken")]).added == 1
        found = one.retrieve_context("dogs and cats travel", top_k=1)
        assert [(hit.source, hit.retrieved_by) for hit in found] == [("pets.md", "vector")]
        assert [failed.source for failed in one.unread()] == ["bad"]
        one.delete("pets.md")
        assert "pets.md" not in sources(other.retrieve_context("dogs and cats travel", top_k=9))
        assert other.backend.count() == 2


def test_machines_that_ingest_at_once_embed_each_passage_once_and_the_work_of_a_dead_one(url: str) -> None:
    with shared_store(url) as store:
        store.ingest([REFUNDS])
    with writer(url, "dead", "30", "slow") as dead:
        assert dead.stdout is not None
        assert dead.stdout.readline() == "embedding\n"
        dead.send_signal(signal.SIGKILL)
    both = [writer(url, name, "90") for name in ("one", "two")]
    embedded = [int(process.communicate()[0]) for process in both]
    with shared_store(url) as store:
        assert (store.stats()["documents"], store.backend.count()) == (1 + 30 + 2 * 90, 0)
        assert sources(store.retrieve_context("lot 7 of dead", top_k=1)) == ["dead7"]
        assert store.backend.count() == 1 + 30 + 2 * 90
    assert sum(embedded) == 30 + 2 * 90
    assert asked(url, "SELECT count(*) FROM verifier.waiting") == [(0,)]


def test_machines_that_make_it_at_once_make_one(url: str) -> None:
    def ingested(number: int) -> int:
        with shared_store(url) as store:
            return store.ingest([doc(f"{number}", f"Paragraph {number}.")]).passages_embedded

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(ingested, range(4))) == 4
    with shared_store(url) as store:
        assert len(store.retrieve_context("paragraph", top_k=9)) == store.backend.count() == 4


def test_a_claimed_passage_is_no_other_ones_and_one_that_went_meanwhile_is_taken_out(url: str) -> None:
    with shared_store(url) as store:
        store.ingest([REFUNDS])
        database = store._database
        with database.write() as connection:
            connection.execute("INSERT INTO waiting SELECT name, 1, 'gone:0-1' FROM indexes")
        name = store._index.name
        with database.claim(name, 9, 10) as first, database.claim(name, 9, 10) as second:
            assert (list(first.passage_ids), list(second.passage_ids)) == (["gone:0-1"], [])
        assert database.waiting(name, 9) == 0


def test_another_encoder_is_refused_before_anything_is_stored_and_reindex_changes_over(url: str) -> None:
    with shared_store(url) as store:
        store.ingest([REFUNDS])
        with shared_store(url, HashingEncoder(dimension=32)) as other:
            for refused in (lambda: other.ingest([PETS]), lambda: other.retrieve_context("x"), other.gc):
                with pytest.raises(
                    KnowledgeBaseError, match=r"is indexed by PgvectorBackend with .*kb reindex --kb postg"
                ):
                    refused()
            assert (other.stats()["documents"], other.passage_count()) == (1, 1)
            assert other.reindex() == 1
            assert sources(other.retrieve_context("refunds")) == ["refunds.md"]
            with shared_store(url, HashingEncoder(dimension=32)) as third:
                assert sources(third.retrieve_context("refunds")) == ["refunds.md"]
                other.reindex()
                assert other.gc().removed
                (found,) = third.retrieve_context("refunds")
                assert found.retrieved_by == "vector"
        with pytest.raises(KnowledgeBaseError, match="is indexed by"):
            store.retrieve_context("refunds")
    tables = asked(
        url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'verifier' AND tablename ~ '_[0-9a-f]{32}$'"
    )
    assert tables == [(1,)]


def test_reindex_waits_for_writers_and_they_for_it(url: str) -> None:
    with shared_store(url) as one, shared_store(url) as other:
        one.ingest([REFUNDS])
        other._database._busy_seconds = 0.1
        with one._database.exclusive(alone=False):
            assert other.ingest([PETS]).added == 1
            with pytest.raises(KnowledgeBaseLocked, match="another process is writing"):
                other.reindex()
        with one._database.exclusive(), pytest.raises(KnowledgeBaseLocked):
            other.ingest([SHIPPING])


def test_a_connection_that_breaks_stores_nothing_by_half_and_the_command_again_completes(url: str) -> None:
    def cut() -> None:
        asked(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                   " AND pid <> pg_backend_pid()")  # fmt: skip

    class Cutting(HashingEncoder):
        armed = False

        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if self.armed:
                self.armed = False
                cut()
            return super().encode(texts)

    def broken(store: GroundTruthStore) -> None:
        with store._database.write() as connection:
            connection.execute("INSERT INTO namespaces (name) VALUES ('half')")
            cut()
            connection.execute("SELECT 1")

    def breaking() -> Iterator[Document]:
        yield from many
        cut()
        yield PETS

    many, encoder, lost = (
        [doc(f"{n}", f"Paragraph {n}.") for n in range(300)],
        Cutting(dimension=64),
        "was lost",
    )
    with shared_store(url, encoder) as store:
        with pytest.raises(
            KnowledgeBaseUnavailable, match=f"{lost} .*nothing is stored by half: run"
        ) as raised:
            broken(store)
        assert "\n" not in str(raised.value)
        assert store.namespaces() == []
        store.ingest(many[:1])
        encoder.armed = True
        with pytest.raises(KnowledgeBaseUnavailable, match=lost):
            store.ingest(many)
        assert store.ingest(breaking()).failed == ()
        assert (store.backend.count(), store.stats()["documents"]) == (301, 301)
        cut()
        assert sources(store.retrieve_context("dogs and cats travel", top_k=1)) == ["pets.md"]


def test_a_server_that_is_not_there_is_one_line_without_the_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setattr("verifier.knowledge.postgres.pool.PATIENCE", 1.0)
    gone = "postgresql://me:s3cr%40t@127.0.0.1:1/facts?password=an0ther"
    missing = url.replace("postgres@", "postgres:s3cr%40t@") + "_missing"
    for place, kind, told in (
        (gone, KnowledgeBaseUnavailable, "server of postgresql://me@127.0.0.1:1/facts cannot be reached"),
        (missing, KnowledgeBaseNotFound, "make it with: createdb"),
        (url, KnowledgeBaseNotFound, "make one with: verifier ingest PATH --kb postgresql://"),
    ):
        with pytest.raises(kind, match=told) as raised, shared_store(place, create=False):
            pass
        assert not {"s3cr", "an0ther", "\n"} & {
            part for part in ("s3cr", "an0ther", "\n") if part in str(raised.value)
        }


def test_a_newer_schema_is_refused_and_a_failed_migration_changes_nothing(url: str) -> None:
    from verifier.knowledge.postgres.schema import MIGRATIONS, migrate

    with shared_store(url) as store:
        store.ingest([REFUNDS])
        with store._database._pool.transaction("BEGIN") as raw, pytest.raises(psycopg.errors.UndefinedTable):
            migrate(
                raw, "there", (*MIGRATIONS, ("CREATE TABLE extra (x int)", "ALTER TABLE nowhere ADD y int"))
            )
        assert asked(url, "SELECT to_regclass('verifier.extra')") == [(None,)]
    asked(url, "UPDATE verifier.properties SET value = '9' WHERE name = 'schema_version'")
    with pytest.raises(
        KnowledgeBaseMismatch, match="schema version 9, and this release reads versions up to 1"
    ):
        shared_store(url).open()


def test_without_pgvector_nothing_is_made(postgres_server: str) -> None:
    url = new_database(postgres_server)
    asked(url, "CREATE ROLE plain LOGIN")
    with pytest.raises(BackendError, match="CREATE EXTENSION vector"):
        shared_store(url.replace("postgres@", "plain@")).open()
    assert asked(url, "SELECT to_regnamespace('verifier')") == [(None,)]


def test_a_document_that_postgres_cannot_hold_is_named_and_the_others_are_stored(url: str) -> None:
    with shared_store(url) as store:
        summary = store.ingest([REFUNDS, doc("nul", "a\0b"), PETS])
        assert (summary.added, summary.failed) == (
            2,
            (("nul", "the text holds the character NUL at 1, which PostgreSQL cannot store"),),
        )


def test_files_read_by_other_processes_go_in_and_are_not_cut_again(url: str) -> None:
    files = list(discover([Path(__file__).parents[3] / "corpora/demo/kb"]))
    backend = CountingBackend()

    def ingested(store: GroundTruthStore, read_before: int = 0) -> IngestSummary:
        with FileReaders(files, ReadOptions(), {}, processes=2, known=store.known_hash) as readers:
            items = list(readers.documents(pytest.fail))
        assert sum(isinstance(one, CutDocument) and one.passages is None for one in items) == read_before
        return store.ingest(items)

    with GroundTruthStore(backend) as folder, shared_store(url) as store:
        summary = ingested(folder)
        assert ingested(store) == summary
        assert store.stats()["content_hash"] == folder.stats()["content_hash"]
        whole_files = sum(file.format not in ("", "csv", "jsonl", "beir") for file in files)
        assert ingested(store, whole_files).unchanged == summary.added
