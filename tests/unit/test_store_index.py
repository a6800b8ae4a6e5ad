"""The index beside the database: built, caught up, swapped, refused, made anew and cleaned up."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from backends.bm25 import BM25Backend
from backends.encoders import HashingEncoder
from backends.memory import InMemoryBackend
from backends.types import Capabilities, Item
from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseMismatch
from verifier.knowledge.records import IngestSummary
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Evidence, Passage

REFUNDS = Document("refunds.md", "/d/refunds.md", "Refunds are paid within 30 days.")
SHIPPING = Document("shipping.md", "/d/shipping.md", "Parcels leave the warehouse at noon.")


class CountingBackend(InMemoryBackend):
    """Counts the texts it is given to embed."""

    def __init__(self, dimension: int = 64) -> None:
        super().__init__(HashingEncoder(dimension=dimension))
        self.embedded: list[str] = []
        self.stop_after = -1

    def add_many(self, items: Iterable[Item]) -> None:
        if len(self.embedded) == self.stop_after:
            raise KeyboardInterrupt
        items = list(items)
        self.embedded += [item.text for item in items]
        super().add_many(items)


class ForgetfulBackend(CountingBackend):
    """Cannot be saved."""

    capabilities = Capabilities(delete=True, get=True, where=True)


class KeepingBackend(CountingBackend):
    """Cannot delete."""

    capabilities = Capabilities(get=True, where=True, persist=True)

    def delete(self, doc_ids: Iterable[str]) -> int:
        raise self._refusal("delete")


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    with GroundTruthStore(CountingBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS, SHIPPING])
    return tmp_path / "kb"


def opened(kb: Path, **options: Any) -> tuple[GroundTruthStore, CountingBackend]:
    backend = CountingBackend()
    return GroundTruthStore(backend, kb, **options), backend


def folders(kb: Path) -> list[Path]:
    return sorted((kb / "index").iterdir())


def generations(kb: Path) -> list[Path]:
    return sorted(path for folder in folders(kb) for path in folder.iterdir() if path.is_dir())


def names(found: list[Evidence]) -> list[str]:
    return [hit.source for hit in found]


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


def test_what_a_crash_left_in_the_index_is_cleared_by_the_next_writer(kb: Path) -> None:
    left = folders(kb)[0] / ".unfinished-crashed"
    (left / "data").mkdir(parents=True)
    store, _ = opened(kb)
    with store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
    assert not left.exists()


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
        assert (second["old_generations"], second["old_bytes"]) == (1, first["bytes"])
        assert second["passages"] == 3
        (folders(kb)[0] / ".unfinished-crashed").mkdir()
        assert described(store)["old_generations"] == 2
        store.gc()
        third = described(store)
        assert (third["old_generations"], third["bytes"]) == (0, second["bytes"])


@pytest.mark.parametrize("damage", ["pointer", "stamp", "data", "truncated"])
def test_an_index_that_is_not_whole_is_made_again(kb: Path, damage: str) -> None:
    (generation,) = generations(kb)
    if damage == "pointer":
        (generation.parent / "CURRENT").unlink()
    elif damage == "stamp":
        (generation / "stamp.json").unlink()
    elif damage == "data":
        shutil.rmtree(generation / "data")
    else:
        largest = max((generation / "data").rglob("*"), key=lambda path: path.stat().st_size)
        os.truncate(largest, largest.stat().st_size // 2)
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    assert len(backend.embedded) == 2
    store, backend = opened(kb)
    with store:
        store.retrieve(["refunds"])
    assert backend.embedded == []


@pytest.mark.parametrize("change", ["identity", "fingerprint", "garbage", "count", "content"])
def test_an_index_that_is_not_what_it_promises_is_refused_and_reindex_mends_it(kb: Path, change: str) -> None:
    (generation,) = generations(kb)
    stamp = json.loads((generation / "stamp.json").read_text())
    if change == "identity":
        stamp["identity"]["encoder"] = "another"
    elif change == "fingerprint":
        stamp["fingerprint"] = "0" * 16
    elif change == "count":
        stamp["count"] += 1
    elif change == "content":
        for path in (generation / "data").rglob("*"):
            path.write_bytes(b"\0" * path.stat().st_size)
    text = "{" if change == "garbage" else json.dumps(stamp)
    (generation / "stamp.json").write_text(text)
    store, _ = opened(kb)
    with store, pytest.raises(KnowledgeBaseMismatch, match=f"verifier kb reindex --kb {kb}"):
        store.retrieve(["refunds"])
    store, backend = opened(kb)
    with store:
        assert store.documents()
        assert store.stats()["indexes"]
        assert store.reindex() == 2
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    assert backend.embedded == []


def test_the_index_of_a_database_that_was_put_back_is_made_again(kb: Path) -> None:
    shutil.copy(kb / "knowledge.sqlite3", kb / "copy")
    store, _ = opened(kb)
    with store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
    (kb / "copy").replace(kb / "knowledge.sqlite3")
    store, backend = opened(kb)
    with store:
        assert sorted(names(store.retrieve_context("new refunds", top_k=9))) == ["refunds.md", "shipping.md"]
    assert len(backend.embedded) == 2


def test_the_index_that_another_database_left_is_not_taken(kb: Path) -> None:
    (kb / "knowledge.sqlite3").unlink()
    for create in (True, False):
        store, backend = opened(kb, create=create)
        with store:
            if create:
                store.add("first", "The first text.")
                store.delete("first")
                store.add("second", "The second text.")
            assert names(store.retrieve_context("text", top_k=9)) == ["second"]
            assert backend.count() == 1


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


def test_a_long_build_is_saved_on_the_way(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.knowledge.live._BATCH", 1)
    monkeypatch.setattr("verifier.knowledge.live._SAVE_EVERY", 0.0)
    monkeypatch.setattr("verifier.knowledge.live._SAVE_SHARE", 0)
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


def test_an_index_that_cannot_be_written_is_said_plainly(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: CountingBackend, directory: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CountingBackend, "save", full)
    store, _ = opened(kb)
    with pytest.raises(KnowledgeBaseError, match="No space left"):
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
    assert "new.md" in names(store.retrieve_context("something new"))
    monkeypatch.undo()
    store.close()


def besides(kb: Path) -> list[Path]:
    """Every file beside the database that the index is made of, and the writer's lock."""
    return [path for path in sorted(kb.rglob("*")) if path.is_file() and path.name != "knowledge.sqlite3"]


