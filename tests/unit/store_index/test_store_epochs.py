"""Databases and indexes put back, exchanged, or of a release that knew no epochs: caught up rightly or made anew."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.support.store_index import CountingBackend, folders, generations, names, opened
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

NEW = Document("new.md", "/d/new.md", "Something new.")
LATER = Document("later.md", "/d/later.md", "A later thing.")


def made_old(kb: Path) -> None:
    """As a release left it that knew no epochs."""
    connection = sqlite3.connect(kb / "knowledge.sqlite3", isolation_level=None)
    connection.execute("DROP TABLE epochs")
    connection.execute("DROP TABLE unread")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    for generation in generations(kb):
        stamp = json.loads((generation / "stamp.json").read_text())
        del stamp["epoch"]
        (generation / "stamp.json").write_text(json.dumps(stamp))


def ingest(kb: Path, document: Document) -> None:
    store, _ = opened(kb)
    with store:
        store.ingest([document])


def put_back(kb: Path, *later: Document) -> None:
    """Ingest something, put the database back to before that, and ingest ``later``."""
    shutil.copy(kb / "knowledge.sqlite3", kb / "copy")
    ingest(kb, NEW)
    (kb / "copy").replace(kb / "knowledge.sqlite3")
    for document in later:
        ingest(kb, document)


def found(kb: Path, query: str) -> tuple[list[str], list[str]]:
    """Sources found by vectors, and the texts that had to be embedded for it."""
    store, backend = opened(kb)
    with store:
        hits = store.retrieve([query], top_k=9)[0]
    return sorted(hit.source for hit in hits if hit.retrieved_by == "vector"), backend.embedded


def test_the_stamp_and_the_database_name_the_same_epoch(kb: Path) -> None:
    (generation,) = generations(kb)
    stamp = json.loads((generation / "stamp.json").read_text())
    connection = sqlite3.connect(kb / "knowledge.sqlite3")
    rows = connection.execute("SELECT revision, epoch FROM epochs ORDER BY revision").fetchall()
    connection.close()
    assert [revision for revision, _ in rows] == [0, 1]
    assert rows[1] == (stamp["revision"], stamp["epoch"])
    assert len({epoch for _, epoch in rows}) == 2


def test_an_index_of_another_history_is_named_by_stats_and_made_anew_once(kb: Path) -> None:
    put_back(kb)
    before = [path.name for path in generations(kb)]
    with GroundTruthStore(CountingBackend(128), kb) as other:
        other.ingest([LATER])
        theirs = [one for one in other.stats()["indexes"] if one["fingerprint"] == folders_of(before, kb)]
    assert (
        f"another state of the database than this one was ever in; make it anew with: verifier kb reindex --kb {kb}"
        in (theirs[0]["problem"])
    )
    sources, embedded = found(kb, "later thing")
    assert (sources, len(embedded)) == (["later.md", "refunds.md", "shipping.md"], 3)
    assert found(kb, "later thing") == (sources, [])


def folders_of(generation_names: list[str], kb: Path) -> str:
    """The fingerprint of the index that holds these generations."""
    return next(folder.name for folder in folders(kb) if (folder / generation_names[0]).is_dir())


def test_an_index_that_was_put_back_catches_up(kb: Path) -> None:
    shutil.copytree(kb / "index", kb / "copy")
    ingest(kb, NEW)
    shutil.rmtree(kb / "index")
    (kb / "copy").rename(kb / "index")
    assert found(kb, "something new") == (["new.md", "refunds.md", "shipping.md"], ["Something new."])


@pytest.mark.parametrize("in_place", [True, False])
def test_a_store_that_was_open_meanwhile_does_not_serve_the_old_state(kb: Path, in_place: bool) -> None:
    shutil.copy(kb / "knowledge.sqlite3", kb / "copy")
    ingest(kb, NEW)
    store, _ = opened(kb)
    with store:
        assert "new.md" in names(store.retrieve_context("something new"))
        if in_place:
            (kb / "knowledge.sqlite3").write_bytes((kb / "copy").read_bytes())
        else:
            (kb / "copy").replace(kb / "knowledge.sqlite3")
        ingest(kb, LATER)
        assert sorted(names(store.retrieve_context("later thing new", top_k=9))) == [
            "later.md",
            "refunds.md",
            "shipping.md",
        ]


def test_a_knowledge_base_without_epochs_opens_and_its_index_is_taken(kb: Path) -> None:
    made_old(kb)
    assert found(kb, "refunds") == (["refunds.md", "shipping.md"], [])
    (stamp,) = [json.loads((path / "stamp.json").read_text()) for path in generations(kb) if is_used(path)]
    assert stamp["epoch"], "it was saved anew, so that it need not be looked through again"
    ingest(kb, NEW)
    assert found(kb, "new") == (["new.md", "refunds.md", "shipping.md"], [])


def is_used(generation: Path) -> bool:
    return (generation.parent / "CURRENT").read_text() == generation.name


def test_an_index_without_an_epoch_that_lacks_a_passage_is_made_anew(kb: Path) -> None:
    old_index = kb.parent / "index"
    shutil.copytree(kb / "index", old_index)
    ingest(kb, NEW)

    stamp = json.loads(
        next(path for path in generations(kb) if is_used(path)).joinpath("stamp.json").read_text()
    )
    shutil.rmtree(kb / "index")
    old_index.rename(kb / "index")
    (generation,) = generations(kb)
    before = json.loads((generation / "stamp.json").read_text())
    (generation / "stamp.json").write_text(json.dumps({**before, "revision": stamp["revision"]}))
    made_old(kb)
    sources, embedded = found(kb, "something new")
    assert (sources, len(embedded)) == (["new.md", "refunds.md", "shipping.md"], 3)


def test_a_read_only_knowledge_base_without_epochs_is_read(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_old(kb)
    writable = os.access
    monkeypatch.setattr(
        "verifier.knowledge.database.os.access",
        lambda path, mode: mode != os.W_OK and writable(path, mode),
    )
    before = (kb / "knowledge.sqlite3").read_bytes()
    assert found(kb, "refunds") == (["refunds.md", "shipping.md"], [])
    assert (kb / "knowledge.sqlite3").read_bytes() == before
