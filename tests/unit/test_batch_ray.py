"""The Ray engine without Ray: chunks of rows, and what comes back of them. With Ray: ``make test-ray``."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.interfaces.batch import ray_actors
from verifier.interfaces.batch.ray_actors import TryCounter, chunks
from verifier.interfaces.batch.ray_data import RayEngine, _joined
from verifier.interfaces.batch.rows import Refused, Row
from verifier.interfaces.batch.source import Source


def given(folder: Path, *rows: dict) -> Source:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Source(path)


def numbers(source: Source, first: int = 1) -> list[list[int]]:
    return [[row["number"] for row, _digest in chunk] for chunk in chunks(source, first)]


def test_chunks_grow_and_hold_each_row_that_can_be_checked_once(tmp_path: Path) -> None:
    source = given(tmp_path, *({"response": f"r{n}"} if n % 10 else {"id": n} for n in range(1, 1001)))
    found = numbers(source)
    assert list(chain(*found)) == [n for n in range(1, 1001) if n % 10]
    assert [len(chunk) for chunk in found[:3]] == [1, 1, 1]
    assert max(map(len, found)) == ray_actors._ROWS
    assert list(chain(*numbers(source, 995))) == [995, 996, 997, 998, 999]


def test_a_chunk_holds_so_many_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_actors, "_CHARACTERS", 10)
    monkeypatch.setattr(ray_actors, "_GROWTH", 1)
    source = given(tmp_path, *({"response": "x" * size} for size in (1, 4, 4, 4, 20, 1)))
    assert numbers(source) == [[1, 2, 3], [4], [5], [6]]


def test_what_ended_is_not_counted_any_more() -> None:
    tries = TryCounter()
    assert [tries.begin("row 1"), tries.begin("row 2"), tries.begin("row 1")] == [1, 1, 2]
    for _ in range(2):  # the same row may be checked twice at once
        tries.end("row 1")
    assert (tries.begin("row 1"), tries.begin("row 2")) == (1, 2)


def test_refused_rows_stand_between_those_that_were_found() -> None:
    rows = [Row(1, "1", "one"), Refused(2, "2", "no text"), Row(3, "3", "three")]
    found = iter([(n, rows[n - 1].digest(""), {"decision": "approved"}) for n in (1, 3)])
    assert list(_joined([(row, "digest") for row in rows], found)) == [
        ((rows[0], "digest"), {"decision": "approved"}),
        ((rows[1], "digest"), {"error": {"kind": "row", "message": "no text"}}),
        ((rows[2], "digest"), {"decision": "approved"}),
    ]


def test_an_input_that_changes_while_it_is_read_stops_the_run() -> None:
    found = iter([(1, Row(1, "1", "another").digest(""), {"decision": "approved"})])
    with pytest.raises(ConfigError, match="the input changed while it was read, at row 1"):
        list(_joined([(Row(1, "1", "one"), "digest")], found))


def test_an_address_of_rays_client_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")
    with pytest.raises(ConfigError, match="is an address for Ray's client"):
        RayEngine(Settings(), given(tmp_path), has_base=False)