BESIDES = ("CURRENT", "stamp.json", "manifest.json", "records.jsonl", "vectors.npy", "writer.lock")


def spoil(path: Path, how: str) -> None:
    size = max(path.stat().st_size, 64)
    noise = random.Random(7).randbytes(size)
    if how in ("missing", "folder"):
        path.unlink()
    if how == "folder":
        path.mkdir()
        (path / "inside").write_text("x")
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "random":
        path.write_bytes(noise)
    elif how == "longer":
        path.write_bytes(path.read_bytes() + noise)
    elif how == "truncated":
        os.truncate(path, path.stat().st_size // 2)
    elif how == "zip":
        path.write_bytes(b"PK\x03\x04".ljust(size, b"\0"))
    elif how == "deep":
        path.write_bytes(b"[" * 100_000)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # NumPy leaves a bad zip open
@pytest.mark.parametrize(
    "how", ["missing", "folder", "empty", "random", "longer", "truncated", "zip", "deep"]
)
@pytest.mark.parametrize("name", BESIDES)
def test_a_spoilt_file_beside_the_database_is_said_or_mended(kb: Path, name: str, how: str) -> None:
    (path,) = [path for path in besides(kb) if path.name == name]
    spoil(path, how)
    uses = (
        lambda store: store.stats(),
        lambda store: store.retrieve(["refunds"]),
        lambda store: store.ingest([REFUNDS]),
    )
    said = [problem for problem in (refusal(kb, use) for use in uses) if problem]
    if (name, how) == (
        "writer.lock",
        "folder",
    ):  # no command may remove a folder that holds it knows not what
        assert said
        assert all(str(kb / name) in problem for problem in said)
        return
    assert all(f"verifier kb reindex --kb {kb}" in problem for problem in said)
    assert_mended_by(kb, "reindex")


@pytest.mark.parametrize("mend", ["reindex", "gc"])
@pytest.mark.parametrize("how", ["folder", "random", "empty"])
@pytest.mark.parametrize("name", ["CURRENT", "stamp.json", "records.jsonl"])
def test_reindex_and_gc_mend_a_spoilt_index_at_once(kb: Path, name: str, how: str, mend: str) -> None:
    (path,) = [path for path in besides(kb) if path.name == name]
    spoil(path, how)
    assert_mended_by(kb, mend)


def refusal(kb: Path, use: Callable[[GroundTruthStore], object]) -> str:
    """What a use of the knowledge base is refused with; empty where it works."""
    store, _ = opened(kb)
    try:
        with store:
            use(store)
    except KnowledgeBaseError as error:
        return str(error)
    return ""


def assert_mended_by(kb: Path, mend: str) -> None:
    store, _ = opened(kb)
    with store:
        getattr(store, mend)()
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
        assert [entry["problem"] for entry in store.stats()["indexes"]] == [None]
    assert backend.embedded == []


@pytest.mark.parametrize("pointer", ["..", ".", "../../kb", "/", "a/b", "x" * 5000, "\0", "caf\u00e9"])
def test_a_pointer_to_anywhere_else_is_not_followed(kb: Path, pointer: str) -> None:
    (folders(kb)[0] / "CURRENT").write_text(pointer, encoding="utf-8")
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    assert len(backend.embedded) == 2


@pytest.mark.parametrize(
    "values",
    [
        {"revision": "1"},
        {"revision": None},
        {"count": 2.5},
        {"configuration": 5},
        {"identity": "abc"},
        {"identity": {"encoder": "\ud800"}},
        {"files": 3},
        {"unheard": 1},
    ],
)
def test_a_stamp_of_other_values_is_refused_or_passed_over(kb: Path, values: dict[str, Any]) -> None:
    (generation,) = generations(kb)
    stamp = json.loads((generation / "stamp.json").read_text())
    (generation / "stamp.json").write_text(json.dumps({**stamp, **values}))
    store, _ = opened(kb)
    if "files" in values:
        assert store.retrieve(["refunds"])[0]
    else:
        with pytest.raises(KnowledgeBaseMismatch, match="stamp"):
            store.retrieve(["refunds"])
    store.close()
    assert_mended_by(kb, "reindex")


@pytest.mark.parametrize("level", ["index", "fingerprint"])
def test_a_file_where_the_index_should_be_gives_way(kb: Path, level: str) -> None:
    place = kb / "index" if level == "index" else folders(kb)[0]
    shutil.rmtree(place)
    place.write_text("no folder")
    assert_mended_by(kb, "reindex")
