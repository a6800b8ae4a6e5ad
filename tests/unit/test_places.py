"""Where evidence and claims stand, in lines and pages as a reader counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier import BM25Backend, GroundTruthStore
from verifier.config import load
from verifier.core.lines import Lines, line_ends
from verifier.factory import build_scorer
from verifier.types import Document, Evidence, Page, Report
from verifier.verification.explanation.reasons import locate
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
