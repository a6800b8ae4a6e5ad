"""What leads into the items of a list."""

from __future__ import annotations

import pytest

from verifier.verification.lists import led_items


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
