"""Finding and reading files: nothing is passed over in silence, and each bad file has its reason."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import sys
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

from verifier.core.errors import IngestError, MissingExtra
from verifier.knowledge.ingest import READERS, SUFFIXES, ReadOptions, SourceFile, discover, read_documents
from verifier.types import Document


def found(*paths: Path) -> list[tuple[str, str]]:
    """Each file's name with its format, or with why it is left out."""
    return [(file.source, file.format or file.ignored or file.unreadable) for file in discover(paths)]


def read(path: Path, **options: object) -> list[Document]:
    return [
        document
        for file in discover([path])
        for document in read_documents(file, ReadOptions(**options))  # type: ignore[arg-type]
    ]


def reason(path: Path, **options: object) -> str:
    with pytest.raises(IngestError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert message.startswith(f"{path.name}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path.name}: ")


def write(path: Path, data: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_folders_are_searched_in_order_and_what_is_left_out_says_why(tmp_path: Path) -> None:
    for name in (
        "b.md",
        "a.txt",
        "sub/c.HTML",
        ".hidden.md",
        ".git/d.md",
        "x.xlsx",
        "LICENSE",
        "__pycache__/e.txt",
    ):
        write(tmp_path / name, "text")
    assert found(tmp_path) == [
        (".git", "hidden"),
        (".hidden.md", "hidden"),
        ("LICENSE", "unknown format (no suffix)"),
        ("__pycache__", "a cache"),
        ("a.txt", "text"),
        ("b.md", "markdown"),
        ("sub/c.HTML", "html"),
        ("x.xlsx", "xlsx"),
    ]


def test_a_file_named_directly_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    assert found(write(tmp_path / ".notes", "x"), write(tmp_path / "README", "x")) == [
        (".notes", "text"),
        ("README", "text"),
    ]


def test_a_missing_path_is_an_error_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match=r"no such file or folder: .*nowhere"):
        discover([tmp_path, tmp_path / "nowhere"])


def test_a_file_reached_twice_comes_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "text")
    assert found(tmp_path, path) == [("a.md", "markdown")]


def test_links_are_followed_but_loops_and_dead_ends_are_not(tmp_path: Path) -> None:
    write(tmp_path / "kb/a.md", "text")
    write(tmp_path / "other/b.md", "text")
    (tmp_path / "kb/loop").symlink_to(tmp_path / "kb")
    (tmp_path / "kb/other").symlink_to(tmp_path / "other")
    (tmp_path / "kb/dead.md").symlink_to(tmp_path / "gone.md")
    assert found(tmp_path / "kb") == [
        ("a.md", "markdown"),
        ("dead.md", "a link to nothing"),
        ("loop", "a link back to a folder that contains it"),
        ("other/b.md", "markdown"),
    ]


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert found(tmp_path) == [("pipe.txt", "not a regular file")]


