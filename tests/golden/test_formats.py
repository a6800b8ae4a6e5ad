"""Each format, read to the letter: what a file of it says, and how its passages come out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from verifier.core.errors import IngestError
from verifier.knowledge.chunk import chunk
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.types import Document, Page

DEMO = Path(__file__).parents[2] / "corpora/demo"


def read(path: Path, options: ReadOptions | None = None) -> list[Document]:
    return [document for file in discover([path]) for document in read_documents(file, options)]


def read_text(tmp_path: Path, name: str, text: str, options: ReadOptions | None = None) -> list[Document]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read(path, options)


def test_markdown_keeps_its_text_and_gives_title_and_front_matter(tmp_path: Path) -> None:
    text = "---\nversion: 2\nvalid: 2025-01-02\ntags: [a, b]\n---\r\n\r\n# Fees #\r\n\r\nFree.\r\n"
    (document,) = read_text(tmp_path, "a.md", text)
    assert (document.text, document.title, document.media_type) == (text, "Fees", "text/markdown")
    assert dict(document.metadata) == {
        "version": 2,
        "valid": "2025-01-02",
        "tags": "[a, b]",
        "format": "markdown",
    }


@pytest.mark.parametrize(
    "top", ["---\nnot a mapping\n---\n", "---\na: [\n---\n", "---\nd: 2024-13-45\n---\n"]
)
def test_what_is_no_front_matter_stays_in_the_text(tmp_path: Path, top: str) -> None:
    (document,) = read_text(tmp_path, "a.md", top + "\nText.\n")
    assert set(document.metadata) == {"format"}
    inner = top.splitlines()[1]
    assert any(inner in passage.text for passage in chunk(document))


def test_html_gives_what_a_reader_sees_in_order(tmp_path: Path) -> None:
    page = """<html><head><title>Shop &amp; hours</title><style>p{}</style></head><body><nav>menu</nav>
    <h1>Opening <b>hours</b></h1><p>We are&nbsp;open. 10<sup>2</sup> m<sub>x</sub>,
    see<sup>note</sup> soft&shy;ware<br>next   line<p hidden>no</p><p style="display: none">no</p>
    <div>bare <span>te</span>xt<!-- no --><ul><li>one<ul><li>nested<li>nested too</ul><li><p>two</p>more</ul>end</div>
    <ol start=3><li>three<li>four</ol>
    <table><thead><tr><th>Day<th>From|to</thead><tr><td rowspan=2>Mon<td>9 <table><tr><td>in</table><tr><td>10</table>
    <table><tr><th colspan=2>both<tr><th>key<td>value</table>
    <pre>\n  code  here\n</pre><script>no()</script><footer>Org&#46; 1 &lt; 2</footer>"""
    (document,) = read_text(tmp_path, "a.html", page)
    assert document.title == "Shop & hours"
    assert document.text.split("\n\n") == [
        "# Opening hours",
        "We are open. 10² mx, see note software\nnext line",
        "bare text",
        "- one\n    - nested\n    - nested too\n- two",
        "    more",
        "end",
        "3. three\n4. four",
        "| Day | From\\|to |\n|---|---|\n| Mon | 9 in |\n| Mon | 10 |",
        "both:",
        "|  |  |\n|---|---|\n| key | value |",
        "```\n  code  here\n```",
        "Org. 1 < 2",
    ]


def test_html_may_nest_deeply_and_be_broken(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "a.html", "<div><p>" * 20_000 + "deep" + "</ul></td>" * 100 + "<td>end")
    assert "deep" in document.text
    assert "end" in document.text


