"""The index beside the database: built, caught up, swapped, made anew and cleaned up."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from verifier_backends.bm25 import BM25Backend

from tests.support.store_index import (
    REFUNDS,
    CountingBackend,
    ForgetfulBackend,
    KeepingBackend,
    folders,
    generations,
    names,
    opened,
)
from verifier.knowledge.records import IngestSummary
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Passage


def test_a_saved_index_is_read_and_not_made_again(kb: Path) -> None:
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    assert backend.embedded == []


def test_the_stamp_says_what_the_index_is(kb: Path) -> None:
    (generation,) = generations(kb)
    stamp = json.loads((generation / "stamp.json").read_text())
    assert stamp["fingerprint"] == folders(kb)[0].name
    assert (stamp["revision"], stamp["count"]) == (1, 2)
    assert "dimension=64" in stamp["identity"]["encoder"]


def test_the_order_of_configuration_keys_does_not_matter(kb: Path) -> None:
    for configuration in ({"type": "memory", "a": 1}, {"a": 1, "type": "memory"}):
        store, _ = opened(kb, fingerprint_of=configuration)
        with store:
            store.retrieve(["refunds"])
    assert len(folders(kb)) == 2


def test_an_index_that_lags_behind_embeds_only_what_it_lacks(kb: Path) -> None:
    other = GroundTruthStore(CountingBackend(128), kb)
    with other:
        other.ingest([Document("new.md", "/d/new.md", "Something new.")])
        other.delete("shipping.md")
    store, backend = opened(kb)
    with store:
        assert sorted(names(store.retrieve(["new refunds parcels"], top_k=9)[0])) == ["new.md", "refunds.md"]
        assert backend.embedded == ["Something new."]
        assert backend.count() == 2
    again, backend = opened(kb)
    with again:
        again.retrieve(["new"])
    assert backend.embedded == []


def test_a_reader_catches_up_in_memory_while_another_process_writes(kb: Path) -> None:
    with GroundTruthStore(CountingBackend(128), kb) as other:
        other.ingest([Document("new.md", "/d/new.md", "Something new.")])
    lock = sqlite3.connect(kb / "writer.lock", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    before = generations(kb)
    store, backend = opened(kb)
    with store:
        assert "new.md" in names(store.retrieve_context("something new"))
    lock.close()
    assert backend.embedded == ["Something new."]
    assert generations(kb) == before


def test_an_open_store_sees_what_others_write(kb: Path) -> None:
    reader, backend = opened(kb)
    with reader:
        reader.retrieve(["refunds"])
        with GroundTruthStore(CountingBackend(), kb) as writer:
            writer.ingest([Document("new.md", "/d/new.md", "Something new.")])
            writer.delete("refunds.md")
        assert names(reader.retrieve_context("something new refunds", top_k=9))[0] == "new.md"
        assert "refunds.md" not in names(reader.retrieve_context("refunds", top_k=9))
    assert backend.embedded == []  # it took the generation that the writer had saved


def test_a_late_reader_does_not_put_an_old_index_over_a_new_one(kb: Path) -> None:
    lock = sqlite3.connect(kb / "writer.lock", isolation_level=None)
    with GroundTruthStore(CountingBackend(128), kb) as other:
        other.ingest([Document("a.md", "/d/a.md", "First new.")])
    late, _ = opened(kb)
    late.open()
    lock.execute("BEGIN IMMEDIATE")
    late.retrieve(["new"])
    lock.execute("ROLLBACK")
    lock.close()
    with GroundTruthStore(CountingBackend(), kb) as writer:
        writer.ingest([Document("b.md", "/d/b.md", "Second new.")])
        newest = writer.revision
    late.close()
    revisions = {entry["revision"] for entry in late_indexes(kb) if entry["in_use"]}
    assert revisions == {newest}


def late_indexes(kb: Path) -> list[dict[str, Any]]:
    with GroundTruthStore(CountingBackend(), kb) as store:
        return list(store.stats()["indexes"])


def test_another_backend_gets_an_index_of_its_own_without_the_files(kb: Path) -> None:
    steps: list[tuple[str, int, int | None]] = []
    with GroundTruthStore(BM25Backend(), kb, progress=lambda *step: steps.append(step)) as store:
        assert names(store.retrieve_context("parcels warehouse"))[0] == "shipping.md"
    assert steps == [("index", 2, 2)]
    assert len(folders(kb)) == 2
    store2, backend = opened(kb)
    with store2:
        assert names(store2.retrieve_context("parcels warehouse"))[0] == "shipping.md"
    assert backend.embedded == []


def test_gc_leaves_the_index_of_the_present_configuration_only(kb: Path) -> None:
    with GroundTruthStore(CountingBackend(), kb) as store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
        store.delete("new.md")
    (folders(kb)[0] / ".unfinished-crashed").mkdir()
    with GroundTruthStore(BM25Backend(), kb) as store:
        removed = store.gc()
        assert len(removed.removed) == 1
        assert removed.freed_bytes > 0
        assert removed.log_entries == 1
        (entry,) = store.stats()["indexes"]
        assert (entry["in_use"], entry["passages"]) == (True, 2)
        assert store.gc().removed == ()
        assert names(store.retrieve_context("parcels warehouse"))[0] == "shipping.md"
    assert len(generations(kb)) == 1


def test_only_the_last_two_generations_are_kept(kb: Path) -> None:
    for number in range(4):
        store, _ = opened(kb)
        with store:
            store.ingest([Document("n.md", "/d/n.md", f"Version {number}.")])
    assert len(generations(kb)) == 2


def test_an_index_is_sized_by_its_generation_in_use_and_what_old_ones_hold_is_said(kb: Path) -> None:
    def described(store: GroundTruthStore) -> dict[str, Any]:
        (entry,) = store.stats()["indexes"]
        return dict(entry)

    with opened(kb)[0] as store:
        first = described(store)
        assert (first["old_generations"], first["old_bytes"]) == (0, 0)
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
        second = described(store)
        assert second["old_generations"] == 1
        assert (
            0 < second["old_bytes"] < first["bytes"] < second["bytes"]
        )  # what both hold counts for the new one
        assert second["passages"] == 3
        (folders(kb)[0] / ".unfinished-crashed").mkdir()
        assert described(store)["old_generations"] == 2
        store.gc()
        third = described(store)
        assert (third["old_generations"], third["bytes"]) == (0, second["bytes"])


def test_a_backend_that_cannot_be_saved_is_filled_at_each_opening(kb: Path) -> None:
    before = folders(kb)
    for _ in range(2):
        backend = ForgetfulBackend()
        with GroundTruthStore(backend, kb) as store:
            assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
        assert len(backend.embedded) == 2
    assert folders(kb) == before


def test_a_backend_that_cannot_delete_never_shows_what_was_deleted(kb: Path) -> None:
    with GroundTruthStore(KeepingBackend(), kb) as store:
        store.retrieve(["refunds"])
    with GroundTruthStore(KeepingBackend(), kb) as store:
        store.delete("refunds.md")
        assert names(store.retrieve_context("refunds are paid", top_k=1)) == ["shipping.md"]
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
    backend = KeepingBackend()
    with GroundTruthStore(backend, kb) as store:
        assert names(store.retrieve_context("refunds are paid", top_k=9)).count("refunds.md") == 0
        assert backend.count() == 3
    assert backend.embedded == []


def test_what_a_backend_held_before_is_never_shown(kb: Path) -> None:
    backend = ForgetfulBackend()
    backend.add("stranger", "Refunds are never paid, says a stranger.")
    with GroundTruthStore(backend, kb) as store:
        assert names(store.retrieve_context("refunds stranger", top_k=1)) == ["refunds.md"]


def test_reindex_cuts_again_what_was_cut_otherwise(kb: Path) -> None:
    def halves(document: Document, at: int) -> list[Passage]:
        return [Passage(document.text[:at], 0, at), Passage(document.text[at:], at, len(document.text))]

    store, backend = opened(kb, chunker=halves, chunk_options={"at": 7})
    with store:
        assert store.reindex() == 4
        assert backend.count() == 4
        assert names(store.retrieve_context("parcels"))[0] == "shipping.md"
        assert store.known_terms(["refunds", "parcels"]) == {"refunds", "parcels"}
        assert store.reindex() == 4
    store, backend = opened(kb, chunker=halves, chunk_options={"at": 9})
    with store:
        assert store.ingest([REFUNDS]) == IngestSummary(replaced=1, passages_added=2, passages_embedded=2)


def test_adding_one_by_one_is_saved_by_closing(tmp_path: Path) -> None:
    with GroundTruthStore(CountingBackend(), tmp_path / "kb", create=True) as store:
        for number in range(20):
            store.add(str(number), f"Text number {number}.")
        assert not (tmp_path / "kb" / "index").exists()
    store, backend = opened(tmp_path / "kb")
    with store:
        assert names(store.retrieve_context("text number 7", top_k=1)) == ["7"]
    assert backend.embedded == []


@pytest.mark.parametrize("due", [{"_SAVE_EVERY": 0.0, "_SAVE_SHARE": 0}, {"_SAVE_PASSAGES": 1}])
def test_a_long_or_large_build_is_saved_on_the_way(
    kb: Path, monkeypatch: pytest.MonkeyPatch, due: dict[str, float]
) -> None:
    for name, value in {"_BATCH": 1, **due}.items():
        monkeypatch.setattr(f"verifier.knowledge.live.{name}", value)
    with GroundTruthStore(CountingBackend(), kb) as store:
        for number in range(4):
            store.ingest([Document(f"{number}", f"/d/{number}", f"Text {number}.")])

    stopped = CountingBackend(32)
    stopped.stop_after = 4
    with GroundTruthStore(stopped, kb) as store, pytest.raises(KeyboardInterrupt):
        store.retrieve(["text"])
    resumed = CountingBackend(32)
    with GroundTruthStore(resumed, kb) as store:
        assert names(store.retrieve_context("text 3", top_k=1)) == ["3"]
    # the fourth passage is embedded twice: its revision was not known to be whole
    assert resumed.embedded == ["Text 1.", "Text 2.", "Text 3."]
