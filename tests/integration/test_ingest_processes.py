"""``verifier ingest --workers``: the base that one process makes, whatever ends it on the way."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.folders import write_folder
from tests.support.cli import VERIFIER, environment, run
from tests.support.drawn_pdf import Drawn, draw
from tests.support.office_files import slides, workbook
from tests.support.processes import children, gone
from verifier.config import Settings
from verifier.factory import open_store

BATCH = 256
"""Documents that are committed together."""

DEMO = Path(__file__).parents[2] / "corpora/demo/kb"
BM25 = {"VERIFIER_BACKEND__TYPE": "bm25"}
TABLES = {
    "documents": "id, doc_id, content_hash, chunking, media_type, title, pages, metadata, text",
    "passages": "id, passage_id, revision, start_at, end_at, page, headings, context, text",
    "sources": "uri, source, document",
    "unread": "uri, source, reason",
}
TEXTS = [
    f"Rule {n} of the club says that member {n * 7} pays {n % 90} euros for locker {n % 13} in hall {n % 5}."
    for n in range(900)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of most formats, of which some, or some rows, cannot be read."""
    made = tmp_path / "files"
    write_folder(made, TEXTS)
    workbook(made / "book.xlsx")
    slides(made / "slides.pptx")
    draw(made / "pages.pdf", [Drawn("Words of a page.", 50, 700)], [])
    (made / "broken.pdf").write_bytes((DEMO / "recall-notice.pdf").read_bytes()[:900])
    (made / "left.csv").write_text("id,text\n1,One\n2,Two,too many\n3,Three\n")
    (made / "copy.md").write_bytes((made / "00001.md").read_bytes())
    (made / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    (made / "picture.svg").write_text("<svg/>")
    return made


def stored(base: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a knowledge base holds, in the order in which it was written."""
    with sqlite3.connect(base / "knowledge.sqlite3") as connection:
        return {
            table: connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()
            for table, columns in TABLES.items()
        }


def found(base: Path) -> list[Any]:
    """What searches find, with scores."""
    settings = Settings.model_validate({"backend": {"type": "bm25"}, "kb": {"path": str(base)}})
    with open_store(settings) as store:
        return store.retrieve([*TEXTS[::100], "words of a page", "refunds"], top_k=5)


def test_several_processes_make_the_base_that_one_makes(folder: Path, tmp_path: Path) -> None:
    def ingested(workers: int) -> tuple[int, str, str]:
        options = ("--kb", f"kb{workers}", "--workers", str(workers))
        done = run("ingest", folder, *options, cwd=tmp_path, **BM25)
        return done.returncode, done.stdout, done.stderr

    alone = ingested(1)
    assert alone[0] == 3
    assert "warning: pages.pdf: no text on page 2" in alone[2]
    assert ingested(3) == alone
    assert stored(tmp_path / "kb3") == stored(tmp_path / "kb1")
    assert found(tmp_path / "kb3") == found(tmp_path / "kb1")

    (folder / "00001.md").write_text("# Changed\n\nOnly this is left of it.\n")
    (folder / "00002.html").unlink()
    assert ingested(3) == ingested(1)
    assert stored(tmp_path / "kb3") == stored(tmp_path / "kb1")


def test_the_configuration_says_how_many(folder: Path, tmp_path: Path) -> None:
    with started(folder, tmp_path, VERIFIER_INGEST__WORKERS="3", **BM25) as process:
        seen: set[int] = set()
        while process.poll() is None:
            seen.update(running(process))
    assert len(seen) == 2


def started(folder: Path, cwd: Path, *options: str, **environ: str) -> subprocess.Popen[str]:
    """An ingest in a process of its own."""
    return subprocess.Popen(
        [VERIFIER, "ingest", folder, "--kb", "kb", *options],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(cwd, environ),
    )


def running(process: subprocess.Popen[str]) -> list[int]:
    """The processes that it has started; none where it, or a thread of it, has just ended."""
    try:
        return children(process)
    except (FileNotFoundError, ProcessLookupError):
        return []


def passages(base: Path) -> int:
    """How many passages are stored by now."""
    try:
        with sqlite3.connect(f"file:{base / 'knowledge.sqlite3'}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM passages").fetchone()[0])
    except sqlite3.OperationalError:  # it is being made
        return 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_ingest_that_is_broken_off_is_completed_by_the_same_command(
    tmp_path: Path, how: signal.Signals
) -> None:
    folder = tmp_path / "files"
    texts = TEXTS[:600]
    write_folder(folder, texts, ["csv"])
    with started(folder, tmp_path, "--workers", "2") as process:  # the embedded encoder takes some seconds
        readers: set[int] = set()
        while passages(tmp_path / "kb") <= BATCH:  # when the second is stored, the first is embedded
            assert process.poll() is None
            readers.update(running(process))
        process.send_signal(how)
        assert process.wait() in (-signal.SIGKILL, 130)
    assert readers
    while not all(map(gone, readers)):
        time.sleep(0.01)
    before = passages(tmp_path / "kb")
    assert before == 2 * BATCH
    done = run("ingest", folder, "--kb", "kb", "--workers", "2", cwd=tmp_path)
    counts, _, embedded = done.stdout.partition("; ")
    assert (done.returncode, counts) == (0, f"{len(texts) - before} added, {before} unchanged")
    if how is signal.SIGINT:  # what was killed has perhaps not saved its index yet
        assert embedded == f"{len(texts) - BATCH} passages embedded\n"
    assert len({row[1] for row in stored(tmp_path / "kb")["passages"]}) == len(texts)