def test_a_table_without_header_cells_gets_an_empty_header(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "a.html", "<table><tr><th>Weight<td>2 kg<tr><th>Colour<td>red</table>")
    assert document.text == "|  |  |\n|---|---|\n| Weight | 2 kg |\n| Colour | red |"
    assert [(p.text, p.context) for p in chunk(document)] == [("| Weight | 2 kg |\n| Colour | red |", "")]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>Now <s>50 EUR</s> <b>80</b> EUR</p>", "Now ~~50 EUR~~ 80 EUR"),
        ("<del><p>Old <i>rule.</i></p></del>New.", "~~Old rule.~~\n\nNew."),
        ('<li style="color:red; text-decoration: line-through">Dogs</li>', "- ~~Dogs~~"),
        (
            "<p><b>Day</b> <strong>ticket</strong></p><p>It is <b>valid.</b></p>",
            "**Day ticket**\n\nIt is valid.",
        ),
        ("<p><b>Van</b><br>It needs diesel.</p>", "**Van**\nIt needs diesel."),
        ("<p><b>All of this is said loudly.</b></p>", "All of this is said loudly."),
        (
            "<dl><dt>Larch<dd>A tree.<dd>Its wood.<dt>Moss<dd>Green.</dl>",
            "Larch\n: A tree.\n: Its wood.\n\nMoss\n: Green.",
        ),
        ('<li><input type="checkbox" checked> Book<li><input type=checkbox> Call', "- [x] Book\n- [ ] Call"),
        (
            "<table><caption>At<tr><th rowspan=2>Hut<th colspan=2>’21<tr><th>May<th>July<tr><td>E<td colspan=2>9",
            "At:\n\n| Hut | ’21 May | ’21 July |\n|---|---|---|\n| E | 9 | 9 |",
        ),
        (
            "<table><tr><td><table><tr><th>Route<th>Fare<tr><td>Moor<td>4</table><td>Daily.</table>",
            "| Route | Fare |\n|---|---|\n| Moor | 4 |\n\nDaily.",
        ),
        (
            "<table><tr><th>Hut<th>More<tr><td>Elm<td>Old. <table><tr><td>Beds<td>9</table></table>",
            "| Hut | More |\n|---|---|\n| Elm | Old. |\n\nElm:\n\n|  |  |\n|---|---|\n| Beds | 9 |",
        ),
        (
            "<table><tr><td>Hut<td>May<td>June<tr><td>Elm<td>4<td>5<tr><td>Ash<td>6<td>7</table>",
            "| Hut | May | June |\n|---|---|---|\n| Elm | 4 | 5 |\n| Ash | 6 | 7 |",
        ),
    ],
)
def test_html_structure_is_kept_as_markdown(tmp_path: Path, page: str, text: str) -> None:
    (document,) = read_text(tmp_path, "a.html", page)
    assert document.text == text


