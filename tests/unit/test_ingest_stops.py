"""Nothing that lies among the files stops an ingest: what cannot be read has its reason, and the rest goes in."""

from __future__ import annotations

import io
import os
import random
import subprocess
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.errors import DeprecationError
from verifier_backends.memory import InMemoryBackend

from tests.support.cli import run
from verifier.core.errors import IngestError
from verifier.knowledge.ingest import READERS, ReadOptions, SourceFile, discover, read_documents
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Passage

WORD = Path(__file__).parents[2] / "corpora/demo/kb/loyalty-programme.docx"
PDF = WORD.with_name("recall-notice.pdf")
SEED = 20


def outcome(path: Path) -> list[str]:
    """The reason of each file that cannot be read."""
    reasons = []
    for file in discover([path]):
        try:
            list(read_documents(file))
        except IngestError as error:
            reasons.append(str(error))
    return reasons


def test_long_paths_and_pipes_are_told_and_the_rest_goes_in(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Entry is free.")
    os.mkfifo(tmp_path / "pipe.md")
    done = run(
        "ingest", "n" * 300, "pipe.md", "a.md", cwd=tmp_path, timeout=60, VERIFIER_BACKEND__TYPE="bm25"
    )
    assert (done.returncode, done.stdout) == (3, "1 added, 2 failed; 1 passage embedded\n")
    assert f"not read: {'n' * 300}: cannot be opened: File name too long\n" in done.stderr
    assert "not read: pipe.md: not a regular file\n" in done.stderr


def test_a_text_under_test_with_too_long_a_name_is_a_usage_error(tmp_path: Path) -> None:
    done = run("verify", "n" * 300, cwd=tmp_path, timeout=60)
    assert done.returncode == 2
    assert "File name too long" in done.stderr


def test_a_pipe_that_is_called_a_corpus_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "corpus.jsonl")
    assert [(file.source, file.ignored) for file in discover([tmp_path])] == [
        ("corpus.jsonl", "not a regular file")
    ]


@pytest.fixture(params=[("n" * 200, 30), ("n", 1100)], ids=["too long", "deep"])
def nest(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Folders within folders with a file at the bottom; ``rm`` removes what pytest's own cleaning cannot."""
    name, times = request.param
    began = os.getcwd()
    os.chdir(tmp_path)
    for _ in range(times):
        os.mkdir(name)
        os.chdir(name)
    Path("b.md").write_text("text")
    os.chdir(began)
    yield tmp_path / name
    subprocess.run(["rm", "-rf", tmp_path / name], check=True)


def test_folders_nest_without_end(nest: Path) -> None:
    reasons = [reason.rpartition(": ")[2] for reason in outcome(nest)]
    assert reasons == (["File name too long"] if len(nest.name) > 1 else [])


def test_each_file_is_read_once_whatever_links_lead_to_it(tmp_path: Path) -> None:
    levels = [tmp_path / f"{n:02}" for n in range(20)]
    for level in levels:
        level.mkdir()
    for above, below in pairwise(levels):
        for side in ("left", "right"):  # a million ways to the bottom
            (above / side).symlink_to(below)
    (levels[-1] / "a.md").write_text("text")
    (levels[-1] / "b.md").symlink_to("a.md")
    found = list(discover([tmp_path]))
    first = "/".join(["00", *["left"] * 19])
    assert [file.source for file in found if file.format] == [f"{first}/a.md"]
    ignored = {file.source: file.ignored for file in found if file.ignored}
    assert ignored[f"{first}/b.md"] == f"read already, under the name {tmp_path / first / 'a.md'}"
    assert len(found) < 70


def damaged_word() -> bytes:
    """A Word file whose packed text is damaged, in a way that ``zlib`` finds and ``zipfile`` does not."""
    whole = bytearray(WORD.read_bytes())
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        at = archive.getinfo("word/document.xml").header_offset + 60
    whole[at : at + 8] = b"\xff" * 8
    return bytes(whole)


def test_a_word_file_with_damaged_packing_is_unreadable(tmp_path: Path) -> None:
    pytest.importorskip("docx")
    (tmp_path / "a.docx").write_bytes(damaged_word())
    assert outcome(tmp_path) == ["a.docx: broken, or not a Word file (error)"]


@pytest.mark.parametrize("seed_file", [WORD, PDF], ids=["docx", "pdf"])
def test_mutants_are_read_or_refused(tmp_path: Path, seed_file: Path) -> None:
    if seed_file is WORD:
        pytest.importorskip("docx")
    rng = random.Random(SEED)
    whole = seed_file.read_bytes()
    for _ in range(60):
        mutant = bytearray(whole)
        for _ in range(rng.choice([1, 4, 30])):
            mutant[rng.randrange(len(mutant))] = rng.randrange(256)
        path = tmp_path / seed_file.name
        path.write_bytes(mutant)
        assert len(outcome(path)) < 2


@pytest.mark.parametrize("error", [NotImplementedError("an odd font"), DeprecationError("gone")])
def test_what_pypdf_cannot_do_makes_a_file_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(reader: object) -> Any:
        raise error

    monkeypatch.setattr(PdfReader, "pages", property(refuse))
    (tmp_path / "a.pdf").write_bytes(PDF.read_bytes())
    assert outcome(tmp_path) == [f"a.pdf: broken, or not a PDF ({type(error).__name__})"]


def failing(error: BaseException) -> Any:
    def read(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
        raise error
        yield  # pragma: no cover

    return read


@pytest.mark.parametrize("error", [AssertionError(), IndexError("list index out of range"), RecursionError()])
def test_a_defect_of_a_reader_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setitem(READERS, "text", failing(error))  # type: ignore[misc]
    (tmp_path / "a.txt").write_text("text")
    assert outcome(tmp_path) == [f"a.txt: cannot be read ({type(error).__name__})"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_an_interrupt_and_a_lack_of_memory_are_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setitem(READERS, "text", failing(error))  # type: ignore[misc]
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(type(error)):
        outcome(tmp_path)


def test_a_defect_in_cutting_refuses_one_document() -> None:
    def cut(document: Document) -> list[Passage]:
        if document.source == "b.txt":
            raise IndexError("list index out of range")
        return [Passage(document.text, 0, len(document.text))]

    with GroundTruthStore(backend=InMemoryBackend(), chunker=cut) as store:
        summary = store.ingest(Document(f"{name}.txt", f"/{name}.txt", f"Text {name}.") for name in "abc")
    assert summary.added == 2
    assert summary.failed == (("b.txt", "cannot be cut into passages (IndexError)"),)
