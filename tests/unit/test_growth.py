"""Small files that would be large to read: reading keeps within bounds of memory and time, and says what is cut."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.trust.growth import MOST_MEGABYTES, MOST_SECONDS, grown
from benchmarks.trust.hostile_files import FILES, QUICK, HostileFile
from verifier.core.errors import IngestError
from verifier.knowledge import markdown_blocks
from verifier.knowledge.chunk import chunk
from verifier.knowledge.ingest import discover, doubts_about, read_documents
from verifier.types import Document

BY_NAME = {one.name: one for one in FILES}


def read(path: Path) -> tuple[list[Document], list[str]]:
    """The documents of a file, and what was said of rows that are not among them."""
    bad: list[IngestError] = []
    [file] = discover([path])
    return list(read_documents(file, on_bad_row=bad.append)), [str(error) for error in bad]


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("html spans, a row each", "ingest"),
        ("markdown empty columns", "ingest"),
        ("csv with long names", "upload"),
        ("word, paragraphs", "upload"),
        ("excel, merged cells", "upload"),
        ("odt, nested spans", "ingest"),
    ],
)
def test_a_megabyte_grows_within_bounds(name: str, way: str) -> None:
    found = grown(BY_NAME[name], way)
    assert found.megabytes <= MOST_MEGABYTES, found
    assert found.seconds <= MOST_SECONDS, found


def test_a_hostile_file_of_more_than_a_megabyte_is_refused() -> None:
    large = HostileFile("hog", "a.txt", lambda: b"a" * 2_000_000)
    with pytest.raises(ValueError, match="2000000 bytes"):
        large.content()
    assert BY_NAME.keys() >= QUICK


def test_cells_that_are_not_repeated_are_told(tmp_path: Path) -> None:
    cell = "<td rowspan=99 colspan=99>" + "The fee is five euros. " * 40
    (tmp_path / "a.html").write_text(f"<table>{f'<tr>{cell}' * 20}</table>")
    [document], _ = read(tmp_path / "a.html")
    assert len(document.text) < 1_200_000
    assert doubts_about(document) == [
        "a.html: cells that span rows or columns are not repeated in all of them"
    ]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<div>" * 100_000 + "deep", "its tags nest too deep (31623 levels)"),
        ("<p " + "a=b " * 20_000 + ">text", "a tag with more than 5000 attributes"),
    ],
)
def test_a_page_that_a_parser_chokes_on_is_refused(tmp_path: Path, page: str, reason: str) -> None:
    (tmp_path / "a.html").write_text(page)
    with pytest.raises(IngestError) as caught:
        read(tmp_path / "a.html")
    assert str(caught.value) == f"a.html: {reason}"


def test_a_hundred_bad_rows_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n' + "x\n" * 250)
    documents, bad = read(tmp_path / "a.jsonl")
    assert (len(documents), len(bad)) == (1, 101)
    assert bad[-1] == "a.jsonl: 150 more rows that cannot be read"


def test_rows_that_repeat_long_names_end_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{'a' * 100_000},b\n" + "1,2\n" * 1000)
    documents, bad = read(tmp_path / "a.csv")
    assert len(documents) == 30
    assert bad == [
        (
            "a.csv: row 31: the names of the columns make it over 20 times the size of the file; "
            "this row and all below it are left out"
        )
    ]


def test_metadata_that_each_passage_would_carry_is_cut_and_told(tmp_path: Path) -> None:
    names = ",".join(f"c{n}" for n in range(1000))
    (tmp_path / "a.csv").write_text(names + "\n" + ",".join("1" * 1000) + "\n")
    [document], _ = read(tmp_path / "a.csv")
    assert "c999: 1" in document.text
    assert len(document.metadata) < 270
    assert doubts_about(document) == ["a.csv#1: 744 columns of a row are too many or too long for metadata"]


def test_headings_above_every_other_word_part_no_passages() -> None:
    text = "".join(f"# {n}\n\nb\n\n" for n in range(5000))
    passages = chunk(Document("a.md", "a.md", text, "text/markdown"))
    assert len(passages) < 100
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(text.split())


TEXT = (
    "# Fees\n\nIntro line\n\n- one\n- two\n\n  more of two\n\n```\ncode\n\ncode\n```\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\nSetext\n------\n\n"
    "1. first\n2. second\n\n<!-- a\n\ncomment -->\n\nLast words.\n\n"
) * 30


@pytest.mark.parametrize("piece", [10, 70, 333])
def test_long_markdown_is_parsed_alike_in_pieces(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    document = Document("a.md", "a.md", TEXT, "text/markdown")
    whole = chunk(document)
    monkeypatch.setattr(markdown_blocks, "_PIECE", piece)
    assert chunk(document) == whole


def test_a_list_without_end_is_cut_and_keeps_what_leads_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown_blocks, "_PIECE", 200)
    monkeypatch.setattr(markdown_blocks, "_MOST_TOKENS", 20)
    text = "The pool has:\n\n" + "".join(f"- lane {n} of the hall by the river\n" for n in range(200))
    passages = chunk(Document("a.md", "a.md", text, "text/markdown"))
    assert {passage.context for passage in passages[1:]} == {"The pool has:"}
