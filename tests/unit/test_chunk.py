"""Passages: offsets are exact, nothing is lost or doubled, nothing that belongs together is torn."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.core.errors import ConfigError
from verifier.knowledge.chunk import MAX_CHARS, chunk
from verifier.types import Document, Page, Passage


def markdown(text: str) -> Document:
    return Document("a.md", "/a.md", text, media_type="text/markdown")


def plain(text: str, pages: tuple[Page, ...] = ()) -> Document:
    return Document("a.txt", "/a.txt", text, pages=pages)


def covered(passages: list[Passage]) -> set[int]:
    return {at for passage in passages for at in range(passage.start, passage.end)}


PIECES = st.sampled_from(
    [
        *(
            "# Fees",
            "## Terms of rental",
            "Setext\n===",
            "#",
            "Intro words:",
            "A sentence. Another one? Yes!",
        ),
        *(
            "- item one\n- item two, longer\n  - nested\n\n    para",
            "1. first\n2) second",
            "> quoted\n> - deep",
        ),
        *("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "```py\nx = 1\n```", "    code", "---", "***"),
        *(
            "[ref]: http://x.example 'T'",
            "<div>\nhtml\n</div>",
            "日本語。返品は三十日以内です。",
            "e\u0301" * 70,
            "w" * 120,
        ),
        *(
            "word " * 60,
            "\t- odd\n\t\t- indent",
            "- \n- x",
            "a\r\nb",
            "\u00a0",
            "🏔️ " * 40,
            "- " + "long item. " * 20,
        ),
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=8).map("\n\n".join),
    st.lists(PIECES, max_size=8).map("\n".join),
    st.lists(PIECES, max_size=5).map("\r\n\r\n".join),
    st.text(max_size=300),
    st.text(alphabet="ab .\n-#|>`*1)\t:", max_size=200),
)


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(50, 400), st.booleans())
def test_passages_are_exact_ordered_bounded_and_not_blank(text: str, limit: int, as_markdown: bool) -> None:
    document = markdown(text) if as_markdown else plain(text)
    at = 0
    for passage in chunk(document, max_chars=limit):
        assert passage.text == text[passage.start : passage.end]
        assert at <= passage.start < passage.end
        assert len(passage.text) <= limit
        assert passage.text == passage.text.strip()
        assert len(passage.context) <= limit
        at = passage.end


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(50, 400))
def test_every_visible_character_of_plain_text_is_in_a_passage(text: str, limit: int) -> None:
    inside = covered(chunk(plain(text), max_chars=limit))
    assert [at for at, char in enumerate(text) if not char.isspace() and at not in inside] == []


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(50, 400))
def test_every_word_of_markdown_is_in_a_passage(text: str, limit: int) -> None:
    inside = covered(chunk(markdown(text), max_chars=limit))
    lost = [at for at, char in enumerate(text) if char.isalnum() and at not in inside]
    assert lost == []


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.text(alphabet="ab. \n", min_size=1, max_size=120), min_size=1, max_size=6),
    st.integers(50, 90),
)
def test_a_passage_has_the_page_of_its_first_character(texts: list[str], limit: int) -> None:
    pages, text = [], ""
    for number, page in enumerate(texts, 1):
        pages.append(Page(number, len(text), len(text) + len(page)))
        text += page + "\n"
    for passage in chunk(plain(text, tuple(pages)), max_chars=limit):
        page_of_start = next(page for page in pages if page.start <= passage.start <= page.end)
        assert passage.page == page_of_start.number


def test_a_passage_does_not_cross_a_page_between_sentences() -> None:
    first, second = "One is here. Two is here.\n\n", "Three is here."
    pages = (Page(1, 0, len(first)), Page(2, len(first), len(first + second)))
    assert [(p.page, p.text) for p in chunk(plain(first + second, pages))] == [
        (1, "One is here. Two is here."),
        (2, "Three is here."),
    ]


def test_headings_make_the_path_and_part_passages() -> None:
    text = "# Shop\n\n## Refunds\n\nThirty days.\n\n### Gear\n\nUnworn.\n\n## Hours\n\nNine to five.\n"
    assert [(p.text, p.headings) for p in chunk(markdown(text))] == [
        ("# Shop\n\n## Refunds\n\nThirty days.", ("Shop", "Refunds")),
        ("### Gear\n\nUnworn.", ("Shop", "Refunds", "Gear")),
        ("## Hours\n\nNine to five.", ("Shop", "Hours")),
    ]


def test_two_sections_of_the_same_name_stay_apart() -> None:
    assert [p.text for p in chunk(markdown("# A\n\none\n\n# A\n\ntwo\n"))] == ["# A\n\none", "# A\n\ntwo"]


def test_headings_without_a_body_are_kept() -> None:
    assert [(p.text, p.headings) for p in chunk(markdown("# A\n# B\n\ntext\n\n# C\n"))] == [
        ("# A", ("A",)),
        ("# B\n\ntext", ("B",)),
        ("# C", ("C",)),
    ]


def test_a_heading_inside_a_code_block_is_no_heading() -> None:
    (passage,) = chunk(markdown("# A\n\n```\n# not one\n```\n\nafter\n"))
    assert passage.headings == ("A",)


def test_table_rows_stay_whole_and_later_passages_carry_the_header() -> None:
    rows = [f"| Tent {n} | {n * 10} EUR |" for n in range(40)]
    text = "Prices:\n\n| Name | Price |\n|---|---|\n" + "\n".join(rows) + "\n"
    passages = chunk(markdown(text), max_chars=200)
    assert len(passages) > 3
    assert passages[0].text.startswith("Prices:\n\n| Name | Price |\n|---|---|\n| Tent 0 |")
    assert {p.context for p in passages[1:]} == {"Prices: | Name | Price |"}
    assert [line for p in passages for line in p.text.splitlines() if "Tent" in line] == rows


def test_list_items_stay_whole_and_later_passages_carry_the_stem() -> None:
    items = [f"- Item {n} is returned. It must be unworn.\n  - with its tag {n}" for n in range(9)]
    text = "Intro here. You may return the following:\n\n" + "\n".join(items) + "\n"
    passages = chunk(markdown(text), max_chars=150)
    assert all(p.context == "You may return the following:" for p in passages[1:])
    torn = [item for item in items if not any(item in p.text for p in passages)]
    assert torn == []


def test_the_parts_of_an_item_that_is_too_long_carry_what_leads_into_them() -> None:
    text = "Terms:\n\n- Deposits\n" + "".join(f"  - Deposit number {n} is {n} EUR.\n" for n in range(9))
    passages = chunk(markdown(text), max_chars=100)
    assert passages[-1].context == "Terms: - Deposits"
    assert "Deposit number 8 is 8 EUR." in passages[-1].text


def test_lists_in_plain_text_stay_whole_too() -> None:
    items = [f"  - Item {n} is returned. It must be\n    unworn." for n in range(6)]
    text = "You may return:\n" + "\n".join(items)
    passages = chunk(plain(text), max_chars=110)
    assert [item for item in items if not any(item.strip() in p.text for p in passages)] == []
    assert {p.context for p in passages[1:]} == {"You may return:"}


def test_a_sentence_is_split_only_when_it_alone_is_too_long() -> None:
    long = "The " + "word " * 60 + "end."
    text = f"Short one. {long} Short two."
    passages = chunk(plain(text), max_chars=120)
    assert passages[0].text == "Short one."
    assert all(re.fullmatch(r"(The )?(word ?)+(end\. Short two\.)?", p.text) for p in passages[1:])


def test_text_without_spaces_is_cut_but_an_accent_stays_on_its_letter() -> None:
    for passage in chunk(plain("e\u0301" * 100), max_chars=51):
        assert not passage.text.startswith("\u0301")


def test_front_matter_and_comments_are_in_no_passage() -> None:
    text = "---\nversion: 2\n---\n# A\n\n<!-- draft -->\n\ntext\n"
    assert [p.text for p in chunk(markdown(text))] == ["# A\n\n<!-- draft -->\n\ntext"]
    assert chunk(markdown("---\nversion: 2\n---\n\n<!-- draft -->\n\n---\n")) == []


def test_a_document_without_words_gives_no_passages() -> None:
    assert chunk(plain("")) == chunk(plain(" \n\t\n")) == chunk(markdown("\n\n---\n")) == []


def test_a_limit_that_no_sentence_fits_is_refused() -> None:
    with pytest.raises(ConfigError, match="max_chars is 10"):
        chunk(plain("text"), max_chars=10)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 400_000,
        "w" * 2_000_000,
        "A sentence is here. " * 50_000,
        "- item\n" * 30_000,
        "> " * 100_000,
        "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000,
        "# " + "x" * 500_000 + "\n\n" + "para\n\n" * 5_000,
        "| " + "h" * 300_000 + " |\n|---|\n" + "| 1 |\n" * 5_000,
        "<!--" * 100_000,
        "# h\n" * 20_000,
    ],
    ids=[
        "words",
        "one-word",
        "sentences",
        "items",
        "quotes",
        "rows",
        "title",
        "header",
        "comments",
        "headings",
    ],
)
def test_a_large_text_takes_time_in_proportion(text: str) -> None:
    """A quadratic step would take minutes here, not seconds."""
    for document in (plain(text), markdown(text)):
        began = time.process_time()
        passages = chunk(document)
        assert time.process_time() - began < 20
        assert all(len(p.text) <= MAX_CHARS for p in passages)
        assert all(len(p.context) + sum(map(len, p.headings)) < MAX_CHARS for p in passages)


NOTICE = """ORRIN POOL: HOUSE RULES
As of May

