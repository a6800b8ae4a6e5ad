"""Sources that an answer cites are looked for by name; those that are not there are told, and refused strictly."""

from __future__ import annotations

import pytest
from verifier_backends.bm25 import BM25Backend

from verifier.knowledge.called import stem_of
from verifier.knowledge.store import GroundTruthStore
from verifier.types import ClaimVerdict, Decision, Document, Report, Status, Verdict
from verifier.verification.cited_sources import unknown_note, unknown_sources
from verifier.verification.render.summary import end_line
from verifier.verification.report import DecisionRule, build_report, from_json, to_json
from verifier.verification.retrieve import GivenTexts

DOCUMENTS = (
    Document(
        "policies/refund_rules.pdf", "/kb/refund_rules.pdf", "Refunds take 5 days.", title="Paying back"
    ),
    Document("prices.csv#7", "/kb/prices.csv#7", "A pass costs 3 EUR; see terms.txt."),
    Document("Smith, John.docx", "/kb/Smith, John.docx", "John Smith runs the lab."),
    Document("row 4", "/kb/row", "The lab is open.", metadata={"file": "Öffnung (neu).pdf", "year": 2031}),
)


@pytest.fixture(scope="module", params=["texts", "store"])
def source(request: pytest.FixtureRequest) -> GivenTexts | GroundTruthStore:
    if request.param == "texts":
        return GivenTexts(DOCUMENTS)
    store = GroundTruthStore(BM25Backend())
    store.ingest(DOCUMENTS)
    return store


def unknown(response: str, source: GivenTexts | GroundTruthStore) -> list[str]:
    found = unknown_sources(response, source, "default")
    assert all(response[one.start : one.end] == one.text for one in found)
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("response", "names"),
    [
        ("Refunds take 5 days [policy_2031.md].", ["policy_2031.md"]),
        ("Refunds take 5 days (source: nowhere.pdf).", ["nowhere.pdf"]),
        ("Refunds take 5 days 【4†x.pdf】.", ["x.pdf"]),
        ("Refunds take 5 days (see the annual report.pdf, p. 3).", ["the annual report.pdf"]),
        ("Refunds take 5 days [refund_rules.pdf; nowhere.pdf].", ["nowhere.pdf"]),
        ("Refunds take 5 days [1].\n\n## Sources\n1. [nowhere.md](nowhere.md)", ["nowhere.md", "nowhere.md"]),
        ("It is old [7].\n\nSources:\n[1] prices.csv\n[2] refund_rules.pdf", ["[7]"]),
        ("It is old [^3].\n\n[^1]: prices.csv", ["[^3]"]),
        ("It is old [2, 4].\n\n**References**\n- prices.csv\n- the web", ["[2, 4]"]),
    ],
)
def test_a_source_that_is_not_there_is_told(
    response: str, names: list[str], source: GivenTexts | GroundTruthStore
) -> None:
    assert unknown(response, source) == names


@pytest.mark.parametrize(
    "response",
    [
        "Refunds take 5 days [refund_rules.pdf].",
        "Refunds take 5 days (source: policies/Refund Rules.pdf, p. 3).",
        "Refunds take 5 days 【1:0†refund-rules.md】.",
        "Refunds take 5 days (see paying back.pdf).",
        "A pass costs 3 EUR [prices.csv#7].",
        "A pass costs 3 EUR (terms.txt).",
        "John Smith runs the lab (source: Smith, John.docx).",
        "The lab is open [öffnung (neu).pdf] [Öffnung neu.pdf].",
        "Refunds take 5 days [1]. A pass costs 3 EUR [7].",
        "It is old [1-2].\n\nSources: [1] prices.csv, [2] refund_rules.pdf",
        "Sources say that it is old [3].",
        "It is old (https://example.org/leaflet.pdf).",
        "It is old (the customer service, nowhere).",
        "Write `(config.json)`:\n\n```\n[nowhere.md]\n```\n",
        "<think>[nowhere.md]</think>It is old.",
    ],
)
def test_a_source_that_is_there_and_what_is_no_source_is_not(
    response: str, source: GivenTexts | GroundTruthStore
) -> None:
    assert unknown(response, source) == []


def test_more_names_than_one_statement_takes_are_looked_for() -> None:
    store = GroundTruthStore(BM25Backend())
    store.ingest(Document(f"page{n}.md", f"/kb/page{n}.md", f"Page {n} is blue.") for n in range(100))
    response = " ".join(f"[page{n}.pdf]" for n in range(50, 150))
    found = unknown_sources(response, store, "default")
    assert [one.text for one in found] == [f"page{n}.pdf" for n in range(100, 150)]
    assert unknown_note(found).endswith("and 45 more")
    assert store.known_names([stem_of("page1.md")], "elsewhere") == set()


def test_an_answer_with_an_unknown_source_is_refused_strictly_and_told_otherwise() -> None:
    response = "Refunds take 5 days [nowhere.md]."
    claim = ClaimVerdict(response, 0, len(response), Status.CHECKED, Verdict.SUPPORTED, "because")
    found = unknown_sources(response, GivenTexts(DOCUMENTS), "default")

    def report(*, strict: bool) -> Report:
        return build_report(response, [claim], rule=DecisionRule(strict=strict), unknown=found)

    assert report(strict=False).decision is Decision.APPROVED
    refused = report(strict=True)
    assert refused.decision is Decision.REJECTED
    assert "every source that is cited exists" in refused.rule
    assert end_line(refused) == (
        "rejected: 1 supported; 1 source cited, but not there; groundedness 1.00; coverage 100 %"
    )
    assert from_json(to_json(refused)).unknown_sources == found
