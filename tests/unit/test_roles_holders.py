"""Whoever holds an office in a list of those present."""

from __future__ import annotations

import pytest
from verifier_signals.roles import other_holder


@pytest.mark.parametrize(
    ("premise", "claim", "holders"),
    [
        (
            "Editor: Ada Orr\nPublisher: Ben Lee",
            "The Writers' Guild's editor is Ben Lee.",
            {"Ben Lee": "Ada Orr"},
        ),
        ("Editor: Ada Orr\nPublisher: Ben Lee", "Ada Orr is the editor of the Writers' Guild.", {}),
    ],
)
def test_an_office_that_another_one_holds_conflicts(
    premise: str, claim: str, holders: dict[str, str]
) -> None:
    body = f"Minutes of the Harbour Users' Association, the Teachers' Union, the Writers' Guild. {premise}"
    assert {one.text: other.text for one, other in other_holder(claim, body).items()} == holders
