"""Bare words assert nothing and are skipped; whatever may state something stays a claim."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.grammar.fragments import Fragment, bare_words

VERDICTS = Path(__file__).parents[2] / "corpora" / "verdicts"


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


def reasons(response: str) -> list[str]:
    return [span.reason for span in extract_claims(response).skipped]


@pytest.mark.parametrize(
    "text",
    [
        "Refunds.", "Tent.", "The return.", "Larkfell Outdoor", "30 days.", "boots boots boots", "and", "of the",
        "Yes.", "No.", "Paris", "30", "$30", "€30.50", "5 EUR", "12 %", "thirty days", "In 1990.", "12 March 2020",
        "Monday to Friday", "up to 30 business days", "9:00-17:00", "30-day", "boots and tents", "“Tent.”",
        "Boots, tents and stoves.", "The refund policy of Larkfell Outdoor.", "Refund policy", "Your refund.",
        "Waterproof.", "For members.", "(30 days)", "The tents.", "**Tent**", "- Tent", "> Refunds.", "🎉 Tent 🎉",
        "<p>Refunds.</p>", "Refunds:", "is",
    ],
)  # fmt: skip
def test_bare_words_alone_are_no_claim(text: str) -> None:
    found = extract_claims(text)
    assert not found.claims
    assert {span.reason for span in found.skipped} - {"markup"} <= {"fragment", "heading"}


@pytest.mark.parametrize(
    "text",
    [
        "Price: 30 EUR", "Refund period – 30 days", "Founded in 1990 by Ann Lee", "Revenue up 12 % in 2023",
        "30-day refunds on annual plans", "Free shipping", "No refunds", "Tents leak", "The dog barks",
        "The dog slept", "The price doubled", "Shipping free", "Not refundable", "12 % revenue", "Ann Lee, CEO",
        "Refunds = 30 days", "Capital of France", "Bank Fails", "CEO Resigns", "It leaks", "They swim", "This leaks.",
        "12 injured", "3 dead", "half price", "Sunday closed", "24/7 support", "Top 10", "Only members",
        "These boots rock", "The children swim", "The police act", "Dogs chase cats", "Maria swims", "Rain fell",
        "All sales final", "Payment within 30 days", "Take aspirin", "Wheelchair accessible", "Members, 5 EUR",
        "2-year warranty", "Born 1990", "The tent waterproof", "1990 Larkfell", "Except Sundays", "Larkfell closed",
        "Version 7.4", "100% cotton", "Made in Italy", "Boots → 30 days", "Refund in 30 days", "Ann Lee of Larkfell",
        "The CEO of Larkfell, Ann Lee", "Larkfell, Leeds", "Ann slept", "Deadline Monday", "退款", "30 天", "Возврат",
        "Das Zelt ist nass", "Er schläft",
    ],
)  # fmt: skip
def test_what_may_state_something_is_a_claim(text: str) -> None:
    assert hypotheses(text) == [text]


def test_bare_words_name_or_tell() -> None:
    assert bare_words("Larkfell Outdoor") is Fragment.NAMING
    assert bare_words("Waterproof.") is Fragment.TELLING


@pytest.mark.parametrize(
    ("prompt", "answer", "read"),
    [
        ("How long do refunds take?", "30 days.", "How long do refunds take? 30 days."),
        ("Name the capital of France.", "Paris", "Name the capital of France? Paris"),
        ("How long? Answer in one word.", "30 days.", "How long? 30 days."),
        ("How long do refunds take?", "Sure! 30 days.", "How long do refunds take? 30 days."),
        ("<script>How long?", "30 days.", "script>How long? 30 days."),
    ],
)
def test_a_prompt_makes_bare_words_an_answer(prompt: str, answer: str, read: str) -> None:
    assert [claim.hypothesis for claim in extract_answer(answer, prompt, extract_claims).claims] == [read]


def test_every_item_of_an_answer_is_read_with_the_question() -> None:
    answer = extract_answer("- red\n- blue\n", "Which colours are there?", extract_claims)
    assert [claim.hypothesis for claim in answer.claims] == [
        "Which colours are there? red",
        "Which colours are there? blue",
    ]


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("## Refund period\n\n30 days", ["Refund period: 30 days"]),
        ("## Colours\n- red\n- blue", ["Colours: red", "Colours: blue"]),
        ("**Capital of Peru**\n\nLima.", ["Capital of Peru: Lima."]),
        ("<dl><dt>Refunds</dt><dd>30 days</dd></dl>", ["Refunds: 30 days"]),
        ("Refund period\n\n30 days", ["Refund period: 30 days"]),
        ("Refunds:\n\n30 days", ["Refunds: 30 days"]),
        ("The tent is new. Waterproof.", ["The tent is new.", "The tent is new. Waterproof."]),
        ("One thing is sold. Tents.", ["One thing is sold.", "One thing is sold. Tents."]),
        ("In 1990. The shop closed.", ["In 1990.", "The shop closed."]),
        ("How long? 30 days.", ["How long? 30 days."]),
    ],
)
def test_bare_words_that_something_completes_are_claims(response: str, read: list[str]) -> None:
    assert hypotheses(response) == read


def test_bare_words_before_a_statement_or_beside_each_other_are_skipped() -> None:
    assert hypotheses("Larkfell Outdoor. Refunds take 30 days.") == ["Refunds take 30 days."]
    assert reasons("Refunds. Tent. And. Larkfell Outdoor.") == ["fragment"] * 4


@pytest.mark.parametrize("name", ["tuning", "extra_w", "extra_v"])
def test_no_labelled_claim_is_a_fragment(name: str) -> None:
    rows = [
        json.loads(line) for line in (VERDICTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    skipped = sum("fragment" in reasons(row["claim"]) for row in rows)
    assert rows
    assert skipped == 0


def calls_made(response: str) -> int:
    """How many functions are called to read a response: work that no other process can lengthen."""
    made = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        extract_claims(response)
    finally:
        sys.setprofile(before)
    return made


@pytest.mark.parametrize(
    ("piece", "end"), [("Tent. ", ""), ("30 days. ", ""), ("boots ", ""), ("For members. ", "It is 5.")]
)
def test_the_work_grows_with_a_run_of_bare_words_and_no_faster(piece: str, end: str) -> None:
    short, long = (calls_made(piece * count + end) for count in (700, 2100))
    assert short > 1000
    assert long < 3.1 * short
