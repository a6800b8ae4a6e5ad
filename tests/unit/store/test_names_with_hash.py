"""A file whose name looks like a row of a table, and that row: two documents, also in bases of older versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from verifier_backends.memory import InMemoryBackend

from tests.support.inside import run
from verifier.knowledge.database import DATABASE_NAME
from verifier.knowledge.ingest import discover, read_documents
from verifier.knowledge.store import GroundTruthStore
from verifier.knowledge.uris import former_uri
from verifier.types import Document

ROW, FILE = "The row says five.", "The file says six."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.csv").write_text(f"id,text\nb.md,{ROW}\n")
    (files / "a.csv#b.md").write_text(FILE)
    (files / "t#1.csv").write_text("id,text\n#7,Seven.\n")
    return files


def documents(folder: Path) -> Iterator[Document]:
    return (document for file in discover([folder]) for document in read_documents(file))


def texts(store: GroundTruthStore) -> list[str]:
    return sorted(str(row["text"]) for row in store.export())


def as_before(path: Path) -> None:
    """Make a knowledge base one of a version that did not escape ``#``."""
    with sqlite3.connect(path / DATABASE_NAME) as connection:
        for (uri,) in connection.execute("SELECT uri FROM sources").fetchall():
            connection.execute("UPDATE OR REPLACE sources SET uri = ? WHERE uri = ?", (former_uri(uri), uri))
    connection.close()


def test_a_file_and_a_row_of_the_same_name_are_both_kept(folder: Path, tmp_path: Path) -> None:
    with GroundTruthStore(InMemoryBackend(), tmp_path / "kb", create=True) as store:
        assert store.ingest(documents(folder)).added == 3
        assert texts(store) == ["Seven.", FILE, ROW]
        assert store.ingest(documents(folder)).unchanged == 3
        assert [one.source for one in store.documents()] == ["a.csv#b.md", "a.csv#b.md", "t#1.csv##7"]


def test_an_older_knowledge_base_knows_its_documents(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csv").unlink()
    with GroundTruthStore(InMemoryBackend(), tmp_path / "kb", create=True) as store:
        store.ingest(documents(folder))
    as_before(tmp_path / "kb")
    (folder / "t#1.csv").write_text("id,text\n#7,Eight.\n")
    with GroundTruthStore(InMemoryBackend(), tmp_path / "kb") as store:
        summary = store.ingest(documents(folder), prune_under=[str(folder)])
        assert (summary.unchanged, summary.replaced, summary.added, summary.pruned) == (1, 1, 0, 0)
        assert texts(store) == ["Eight.", FILE]


def test_an_older_row_is_not_taken_for_a_file(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csv#b.md").rename(folder / "later")
    with GroundTruthStore(InMemoryBackend(), tmp_path / "kb", create=True) as store:
        store.ingest(documents(folder))
    as_before(tmp_path / "kb")
    (folder / "later").rename(folder / "a.csv#b.md")
    with GroundTruthStore(InMemoryBackend(), tmp_path / "kb") as store:
        assert store.ingest(documents(folder)).added == 1
        assert texts(store) == ["Seven.", FILE, ROW]


def test_the_command_line_finds_and_prunes_by_the_path(folder: Path, tmp_path: Path) -> None:
    named = folder / "a.csv#b.md"
    bm25 = {"VERIFIER_BACKEND__TYPE": "bm25"}
    assert run("ingest", named, folder / "a.csv", cwd=tmp_path, **bm25).returncode == 0
    both = run("kb", "show", named, cwd=tmp_path, **bm25)
    assert both.returncode == 2
    assert "a.csv#b.md)" in both.stderr
    assert "a.csv%23b.md)" in both.stderr
    (folder / "a.csv").write_text("id,text\nc.md,Another row.\n")
    done = run("ingest", "--prune", folder / ".." / "files" / "a.csv", cwd=tmp_path, **bm25)
    assert done.stdout == "1 added, 1 pruned; 1 passage embedded\n"
    assert FILE in run("kb", "show", named, cwd=tmp_path, **bm25).stdout
