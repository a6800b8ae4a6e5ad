"""What a person is shown of a report, as data: blocks, marks, quotations with lines, and the page that holds them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest

from verifier.interfaces.html import View, asset, draft_of, page, view_of
from verifier.types import Document, Evidence, Page
from verifier.verification.contexts import GivenContexts, documents_of
from verifier.verification.scorer import VerifiedScorer

DRAFT = """The parking fee is EUR 5 a day. Dogs are free.

- Refunds take **60 days**.

| Thing | Price |
|---|---|
| Cats | EUR 9 |
"""
SOURCES = [
    {"source": "fees.md", "text": "# Fees\n\nThe parking fee is EUR 5 a day.\nDogs are free."},
    {"source": "prices.md", "text": "The parking fee is EUR 7 a day."},
    {"source": "terms.md", "text": "Terms.\n\nRefunds take 30 days."},
]


@pytest.fixture(scope="module")
def view() -> View:
    """The view of a draft judged by the rules alone."""
    documents = documents_of(SOURCES)
    source = GivenContexts(documents, 800)
    scorer = VerifiedScorer(source)
    report = scorer.verify(DRAFT)
    by_source = {document.source: document for document in documents}
    ids = {item.doc_id: by_source[item.source] for claim in report.claims for item in claim.evidence}
    return view_of(report, DRAFT, name="draft.md", documents=ids.get, checked_against="3 documents")


def test_claims_are_numbered_as_in_the_table_and_lead_into_the_draft(view: View) -> None:
    assert [claim["number"] for claim in view["claims"]] == [1, 2, 3, 4]
    assert [claim["label"] for claim in view["claims"]] == [
        "unverifiable",
        "supported",
        "contradicted",
        "fabricated",
    ]
    assert DRAFT[view["claims"][1]["start"] : view["claims"][1]["end"]] == "Dogs are free."
    assert view["claims"][3]["reading"] == "Cats, Price: EUR 9"
    assert [one["why"] for one in view["skipped"]] == ["table header", "markup"]


def test_what_belongs_together_has_one_number_in_the_draft_and_in_its_evidence(view: View) -> None:
    claim = view["claims"][2]
    (evidence,) = claim["evidence"][:1]
    said = {mark["pair"]: (mark["kind"], DRAFT[mark["start"] : mark["end"]]) for mark in claim["marks"]}
    told = {
        mark["pair"]: (mark["kind"], evidence["text"][mark["start"] : mark["end"]])
        for mark in evidence["marks"]
    }
    assert said.keys() == told.keys()
    assert ("differs", "60 days") in said.values()
    assert ("differs", "30 days") in told.values()
    assert ("same", "Refunds take") in said.values()
    assert claim["difference"] == {"claim": "60 days", "evidence": "30 days", "note": ""}
    assert evidence["stance"] == "differs"
    assert claim["fix"] is None


def test_sources_that_disagree_are_both_there_and_say_which_is_which(view: View) -> None:
    claim = view["claims"][0]
    assert claim["conflict"]
    assert [(one["source"], one["stance"]) for one in claim["evidence"]] == [
        ("fees.md", "agrees"),
        ("prices.md", "differs"),
    ]


def test_what_has_no_trace_is_marked_in_the_draft(view: View) -> None:
    marks = view["claims"][3]["marks"]
    assert {DRAFT[mark["start"] : mark["end"]] for mark in marks if mark["kind"] == "absent"} == {
        "Cats",
        "EUR 9",
    }


def test_a_quotation_has_its_lines_and_what_stands_around_it(view: View) -> None:
    evidence = view["claims"][1]["evidence"][0]
    document = next(one["text"] for one in SOURCES if one["source"] == "fees.md")
    assert document[evidence["start"] : evidence["end"]] == evidence["text"]
    assert evidence["text"] == "Dogs are free."
    assert evidence["lines"] == [4, 4]
    assert evidence["before"] == "The parking fee is EUR 5 a day.\n"


@pytest.mark.parametrize(
    ("form", "pages", "lines"),
    [
        ("pdf", (Page(1, 0, 9), Page(2, 9, 40)), [2, 3]),
        ("text", (), [4, 5]),
        ("html", (), None),
        ("xlsx", (), None),
    ],
)
def test_lines_are_those_of_the_page_or_the_file_or_none(
    form: str, pages: tuple[Page, ...], lines: list[int] | None
) -> None:
    text = "One.\nTwo\nThree.\nFour goes\non here."
    document = Document("a", "a", text, pages=pages, metadata={"format": form})
    start = text.index("Four")
    report = VerifiedScorer(GivenContexts(documents_of(["Four goes on here."]), 800)).verify(
        "Four goes on here."
    )
    item = Evidence(
        "d", "a", text[start:], start, len(text), 1.0, page=2 if pages else None, metadata={"row": 7}
    )
    judged = replace(report, claims=tuple(replace(claim, evidence=(item,)) for claim in report.claims))
    (claim,) = view_of(judged, "Four goes on here.", documents=lambda _: document)["claims"]
    assert (claim["evidence"][0]["lines"], claim["evidence"][0]["row"]) == (lines, 7)


def test_blocks_know_their_marks_depth_cells_and_quotation() -> None:
    text = "## Top\n\n1. one\n   - two\n2. three\n\n> said\n> so\n\n| a | b |\n|---|---|\n| c | d |\n\n```py\nx\n```\n"
    draft = draft_of(text)
    told = [
        (
            block["kind"],
            block["level"],
            block["marker"],
            text[block["text_at"] : block["end"]].splitlines()[0],
        )
        for block in draft["blocks"]
    ]
    assert told == [
        ("heading", 2, "", "Top"),
        ("item", 0, "1.", "one"),
        ("item", 1, "", "two"),
        ("item", 0, "2.", "three"),
        ("prose", 0, "", "> said"),
        ("header row", 0, "", "| a | b |"),
        ("markup", 0, "", "|---|---|"),
        ("row", 0, "", "| c | d |"),
        ("code", 0, "", "```py"),
    ]
    assert [text[start:end] for start, end in draft["blocks"][7]["cells"]] == ["c", "d"]
    assert [block["quoted"] for block in draft["blocks"]].index(True) == 4
    marks = [text[one["start"] : one["end"]] for one in draft["styles"] if one["kind"] == "mark"]
    assert marks == ["> ", "> ", "```py\n", "```"]


@pytest.mark.parametrize(
    ("text", "styles"),
    [
        ("a **b** c", [("mark", "**"), ("strong", "b"), ("mark", "**")]),
        ("*b* 2 * 3 * 4", [("mark", "*"), ("emphasis", "b"), ("mark", "*")]),
        ("x `c**d` y", [("mark", "`"), ("code", "c**d"), ("mark", "`")]),
        ("~~old~~", [("mark", "~~"), ("struck", "old"), ("mark", "~~")]),
        ("[t](http://a.b) e", [("mark", "["), ("mark", "](http://a.b)")]),
        ("a_b_c and snake_case", []),
        ("x <b>y</b>", [("mark", "<b>"), ("mark", "</b>")]),
    ],
)
def test_marks_within_a_line_are_told_from_what_they_mark(text: str, styles: list[tuple[str, str]]) -> None:
    assert [(one["kind"], text[one["start"] : one["end"]]) for one in draft_of(text)["styles"]] == styles


def test_no_text_of_others_gets_out_of_the_data_of_the_page() -> None:
    name = "</title><script>x</script>\x1b\u202e.md"
    text = "</script><!-- <script> A fee \ud800 is EUR 5.\x00"
    report = VerifiedScorer(GivenContexts(documents_of([text]), 800)).verify(text)
    made = page(view_of(report, text, name=name))
    assert made == page(view_of(report, text, name=name))
    assert made.count("<script") == made.count("</script>") == 2
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ud800]", made)
    data = re.search(r'id="data">(.*?)</script>', made, re.DOTALL)
    assert data is not None
    shown = json.loads(data[1])["views"][0]
    assert (shown["draft"]["text"], shown["draft"]["name"]) == (text, name)
    assert "&lt;/title&gt;" in made


def test_the_policy_of_the_page_allows_its_own_script_and_style_and_nothing_else(view: View) -> None:
    made = page(view)
    for tag, kind in (("style", "style-src"), ("script", "script-src")):
        (own,) = re.findall(rf"<{tag}(?: type=\"module\")?>(.*?)</{tag}>", made, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in made
    assert "default-src 'none'" in made
    assert not re.search(r"(?:src|href)=", made)
    assert len(made.encode()) < 100_000


@pytest.mark.parametrize("name", ["view.js", "page.js"])
def test_a_script_holds_its_modules_once_and_no_name_twice(name: str) -> None:
    script = asset(name)
    assert not re.search(r"^import ", script, re.MULTILINE)
    names = re.findall(r"^(?:export )?(?:function|class|const|let) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names)) > 15
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", script)
    exported = re.findall(r"^export \w+ (\w+)", script, re.MULTILINE)
    assert exported == (["view", "themeSwitch"] if name == "view.js" else [])
