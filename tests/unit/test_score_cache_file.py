"""The file under a score cache: it outlives and is shared, and whatever happens to it, no wrong value comes out."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from verifier.core.cache import CacheKey, Codec, ScoreCache
from verifier.core.errors import ConfigError

CODEC: Codec[dict[str, Any]] = Codec(to_json=dict, from_json=dict)
KEY = CacheKey("What?", "That.", revision="r1", fingerprint="f1")
VALUE = {"approved": False, "coherence": 0.30000000000000004, "reason": "ü \ud800"}


def open_cache(path: Path, **options: Any) -> ScoreCache[dict[str, Any]]:
    return ScoreCache(CODEC, path=path, **{"clock": lambda: 1_000.0, **options})


def never() -> dict[str, Any]:
    raise AssertionError("it is kept")


def fill(path: Path, count: int = 1) -> None:
    cache = open_cache(path)
    for number in range(count):
        cache.put(CacheKey("What?", "That." if not number else f"{number}", "r1", "f1"), VALUE)
    cache.close()


def test_a_value_outlives_its_process_and_is_equal(tmp_path: Path) -> None:
    fill(tmp_path / "deep" / "cache.db")
    cache = open_cache(tmp_path / "deep" / "cache.db")
    first, second = (cache.get_or_compute(KEY, never) for _ in range(2))
    assert (first.value, first.source, second.source) == (VALUE, "file", "memory")
    assert cache.get(KEY) == VALUE
    assert cache.stats.hit_rate == 1.0
    assert cache.notes == ()
    cache.close()


def test_an_event_loop_reads_and_writes_the_file(tmp_path: Path) -> None:
    async def compute() -> dict[str, Any]:
        return dict(VALUE)

    for source in ("computed", "file"):
        cache = open_cache(tmp_path / "cache.db")
        assert asyncio.run(cache.aget_or_compute(KEY, compute)).source == source
        cache.close()


def test_entries_in_the_file_grow_stale_and_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    fill(path, 5)
    late = open_cache(path, clock=lambda: 1_300.0)
    assert late.get(KEY) is None
    late.close()
    small = open_cache(path, max_size=3, clock=lambda: 1_001.0)
    small.put(CacheKey("new", "", "", ""), VALUE)
    small.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT COUNT(*) FROM entries").fetchone() == (3,)
    connection.close()


def test_the_file_is_for_its_owner_and_its_keys_are_digests(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    fill(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"What?" not in path.read_bytes(), (
        "what a review itself quotes of a prompt is in it, as docs/judge.md says"
    )


def test_clearing_empties_memory_and_file(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "cache.db")
    cache.put(KEY, VALUE)
    cache.clear()
    assert cache.get(KEY) is None
    cache.close()


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:] = os.urandom(len(content) - 100)
    path.write_bytes(content)


def test_a_damaged_file_is_set_aside_and_begun_anew_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    for time in (1, 2):
        fill(path, 50)
        damage(path)
        cache = open_cache(path)
        assert cache.get(KEY) is None
        assert f"set aside as cache.db.damaged-{time}" in cache.notes[0]
        cache.put(KEY, VALUE)
        cache.close()


def test_a_text_that_changed_on_disk_is_not_served(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    fill(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET text = ?", (json.dumps({**VALUE, "approved": True}),))
    connection.close()
    cache = open_cache(path)
    assert cache.get_or_compute(KEY, lambda: dict(VALUE)).source == "computed"
    assert "damaged entry" in cache.notes[0]
    cache.close()


def test_a_file_that_is_damaged_while_in_use_gives_nothing_wrong_and_is_put_out_of_use(
    tmp_path: Path,
) -> None:
    path = tmp_path / "cache.db"
    cache = open_cache(path)
    keys = [CacheKey(str(number), "", "", "") for number in range(100)]
    long = {"text": "long " * 10_000}  # more in all than SQLite holds in memory
    for key in keys:
        cache.put(key, long)
    cache.close()
    cache = open_cache(path)
    damage(path)
    answers = [cache.get_or_compute(key, lambda: dict(long)) for key in keys]
    assert all(answer.value == long for answer in answers)
    assert any("out of use" in note for note in cache.notes)
    assert cache.get_or_compute(keys[0], never).source == "memory"
    cache.close()


@pytest.mark.parametrize(
    "content", [b"my novel, chapter one", b"\x00" * 5000, b"SQLite format 3\x00 but not"]
)
def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cache.db"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"no cache of scores|cannot be opened"):
        open_cache(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE entries (important)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="no cache of scores"):
        open_cache(path)
    assert path.read_bytes() == before


def test_a_path_that_cannot_be_written_is_an_error_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be opened"):
        open_cache(tmp_path / "file" / "cache.db")
    with pytest.raises(ConfigError, match="cannot be opened"):
        open_cache(tmp_path)


def test_a_file_of_another_release_is_begun_anew_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    fill(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    cache = open_cache(path)
    assert cache.get(KEY) is None
    assert "another release" in cache.notes[0]
    cache.close()


def test_a_locked_file_delays_nothing_for_long_and_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.core.cache.file._BUSY_SECONDS", 0.05)
    cache = open_cache(tmp_path / "cache.db")
    other = sqlite3.connect(tmp_path / "cache.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert cache.get_or_compute(KEY, lambda: dict(VALUE)).source == "computed"
    assert "locked" in cache.notes[0]
    other.execute("ROLLBACK")
    other.close()
    cache.put(KEY, VALUE)
    cache.close()
    again = open_cache(tmp_path / "cache.db")
    assert again.get(KEY) == VALUE
    again.close()


def work(path: Path, worker: int) -> int:
    """Ask for 60 values with others at the same file; how many came out wrong."""
    cache = open_cache(path, max_size=20)
    wrong = 0
    for step in range(60):
        number = (step * 7 + worker) % 30
        value = {"number": number}
        key = CacheKey("", str(number), "", "")
        wrong += cache.get_or_compute(key, lambda value=value: value).value != {"number": number}
    cache.close()
    return wrong + len(cache.notes)


def make(path: Path) -> None:
    """Open a file that other processes make at the same moment."""
    open_cache(path).close()


def test_several_processes_make_and_share_one_file(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert pool.starmap(work, [(tmp_path / "cache.db", worker) for worker in range(3)]) == [0, 0, 0]
        for number in range(40):
            pool.map(make, [tmp_path / f"{number}.db"] * 3, chunksize=1)
    cache = open_cache(tmp_path / "cache.db")
    assert any(cache.get(CacheKey("", str(number), "", "")) == {"number": number} for number in range(30))
    cache.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_the_file_for_itself(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "cache.db")
    cache.put(KEY, VALUE)
    other = CacheKey("child", "", "", "")
    child = os.fork()
    if not child:
        cache.put(other, VALUE)
        os._exit(0 if cache.get(KEY) == VALUE else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert cache.get(other) == VALUE
    cache.close()
