"""Titles, parents of nested lists and first lines: what stands below them is read with what they name."""

from __future__ import annotations

import pytest

from verifier.verification.claims import extract_claims
from verifier.verification.claims.headings import TitleDependence, read_title, title_dependence


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "## Basic plan\n- Storage: 20 GB\n- 5 users\n\n## Pro plan\n- **Storage:** 100 GB",
            ["Storage of Basic plan: 20 GB", "Basic plan: 5 users", "Storage of Pro plan: 100 GB"],
        ),
        ("**Basic plan**\n- Users: 5\n\nIt costs 5 EUR.", ["Users of Basic plan: 5", "Basic plan: It costs 5 EUR."]),
        ("**2. Mira Tower**\n\nThe height is 175 m.", ["Mira Tower: The height is 175 m."]),
        ("Mira Tower:\n\nOpened in 1990.", ["Mira Tower: Opened in 1990."]),
        ("Basic plan\nStorage: 20 GB\nUsers: 5", ["Storage of Basic plan: 20 GB", "Users of Basic plan: 5"]),
        ("1. **Gold card**\n\nThe fee is 5 EUR.\n\n2. **Red card**\n\nThe fee is 9 EUR.",
         ["Gold card: The fee is 5 EUR.", "Red card: The fee is 9 EUR."]),
        ("### Vienna\n\n| Day | Hours |\n|---|---|\n| Monday | 9 to 17 |", ["Vienna: Monday, Hours: 9 to 17"]),
        ("# Tarn tent\n\n| Metric | Value |\n|---|---|\n| Weight | 3 kg |", ["Weight of Tarn tent: 3 kg"]),
        ("# Tarn tent\n## Key features\n- Waterproof", ["Tarn tent: Waterproof"]),
        ("# Vienna office\n## Opening hours\n- Monday: 9 to 17", ["Vienna office: Opening hours: Monday: 9 to 17"]),
        ("## Basic plan\nThe plan includes:\n- 20 GB", ["Basic plan: The plan includes 20 GB"]),
        ("Mira Tower (Bergen)\nHeight: 175 m", ["Height of Mira Tower: 175 m"]),
        ("## Ruth Keller\n### Career\nShe worked for Bolt.", ["Ruth Keller: She worked for Bolt."]),
        ("## Pro plan\n**Refunds:** Refunds take 30 days.", ["Refunds: Refunds take 30 days."]),
        ("## 2024\n- Revenue: 5 million EUR", ["Revenue of 2024: 5 million EUR"]),
        ("## Basic plan (9 EUR a month)\n- 20 GB", ["Basic plan (9 EUR a month)", "Basic plan: 20 GB"]),
    ],
)  # fmt: skip
def test_what_rests_on_a_title_is_read_with_it(response: str, expected: list[str]) -> None:
    assert hypotheses(response) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "Refunds take 60 days.",
        "Acme sells tea in Bonn.",
        "The Pro plan costs 9 EUR.",
        "A visit takes an hour.",
        "Mira Tower: 175 m",
        "Its Basic plan costs 9 EUR.",
    ],
)
def test_what_names_its_own_subject_stays_as_it_is(statement: str) -> None:
    title = "## Basic plan" if "plan" in statement else "## Mira Tower"
    assert hypotheses(f"{title}\n\n{statement}") == [statement]


@pytest.mark.parametrize(
    "title",
    [
        "Overview",
        "Summary",
        "Answer",
        "Details",
        "Key points",
        "Conclusion",
        "Notes",
        "At a glance",
        "History",
    ],
)
def test_a_title_that_says_nothing_is_no_part_of_a_claim(title: str) -> None:
    assert hypotheses(f"## {title}\n\nThe price is 5 EUR.\n\n- Height: 175 m") == [
        "The price is 5 EUR.",
        "Height: 175 m",
    ]


