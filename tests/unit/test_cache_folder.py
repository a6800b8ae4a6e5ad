"""Where a user's cache folder is, and the lock on a file in it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from verifier.core.alone import alone_with
from verifier.core.folders import cache_folder


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/home/ann"}, "linux", "/home/ann/.cache/rag-claim-verifier"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "/var/ann"}, "linux", "/var/ann/rag-claim-verifier"),
        ({"HOME": "/home/ann", "XDG_CACHE_HOME": "cache"}, "linux", "/home/ann/.cache/rag-claim-verifier"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann/Library/Caches/rag-claim-verifier"),
        ({"LOCALAPPDATA": "/AppData/Local"}, "win32", "/AppData/Local/rag-claim-verifier"),
        ({"HOME": "/home/ann", "VERIFIER_CACHE_DIR": "/opt/weights"}, "linux", "/opt/weights"),
    ],
)
def test_the_folder_is_where_the_system_keeps_caches(
    environ: dict[str, str], platform: str, folder: str
) -> None:
    assert cache_folder(environ, platform) == Path(folder)


def test_without_a_home_there_is_none() -> None:
    assert cache_folder({"HOME": "relative"}, "linux") is None
    assert cache_folder({}, "win32") is None


def test_one_at_a_time_is_in_the_block(tmp_path: Path) -> None:
    inside, most, waited = 0, 0, threading.Event()

    def enter() -> None:
        nonlocal inside, most
        with alone_with(tmp_path / "lock", waited.set) as sure:
            assert sure
            inside += 1
            most = max(most, inside)
            if not waited.is_set():
                waited.wait(10)
            inside -= 1

    threads = [threading.Thread(target=enter) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (most, inside, waited.is_set()) == (1, 0, True)


def test_an_error_in_the_block_lets_the_next_one_in(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="broken"), alone_with(tmp_path / "lock"):
        raise ValueError("broken")
    with alone_with(tmp_path / "lock") as sure:
        assert sure


def test_where_no_lock_can_be_had_the_block_runs_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, and longer than the header of one is " * 4)
    for file in (tmp_path / "nowhere" / "lock", tmp_path, tmp_path / "text"):
        with alone_with(file) as sure:
            assert not sure
