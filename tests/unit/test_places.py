"""Where evidence and claims stand, in lines, pages and paragraphs as a reader counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier import BM25Backend, GroundTruthStore
from verifier.config import load
from verifier.core.lines import Lines, line_ends
from verifier.factory import build_scorer
from verifier.interfaces.html import view_of
from verifier.knowledge.ingest import discover, read_documents
from verifier.types import Document, Evidence, Page, Report
from verifier.verification.explanation.reasons import locate
from verifier.verification.render.table import render_table
from verifier.verification.report import to_json

FEES = "# Fees\r\n\r\nEntry costs 5 EUR.\r\n\r\n## Hours\r\n\r\nThe museum opens at 9:00.\r\nIt shuts at 17:00.\r\n"
ANSWER = "Hello.\n\nEntry costs 5 EUR.\nThe museum opens at 8:00."


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("kb")
    with GroundTruthStore(BM25Backend(), folder, create=True) as store:
        store.ingest([Document("fees.md", "fees", FEES, "text/markdown")])
        return build_scorer(load(None, {"signals.nli": False}).settings, store).verify(ANSWER)


def test_reasons_name_the_line_of_the_source(report: Report) -> None:
    reasons = {claim.text: claim.reason for claim in report.claims}
    assert "(fees.md, line 3)" in reasons["Entry costs 5 EUR."]
    assert "(fees.md, line 7)" in reasons["The museum opens at 8:00."]


def test_json_has_the_lines_beside_the_offsets(report: Report) -> None:
    claims = {claim["text"]: claim for claim in to_json(report)["claims"]}
    wrong = claims["The museum opens at 8:00."]
    assert (claims["Entry costs 5 EUR."]["line"], wrong["line"]) == (3, 4)
    pair = wrong["ledger"]["pair"]
    assert (pair["claim"]["line"], pair["evidence"]["line"]) == (4, 7)
    for claim in claims.values():
        for item in claim["evidence"]:
            assert item["line"] == Lines(FEES).place(item["start"]).line


def test_what_has_no_lines_is_found_by_page_or_by_characters(tmp_path: Path) -> None:
    notice = Document("notice.pdf", "notice", "The valve leaks.", pages=(Page(4, 0, 16),))
    row = Document("prices.csv#7", "prices.csv#7", "valve: 3 EUR")
    with GroundTruthStore(BM25Backend(), tmp_path, create=True) as store:
        store.ingest([notice, row])
        [found] = store.retrieve(["valve"])
    assert {locate(item) for item in found} == {"notice.pdf, page 4", "prices.csv#7, characters 0-12"}
    assert all(item.line is None for item in found)


def test_a_part_of_evidence_begins_in_its_own_line() -> None:
    item = Evidence("d", "d.txt", "one\r\ntwo\rthree\n", 10, 25, 1.0, line=5)
    assert [item.narrowed(start, 25).line for start in (10, 15, 19)] == [5, 6, 7]
    assert locate(item, (10, 24)) == "d.txt, lines 5-7"
    assert line_ends(item.text) == 3


@pytest.fixture(scope="module")
def offer(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report on an answer, checked against a Word file with two sections, a list and a table."""
    docx = pytest.importorskip("docx")
    folder = tmp_path_factory.mktemp("offer")
    word = docx.Document()
    word.add_paragraph("This offer is for the town of Arden.")
    word.add_heading("Prices", 1)
    word.add_paragraph("All prices are without tax.")
    word.add_paragraph("A stove costs 900 EUR.")
    word.add_heading("Delivery", 1)
    word.add_paragraph("A stove is delivered in 20 days.", style="List Bullet")
    word.add_paragraph("A spare part is delivered in 4 days.", style="List Bullet")
    word.save(str(folder / "offer.docx"))
    documents = [one for file in discover([folder / "offer.docx"]) for one in read_documents(file)]
    with GroundTruthStore(BM25Backend(), folder / "kb", create=True) as store:
        store.ingest(documents)
        answer = (
            "A stove costs 800 EUR. A spare part is delivered in 9 days. The offer is for the town of Brill."
        )
        return build_scorer(load(None, {"signals.nli": False}).settings, store).verify(answer)


def test_a_word_file_is_cited_by_heading_and_paragraph(offer: Report) -> None:
    reasons = " ".join(claim.reason for claim in offer.claims)
    assert "(offer.docx, paragraph 2 under “Prices”)" in reasons
    assert "(offer.docx, paragraph 2 under “Delivery”)" in reasons
    assert "(offer.docx, paragraph 1)" in reasons
    assert "characters" not in reasons
    [pair] = [one["ledger"]["pair"] for one in to_json(offer)["claims"] if one["text"].startswith("A stove")]
    assert (pair["evidence"]["paragraph"], pair["evidence"]["section"]) == (2, "Prices")


def test_tables_and_pages_show_the_paragraph_of_a_word_file(offer: Report) -> None:
    table = render_table(offer, 200)
    assert "offer.docx, paragraph" in " ".join(table.split())
    assert "(offer.docx" not in table
    shown = view_of(offer, "")["claims"][0]["evidence"][0]
    assert (shown["paragraphs"], shown["headings"], shown["lines"]) == ([1, 2], ["Prices"], None)
    assert "nearest" not in table


def test_a_heading_is_cited_as_one() -> None:
    item = Evidence("d", "d.docx", "# Fees\n\nEntry is free.", 10, 32, 1.0, headings=("Fees",), paragraph=0)
    told = [locate(item, span) for span in ((10, 16), (18, 32), (10, 32))]
    assert told == ["d.docx, heading “Fees”", *["d.docx, paragraph 1 under “Fees”"] * 2]


def test_a_table_of_a_word_file_is_cited_as_one() -> None:
    item = Evidence("d", "d.docx", "| Pass | 5 EUR |", 10, 26, 1.0, headings=("Fees",), paragraph=2)
    assert locate(item) == "d.docx, table at paragraph 2 under “Fees”"