def test_a_section_ends_with_the_next_title_of_its_rank() -> None:
    response = "# Acme\n## Basic plan\n- 5 users\n## Summary\n- 9 offices\n# Bolt\n- 3 offices"
    assert hypotheses(response) == ["Basic plan: 5 users", "Acme: 9 offices", "Bolt: 3 offices"]


def test_a_title_used_twice_is_told_apart_by_the_one_above_it() -> None:
    response = "# Bonn\n## Gold ticket\n- Price: 5 EUR\n# Oslo\n## Gold ticket\n- Price: 9 EUR"
    assert hypotheses(response) == ["Price of Gold ticket: 5 EUR", "Oslo: Price of Gold ticket: 9 EUR"]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("- Pro plan\n  - 20 users\n  - Storage: 5 GB", ["Pro plan: 20 users", "Storage of Pro plan: 5 GB"]),
        ("1. Pro plan\n   - 20 users\n2. Basic plan\n   - 5 users", ["Pro plan: 20 users", "Basic plan: 5 users"]),
        ("- Pro plan: 9 EUR\n  - 20 users", ["Pro plan: 9 EUR", "Pro plan: 20 users"]),
        ("- The Pro plan costs 9 EUR.\n  - 20 users\n  - It has a helpdesk.",
         ["The Pro plan costs 9 EUR.", "The Pro plan: 20 users", "The Pro plan has a helpdesk."]),
        ("- **Pro plan** (9 EUR)\n  - 20 users", ["Pro plan (9 EUR)", "Pro plan: 20 users"]),
        ("- Acme\n  - Pro plan\n    - 20 users", ["Acme: Pro plan: 20 users"]),
        ("1. **Pro plan**\n\n   It costs 9 EUR.", ["Pro plan: It costs 9 EUR."]),
        ("- Pro plan\n  - Refunds take 30 days.\n  - 20 users", ["Refunds take 30 days.", "Pro plan: 20 users"]),
    ],
)  # fmt: skip
def test_nested_items_keep_what_they_are_nested_in(response: str, expected: list[str]) -> None:
    assert hypotheses(response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Key facts:\n- Height: 175 m", ["Height: 175 m"]),
        ("Here are the details of the Basic plan:\n- Storage: 20 GB", ["Storage of Basic plan: 20 GB"]),
        ("The following are prohibited:\n- dogs", ["The following are prohibited dogs"]),
        ("For members:\n- Price: 5 EUR", ["For members: Price: 5 EUR"]),
    ],
)
def test_an_introduction_that_only_presents_gives_way_to_what_it_presents(
    response: str, expected: list[str]
) -> None:
    assert hypotheses(response) == expected


def test_a_value_below_a_title_leads_back_to_the_response() -> None:
    claim = extract_claims("## Basic plan\n- **Storage**: 20 GB").claims[0]
    at = claim.hypothesis.index("20")
    span = claim.to_text_span((at, at + 5))
    assert claim.text == "- **Storage**: 20 GB"
    assert span is not None
    assert claim.text[slice(*span)] == "20 GB"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 5 EUR.", TitleDependence.SUBJECT),
        ("In 2020 the price was 5 EUR.", TitleDependence.SUBJECT),
        ("Up to 5 users can join.", TitleDependence.SUBJECT),
        ("Storage is 20 GB.", TitleDependence.SUBJECT),
        ("Includes 20 GB of storage.", TitleDependence.LABEL),
        ("Founded in 1990", TitleDependence.LABEL),
        ("Refunds take 30 days.", None),
        ("Acme is a firm.", None),
        ("The Pro plan costs 5 EUR.", None),
        ("Costs rise by 5%.", None),
    ],
)
def test_how_a_statement_rests_on_what_is_above(text: str, expected: TitleDependence | None) -> None:
    assert title_dependence(text) is expected


@pytest.mark.parametrize(
    "text", ["How refunds work", "What does it cost?", "Refunds are free", "", "5.", "Key data"]
)
def test_what_is_no_title_of_a_thing_tells_nothing(text: str) -> None:
    assert read_title(text) is None
