"""Claims of a response: spans that cover it, context that makes each claim readable alone, quotes left as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.growth import growth
from verifier.types import Claim, SkippedSpan
from verifier.verification.claims import ExtractedResponse, extract_claims

TUNING = Path(__file__).parents[2] / "corpora" / "verdicts" / "tuning.jsonl"


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


def reasons(response: str) -> list[tuple[str, str]]:
    return [(span.text, span.reason) for span in extract_claims(response).skipped]


def assert_covers(response: str, found: ExtractedResponse) -> None:
    parts: list[Claim | SkippedSpan] = sorted([*found.claims, *found.skipped], key=lambda part: part.start)
    assert list(found.claims) == [part for part in parts if isinstance(part, Claim)]
    assert list(found.skipped) == [part for part in parts if isinstance(part, SkippedSpan)]
    at = 0
    for part in parts:
        assert at <= part.start < part.end
        assert response[part.start : part.end] == part.text
        assert not response[at : part.start].strip()
        at = part.end
    assert not response[at:].strip()
    for claim in found.claims:
        edges = [edge for sub in claim.substitutions for edge in (sub.start, sub.end)]
        assert edges == sorted(edges)
        assert all(0 <= edge <= len(claim.text) for edge in edges)


FRAGMENTS = [
    "<think>",
    "</think>",
    '{"built": 1872, "owner": null}',
    '{"answer": "It is \\"old\\". It is tall."',
    "```json\n",
    "Height: 31 m; built: 1872",
    "The sources do not say why, but the hut is open.",
    "not specified",
    "[citation:x]",
    "²",
    "<sup>1</sup>",
    "56, 000 men .",
    "\u202e",
    "# ",
    "- ",
    "* ",
    "1. ",
    "> ",
    "'",
    "",
    "---",
    "```",
    "~~~",
    "**",
    "*",
    "_",
    "`",
    "[",
    "](",
    "http://a.b?c d",
    ")",
    "<br>",
    "<",
    ">",
    "[1]",
    "\\",
    "====",
    "It is 5 EUR.",
    "and it costs 3",
    "; they\nare",
    "The plan includes:",
    "Yes",
    "?",
    "!",
    ". ",
    "。",
    "退款",
    "J. R.",
    "Dr.",
    "this policy",
    "Its",
    "•",
    "’",
    "I think",
    "Note: ",
    ", and the fee is 5",
    ":",
]
SPACES = [
    "\n",
    "\n\n",
    "\r\n",
    "  ",
    "    ",
    "\t",
    "\u2029",
    "\x85",
    "\f",
    "\x1c",
    "\x00",
    "\ud800",
    "\u200b",
    "|",
    "|a|b|\n|-|-|\n",
]


@given(
    st.text(alphabet=st.characters(), max_size=150)
    | st.lists(st.sampled_from(FRAGMENTS + SPACES), max_size=25).map("".join)
)
def test_spans_are_ordered_disjoint_and_cover_any_response(response: str) -> None:
    assert_covers(response, extract_claims(response))


@given(
    st.lists(
        st.sampled_from(["The fee is 5 EUR.", "Pets pay 3 EUR.", "Dr. Lee opened the hut in 1990."]),
        min_size=1,
        max_size=5,
    )
)
def test_every_plain_statement_is_a_claim_as_it_stands(sentences: list[str]) -> None:
    assert [claim.text for claim in extract_claims(" ".join(sentences)).claims] == sentences


def test_an_empty_response_has_nothing() -> None:
    assert extract_claims("") == extract_claims(" \n\t ") == ExtractedResponse((), ())


def test_a_list_item_is_read_with_its_introduction_and_quoted_without() -> None:
    response = "The plan includes:\n\n- parking\n- a **pool** [1]\n\nMembers get the following:\n1. towels\n2. a locker"
    assert hypotheses(response) == [
        "The plan includes parking",
        "The plan includes a pool",
        "Members get towels",
        "Members get a locker",
    ]
    assert [claim.text for claim in extract_claims(response).claims] == [
        "- parking",
        "- a **pool** [1]",
        "1. towels",
        "2. a locker",
    ]
    assert {reason for _, reason in reasons(response)} == {"list introduction"}


def test_nested_lists_carry_the_inner_introduction() -> None:
    assert hypotheses("Prices:\n- Members pay:\n  - 5 EUR\n  - nothing on Sundays") == [
        "Members pay 5 EUR",
        "Members pay nothing on Sundays",
    ]


def test_an_introduction_that_limits_its_items_is_put_before_sentences_too() -> None:
    assert hypotheses("For members:\n- Refunds take 60 days.") == ["For members: Refunds take 60 days."]


def test_an_introduction_that_adds_nothing_is_left_out() -> None:
    assert hypotheses("Here are the key facts:\n- Refunds take 60 days.") == ["Refunds take 60 days."]


def test_an_introduction_with_a_fact_of_its_own_is_a_claim() -> None:
    response = "Acme was founded in 1990, which led to this:\n- Refunds take 60 days."
    assert hypotheses(response)[0].startswith("Acme was founded in 1990")


def test_an_item_goes_on_from_the_one_before_only_where_nothing_leads_into_the_list() -> None:
    assert hypotheses("- The museum opens at 9.\n- It closes at 5.")[1] == "The museum closes at 5."
    led = hypotheses("The park is free.\n- The museum opens at 9.\n- It closes at 5.")
    assert led[2] == "The park closes at 5."


def test_a_table_row_is_read_cell_by_cell_with_its_headers() -> None:
    response = (
        "| Shipping | Price | Time |\n|---|---|---|\n| Standard | 4.90 EUR | 3 days |\n| *Drone* | — | ✅ |"
    )
    assert hypotheses(response) == ["Standard, Price: 4.90 EUR", "Standard, Time: 3 days", "Drone, Time: yes"]
    assert reasons(response) == [("| Shipping | Price | Time |", "table header"), ("|---|---|---|", "markup")]


def test_a_value_of_a_table_cell_leads_back_to_the_quoted_row() -> None:
    claim = extract_claims("| Shipping | Price |\n|---|---|\n| Standard | 4.90 EUR |").claims[0]
    at = claim.hypothesis.index("4.90")
    span = claim.to_text_span((at, at + 4))
    assert span is not None
    assert claim.text[slice(*span)] == "4.90"


def test_quotations_are_checked_without_their_marks() -> None:
    assert hypotheses("> Refunds take\n> 30 days. They are free.") == [
        "Refunds take\n 30 days.",
        "Refunds are free.",
    ]


def test_links_emphasis_and_citations_are_read_without_markup() -> None:
    response = "The **Basic** plan [costs 5 EUR](http://x.y/?q=1) [2], says <i>`doc`</i> _today_."
    assert hypotheses(response) == ["The Basic plan costs 5 EUR, says doc today."]
    assert extract_claims(response).claims[0].text == response


@pytest.mark.parametrize(
    "text", ["2 * 3 is 6", "The file is my_old_file.txt", "3*4 is 12", "In 1990. It closed", "a < b"]
)
def test_what_only_looks_like_markup_stays(text: str) -> None:
    assert " ".join(hypotheses(text)) == text


def test_code_is_skipped_but_prose_in_a_fence_is_not() -> None:
    assert reasons("```python\nx = 1\n```") == [("```python\nx = 1\n```", "code")]
    assert hypotheses("```\nRefunds are issued within 60 days.\n```") == [
        "Refunds are issued within 60 days."
    ]
    assert hypotheses("```markdown\n# T\nRefunds take 60 days.\n```") == ["Refunds take 60 days."]
    assert hypotheses("```\nRefunds take 60 days.") == ["Refunds take 60 days."]


@pytest.mark.parametrize(
    "response",
    [
        "# Refunds",
        "**Refunds**",
        "Refunds\n=======",
        "Refunds\n---",
        "## How refunds work",
        "## History: 1990–1999",
        "## Chapter: 3",
    ],
)
def test_headings_are_skipped(response: str) -> None:
    assert reasons(response)[0][1] == "heading"
    assert not hypotheses(response)


@pytest.mark.parametrize(
    "response",
    [
        "# Refunds are issued within 60 days",
        "# Returns are free",
        "**Refunds: 30 days**",
        "## Price: EUR 20",
        "## Opening hours: 9–17",
        "## Monday: 9:00-17:00",
        "The fee is 5 EUR.\n---",
    ],
)
def test_a_statement_dressed_as_a_heading_is_a_claim(response: str) -> None:
    assert len(hypotheses(response)) == 1


@pytest.mark.parametrize(
    "response",
    [
        "The pass costs 5 EUR [plans.md].",
        "The pass costs 5 EUR [doc1].",
        "The pass costs 5 EUR【4†source】.",
        "The pass costs 5 EUR ([source](https://a.b/c)).",
        "The pass costs 5 EUR [source](https://a.b/c).",
        "The pass costs 5 EUR (source: plans.md).",
        "The pass costs 5 EUR (see plans.md).",
        "According to the documents, the pass costs 5 EUR.",
        "Based on the provided context, the pass costs 5 EUR.",
        "According to plans.md, the pass costs 5 EUR.",
        "As mentioned above, the pass costs 5 EUR.",
        "In summary: the pass costs 5 EUR.",
        "You'll be glad to hear that the pass costs 5 EUR.",
        "It is true that the pass costs 5 EUR.",
    ],
)
def test_marks_of_sources_and_announcements_are_no_part_of_a_claim(response: str) -> None:
    [read] = hypotheses(response)
    assert read.replace(" .", ".").lower() == "the pass costs 5 eur."


@pytest.mark.parametrize(
    "response",
    [
        "According to Dr. Said, the drug works.",
        "According to the 2024 audit, the plant lost 5 EUR.",
        "The firm (founded in 1998) sells tea.",
        "The lock has three states [open, shut, jammed].",
    ],
)
def test_what_a_source_or_a_bracket_says_stays_part_of_a_claim(response: str) -> None:
    assert hypotheses(response) == [response]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "The pass costs 5 EUR, and it is valid for a day.",
            ["The pass costs 5 EUR.", "The pass is valid for a day."],
        ),
        (
            "The pass costs 5 EUR and includes parking.",
            ["The pass costs 5 EUR", "The pass includes parking."],
        ),
        ("Refunds take 30 days and the shipping is free.", ["Refunds take 30 days", "the shipping is free."]),
        ("The pool is open; the sauna is closed.", ["The pool is open.", "the sauna is closed."]),
        (
            "The Pro plan costs 9 EUR, while the Basic plan costs 5 EUR.",
            ["The Pro plan costs 9 EUR.", "the Basic plan costs 5 EUR."],
        ),
        (
            "The mill closed in 1950; after the war it was sold.",
            ["The mill closed in 1950.", "after the war the mill was sold."],
        ),
        (
            "The plant showed a loss for 2 of its 5 years, and a new owner was found in Bonn.",
            ["The plant showed a loss for 2 of its 5 years.", "a new owner was found in Bonn."],
        ),
        (
            "Nausea occurs in fewer than 5% of those who take it, and the firm in Bonn sells 3 forms.",
            ["Nausea occurs in fewer than 5% of those who take it.", "the firm in Bonn sells 3 forms."],
        ),
        (
            "The club won 20 games in 34 matches, and the trust in charge of the ground raised the rent.",
            ["The club won 20 games in 34 matches.", "the trust in charge of the ground raised the rent."],
        ),
        (
            "Passwords must have 12 characters and must be changed every 180 days.",
            ["Passwords must have 12 characters", "Passwords must be changed every 180 days."],
        ),
        (
            "Acme employs more than 400 people and was founded in 1998.",
            ["Acme employs more than 400 people", "Acme was founded in 1998."],
        ),
        (
            "Acme was founded in 1990, and in 2004 it moved to Bonn.",
            ["Acme was founded in 1990.", "in 2004 Acme moved to Bonn."],
        ),
        (
            "The firm has an office in Oslo, and in Bergen it runs a warehouse.",
            ["The firm has an office in Oslo.", "in Bergen the firm runs a warehouse."],
        ),
        (
            "The tower was built in 1980 and in 1990 it was sold.",
            ["The tower was built in 1980", "in 1990 the tower was sold."],
        ),
        (
            "On Sundays, the museum is closed and the café is open.",
            ["On Sundays, the museum is closed", "On Sundays, the café is open."],
        ),
        (
            "In 2024 revenue rose to 5 million EUR, and profit fell to 200,000 EUR.",
            ["In 2024 revenue rose to 5 million EUR.", "In 2024, profit fell to 200,000 EUR."],
        ),
        (
            "For members the fee is 5 EUR and for guests the fee is 9 EUR.",
            ["For members the fee is 5 EUR", "for guests the fee is 9 EUR."],
        ),
        (
            "The Basic plan costs 5 EUR; moreover, it includes support.",
            ["The Basic plan costs 5 EUR.", "The Basic plan includes support."],
        ),
        (
            "Adults pay 9 EUR, students pay 5 EUR, and children pay nothing.",
            ["Adults pay 9 EUR.", "students pay 5 EUR.", "children pay nothing."],
        ),
        (
            "A guest who brings a dog must pay 5 EUR, and the pool is closed in May.",
            ["A guest who brings a dog must pay 5 EUR.", "the pool is closed in May."],
        ),
        (
            "The pool opens at 9 and the sauna closes at 10.",
            ["The pool opens at 9", "the sauna closes at 10."],
        ),
        (
            "Ruth Keller was born in 1950 in Bonn, studied in Oslo and moved to Bergen in 1975.",
            [
                "Ruth Keller was born in 1950 in Bonn.",
                "Ruth Keller studied in Oslo",
                "Ruth Keller moved to Bergen in 1975.",
            ],
        ),
        (
            "Ruth Keller leads the team and joined in 2018.",
            ["Ruth Keller leads the team", "Ruth Keller joined in 2018."],
        ),
    ],
)
def test_joined_statements_are_split(response: str, expected: list[str]) -> None:
    assert hypotheses(response) == expected


@pytest.mark.parametrize(
    "response",
    [
        "Acme is large and profitable.",
        "The plan covers returns and shipping costs in Europe.",
        "The price of tea and the coffee is 5 EUR.",
        "If you cancel, you get a refund and the fee is waived.",
        "The fee is waived and the ticket is refunded if you cancel.",
        "No ticket is refundable and is valid twice.",
        "The bridge was closed and then it was sold.",
        "The firm makes boats and ships for the navy.",
        "In 2024, revenue rose to 5 million EUR, and profit fell in 2025.",
        "By the time Acme was sold, the plant was closed.",
        "After Acme bought Bolt, the price rose and the plant was closed.",
        "The hut has 20 beds, and two are free.",
        "No ticket is refundable, and none is valid twice.",
        "One plan costs 5 EUR, and the other costs 9 EUR.",
        "A guest with a dog pays 5 EUR, but the second one does not.",
        "The firm has offices in Oslo and in Bergen.",
        "In Bonn the firm sells tea and coffee.",
        "The club belongs to its fans, and the richest of them has one vote.",
        "Between 5 and 10 guests are allowed.",
        "The pump must be cleaned weekly; otherwise the warranty is void.",
        "The firm has offices in Paris, France; Rome, Italy; and Bonn, Germany.",
        "The plan covers: phones; laptops that are insured; and tablets.",
        "The board announced that profit fell, and the shares lost 4%.",
        "The plant makes cheese sold in Bonn and shipped abroad.",
        "The rate has been 4% since the bank was founded, and the branch was closed.",
        "The woman who beat Ann Lee in May 2025 used to be a nurse and is the first mayor of Bonn.",
    ],
)
def test_what_a_split_would_change_stays_whole(response: str) -> None:
    assert hypotheses(response) == [response]


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ("The Basic plan costs 5 EUR.", "It includes parking.", "The Basic plan includes parking."),
        ("Refunds take 30 days.", "They are free.", "Refunds are free."),
        ("Anna Lee joined in 2010.", "She left in 2015.", "Anna Lee left in 2015."),
        ("Einstein was born in 1879.", "He won a prize in 1921.", "Einstein won a prize in 1921."),
        ("The museum now lends 40 works.", "Its café is closed.", "The museum's café is closed."),
        ("The Basic plan includes 5 GB of storage.", "It costs 10 EUR.", "The Basic plan costs 10 EUR."),
        ("The museum opens at 9.", "Its café is closed.", "The museum's café is closed."),
        ("Acme Inc. is a tea trader in Bonn.", "The company employs 5 people.", "Acme Inc employs 5 people."),
        (
            "The refund policy of Acme covers shoes.",
            "The policy excludes gifts.",
            "The refund policy of Acme excludes gifts.",
        ),
    ],
)
def test_an_opening_pronoun_is_read_as_what_it_stands_for(first: str, second: str, read: str) -> None:
    claim = extract_claims(f"{first} {second}").claims[1]
    assert (claim.text, claim.hypothesis) == (second, read)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Acme bought Bolt.", "It grew fast."),
        ("Anna Lee succeeded Mark Roth.", "He left in 2010."),
        ("The museum is old.", "It is important to book."),
        ("The museum is old.", "They were sold."),
        ("The pool is open.", "The pool house is closed."),
        ("# Plans\n\nThe plan costs 5 EUR.\n\n# Prices", "\n\nIt opens at 9."),
    ],
)
def test_an_uncertain_pronoun_is_left_as_it_is(first: str, second: str) -> None:
    assert hypotheses(f"{first} {second}")[-1] == second.strip()


@pytest.mark.parametrize("answer", ["30 days.", "Yes, 30 days."])
def test_an_elliptical_answer_is_read_with_its_question(answer: str) -> None:
    assert hypotheses(f"How long does a refund take? {answer}") == [f"How long does a refund take? {answer}"]


@pytest.mark.parametrize(
    "response",
    ["Free returns", "Tents leak", "退款", "退款期限为三十天。", "Срок возврата 30 дней.", "Er schläft."],
)
def test_short_and_foreign_claims_are_never_dropped(response: str) -> None:
    assert hypotheses(response) == [response]


def test_a_preamble_is_not_part_of_the_hypothesis() -> None:
    assert hypotheses("**Note:** Please note that the pool opens at 9.") == ["the pool opens at 9."]


def test_a_response_of_courtesies_only_has_no_claims() -> None:
    response = "Hello!\n\nIs there anything else? I hope this helps! https://a.b/c?d\n\n---\n"
    assert not hypotheses(response)
    assert [reason for _, reason in reasons(response)] == [
        "greeting",
        "question",
        "meta",
        "url only",
        "markup",
    ]


@pytest.mark.parametrize(
    ("response", "parts"),
    [
        (
            "The pool is open, and the Kern hut is shut when it snows.",
            ["The pool is open.", "the Kern hut is shut when it snows."],
        ),
        ("The pool is open, and the hut is shut when it snows.", None),
        ("Kern is open, and the Kern hut is shut when it snows.", None),
    ],
)
def test_a_condition_behind_another_name_is_its_own(response: str, parts: list[str] | None) -> None:
    assert hypotheses(response) == (parts or [response])


@pytest.mark.parametrize(
    "talk",
    [
        "Me too!",
        "I do!",
        "I'm not sure about that.",
        "Wow, I never knew that.",
        "I think so too.",
        "Yes, I've heard of it.",
    ],
)
def test_small_talk_of_the_speaker_is_no_claim(talk: str) -> None:
    assert not hypotheses(talk)


@pytest.mark.parametrize(
    "statement",
    ["We do.", "I do not sell bread.", "I can see the lake from here.", "You should wear a helmet."],
)
def test_what_a_speaker_says_of_the_world_is_a_claim(statement: str) -> None:
    assert hypotheses(statement) == [statement]


def test_the_tuning_claims_are_skipped_only_where_labelled_so() -> None:
    rows = [json.loads(line) for line in TUNING.read_text(encoding="utf-8").splitlines()]
    skipped = {row["id"] for row in rows if not extract_claims(row["claim"]).claims}
    labelled = {row["id"] for row in rows if row["verdict"] == "skipped"}
    split = [row["id"] for row in rows if len(extract_claims(row["claim"]).claims) > 1]
    assert skipped <= labelled
    assert len(labelled - skipped) <= 3  # a superlative, and what is not surely an opinion, is checked
    assert len(split) <= len(rows) // 25


@pytest.mark.parametrize(
    ("piece", "count"),
    [
        (
            "The refund period is 30 days, and it starts on Monday. They were founded by Anna Lee in 1990. ",
            2_000,
        ),
        ("*", 200_000),
        ("[a](", 60_000),
        ("> ", 150_000),
        ("and ", 60_000),
        ("<a ", 60_000),
        ("a_", 150_000),
    ],
    ids=["prose", "stars", "links", "quotes", "and", "tags", "underscores"],
)
def test_the_time_to_read_a_huge_response_grows_with_it_and_no_faster(piece: str, count: int) -> None:
    def read(times: int) -> None:
        assert_covers(piece * times, extract_claims(piece * times))

    assert growth(read, count, enough=9) < 9


def test_today_is_no_part_of_whom_a_sentence_is_about() -> None:
    read = hypotheses("Orlen Cheese was founded in 1931. Today it owns 12 farms. Its dairy is in Vik.")
    assert read[1:] == ["Today Orlen Cheese owns 12 farms.", "Orlen Cheese's dairy is in Vik."]


@pytest.mark.parametrize(
    ("response", "skipped"),
    [
        (
            "The plan costs 5 EUR.\n\nKind regards,\nTom Baker\nSupport Team",
            [("Kind regards,\nTom Baker", "greeting"), ("Support Team", "greeting")],
        ),
        ("The plan costs 5 EUR.\n\nSources: plans.md, about.md", [("Sources: plans.md, about.md", "meta")]),
        (
            "The plan costs 5 EUR.\n\n**References**\n- plans.md\n- https://a.b/c",
            [("**References**", "heading"), ("- plans.md", "meta"), ("- https://a.b/c", "meta")],
        ),
        ("The plan costs 5 EUR [doc 3, p. 2] (source: [Plans](plans.md)).", []),
        ("Yes, according to the documents, in short: The plan costs 5 EUR.", []),
        ("Based on the provided context, The plan costs 5 EUR.", []),
    ],
)
def test_sign_offs_sources_and_openings_are_no_claims(response: str, skipped: list[tuple[str, str]]) -> None:
    assert [one.rstrip(". ") for one in hypotheses(response)] == ["The plan costs 5 EUR"]
    assert reasons(response) == skipped


@pytest.mark.parametrize(
    "statement",
    ["Cheers to the team that won in 1999.", "Sources: wind and water.", "Regards from home came in 1999."],
)
def test_a_statement_that_opens_like_a_sign_off_or_a_list_of_sources_is_a_claim(statement: str) -> None:
    assert hypotheses(statement) != []
