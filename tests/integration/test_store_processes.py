"""A knowledge base among processes: killed at any moment, read while written, written by one at a time."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from backends.encoders import HashingEncoder
from backends.memory import InMemoryBackend
from verifier.core.errors import KnowledgeBaseLocked
from verifier.knowledge.store import GroundTruthStore

DOCUMENTS = 600

WRITER = """
    import sys
    from pathlib import Path
    import verifier.knowledge.intake as intake, verifier.knowledge.live as live
    from backends.encoders import HashingEncoder
    from backends.memory import InMemoryBackend
    from verifier.knowledge.store import GroundTruthStore
    from verifier.types import Document

    intake._BATCH_DOCUMENTS, live._SAVE_EVERY, live._SAVE_SHARE = 20, 0.0, 1

    def report(stage, done, total):
        if stage == "ingest":
            print(done, flush=True)

    def documents():
        for number in range({documents}):
            yield Document(f"{{number}}.txt", f"/d/{{number}}.txt", f"Document {{number}} tells of item x{{number}}.")

    with GroundTruthStore(InMemoryBackend(HashingEncoder()), Path(sys.argv[1]), create=True, progress=report) as store:
        print("start", flush=True)
        store.ingest(documents())
        print("end", flush=True)
"""


def writer(kb: Path) -> subprocess.Popen[str]:
    script = textwrap.dedent(WRITER.format(documents=DOCUMENTS))
    return subprocess.Popen([sys.executable, "-c", script, str(kb)], stdout=subprocess.PIPE, text=True)


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

    with GroundTruthStore(InMemoryBackend(HashingEncoder()), kb) as store:
        stored = {record.source for record in store.documents()}
        assert {f"{number}.txt" for number in range(reported)} <= stored
        assert len(stored) % 20 == 0  # whole batches only
        for number in {0, reported // 2, reported - 1} & set(range(reported)):
            (found,) = store.retrieve([f"item x{number}"], top_k=1)[0]
            assert (found.source, found.retrieved_by) == (f"{number}.txt", "vector")
        assert store.backend.count() in (0, len(stored))
        assert store.passage_count() == len(stored)
        assert store.known_terms([f"x{number}" for number in range(DOCUMENTS)]) == {
            f"x{source.removesuffix('.txt')}" for source in stored
        }
    with writer(kb) as process:
        wait_for(process, "end")
    with GroundTruthStore(InMemoryBackend(HashingEncoder()), kb) as store:
        assert len(store.documents()) == DOCUMENTS
        (entry,) = store.stats()["indexes"]
        assert (entry["passages"], entry["revision"]) == (DOCUMENTS, store.revision)
    assert not [path for path in (kb / "index").rglob(".unfinished-*") if path.is_dir()]


def test_processes_read_while_one_writes_and_no_second_one_writes(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    with writer(kb) as process:
        wait_for(process, "40")
        counts = []
        with GroundTruthStore(InMemoryBackend(HashingEncoder()), kb, busy_seconds=0.1) as store:
            while process.poll() is None:
                counts.append(store.passage_count())
                assert [hit.source for hit in store.retrieve(["item x7"], top_k=1)[0]] == ["7.txt"]
                if counts[-1] < DOCUMENTS // 2:
                    with pytest.raises(KnowledgeBaseLocked, match="another process is writing"):
                        store.delete("7.txt")
            assert process.stdout is not None
            process.stdout.read()
            assert len(store.retrieve(["document"], top_k=2 * DOCUMENTS)[0]) == DOCUMENTS
            assert store.delete("7.txt") == 1
    assert process.returncode == 0
    assert counts == sorted(counts)
    assert 40 <= counts[0] < DOCUMENTS
