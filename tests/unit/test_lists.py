"""What leads into the items of a list."""

from __future__ import annotations

import pytest

from verifier.verification.evidence.layout import led_items, told_inline, told_of


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("You need:\n- a rope\n- a lamp", "", [("You need:", "- a rope"), ("You need:", "- a lamp")]),
        ("It rains. You need:\n\n1) a rope", "", [("You need:", "1) a rope")]),
        ("Bring a rope.\n- no stem\n- here", "", []),
        ("- a rope\n\n- a lamp", "You need:", [("You need:", "- a rope"), ("You need:", "- a lamp")]),
        ("and a lamp.\n- a rope", "You need:", [("You need:", "and a lamp."), ("You need:", "- a rope")]),
        (
            "You need:\n- a rope,\n  thin\n\n  and long\n- a lamp\n\nGo now.",
            "",
            [
                ("You need:", "- a rope,\n  thin"),
                ("You need:", "  and long"),
                ("You need:", "- a lamp"),
            ],
        ),
        (
            "You need:\n- tools:\n  - a rope\n- a lamp",
            "",
            [("You need:", "- tools:"), ("You need: tools:", "  - a rope"), ("You need:", "- a lamp")],
        ),
        ("- a rope\n\nYou need:\n- a lamp", "Never:", [("Never:", "- a rope"), ("You need:", "- a lamp")]),
        ("", "Never:", []),
    ],
)
def test_items_come_with_their_stems(text: str, context: str, expected: list[tuple[str, str]]) -> None:
    assert [(item.stem, text[slice(*item.span)]) for item in led_items(text, context)] == expected


@pytest.mark.parametrize(
    ("stem", "item", "expected"),
    [
        ("The following are excluded:", "loss of keys;", "loss of keys are excluded."),
        ("The following costs must be borne by the tenant:", "heating, and", "heating must be borne by the tenant."),
        ("Following documents are needed:", "a passport", "a passport are needed."),
        ("We do not pay for the following:", "loss of keys", None),
        ("Bring the following tools:", "a saw", None),
        ("Never lent are:", "glass", None),
    ],
)  # fmt: skip
def test_what_follows_is_told_of_an_item(stem: str, item: str, expected: str | None) -> None:
    told = told_of(stem, item)
    assert (told and f"{item[: told[1]]} {told[0]}") == expected


@pytest.mark.parametrize(
    ("sentence", "things", "told"),
    [
        (
            "The following are not insured: floods, mice and cash.",
            "floods, mice and cash",
            " are not insured.",
        ),
        ("2. The following tools may be lent: saws and drills;", "saws and drills", " may be lent."),
        ("The following pay half: pupils.", "", ""),
        ("Open daily: the hall and the tower.", "", ""),
    ],
)
def test_what_follows_a_colon_is_told_of(sentence: str, things: str, told: str) -> None:
    found = told_inline(sentence)
    assert (sentence[slice(*found[0])], found[1]) == (things, told) if found else not things
