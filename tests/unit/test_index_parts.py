"""An index in parts: whatever is added, deleted, saved and opened, it finds what one index built anew finds."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verifier_backends.base import VectorBackend
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.index import mapped, parts, storage, words
from verifier_backends.index.checksums import checksums
from verifier_backends.index.parts import open_parts
from verifier_backends.index.records import Records
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item

from verifier.core.errors import BackendRejected

WORDS = ["heron", "mill", "crane", "pier", "Zürich", "東京都", "mill mill", "half \ud800 pair", "1,250.5"]
QUERIES = [*WORDS, "heron mill crane", "nothing of that kind", "pier pier mill"]
MAKERS: dict[str, Callable[[], VectorBackend]] = {
    "memory": lambda: InMemoryBackend(HashingEncoder(dimension=32)),
    "bm25": BM25Backend,
    "hybrid": lambda: HybridBackend(InMemoryBackend(HashingEncoder(dimension=32)), BM25Backend()),
}

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ids = st.integers(0, 30).map("d{}".format)
items = st.builds(Item, ids, texts, st.fixed_dictionaries({"n": st.sampled_from([0, 1, "x", None])}))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(items, min_size=1, max_size=6)),
        st.tuples(st.just("delete"), st.lists(ids, min_size=1, max_size=6)),
        st.tuples(st.just("save"), st.sampled_from(["saved_in", "attach", "load", "stay"])),
    ),
    max_size=25,
)


@pytest.fixture(autouse=True, scope="module")
def small():
    """Parts merge soon, files are mapped, and postings are merged a few at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "_TIER", 3)
        patch.setattr(parts, "_SMALLEST", 4)
        patch.setattr(mapped, "_READ", 0)
        patch.setattr(words, "_CHUNK", 5)
        yield


@pytest.mark.parametrize("kind", MAKERS)
@given(steps=steps)
@settings(deadline=None)
def test_parts_find_what_one_index_built_anew_finds(kind: str, steps) -> None:
    kept: dict[str, Item] = {}
    with tempfile.TemporaryDirectory() as folder:
        index, number = MAKERS[kind](), 0
        for action, given_ in steps:
            if action == "add":
                index.add_many(given_)
                kept.update((item.doc_id, item) for item in given_)
            elif action == "delete":
                assert index.delete(given_) == len(kept.keys() & set(given_))
                for doc_id in given_:
                    kept.pop(doc_id, None)
            else:
                number += 1
                place = Path(folder, str(number))
                index.save(place)
                index = went_on(index, place, given_, MAKERS[kind])
        assert_same(index, kept, MAKERS[kind]())


def went_on(index: VectorBackend, place: Path, how: str, make: Callable[[], VectorBackend]) -> VectorBackend:
    """The backend that goes on from a saved index: the same one, or another that opened it."""
    if how in ("load", "attach"):
        index = make()
    if how != "stay":
        getattr(index, how)(place)
    return index


def assert_same(index: VectorBackend, kept: dict[str, Item], anew: VectorBackend) -> None:
    anew.add_many(kept.values())
    assert index.count() == len(kept)
    assert index.get([*kept, "unknown"]) == anew.get([*kept, "unknown"])
    for where in (None, {"n": 1}, {"n": ["x", None]}):
        for n_results in (1, 3, 40):
            assert index.query_many(QUERIES, n_results, where) == anew.query_many(QUERIES, n_results, where)


def numbered(first: int, number: int) -> list[Item]:
    return [
        Item(f"d{place}", f"heron {place} mill", {"n": place % 3}) for place in range(first, first + number)
    ]


def saved(index: VectorBackend, place: Path) -> Path:
    index.save(place)
    index.saved_in(place)
    return place


def files(place: Path) -> dict[str, int]:
    """The number of each file of a saved index by name."""
    return {
        path.relative_to(place).as_posix(): path.stat().st_ino for path in place.rglob("*") if path.is_file()
    }


def test_an_addition_links_the_parts_that_there_were_and_writes_one(tmp_path: Path) -> None:
    index = MAKERS["hybrid"]()
    index.add_many(numbered(0, 40))
    first = files(saved(index, tmp_path / "one"))
    index.add_many(numbered(40, 2))
    second = files(saved(index, tmp_path / "two"))
    kept = {name for name in first if "/000001/" in name}
    assert kept
    assert all(second[name] == first[name] for name in kept)
    assert {name.split("/")[1] for name in second.keys() - first.keys()} == {"000002"}


def test_the_items_are_kept_once_for_both_halves(tmp_path: Path) -> None:
    index = MAKERS["hybrid"]()
    index.add_many(numbered(0, 40))
    for place in ("one", "two"):
        found = files(saved(index, tmp_path / place))
        for name in ("records.jsonl", "lines.npy", "hashes.npy", "order.npy"):
            assert found[f"dense/000001/{name}"] == found[f"sparse/000001/{name}"]
        index.add_many(numbered(100, 2))


def test_parts_stay_few_and_their_dead_items_go_in_the_end(tmp_path: Path) -> None:
    index = MAKERS["memory"]()
    for turn in range(60):
        index.add_many(numbered(turn * 5, 5))
        if turn:
            index.delete([f"d{place}" for place in range((turn - 1) * 5, (turn - 1) * 5 + 3)])
        place = saved(index, tmp_path / str(turn))
    listed, alive = open_parts(place)
    assert len(listed) <= 10
    assert np.count_nonzero(alive) == index.count() == 60 * 2 + 3
    assert len(alive) < 2 * index.count()


