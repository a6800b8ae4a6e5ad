"""HTML in a response: block tags end claims, tags are markup, and offsets lead back to the response."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.growth import growth
from verifier.types import Claim, SkippedSpan
from verifier.verification.claims import ExtractedResponse, extract_claims

PIECES = [
    "<p>", "</p>", "<br>", "<br/>", "<ul>", "</ul>", "<ol>", "<li>", "</li>", '<li class="x y">', "<h1>", "</h1>",
    "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "</th>", "<b>", "</b>", '<a href="u v">',
    "</a>", "<script>", "</script>", "<style>", "</style>", "<!--", "-->", "<div>", "</div>", "\n", "\n\n", " ",
    "- ", "# ", "| a | b |\n|-|-|\n| ", " | ", "```\n", "`", "Refunds take 30 days.", "The plan includes:", "parking",
    "İ", "<", ">", "🎉", "&nbsp;", "退款",
]  # fmt: skip


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


def reasons(response: str) -> dict[str, str]:
    return {span.text: span.reason for span in extract_claims(response).skipped}


def assert_covers(response: str, found: ExtractedResponse) -> None:
    parts: list[Claim | SkippedSpan] = sorted([*found.claims, *found.skipped], key=lambda part: part.start)
    at = 0
    for part in parts:
        assert at <= part.start < part.end
        assert response[part.start : part.end] == part.text
        assert not response[at : part.start].strip()
        at = part.end
    assert not response[at:].strip()


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_any_mixture_of_html_and_markdown_is_covered(response: str) -> None:
    found = extract_claims(response)
    assert_covers(response, found)
    for claim in found.claims:
        assert claim.hypothesis is not None


@pytest.mark.parametrize(
    "tag", ["p", "li", "div", "td", "h3", "blockquote", "dd", "section", "LI", 'p class="a b"', "tr"]
)
def test_a_block_tag_ends_a_claim(tag: str) -> None:
    name = tag.split()[0]
    response = f"<{tag}>The fee is 5 EUR</{name}><{tag}>Returns are free</{name}>"
    assert hypotheses(response) == ["The fee is 5 EUR", "Returns are free"]


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<br />", "<hr>", "</p>\n<p>"])
def test_a_tag_alone_ends_a_claim(tag: str) -> None:
    found = extract_claims(f"The fee is 5 EUR{tag}Returns are free")
    assert [claim.text for claim in found.claims] == ["The fee is 5 EUR", "Returns are free"]
    assert [span.reason for span in found.skipped] == ["markup"]


def test_inline_tags_are_read_over_and_quoted() -> None:
    response = "<p>The <a href='http://a.b/c' title=\"d e\">fee</a> is <b>5</b>&nbsp;EUR at R&amp;D.</p>"
    [claim] = extract_claims(response).claims
    assert claim.hypothesis == "The fee is 5 EUR at R&D."
    assert claim.text == response[3:-4]


def test_headings_are_skipped_as_headings_unless_they_state_something() -> None:
    response = "<h1>Refunds</h1><h2>Refunds are paid within 30 days</h2>"
    assert reasons(response)["Refunds"] == "heading"
    assert hypotheses(response) == ["Refunds are paid within 30 days"]


def test_scripts_and_styles_are_code() -> None:
    response = (
        "<style>p { top: 0 }</style>\nThe fee is 5 EUR.<SCRIPT src='x'>say('The fee is 9 EUR.')</SCRIPT>"
    )
    assert hypotheses(response) == ["The fee is 5 EUR."]
    assert list(reasons(response).values()) == ["code", "code"]


def test_a_script_that_is_not_closed_hides_nothing() -> None:
    assert hypotheses("<script>The fee is 9 EUR.") == ["The fee is 9 EUR."]


def test_a_comment_hides_nothing() -> None:
    assert hypotheses("<!-- The fee is 9 EUR. -->") == ["The fee is 9 EUR."]


def test_what_is_no_tag_is_text() -> None:
    assert hypotheses("a <b and refunds take c> d is 5") == ["a <b and refunds take c> d is 5"]


def test_items_are_read_with_their_introduction_at_any_depth() -> None:
    response = (
        "<p>The plan includes:</p>\n<ul>\n  <li><p class='x'>parking</p></li>\n  <li>\na pool</li>"
        "<li>Members pay:<ul><li>5 EUR</li><li>nothing on Sundays</li></ul></li></ul>"
    )
    assert hypotheses(response) == [
        "The plan includes parking",
        "The plan includes a pool",
        "Members pay 5 EUR",
        "Members pay nothing on Sundays",
    ]
    assert extract_claims(response).claims[0].text == "parking"


def test_a_table_is_read_cell_by_cell_with_its_headers() -> None:
    response = (
        "<table><thead><tr><th>Plan</th><th>Price</th></tr></thead>\n<tbody><tr><td>Basic</td>\n"
        "<td><b>5</b> EUR</td></tr><tr><td>Pro</td><td>9 EUR</td></tr></tbody></table>"
    )
    assert hypotheses(response) == ["Basic, Price: 5 EUR", "Pro, Price: 9 EUR"]
    assert reasons(response)["<th>Plan</th><th>Price"] == "table header"


def test_only_the_first_row_of_a_table_can_be_its_header() -> None:
    response = "<table><tr><th>Plan</th></tr><tr><th>The fee is 9 EUR</th></tr></table>"
    assert hypotheses(response) == ["Plan: The fee is 9 EUR"]


def test_markdown_with_html_in_it_keeps_its_own_structure() -> None:
    response = (
        "# Plans\n\n- The fee is **5 EUR**<br>Returns are free\n\n| Plan | Price |\n|---|---|\n"
        "| Basic<br>yearly | 5 EUR |\n\n<details><summary>Refunds</summary>\n\nThey take 30 days.\n</details>"
    )
    assert hypotheses(response) == [
        "The fee is 5 EUR",
        "Returns are free",
        "Basic yearly, Price: 5 EUR",
        "They take 30 days.",
    ]
    assert_covers(response, extract_claims(response))


def test_tags_in_code_are_no_tags() -> None:
    assert reasons("```html\n<p>Hi</p>\n```") == {"```html\n<p>Hi</p>\n```": "code"}
    assert hypotheses("The `<p>` tag starts a paragraph.") == ["The <p> tag starts a paragraph."]


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("The fee is 5 EUR 🎉", ["The fee is 5 EUR"]),
        ("The fee is 5 EUR🎉🎉!", ["The fee is 5 EUR!"]),
        ("The fee is 5 EUR. 🚀 Returns are free 😀.", ["The fee is 5 EUR.", "Returns are free."]),
        ("🎉 The fee is 5 EUR", ["The fee is 5 EUR"]),
        ("The rating is ⭐⭐⭐", ["The rating is ⭐⭐⭐"]),
        ("❌ Returns are free", ["It is not true that Returns are free"]),
    ],
)
def test_pictures_that_decorate_a_sentence_are_not_read(response: str, read: list[str]) -> None:
    assert hypotheses(response) == read


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [("", "<br>", ""), ("", "<td>", ""), ("", "<script>", ""), ("", "<p x=", ""), ("", "<li>", ""),
     ("", "<tr><td>a", ""), ("<a ", " ", ""), ("", "<!--", ""), ("", "<ul>", "a"),
     ("", "🎉 ", ""), ("", "<li> ", "<p>a")],
    ids=["br", "td", "script", "attributes", "li", "rows", "spaces", "comments", "lists", "emoji", "items"],
)  # fmt: skip
def test_the_time_to_read_a_huge_page_grows_with_it_and_no_faster(
    before: str, piece: str, after: str
) -> None:
    def read(times: int) -> None:
        response = before + piece * times + after
        assert_covers(response, extract_claims(response))

    assert growth(read, 30_000, enough=9) < 9
