"""Workbooks, slides, OpenDocument files and books, read to the letter, with where each thing stands."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.office_files import book, odf, slides, workbook
from verifier.config import load
from verifier.core.errors import IngestError
from verifier.factory import build_scorer, temporary_store
from verifier.interfaces.server.uploads import read_upload
from verifier.knowledge.chunk import chunk
from verifier.knowledge.ingest import discover, doubts_about, read_documents
from verifier.types import Document, Page, Verdict

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("pptx")


def read(path: Path) -> list[Document]:
    return [document for file in discover([path]) for document in read_documents(file)]


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return workbook(tmp_path_factory.mktemp("office") / "prices.xlsx")


def test_rows_of_a_workbook_show_what_the_sheet_shows(prices: Path) -> None:
    found = {document.source: document for document in read(prices)}
    bread = found["prices.xlsx!Fees#4"]
    assert bread.text == "Product: Rye bread\nPrice: 3.20 EUR\nVAT: 7.0%\nValid from: 2024-03-05"
    assert (bread.title, bread.uri) == ("Fees of the club 2024", f"{prices}#Fees!4")
    assert "Price: 1,234.50 EUR" in found["prices.xlsx!Fees#5"].text
    assert found["prices.xlsx!Quarters#3"].text.startswith(
        "Region: North\n2023 Q1: 1\n2023 Q2: 2\n2024 Q1: 3"
    )
    notes = found["prices.xlsx!Notes"]
    assert notes.text.endswith("| Library opens | 9:00 |\n| Desks | 24 |\n| Lift | TRUE |")
    assert len(found) == 5


def test_what_a_workbook_hides_or_lacks_is_told_once(prices: Path) -> None:
    (doubt,) = [doubt for document in read(prices) for doubt in doubts_about(document)]
    assert doubt == (
        "prices.xlsx!Fees#4: hidden sheet Old is left out; sheet Fees: 1 hidden row is read; sheet Fees: 2 formulas "
        "have no stored result (cell E4): open and save the file in a spreadsheet program"
    )


def test_a_report_names_sheet_and_cell(prices: Path) -> None:
    settings = load(overrides={"signals.nli": False, "backend": {"type": "bm25"}}).settings
    with temporary_store(settings) as store:
        store.ingest(read(prices))
        report = build_scorer(settings, store).verify("The price of rye bread is 4.20 EUR.")
        assert len(store.rows_of("prices.xlsx!Quarters")) == 2
    (claim,) = report.claims
    assert claim.verdict is Verdict.CONTRADICTED
    assert "prices.xlsx!Fees#4, cell" in claim.reason


def test_slides_are_pages_with_titles_tables_charts_and_notes(tmp_path: Path) -> None:
    (document,) = read(slides(tmp_path / "a.pptx"))
    first, second = document.pages
    assert document.text[first.start : first.end] == (
        "## Opening hours\n\n- The library opens at nine.\n    - On Sundays at eleven.\n\n"
        "The lift is closed on Mondays."
    )
    assert document.text[second.start : second.end] == (
        "## Fees\n\n| Card | Fee |\n|---|---|\n| Adults | EUR 5 |\n| Children | EUR 5 |\n\n"
        "|  | Visitors |\n|---|---|\n| 2023 | 1200 |\n| 2024 | 1350.5 |\n\nLeft of it.\n\nRight of it."
    )
    assert [page.number for page in document.pages] == [1, 2]
    assert {passage.page for passage in chunk(document)} == {1, 2}
    assert doubts_about(document) == ["a.pptx: 1 hidden slide is left out"]


TEXT = (
    '<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">'
    'Fees</text:h><text:p>Cards<text:s text:c="2"/>cost <text:span text:style-name="T1">EUR 4</text:span> EUR 5'
    "<text:note><text:note-body><text:p>Since 2024.</text:p></text:note-body></text:note>.<office:annotation>"
    "<text:p>why?</text:p></office:annotation></text:p><text:list><text:list-item><text:p>one</text:p><text:list>"
    "<text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list>"
    "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell>"
    '<table:table-cell table:number-columns-spanned="2"><text:p>Hours</text:p></table:table-cell>'
    "<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row><table:table-cell>"
    '<text:p>Monday</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>9</text:p>'
    "</table:table-cell></table:table-row></table:table></office:text>"
)
STRUCK = '<style:style style:name="T1"><style:text-properties style:text-line-through-style="solid"/></style:style>'


def test_an_open_document_text_keeps_its_structure(tmp_path: Path) -> None:
    (document,) = read(odf(tmp_path / "a.odt", TEXT, STRUCK))
    assert document.text == (
        "## Fees\n\nCards  cost ~~EUR 4~~ EUR 5.\n\n- one\n    - inner\n\n| Day | Hours | Hours |\n|---|---|---|\n"
        "| Monday | 9 | 9 |\n\nSince 2024."
    )


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


SHEET = (
    '<office:spreadsheet><table:table table:name="Fees"><table:table-row>'
    + cell("Item")
    + cell("Fee")
    + cell("From")
    + '<table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row '
    'table:number-rows-repeated="3"/><table:table-row table:visibility="filter">'
    + cell("Card")
    + cell("5.00 EUR", 'office:value-type="currency" office:value="5"')
    + cell("05/03/24", 'office:value-type="date" office:date-value="2024-03-05"')
    + '</table:table-row><table:table-row table:number-rows-repeated="1048000"/></table:table>'
    '<table:table table:name="Old" table:style-name="ta2"><table:table-row>'
    + cell("secret")
    + "</table:table-row></table:table></office:spreadsheet>"
)
HIDDEN = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'


def test_an_open_document_spreadsheet_is_read_as_a_workbook(tmp_path: Path) -> None:
    (document,) = read(odf(tmp_path / "a.ods", SHEET, HIDDEN))
    assert document.text == "Item: Card\nFee: 5.00 EUR\nFrom: 2024-03-05"
    assert (document.source, document.metadata["cells"]) == ("a.ods!Fees#5", "0:A5 11:B5 25:C5")
    assert doubts_about(document) == [
        "a.ods!Fees#5: sheet Fees: 1 hidden row is read; hidden sheet Old is left out"
    ]


SLIDES = (
    '<office:presentation><draw:page><draw:frame svg:y="9cm"><draw:text-box><text:p>Below.</text:p></draw:text-box>'
    '</draw:frame><draw:frame svg:y="1cm" presentation:class="title"><draw:text-box><text:p>Fees</text:p>'
    "</draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Note.</text:p>"
    '</draw:text-box></draw:frame></presentation:notes></draw:page><draw:page draw:style-name="dp2"><draw:frame>'
    "<draw:text-box><text:p>Hidden.</text:p></draw:text-box></draw:frame></draw:page></office:presentation>"
)
UNSEEN = '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'


def test_an_open_document_presentation_is_read_slide_by_slide(tmp_path: Path) -> None:
    (document,) = read(odf(tmp_path / "a.odp", SLIDES, UNSEEN))
    assert document.text == "## Fees\n\nBelow.\n\nNote."
    assert document.pages == (Page(1, 0, 22),)
    assert doubts_about(document) == ["a.odp: 1 hidden slide is left out"]


def test_a_book_is_read_in_the_order_of_its_spine(tmp_path: Path) -> None:
    chapters = {"Hours.xhtml": "<p>It opens at nine.</p>", "Fees.xhtml": "<h1>All fees</h1><p>EUR 5.</p>"}
    (document,) = read(book(tmp_path / "a.epub", chapters))
    assert document.text == "# All fees\n\nEUR 5.\n\n# Hours\n\nIt opens at nine."
    assert document.title == "The club"


PLAIN = '<office:text><text:p text:style-name="{}">The pool is open.</text:p></office:text>'
ENTITIES = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-200])
    return path


BAD: list[tuple[str, Callable[[Path], object], str]] = [
    ("a.xlsx", lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0" * 9), "encrypted, or an old .xls file"),
    ("a.xlsx", lambda path: cut(workbook(path)), "broken, or not an Excel workbook (no zip archive)"),
    ("a.pptx", lambda path: cut(slides(path)), "broken, or not a PowerPoint file (no zip archive)"),
    (
        "a.pptx",
        lambda path: odf(path, TEXT),
        "broken, or not a PowerPoint file (an archive of something else)",
    ),
    ("a.odt", lambda path: odf(path, TEXT, manifest="<encryption-data/>"), "encrypted"),
    ("a.odt", lambda path: odf(path, SHEET), "broken, or not an OpenDocument text (it holds no text)"),
    ("a.odt", lambda path: odf(path, PLAIN, before=ENTITIES), "declares a document type"),
    ("a.odt", lambda path: odf(path, PLAIN.format("a" * 30_000_000)), "unpacks to 30 MB or more"),
    ("a.odt", lambda path: odf(path, "<office:text></office:text>"), "no text"),
    ("a.epub", lambda path: book(path, {"a.xhtml": "<p>a</p>"}, encrypted=True), "protected against copying"),
    ("a.epub", lambda path: book(path, {"a.xhtml": ""}), "no text"),
]


@pytest.mark.parametrize(("name", "make", "reason"), BAD, ids=[f"{name} {reason}" for name, _, reason in BAD])
def test_what_cannot_be_read_says_why(
    tmp_path: Path, name: str, make: Callable[[Path], object], reason: str
) -> None:
    make(tmp_path / name)
    with pytest.raises(IngestError) as caught:
        read(tmp_path / name)
    assert str(caught.value).removeprefix(f"{name}: ").startswith(reason)


def test_a_workbook_with_only_hidden_sheets_says_so(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    made.create_sheet("Old").append(["secret"])
    made["Old"].sheet_state = "hidden"
    made.save(tmp_path / "a.xlsx")
    with pytest.raises(IngestError, match=r"no visible cell holds anything \(hidden sheet Old is left out\)"):
        read(tmp_path / "a.xlsx")


def test_without_its_extra_a_workbook_names_the_pip_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbook(tmp_path / "a.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(Exception, match=r"rag-claim-verifier\[office\]"):
        read(tmp_path / "a.xlsx")


def test_merged_cells_of_the_whole_width_and_rows_far_below_are_bounded(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    made.active.append(["Name", "Fee", "Note"])
    made.active.append(["Card", 5, "a"])
    made.active["A1048576"] = "last"
    made.active.merge_cells("A3:XFD3")
    made.active["A3"] = "Adults"
    made.save(tmp_path / "a.xlsx")
    found = read(tmp_path / "a.xlsx")
    assert [document.source for document in found] == [f"a.xlsx!Sheet#{n}" for n in (2, 3, 1048576)]
    assert len(found[1].text) < 3000


def test_a_broken_member_is_no_defect(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "a.xlsx").read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        at = archive.getinfo("xl/worksheets/sheet1.xml").header_offset + 70
    (tmp_path / "a.xlsx").write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
    with pytest.raises(IngestError, match="broken, or not an Excel workbook"):
        read(tmp_path / "a.xlsx")


def test_an_uploaded_workbook_keeps_its_name_and_its_sheets(prices: Path) -> None:
    found = read_upload(prices.read_bytes(), "tariff.xlsx", seconds=60, memory=1_500_000_000, most=10_000_000)
    assert (found[0].source, found[0].uri) == ("tariff.xlsx!Fees#4", "api:tariff.xlsx#Fees!4")
    assert found[0].metadata["workbook"] == "tariff.xlsx"
