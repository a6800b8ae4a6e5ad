"""A knowledge base among processes: killed at any moment, read while written, written by one at a time."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.trust.conditions import CONDITIONS
from benchmarks.trust.lives import document, opened, word_of
from benchmarks.trust.looks import found_wrong, stored
from benchmarks.trust.writer import STEP
from verifier.core.errors import KnowledgeBaseLocked

DOCUMENTS = 600

KILLS = 18
"""Of ``make crash``, which takes 1,000 and all local backends."""


def writer(kb: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.trust.writer", str(kb), str(DOCUMENTS)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def text(number: int) -> str:
    return document(str(number), 0).text


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdout is not None
    for said in process.stdout:
        if said.strip() == line:
            return
    raise AssertionError(f"the writer ended before it said {line}")


@pytest.mark.parametrize(
    ("said", "pause"), [("start", 0.0), ("20", 0.0), ("100", 0.013), ("300", 0.031), ("480", 0.007)]
)
def test_a_killed_ingest_loses_nothing_that_it_reported(tmp_path: Path, said: str, pause: float) -> None:
    kb = tmp_path / "kb"
    with writer(kb) as process:
        wait_for(process, said)
        time.sleep(pause)  # into the middle of some later step
        process.send_signal(signal.SIGKILL)
        assert process.stdout is not None
        later = [line.strip() for line in process.stdout]
    reported = max([int(line) for line in [said, *later] if line.isdigit()], default=0)

    with opened(kb, "memory") as store:
        texts = stored(store)
        assert {str(number) for number in range(reported)} <= set(texts)
        assert len(texts) % STEP == 0  # whole batches only
        assert found_wrong(store, texts) == []
        assert store.backend.count() in (0, len(texts))
        assert store.passage_count() == len(texts)
        words = [word_of(text(number)) for number in range(DOCUMENTS)]
        assert store.known_terms(words) == {word_of(found) for found in texts.values()}
    with writer(kb) as process:
        wait_for(process, "end")
    with opened(kb, "memory") as store:
        assert len(store.documents()) == DOCUMENTS
        (entry,) = store.stats()["indexes"]
        assert (entry["passages"], entry["revision"]) == (DOCUMENTS, store.revision)
    assert not [path for path in (kb / "index").rglob(".unfinished-*") if path.is_dir()]


def test_processes_read_while_one_writes_and_no_second_one_writes(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    with writer(kb) as process:
        wait_for(process, "40")
        counts = []
        with opened(kb, "memory", busy_seconds=0.1) as store:
            while process.poll() is None:
                counts.append(store.passage_count())
                assert [hit.source for hit in store.retrieve([word_of(text(7))], top_k=1)[0]] == ["7"]
                if counts[-1] < DOCUMENTS // 2:
                    with pytest.raises(KnowledgeBaseLocked, match="another process is writing"):
                        store.delete("7")
            assert process.stdout is not None
            process.stdout.read()
            assert len(store.retrieve(["note"], top_k=2 * DOCUMENTS)[0]) == DOCUMENTS
            assert store.delete("7") == 1
    assert process.returncode == 0
    assert counts == sorted(counts)
    assert 40 <= counts[0] < DOCUMENTS


def test_kills_lose_nothing_and_every_condition_is_named() -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.trust.crash",
        "--kills",
        str(KILLS),
        "--conditions",
        "memory",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert (
        said[-1] == f"crash: {KILLS} kills, 0 lost; {len(CONDITIONS)} of {len(CONDITIONS)} conditions named"
    ), done.stdout + done.stderr
    assert done.returncode == 0
    assert re.fullmatch(r"private folders of killed processes: 0 left", said[-2])