def test_a_write_of_few_items_leaves_a_large_merge_to_a_write_of_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "_AT_ONCE", 8)
    monkeypatch.setattr(parts, "_FOR_EACH", 4)
    index, size, sizes = MAKERS["hybrid"](), 0, []
    for turn, more in enumerate([10, 10, 1, 1, 1, 10]):
        index.add_many(numbered(size, more))
        size += more
        place = saved(index, tmp_path / str(turn))
        sizes.append([part.size for part in open_parts(place / "dense")[0]])
    assert sizes == [[10], [10, 10], [10, 10, 1], [10, 10, 1, 1], [10, 10, 3], [33]]
    monkeypatch.setattr(parts, "_MOST", 3)
    monkeypatch.setattr(parts, "_TIER", 4)
    for more in (1, 1, 1):
        index.add_many(numbered(size, more))
        size += more
        place = saved(index, tmp_path / f"{size}")
    assert [part.size for part in open_parts(place / "dense")[0]] == [36]
    assert_same(index, {item.doc_id: item for item in numbered(0, 36)}, MAKERS["hybrid"]())


def test_a_file_system_without_links_gets_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    index = MAKERS["hybrid"]()
    for turn in range(3):
        index.add_many(numbered(turn * 10, 10))
        place = saved(index, tmp_path / str(turn))
    opened = MAKERS["hybrid"]()
    opened.load(place)
    assert opened.query("heron 17 mill", 5) == index.query("heron 17 mill", 5)


def test_an_index_whose_folder_went_is_saved_whole(tmp_path: Path) -> None:
    index = MAKERS["hybrid"]()
    index.add_many(numbered(0, 20))
    shutil.rmtree(saved(index, tmp_path / "one"))
    index.add_many(numbered(20, 2))
    index.save(tmp_path / "two")
    opened = MAKERS["hybrid"]()
    opened.load(tmp_path / "two")
    assert opened.count() == 22
    assert opened.query("heron 17 mill", 5) == index.query("heron 17 mill", 5)


def test_damage_is_carried_into_no_other_part_and_named_by_who_searches(tmp_path: Path) -> None:
    index = MAKERS["memory"]()
    for turn in range(2):
        index.add_many(numbered(turn * 4, 4))
        place = saved(index, tmp_path / str(turn))
    damaged = place / "000001" / "vectors.npy"
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    adding = MAKERS["memory"]()
    adding.attach(place)
    adding.add_many(numbered(8, 4))  # the third of its size, with which the three would be merged
    adding.save(tmp_path / "last")
    assert [part.size for part in open_parts(tmp_path / "last")[0]] == [4, 4, 4]
    with pytest.raises(BackendRejected, match=r"damaged: 000001/vectors.npy is not what .* block 1 of 1"):
        MAKERS["memory"]().load(tmp_path / "last")


def test_a_keyword_index_of_an_earlier_release_is_opened_and_becomes_one_of_parts(tmp_path: Path) -> None:
    released = Path(__file__).parents[1] / "fixtures" / "released" / "2026-11-28"
    (old,) = released.glob("kb/index/*/*/data")
    index, anew = BM25Backend(), BM25Backend()
    index.load(old)
    anew.add_many(Records.load(old / "records.jsonl").items())
    queries = ["When are Bramley apples picked?", "refunds within 30 days", "the orchard"]
    assert index.count() == anew.count() == 3
    assert any(index.query_many(queries))
    assert index.query_many(queries) == anew.query_many(queries)
    index.add("new", "Refunds of apples.")
    anew.add("new", "Refunds of apples.")
    place = saved(index, tmp_path / "one")
    assert [part.size for part in open_parts(place)[0]] == [4]
    assert index.query_many(queries) == anew.query_many(queries)


def test_a_vector_index_of_an_earlier_release_is_opened_and_becomes_one_of_parts(tmp_path: Path) -> None:
    anew = MAKERS["memory"]()
    anew.add_many(numbered(0, 9))
    with storage.writing(tmp_path / "old", anew.identity):
        Records().append(numbered(0, 9)).save(tmp_path / "old" / "records.jsonl")
        vectors = HashingEncoder(dimension=32).encode([item.text for item in numbered(0, 9)])
        np.save(tmp_path / "old" / "vectors.npy", vectors)
    index = MAKERS["memory"]()
    index.load(tmp_path / "old")
    index.add("new", "crane")
    index.delete(["d4"])
    place = saved(index, tmp_path / "one")
    anew.add("new", "crane")
    anew.delete(["d4"])
    assert [part.size for part in open_parts(place)[0]] == [9]
    assert index.query_many(QUERIES, 20) == anew.query_many(QUERIES, 20)


def test_ids_of_one_hash_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier_backends.index.records.hashed", lambda _: 7)
    index = MAKERS["memory"]()
    index.add_many(numbered(0, 5))
    saved(index, tmp_path / "one")
    index.add("d3", "another text", {})
    assert index.count() == 5
    assert [hit and hit["text"] for hit in index.get(["d2", "d3", "d9"])] == [
        "heron 2 mill",
        "another text",
        None,
    ]


def test_a_large_file_is_read_again_only_where_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tmp_path / "large"
    large.write_bytes(b"heron " * 400_000)
    os.utime(large, (1, 1))
    before = checksums(large)
    read: list[int] = []
    monkeypatch.setattr(zlib, "crc32", lambda block: read.append(len(block)) or 0)
    assert (checksums(large), read) == (before, [])
    large.write_bytes(b"crane " * 400_000)
    assert checksums(large) != before
    assert sum(read) == 2_400_000
