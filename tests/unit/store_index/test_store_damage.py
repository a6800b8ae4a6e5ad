"""An index that is damaged, of another database, or cannot be written: refused or made anew, never believed."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.hybrid import HybridBackend

from tests.support.store_index import (
    REFUNDS,
    SHIPPING,
    CountingBackend,
    folders,
    generations,
    names,
    opened,
)
from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseMismatch
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document


def test_what_a_crash_left_in_the_index_is_cleared_by_the_next_writer(kb: Path) -> None:
    left = folders(kb)[0] / ".unfinished-crashed"
    (left / "data").mkdir(parents=True)
    store, _ = opened(kb)
    with store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
    assert not left.exists()


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
        files = [path for path in (generation / "data").rglob("*") if path.is_file()]
        largest = max(files, key=lambda path: path.stat().st_size)
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
        for path in [path for path in (generation / "data").rglob("*") if path.is_file()]:
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
    elif how == "flipped":
        content = bytearray(path.read_bytes() or b" ")
        content[len(content) // 2] ^= 0x11
        path.write_bytes(content)
    elif how == "deep":
        path.write_bytes(b"[" * 100_000)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # NumPy leaves a bad zip open
@pytest.mark.parametrize(
    "how", ["missing", "folder", "empty", "random", "longer", "truncated", "zip", "deep", "flipped"]
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


@pytest.mark.parametrize("part", ["dense", "sparse"])
def test_a_byte_that_changed_in_any_file_of_an_index_is_named_with_the_command(
    tmp_path: Path, part: str
) -> None:
    kb = tmp_path / "kb"

    def hybrid() -> GroundTruthStore:
        return GroundTruthStore(HybridBackend(CountingBackend(), BM25Backend()), kb, create=True)

    with hybrid() as store:
        store.ingest([REFUNDS, SHIPPING])
    folder = next(kb.glob(f"index/*/*/data/{part}"))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json"]
    assert len(files) >= 2
    for path in files:
        name = path.relative_to(folder).as_posix()
        content = path.read_bytes()
        spoil(path, "flipped")
        with (
            pytest.raises(
                KnowledgeBaseMismatch,
                match=rf"damaged: {part}/{name}|damaged: {name}.*block 1 of 1.*verifier kb reindex --kb {kb}",
            ),
            hybrid() as store,
        ):
            store.retrieve(["refunds"])
        path.write_bytes(content)
    with hybrid() as store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]


def test_damage_of_what_only_a_search_reads_is_named_by_the_search_after_an_addition(kb: Path) -> None:
    (vectors,) = kb.glob("index/*/*/data/*/vectors.npy")
    spoil(vectors, "flipped")
    store, _ = opened(kb)
    with store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
        with pytest.raises(
            KnowledgeBaseMismatch, match=r"000001/vectors.npy is not what was written.*reindex"
        ):
            store.retrieve(["refunds"])
    store, _ = opened(kb)
    with (
        store,
        pytest.raises(KnowledgeBaseMismatch, match=r"000001/vectors.npy is not what was written.*reindex"),
    ):
        store.retrieve(["refunds"])
    assert_mended_by(kb, "reindex")


def test_an_addition_leaves_the_files_of_the_index_as_they_are_and_a_search_follows(kb: Path) -> None:
    (before,) = kb.glob("index/*/*/data/*/vectors.npy")
    number = before.stat().st_ino
    store, backend = opened(kb)
    with store:
        store.ingest([Document("new.md", "/d/new.md", "Something new.")])
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
        assert names(store.retrieve_context("something new", top_k=1)) == ["new.md"]
    assert backend.embedded == ["Something new."]
    current = folders(kb)[0] / (folders(kb)[0] / "CURRENT").read_text()
    first, second = sorted(current.glob("data/*/vectors.npy"))
    assert (first.parent.name, second.parent.name) == ("000001", "000002")
    assert first.stat().st_ino == number


def test_an_index_without_checksums_is_read(kb: Path) -> None:
    (manifest,) = kb.glob("index/*/*/data/manifest.json")
    content = json.loads(manifest.read_text())
    del content["checksums"]
    written = json.dumps({**content, "format": 1})
    manifest.write_text(written)
    (stamp,) = kb.glob("index/*/*/stamp.json")
    stamped = json.loads(stamp.read_text())
    stamped["files"]["manifest.json"] = len(written)
    stamp.write_text(json.dumps(stamped))
    store, backend = opened(kb)
    with store:
        assert names(store.retrieve_context("refunds", top_k=1)) == ["refunds.md"]
    assert backend.embedded == []


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
