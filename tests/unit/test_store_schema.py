"""The SQLite file of a knowledge base: migrations, foreign and damaged files, locks and permissions."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend

from verifier.core.errors import (
    KnowledgeBaseError,
    KnowledgeBaseLocked,
    KnowledgeBaseMismatch,
    KnowledgeBaseNotFound,
)
from verifier.knowledge.database import Database
from verifier.knowledge.schema import MIGRATIONS, SCHEMA_VERSION, check_schema, migrate, schema_version
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

REFUNDS = Document("refunds.md", "/d/refunds.md", "Refunds are paid within 30 days.")


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    with GroundTruthStore(InMemoryBackend(HashingEncoder()), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS])
    return tmp_path / "kb"


def opened(kb: Path, *, create: bool = False, busy_seconds: float = 0.2) -> GroundTruthStore:
    return GroundTruthStore(InMemoryBackend(HashingEncoder()), kb, create=create, busy_seconds=busy_seconds)


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def test_the_database_is_in_wal_mode_and_of_the_current_version(kb: Path) -> None:
    connection = connect(kb / "knowledge.sqlite3")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert schema_version(connection) == SCHEMA_VERSION
    connection.close()


def test_migrations_run_from_where_the_database_stands(tmp_path: Path) -> None:
    connection = connect(tmp_path / "db")
    migrate(connection)
    connection.execute("INSERT INTO namespaces (name) VALUES ('kept')")
    newer = (*MIGRATIONS, ("ALTER TABLE namespaces ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",))
    migrate(connection, newer)
    assert connection.execute("SELECT name, note FROM namespaces").fetchall() == [("kept", "none")]
    assert schema_version(connection) == SCHEMA_VERSION + 1
    migrate(connection, newer)
    assert schema_version(connection) == SCHEMA_VERSION + 1
    connection.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    connection = connect(tmp_path / "db")
    migrate(connection)
    before = connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    broken = (*MIGRATIONS, ("CREATE TABLE extra (x)", "ALTER TABLE nowhere ADD COLUMN y"))
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(connection, broken)
    assert connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before
    assert schema_version(connection) == SCHEMA_VERSION
    connection.close()


def test_an_older_knowledge_base_is_migrated_when_it_is_opened(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = (*MIGRATIONS, ("CREATE TABLE later (x)",))
    monkeypatch.setattr("verifier.knowledge.database.SCHEMA_VERSION", len(newer))
    monkeypatch.setattr(
        "verifier.knowledge.database.check_schema", lambda *known: check_schema(*known, newest=len(newer))
    )
    monkeypatch.setattr("verifier.knowledge.database.migrate", lambda found: migrate(found, newer))
    with opened(kb) as store:
        assert [hit.source for hit in store.retrieve_context("refunds")] == ["refunds.md"]
    connection = connect(kb / "knowledge.sqlite3")
    assert schema_version(connection) == len(newer)
    assert connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
    connection.close()


def test_a_newer_schema_is_refused_with_both_versions(kb: Path) -> None:
    connection = connect(kb / "knowledge.sqlite3")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 6}")
    connection.close()
    with pytest.raises(KnowledgeBaseMismatch, match=rf"version {SCHEMA_VERSION + 6}.*up to {SCHEMA_VERSION}"):
        opened(kb).open()


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    "content", [b"# Not a database\n" * 100, b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_said_plainly_and_left_alone(
    tmp_path: Path, content: bytes, create: bool
) -> None:
    path = tmp_path / "knowledge.sqlite3"
    path.write_bytes(content)
    with pytest.raises(KnowledgeBaseError, match=r"knowledge\.sqlite3 is"):
        opened(tmp_path, create=create).open()
    assert path.read_bytes() == content


@pytest.mark.parametrize("create", [False, True])
def test_a_database_of_something_else_is_left_alone(tmp_path: Path, create: bool) -> None:
    connection = connect(tmp_path / "knowledge.sqlite3")
    connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    with pytest.raises(KnowledgeBaseError, match="not a knowledge base"):
        opened(tmp_path, create=create).open()
    connection = connect(tmp_path / "knowledge.sqlite3")
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


def test_a_damaged_database_is_said_plainly(kb: Path) -> None:
    with opened(kb) as store:
        store.ingest([Document(str(n), f"/d/{n}", f"Text {n}. " * 400) for n in range(40)])
        store.gc()
    path = kb / "knowledge.sqlite3"
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xa5" * (len(whole) - 8192))
    with pytest.raises(KnowledgeBaseError, match="damaged"), opened(kb) as store:
        list(store.export())


def test_a_creation_that_was_cut_off_is_no_knowledge_base_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(connection: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("verifier.knowledge.creation.migrate", cut_off)
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path, create=True).open()
    monkeypatch.undo()
    with pytest.raises(KnowledgeBaseNotFound):
        opened(tmp_path).open()
    with opened(tmp_path, create=True) as store:
        assert store.ingest([REFUNDS]).added == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "knowledge.sqlite3", "writer.lock"]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("left", [0, 1, 100, 511])
def test_a_database_that_was_cut_to_nothing_is_not_begun_anew(kb: Path, left: int, create: bool) -> None:
    path = kb / "knowledge.sqlite3"
    os.truncate(path, left)
    remains = path.read_bytes()
    with pytest.raises(
        KnowledgeBaseError, match=rf"damaged: .*{left} bytes.*copy.*verifier ingest PATH --kb {kb}"
    ):
        opened(kb, create=create).open()
    assert path.read_bytes() == remains


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("share", [0.25, 0.5, 0.99])
def test_a_database_that_was_cut_is_said_plainly(kb: Path, share: float, create: bool) -> None:
    path = kb / "knowledge.sqlite3"
    os.truncate(path, int(path.stat().st_size * share))
    with pytest.raises(KnowledgeBaseError, match=r"damaged.*copy.*verifier ingest PATH --kb"):
        opened(kb, create=create).open()


@pytest.mark.parametrize("shared", [False, True])
def test_a_new_knowledge_base_is_its_owners_unless_it_is_to_be_shared(tmp_path: Path, shared: bool) -> None:
    before = os.umask(0o022)
    try:
        backend = InMemoryBackend(HashingEncoder())
        with GroundTruthStore(backend, tmp_path / "kb", create=True, shared=shared) as store:
            store.ingest([REFUNDS])
            files = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "kb").rglob("*")}
    finally:
        os.umask(before)
    assert len(files) > 8
    assert {mode for path, mode in files.items() if path.is_file()} == {0o644 if shared else 0o600}
    assert {mode for path, mode in files.items() if path.is_dir()} == {0o755 if shared else 0o700}
    assert (tmp_path / "kb").stat().st_mode & 0o777 == (0o755 if shared else 0o700)


def test_an_index_may_be_read_by_those_who_may_read_the_database(kb: Path) -> None:
    (kb / "knowledge.sqlite3").chmod(0o640)
    with opened(kb) as store:
        store.ingest([Document("new", "/d/new", "New.")])
    made = list((kb / "index").rglob("*"))
    assert {path.stat().st_mode & 0o777 for path in made if path.is_file()} == {0o640}
    assert {path.stat().st_mode & 0o777 for path in made if path.is_dir()} == {0o750}


def test_a_file_in_the_place_of_the_directory_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "kb").write_text("text")
    for place in (tmp_path / "kb", tmp_path / "kb" / "below"):
        with pytest.raises(KnowledgeBaseError, match="kb"):
            opened(place, create=True).open()


def test_a_second_writer_waits_and_then_says_who_is_in_the_way(kb: Path) -> None:
    with Database(kb).exclusive(), opened(kb) as store:
        started = time.monotonic()
        for write in (
            lambda: store.ingest([REFUNDS]),
            lambda: store.delete("refunds.md"),
            lambda: store.add("x", "text"),
            store.reindex,
            store.gc,
        ):
            with pytest.raises(KnowledgeBaseLocked, match=f"another process is writing to {kb}"):
                write()
        assert time.monotonic() - started > 5 * 0.2 * 0.9
        assert [hit.source for hit in store.retrieve_context("refunds")] == ["refunds.md"]
    with opened(kb) as store:
        assert store.ingest([REFUNDS]).unchanged == 1


def test_a_new_knowledge_base_waits_for_the_process_that_is_making_it(tmp_path: Path) -> None:
    with Database(tmp_path).exclusive(), pytest.raises(KnowledgeBaseLocked):
        opened(tmp_path, create=True).ingest([REFUNDS])
    assert opened(tmp_path, create=True).ingest([REFUNDS]).added == 1


def test_a_read_only_knowledge_base_is_read_and_not_written(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writable = os.access
    monkeypatch.setattr(
        "verifier.knowledge.database.os.access",
        lambda path, mode: mode != os.W_OK and writable(path, mode),
    )
    before = sorted(path.name for path in kb.iterdir())
    with opened(kb) as store:
        assert [hit.source for hit in store.retrieve_context("refunds")] == ["refunds.md"]
        for write in (lambda: store.ingest([REFUNDS]), lambda: store.delete("refunds.md"), store.gc):
            with pytest.raises(KnowledgeBaseError, match="read-only"):
                write()
    assert sorted(path.name for path in kb.iterdir()) == before


def test_a_reader_sees_one_state_while_another_connection_writes(kb: Path) -> None:
    database = Database(kb)
    with database.read() as reading:
        before = reading.execute("SELECT count(*) FROM documents").fetchone()
        with opened(kb) as store:
            store.ingest([Document("new", "/d/new", "New.")])
        assert reading.execute("SELECT count(*) FROM documents").fetchone() == before
    with database.read() as reading:
        assert reading.execute("SELECT count(*) FROM documents").fetchone() == (2,)
    database.close()


def test_an_exception_in_a_transaction_undoes_it(kb: Path) -> None:
    database = Database(kb)

    def write_and_fail() -> None:
        with database.write() as writing:
            writing.execute("DELETE FROM sources")
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    with database.read() as reading:
        assert reading.execute("SELECT count(*) FROM sources").fetchone() == (1,)
    database.close()
