"""Records that were saved, loaded, changed and saved again: the file is what saving all of them anew would give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.index.records import Records
from verifier_backends.types import Item

HARD = [
    Item("plain", "One line.", {}),
    Item('a", "b', 'He said "no", {} and left.', {"page": 2}),
    Item("c\\", "A text that ends with a backslash \\", {"path": "C:\\x", "quote": '", {'}),
    Item("ü", "Zürich – “yes”\n\ttwo lines", {"city": "Zürich", "none": None, "half": 0.5, "yes": True}),
    Item('x", {', '", {"page": 3}]', {"page": 3}),
    Item("\ud800", "half a \ud800 pair", {"n": -1}),
]


def saved(records: Records, path: Path) -> list[object]:
    records.save(path)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_what_is_loaded_and_saved_again_is_the_same_file(tmp_path: Path) -> None:
    first = saved(Records().append(HARD), tmp_path / "one")
    assert first == [list(item) for item in HARD]
    loaded = Records.load(tmp_path / "one")
    assert list(loaded.items()) == HARD
    loaded.save(tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize("gone", [["plain"], ["ü"], ["plain", "ü", 'x", {'], [item.doc_id for item in HARD]])
def test_lines_are_copied_around_what_went_and_what_came(gone: list[str], tmp_path: Path) -> None:
    Records().append(HARD).save(tmp_path / "one")
    new = [Item("plain", "Another line.", {"page": 1}), Item("new", "A new one.", {})]
    changed = Records.load(tmp_path / "one").remove(gone).append(new)
    left = [item for item in HARD if item.doc_id not in {*gone, "plain"}]
    assert saved(changed, tmp_path / "two") == [list(item) for item in [*left, *new]]


def test_postings_of_dead_documents_are_left_out_of_what_is_saved(tmp_path: Path) -> None:
    index = BM25Backend()
    index.add_many([Item("a", "heron mill"), Item("b", "heron crane"), Item("c", "crane pier")])
    index.save(tmp_path / "one")
    index.delete(["b"])
    index.add("d", "pier mill mill")
    index.save(tmp_path / "two")
    opened, anew = BM25Backend(), BM25Backend()
    opened.load(tmp_path / "two")
    anew.add_many([Item("a", "heron mill"), Item("c", "crane pier"), Item("d", "pier mill mill")])
    for query in ("heron", "crane", "mill pier"):
        assert opened.query(query) == index.query(query) == anew.query(query)