def make_pdf(path: Path, pages: list[list[str]]) -> Path:
    """A PDF whose pages hold these lines."""
    writer = PdfWriter()
    font = {
        "/Type": "/Font",
        "/Subtype": "/Type1",
        "/BaseFont": "/Helvetica",
        "/Encoding": "/WinAnsiEncoding",
    }
    names = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        fonts = DictionaryObject({NameObject("/F1"): names})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream.set_data(f"BT /F1 11 Tf 50 750 Td {shown} ET".encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    return path


def test_pdf_keeps_pages_and_mends_only_words_that_are_known(tmp_path: Path) -> None:
    first = ["The equipment is well-", "known. All equip-", "ment must be re-", "turned in 2024-", "2025."]
    (document,) = read(make_pdf(tmp_path / "a.pdf", [first, [], ["Second page."]]))
    page = "The equipment is well-known. All equipment must be returned in 2024-\n2025."
    assert document.text == f"{page}\n\nSecond page."
    start = len(page) + 2
    assert document.pages == (
        Page(1, 0, len(page)),
        Page(2, len(page), len(page)),
        Page(3, start, start + 12),
    )
    assert dict(document.metadata) == {"format": "pdf", "pages": 3, "pages_without_text": "2"}
    assert [(p.page, p.text) for p in chunk(document)] == [(1, page), (3, "Second page.")]


def test_pdf_sentence_over_a_page_is_one_sentence(tmp_path: Path) -> None:
    (document,) = read(
        make_pdf(tmp_path / "a.pdf", [["One. The deposit is returned within three"], ["days."]])
    )
    assert [(p.page, p.text) for p in chunk(document)] == [
        (1, "One. The deposit is returned within three\ndays.")
    ]


def test_pdf_running_heads_are_kept_once_and_counted(tmp_path: Path) -> None:
    pages = [
        ["Rental terms", f"Part {number}", "Words", "of page", f"{number * 7}.", f"Page {number} of 4"]
        for number in range(1, 5)
    ]
    (document,) = read(make_pdf(tmp_path / "a.pdf", pages))
    assert document.text.count("Rental terms") == 1
    assert "of 4" not in document.text
    assert all(f"Part {number}" in document.text for number in (1, 2, 3, 4))
    assert document.metadata["running_lines_left_out"] == 7


def test_docx_gives_headings_lists_tables_changes_and_merged_cells(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    word = docx.Document()
    word.core_properties.title = "Terms"
    word.add_heading("Terms", 1)
    word.add_paragraph("Intro\twith tab")
    word.add_paragraph("one", style="List Bullet")
    word.add_paragraph("below", style="List Bullet 2")
    word.add_paragraph("two", style="List Number")
    table = word.add_table(rows=3, cols=3, style="Table Grid")
    for row, texts in zip(table.rows, ["abc", "xyz", "xqr"], strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0)).text = "tall"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    changed = word.add_paragraph("We keep ")._p
    changed.append(docx.oxml.parse_xml(f'<w:ins {NS} w:id="1"><w:r><w:t>half</w:t></w:r></w:ins>'))
    changed.append(docx.oxml.parse_xml(f'<w:del {NS} w:id="2"><w:r><w:delText>all</w:delText></w:r></w:del>'))
    word.add_heading("End", 2)
    word.save(tmp_path / "a.docx")
    (document,) = read(tmp_path / "a.docx")
    assert document.title == "Terms"
    assert document.text.split("\n\n") == [
        "# Terms",
        "Intro\twith tab",
        "- one\n    - below\n- two",
        "| a | wide |  |\n|---|---|---|\n| tall | y | z |\n| tall | q | r |",
        "We keep half",
        "## End",
    ]


NS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_docx_gives_page_heads_and_feet_once_and_marks_what_is_struck_out(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    word = docx.Document()
    section = word.sections[0]
    section.header.paragraphs[0].text = "Valid from 1 March"
    section.footer.paragraphs[0].text = "Page 1 of 3"
    section.footer.add_paragraph("Tarn Council")
    second = word.add_section()
    second.header.is_linked_to_previous = False
    second.header.paragraphs[0].text = "Valid from 1 March"
    word.add_paragraph("Tarn Council")
    paragraph = word.add_paragraph("Start at ")
    paragraph.add_run(" 9:00 ").font.strike = True
    paragraph.add_run("10:30. ")
    paragraph.add_run("Lunch").font.double_strike = True
    paragraph.add_run(" kept").font.strike = False
    style = word.styles.add_style("Gone", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    style.font.strike = True
    word.add_paragraph().add_run("Old rule.", style="Gone")
    table = word.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "Fee"
    table.cell(0, 1).paragraphs[0].add_run("5").font.strike = True
    word.save(tmp_path / "a.docx")
    (document,) = read(tmp_path / "a.docx")
    assert document.text.split("\n\n") == [
        "Valid from 1 March",
        "Tarn Council",
        "Start at  ~~9:00~~ 10:30. ~~Lunch~~ kept",
        "~~Old rule.~~",
        "| Fee | ~~5~~ |\n|---|---|",
    ]


@pytest.mark.parametrize(
    ("rows", "title", "first"),
    [
        (
            "Staff list 2024,,\n,,\nname,room,phone\nFalk,12,4471\nDahl,14,4472\n",
            "Staff list 2024",
            "name: Falk",
        ),
        ("Prices of the season\nitem;price EUR\nTent;9\nStove;8\n", "Prices of the season", "item: Tent"),
        ("Rain,,,\nStation 14,,,\nday,mm,wind,high\nMon,3,4,5\nTue,,4,5\n", "Rain Station 14", "day: Mon"),
        ("Growth,,\ncountry,2022,2023\nNorland,14,16\nSudland,9,11\n", "Growth", "country: Norland"),
        ("name,room,phone\nFalk,12,4471\nDahl,,\n", "", "name: Falk"),
        (",a,b\n1,2,3\n2,4,5\n", "", "(column 1): 1"),
        ("text,note\nOne,\nTwo,\n", "", "One"),
        ("a,b\n1,2\n", "", "a: 1"),
    ],
)
def test_csv_rows_above_the_names_are_the_title(tmp_path: Path, rows: str, title: str, first: str) -> None:
    documents = read_text(tmp_path, "p.csv", rows)
    assert {document.title for document in documents} == {title}
    assert documents[0].text.split("\n")[0] == first
    assert documents[0].metadata["row"] == 1


def test_a_csv_row_can_be_understood_alone(tmp_path: Path) -> None:
    rows = 'name;price EUR;note;\r\nTent;329,00;"dry; or\r\nwet";x\r\n\r\nStove;89,00;;\r\n'
    first, second = read_text(tmp_path, "p.csv", rows)
    assert first.text == "name: Tent\nprice EUR: 329,00\nnote: dry; or\r\nwet\n(column 4): x"
    assert (second.source, second.text) == ("p.csv#2", "name: Stove\nprice EUR: 89,00")
    assert second.uri == f"{tmp_path}/p.csv#2"
    assert dict(second.metadata) == {"format": "csv", "row": 2, "name": "Stove", "price EUR": "89,00"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    rows = [["id", "text", "n"], ["a1", '"One, two; three | four"', "5"], ["a2", "Other", "6"]]
    text = "\n".join(delimiter.join(row) for row in rows)
    documents = read_text(tmp_path, "p.csv", text)
    assert [(d.source, d.text, d.metadata["n"]) for d in documents] == [
        ("p.csv#a1", "One, two; three | four", "5"),
        ("p.csv#a2", "Other", "6"),
    ]


def test_a_csv_with_one_column_is_read(tmp_path: Path) -> None:
    assert [d.text for d in read_text(tmp_path, "p.csv", "text\nOne\nTwo\n")] == ["One", "Two"]


def test_a_row_with_too_many_cells_is_refused_and_one_with_fewer_is_read(tmp_path: Path) -> None:
    assert read_text(tmp_path, "p.csv", "a,b,c\n1,2\n")[0].text == "a: 1\nb: 2"
    with pytest.raises(IngestError, match="row 3: 3 cells, but 2 columns"):
        read_text(tmp_path, "q.csv", "a,b\n1,2\n3,4\n1,2,3\n")


def test_columns_are_mapped_by_option(tmp_path: Path) -> None:
    rows = '{"k": 7, "head": "H", "q": "Why?", "a": ["x", 1], "by": "Ann", "n": null, "big": NaN}\n'
    options = ReadOptions(
        text_columns=("q", "a"), id_column="k", title_column="head", metadata_columns=("by", "n")
    )
    (document,) = read_text(tmp_path, "f.jsonl", rows, options)
    assert (document.source, document.title, document.text) == ("f.jsonl#7", "H", 'Why?\n\n["x", 1]')
    assert dict(document.metadata) == {"format": "jsonl", "row": 1, "by": "Ann"}


@pytest.mark.parametrize("column", ["text", "contents", "body"])
def test_jsonl_text_is_found_by_its_usual_names(tmp_path: Path, column: str) -> None:
    (document,) = read_text(tmp_path, "f.jsonl", json.dumps({"_id": 3, column: "Body.", "year": 2024}))
    assert (document.source, document.text, document.metadata["year"]) == ("f.jsonl#3", "Body.", 2024)


def test_a_cell_of_a_megabyte_is_read(tmp_path: Path) -> None:
    (document,) = read_text(tmp_path, "p.csv", "text,n\n" + "word " * 200_000 + ",1\n")
    assert len(chunk(document)) > 1000


def test_the_demo_has_every_format_and_no_file_of_it_fails() -> None:
    files = list(discover([DEMO / "kb"]))
    formats = {file.format for file in files if not file.ignored}
    assert formats == {"text", "markdown", "html", "pdf", "docx", "csv", "jsonl", "beir"}
    assert [file.source for file in files if file.ignored] == ["care-guides/queries.jsonl"]
    assert len(files) >= 13


@pytest.mark.parametrize(
    ("source", "sentence", "page", "headings"),
    [
        ("refunds.md", "within 30 days of delivery", None, ("Refunds and returns", "How long you have")),
        ("shipping.md", "| Domestic | EUR 4.90 |", None, ("Shipping", "Rates")),
        ("recall-notice.pdf", "The recall is led by\nHenrik Sollie", 2, ()),
        ("company-history.html", "Dorothea Quill", None, ("Our history", "People")),
        ("loyalty-programme.docx", "| Ridge | 500 | 5 % |", None, ("Loyalty programme", "Levels")),
        ("products.csv#4", "weight: 4.4 kg", None, ()),
        ("faq.jsonl#gift-cards", "valid for 3 years", None, ()),
        ("care-guides/corpus.jsonl#rope-life", "10 years", None, ()),
        (
            "store-hours.txt",
            "Station manager: Joana Mirel.",
            None,
            ("LARKFELL OUTDOOR - STORES AND OPENING HOURS",),
        ),
    ],
)
def test_the_demo_quotes_its_facts_exactly(
    source: str, sentence: str, page: int | None, headings: tuple[str, ...]
) -> None:
    if source.endswith(".docx"):
        pytest.importorskip("docx")
    stem = source.partition("#")[0]
    (file,) = (file for file in discover([DEMO / "kb"]) if file.source == stem)
    (document,) = (document for document in read_documents(file) if document.source == source)
    (passage,) = (passage for passage in chunk(document) if sentence in passage.text)
    assert document.text[passage.start : passage.end] == passage.text
    assert (passage.page, passage.headings) == (page, headings)


@pytest.mark.parametrize("name", ["answer", "answer_good"])
def test_the_demo_labels_quote_the_answer_in_order(name: str) -> None:
    answer, at = (DEMO / f"{name}.md").read_text("utf-8"), 0
    for line in (DEMO / f"{name}.labels.jsonl").read_text("utf-8").splitlines():
        at = answer.index(json.loads(line)["claim"], at) + 1