def test_a_name_that_is_not_unicode_can_be_stored(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    (document,) = read(tmp_path)
    assert document.source == "caf\\xe9.txt"
    assert document.uri.encode().endswith(b"/caf\\xe9.txt")


def test_source_is_relative_to_the_folder_and_uri_is_absolute(tmp_path: Path) -> None:
    path = write(tmp_path / "kb/sub/a.md", "text")
    assert [(d.source, d.uri) for d in read(tmp_path / "kb")] == [("sub/a.md", str(path))]
    assert [(d.source, d.uri) for d in read(path)] == [("a.md", str(path))]


def test_every_suffix_has_a_reader() -> None:
    assert set(SUFFIXES.values()) | {"beir"} == set(READERS)


def test_a_beir_folder_gives_its_corpus_only(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", '{"_id": "d1", "title": "T", "text": "Body."}\n')
    write(tmp_path / "queries.jsonl", "{}")
    write(tmp_path / "qrels/test.tsv", "a\tb")
    part = "part of a BEIR data set that is not its corpus"
    assert found(tmp_path) == [("corpus.jsonl", "beir"), ("qrels", part), ("queries.jsonl", part)]
    (document,) = read(tmp_path)
    assert (document.source, document.title, document.text) == ("corpus.jsonl#d1", "T", "Body.")


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress)])
def test_a_packed_beir_corpus_is_read_and_a_damaged_one_refused(tmp_path: Path, suffix: str, pack) -> None:  # type: ignore[no-untyped-def]
    row = json.dumps({"_id": "d1", "title": "T", "text": "Body of the text."}).encode()
    path = write(tmp_path / f"corpus.jsonl.{suffix}", pack(row))
    assert [document.text for document in read(path)] == ["Body of the text."]
    assert reason(write(path, pack(row)[:-6])).startswith("cannot be unpacked")
    assert reason(write(path, b"no archive at all")).startswith("cannot be unpacked")
    assert reason(write(path, pack(b"\xff\xfe"))) == "not valid UTF-8, which BEIR files are written in"
    assert reason(write(path, pack(row)), max_bytes=10) == "a line larger than the limit of 1e-05 MB"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("empty.md", b"", "empty"),
        ("blank.txt", b" \n\t\n", "empty (only white space)"),
        ("bom.txt", b"\xef\xbb\xbf", "empty (only white space)"),
        ("nul.txt", b"abc\0def" * 9, "binary data, not text (it holds NUL bytes)"),
        ("zip.md", b"PK\x03\x04\x00\x00\xff\xfe" * 9, "binary data, not text (it holds NUL bytes)"),
        ("control.txt", bytes(range(1, 9)) * 50, "binary data, not text (100% of it are control characters)"),
        ("noise.txt", bytes(range(1, 256)) * 20, "binary data"),
        ("odd.txt", "hé".encode("utf-16")[:-1], "not valid utf-16: byte"),
        ("latin.txt", "Kr 450 på lager. Støvler er ikke på tilbud.".encode("cp1252"), "encoding not clear"),
        ("short.txt", b"gar\xe7on, p\xe8re", "encoding not clear (perhaps cp1252 or "),
        ("page.html", b"<script>x</script><nav>menu</nav>", "no visible text"),
        ("head.csv", b"a,b\n", "no rows below the header"),
        ("quote.csv", b'a,b\n"1,2\n', "row 1: not valid CSV: unexpected end of data"),
        ("rows.jsonl", b"{}\nnot json\n", "row 1: no text"),
        ("list.jsonl", b"[1]", "row 1: not a JSON object"),
        ("bad.jsonl", b'{"text": "a"', "row 1: not valid JSON"),
        ("deep.jsonl", b"[" * 100_000, "row 1: not valid JSON (nested too deep or too long)"),
        ("half.jsonl", b'{"text": "\\ud83d"}', "row 1: half a character (a lone surrogate)"),
        ("broken.pdf", b"%PDF-1.7\nnot really", "broken, or not a PDF"),
        ("text.pdf", b"plain text", "broken, or not a PDF"),
        ("word.docx", b"plain text", "broken, or not a Word file (no zip archive)"),
        (
            "old.docx",
            b"\xd0\xcf\x11\xe0" + b"x" * 600,
            "encrypted, or an old .doc file with the wrong suffix",
        ),
    ],
)
def test_a_bad_file_gives_its_reason(tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    if name.endswith(".docx"):
        pytest.importorskip("docx")
    assert reason(write(tmp_path / name, data)).startswith(expected)


def pdf_bytes(writer: PdfWriter) -> bytes:
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_pdf_without_text_or_with_a_password_is_refused(tmp_path: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    assert reason(write(tmp_path / "scan.pdf", pdf_bytes(writer))) == "no text on any page (scanned?)"
    writer.encrypt("secret", algorithm="RC4-128")
    assert reason(write(tmp_path / "locked.pdf", pdf_bytes(writer))) == "encrypted; it needs a password"


def test_a_pdf_with_an_empty_password_opens(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "corpora/demo/kb/recall-notice.pdf"
    writer = PdfWriter(clone_from=source)
    writer.encrypt("", "owner", algorithm="RC4-128")
    (document,) = read(write(tmp_path / "open.pdf", pdf_bytes(writer)))
    assert document.text == read(source)[0].text


@pytest.mark.parametrize("cut", range(50, 2400, 150))
def test_a_pdf_cut_short_or_scrambled_is_read_or_refused_but_nothing_else(tmp_path: Path, cut: int) -> None:
    whole = (Path(__file__).parents[2] / "corpora/demo/kb/recall-notice.pdf").read_bytes()
    for data in (whole[:cut], whole[:cut] + bytes(40) + whole[cut + 40 :]):
        try:
            (document,) = read(write(tmp_path / "a.pdf", data))
        except IngestError:
            continue
        assert document.text


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "[Content_Types].xml"])
def test_a_damaged_word_file_is_refused(tmp_path: Path, part: str) -> None:
    pytest.importorskip("docx")
    whole = zipfile.ZipFile(Path(__file__).parents[2] / "corpora/demo/kb/loyalty-programme.docx")
    for damage in (b"<broken", b""):
        with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
            for name in whole.namelist():
                archive.writestr(name, damage if name == part else whole.read(name))
        assert reason(tmp_path / "a.docx").startswith("broken, or not a Word file")


def test_a_word_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("docx")
    with zipfile.ZipFile(tmp_path / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", bytes(1_000_000))
    assert reason(tmp_path / "bomb.docx", max_bytes=100_000) == "unpacks to more than the limit of 0.1 MB"


def test_without_python_docx_the_pip_line_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rag-claim-verifier\[office\]'"):
        read(write(tmp_path / "a.docx", b"x"))


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "x" * 2001)
    assert reason(path, max_bytes=2000) == "larger than the limit of 0.002 MB"


def test_what_cannot_be_opened_is_reported_and_not_passed_over(tmp_path: Path) -> None:
    folder = SourceFile(tmp_path, "sub", unreadable="folder cannot be opened: Permission denied")
    with pytest.raises(IngestError, match="sub: folder cannot be opened: Permission denied"):
        list(read_documents(folder))
    with pytest.raises(IngestError, match=r"gone\.txt: cannot be read: No such file"):
        list(read_documents(SourceFile(tmp_path / "gone.txt", "gone.txt", "text")))


def test_bad_rows_are_reported_and_the_others_follow(tmp_path: Path) -> None:
    lines = [
        '{"text": "one"}',
        "oops",
        "",
        '{"text": ""}',
        '{"text": "two", "id": "x"}',
        '{"text": "3", "id": "x"}',
    ]
    path = write(tmp_path / "a.jsonl", "\n".join(lines))
    problems: list[str] = []
    (file,) = discover([path])
    documents = list(read_documents(file, on_bad_row=lambda error: problems.append(str(error))))
    assert [(d.source, d.text) for d in documents] == [("a.jsonl#1", "one"), ("a.jsonl#x", "two")]
    assert problems == [
        "a.jsonl: row 2: not valid JSON (Expecting value)",
        "a.jsonl: row 4: no text",
        "a.jsonl: row 6: its id is taken by an earlier row (x)",
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_that_breaks_off_gives_the_rows_before_and_says_where(tmp_path: Path, delimiter: str) -> None:
    lines = ["id,text", 'x,"one"', 'y,"two', 'z,"three"']
    path = write(tmp_path / "bad.csv", "\n".join(lines).replace(",", delimiter))
    problems: list[str] = []
    (file,) = discover([path])
    documents = list(read_documents(file, on_bad_row=lambda error: problems.append(str(error))))
    assert [(d.source, d.text) for d in documents] == [("bad.csv#x", "one")]
    (problem,) = problems
    assert problem.startswith("bad.csv: row 2: not valid CSV: ")
    assert problem.endswith("; this row and all below it are left out")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_marked_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    text = "Gebühr: 5 €\r\n🏔️"
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    (document,) = read(write(tmp_path / "a.txt", (mark + text).encode(encoding)))
    assert document.text == text
    assert ("encoding" in document.metadata) == (encoding != "utf-8")


def test_a_guessed_encoding_is_right_and_recorded(tmp_path: Path) -> None:
    text = "Привет, мир. Возврат товара возможен в течение 30 дней.\n" * 5
    (document,) = read(write(tmp_path / "a.txt", text.encode("koi8-r")))
    assert (document.text, document.metadata["encoding"]) == (text, "koi8_r")


@pytest.mark.parametrize(
    "text",
    [
        "name;price\nCafé;5 €\n",
        "“Quoted” – the firm’s name…",
        "It weighs 30 kg ±2, costs £5 and covers 3 m².",
        "Der Preis beträgt 5 € für Schüler.",
        "ÉCOLE and Élan are clubs.",
    ],
)
def test_what_western_and_central_europe_write_alike_is_read_as_cp1252(tmp_path: Path, text: str) -> None:
    (document,) = read(write(tmp_path / "a.txt", text.encode("cp1252")))
    assert (document.text, document.metadata["encoding"]) == (text, "cp1252")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Dvořák was born in 1841.", "cp1250"),
        ("Škoda vyrábí auta, říká ředitel.", "cp1250"),
        ("The ship Москва sank.", "cp1251"),
        ("The mayor of Iğdır met Şahin.", "cp1254"),
        ("奥比灯塔建于1872年。", "gb18030"),
    ],
)
def test_no_other_encoding_is_taken_for_cp1252(tmp_path: Path, text: str, encoding: str) -> None:
    path = write(tmp_path / "a.txt", text.encode(encoding))
    try:
        told = read(path)[0].text
    except IngestError as error:
        told = str(error)
    assert told == text or "encoding not clear" in told


def test_an_encoding_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "på lager".encode("cp1252"))
    assert read(path, encoding="cp1252")[0].text == "på lager"
    assert reason(path).endswith("--encoding")
    assert reason(path, encoding="ascii") == "not valid ascii: byte 1 does not fit"
    assert reason(path, encoding="klingon") == "unknown encoding 'klingon'"


def test_a_html_page_may_declare_its_encoding(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-1"><p>på lager – 5 €</p>'
    assert read(write(tmp_path / "a.html", page.encode("cp1252")))[0].text == "på lager – 5 €"
