"""``verifier kb reindex``: until the new index is whole the old one serves, whatever happens on the way."""

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from verifier_backends.bm25 import BM25Backend

from tests.support.chroma_server import chroma_server
from verifier.config import Settings
from verifier.core.errors import KnowledgeBaseFull
from verifier.factory import open_store
from verifier.knowledge import live
from verifier.knowledge.index import IndexFiles
from verifier.types import Document

STOPS_MIDWAY = """
import json, sys, time
from verifier.config import Settings
from verifier.factory import open_store
from verifier.knowledge import live

live._BATCH = 10

def progress(stage, done, total):
    print(stage, done, total, flush=True)
    time.sleep(600)

settings = Settings.model_validate(json.loads(sys.argv[1]))
with open_store(settings) as store:
    store.reindex(progress)
"""


@pytest.fixture(scope="module")
def server():
    with chroma_server() as port:
        yield port


@pytest.fixture(params=["hybrid", "chroma", "chroma on a server"])
def settings(request, tmp_path) -> Settings:
    backend = {"type": request.param}
    if request.param == "chroma on a server":
        backend = {"type": "chroma", "host": "127.0.0.1", "port": request.getfixturevalue("server")}
    settings = Settings.model_validate({"kb": {"path": str(tmp_path / "kb")}, "backend": backend})
    with open_store(settings, create=True) as store:
        texts = {f"note-{i:02}": f"Valve {i} of the pump house opens at {i + 3} bar." for i in range(40)}
        store.ingest(Document(source=name, uri=name, text=text) for name, text in texts.items())
    return settings


def found(store) -> list[tuple[str, str, float]]:
    evidence = store.retrieve(["at what pressure does valve 17 open", "note 31"], top_k=4)
    return [(one.source, one.retrieved_by, round(one.score, 5)) for hits in evidence for one in hits]


def looked_up(settings: Settings) -> list[tuple[str, str, float]]:
    with open_store(settings) as store:
        return found(store)


def index_files(settings: Settings) -> dict[str, int]:
    root = Path(settings.kb.path) / "index"
    return {p.relative_to(root).as_posix(): p.stat().st_mtime_ns for p in root.rglob("*") if p.is_file()}


def verifier(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("verifier")), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_rebuild_that_is_killed_midway_leaves_the_old_index(settings, tmp_path) -> None:
    before, files = looked_up(settings), index_files(settings)
    assert "note-17" in [source for source, _, _ in before]
    script = subprocess.Popen(
        [sys.executable, "-c", STOPS_MIDWAY, settings.model_dump_json()], stdout=subprocess.PIPE, text=True
    )
    assert script.stdout is not None
    with script.stdout:
        line = script.stdout.readline().split()
        os.kill(script.pid, signal.SIGKILL)
        script.wait()
    assert line == ["index", "10", "40"], "it was killed between two batches"
    assert index_files(settings) == files
    assert looked_up(settings) == before

    configuration = tmp_path / "verifier.toml"
    rows = (f"{key} = {value!r}\n" for key, value in settings.backend.items())
    configuration.write_text("[backend]\n" + "".join(rows))
    done = verifier("kb", "reindex", "--kb", settings.kb.path, "--config", str(configuration))
    assert (done.returncode, done.stdout) == (0, "40 passages indexed\n"), done.stderr
    assert looked_up(settings) == before
    assert index_files(settings) != files


def test_a_large_rebuild_is_set_aside_on_the_way_and_leaves_nothing_behind(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(live, "_BATCH", 10)
    monkeypatch.setattr(live, "_SAVE_PASSAGES", 10)
    settings = Settings.model_validate({"kb": {"path": str(tmp_path / "kb")}, "backend": {"type": "bm25"}})
    index = tmp_path / "kb" / "index"
    held: list[int] = []

    def set_aside(files: IndexFiles, backend: BM25Backend) -> None:
        held.append(backend._state.records.size - backend._state.records.stored)
        if len(held) == 7:
            raise OSError(errno.ENOSPC, "No space left on device")
        kept(files, backend)

    kept = IndexFiles.set_aside
    monkeypatch.setattr(IndexFiles, "set_aside", set_aside)
    with open_store(settings, create=True) as store:
        store.ingest(Document(f"{n}", f"{n}", f"Valve {n} opens at {n + 3} bar.") for n in range(40))
        before = found(store)
        assert store.reindex() == 40
        assert held == [10] * 4, "what was set aside is not held any longer"
        assert found(store) == before
        assert not [*index.rglob(".unfinished-*")]
        with pytest.raises(KnowledgeBaseFull):
            store.reindex()
        assert found(store) == before
        assert [*index.rglob(".unfinished-aside-*")]
        store.gc()
        assert not [*index.rglob(".unfinished-*")]
    with open_store(settings) as store:
        assert found(store) == before


def test_searches_are_answered_by_the_old_index_while_the_new_one_is_built(settings, monkeypatch) -> None:
    monkeypatch.setattr(live, "_BATCH", 10)
    midway, go_on = threading.Event(), threading.Event()
    seen: list[tuple[str, int, int | None]] = []

    def progress(stage: str, done: int, total: int | None) -> None:
        seen.append((stage, done, total))
        midway.set()
        assert go_on.wait(60)

    with open_store(settings) as store, open_store(settings) as not_yet_loaded:
        before, old = found(store), store.backend
        builder = threading.Thread(target=store.reindex, args=(progress,))
        builder.start()
        assert midway.wait(60)
        try:
            assert found(store) == before
            assert store.backend is old
            assert found(not_yet_loaded) == before
            assert looked_up(settings) == before
        finally:
            go_on.set()
            builder.join()
        assert seen == [("index", done, 40) for done in (10, 20, 30, 40)]
        assert store.backend is not old
        assert found(store) == found(not_yet_loaded) == before
    assert looked_up(settings) == before