Bring a towel.

May I dive?
Only at the deep end.

Lockers

They cost 2 euros."""


def test_titles_of_plain_text_head_what_follows() -> None:
    passages = chunk(Document("a.txt", "/a.txt", NOTICE))
    assert [passage.headings for passage in passages] == [
        ("ORRIN POOL: HOUSE RULES",),
        ("ORRIN POOL: HOUSE RULES", "May I dive?"),
        ("ORRIN POOL: HOUSE RULES", "Lockers"),
    ]
    assert passages[1].text == "May I dive?\nOnly at the deep end."


@pytest.mark.parametrize(
    "text",
    [
        "The pool is open.\n\nBring a towel.",
        "a line in small letters\n\nBring a towel.",
        "This line is wrapped at its end\nand goes on here.\n\nBring a towel.",
        "Dear guests,\n\nbring a towel.",
        "Only one line",
    ],
)
def test_running_text_is_no_title(text: str) -> None:
    assert {passage.headings for passage in chunk(Document("a.txt", "/a.txt", text))} == {()}


def test_bold_lines_and_capitals_are_titles_below_headings_to_the_next_of_their_kind() -> None:
    text = "# Shop\n\n**Fees**\n\nFive.\n\nCARDS\n\nAll.\n\n**Hours**\n\nNine.\n\n---\n\nAsk us.\n\n## Map\n\nHere.\n"
    assert [(p.text.splitlines()[-1], p.headings) for p in chunk(markdown(text))] == [
        ("Five.", ("Shop", "Fees")),
        ("All.", ("Shop", "Fees", "CARDS")),
        ("Nine.", ("Shop", "Hours")),
        ("Ask us.", ("Shop",)),
        ("Here.", ("Shop", "Map")),
    ]


def test_the_first_title_heads_its_section_alone_where_it_is_one_of_a_kind() -> None:
    text = "Day ticket\n\nIt is valid on trams.\n\nNight ticket\n\nIt is valid on buses.\n"
    assert [p.headings for p in chunk(plain(text))] == [("Day ticket",), ("Night ticket",)]
    assert [p.headings for p in chunk(markdown(text))] == [("Day ticket",), ("Night ticket",)]


def test_one_short_paragraph_of_markdown_is_no_title_unless_it_is_the_first() -> None:
    text = "Bring a towel, please.\n\nThank you\n\nThe pool closes at nine."
    assert {p.headings for p in chunk(markdown(text))} == {()}
    assert {p.headings for p in chunk(markdown("Tasks\n\n- Tidy up\n"))} == {("Tasks",)}


def test_a_passage_that_begins_behind_a_label_carries_it() -> None:
    text = "Night ticket: " + "It is valid on a bus of line 12, and on no other. " * 8
    first, *others = chunk(plain(text), max_chars=160)
    assert first.text.startswith("Night ticket:")
    assert {p.context for p in others} == {"Night ticket:"}


def test_a_term_stays_with_its_definition() -> None:
    text = "\n\n".join(f"Term number {n}\n: The word for a thing of the kind {n}." for n in range(9))
    passages = chunk(markdown(text), max_chars=90)
    assert all(p.text.startswith("Term") for p in passages)


def test_a_row_over_the_whole_table_goes_on_with_the_rows_below_it() -> None:
    rows = "\n".join(f"| C{n} | Pottery | {n} EUR |" for n in range(12))
    text = f"| Group | Course | Fee |\n|---|---|---|\n| Children | Children | Children |\n{rows}\n"
    assert chunk(markdown(text), max_chars=120)[-1].context == "Children: | Group | Course | Fee |"
