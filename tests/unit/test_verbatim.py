"""Which windows state a claim word for word."""

from __future__ import annotations

import pytest

from verifier.types import Evidence
from verifier.verification.decision.verbatim import has_cell, states
from verifier.verification.evidence.windows import windows_of


def stated(text: str, claim: str) -> bool:
    evidence = Evidence("a", "a", text, 0, len(text), 1.0)
    return any(states(window, claim) for window in windows_of(evidence))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The gates close at 9.", "the gates  close at 9!"),
        (
            "The firm’s “Blue Hall” opened — at last — in 1901.",
            'The firm\'s "Blue Hall" opened - at last - in 1901.',
        ),
        ("The pool is warm; the sauna is closed in May.", "The sauna is closed in May."),
        ("The Gold pass costs 5 EUR. It is valid for a day.", "The Gold pass is valid for a day."),
        ("- The gates close at 9.\n- The bar stays open.", "The gates close at 9."),
        ("No dogs are let in unless they are on a lead.", "No dogs are let in unless they are on a lead."),
    ],
)
def test_a_claim_is_stated(text: str, claim: str) -> None:
    assert stated(text, claim)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The gates close at 9.", "The gates close at 10."),
        ("The gates do not close at 9.", "The gates close at 9."),
        ("No dogs are let in unless they are on a lead.", "No dogs are let in."),
        ("If it rains, the gates close at 9.", "The gates close at 9."),
        ("It is not true that the gates close at 9.", "The gates close at 9."),
        ('Ada Dahl said: "The gates close at 9."', "The gates close at 9."),
        ("Do the gates close at 9?", "The gates close at 9."),
        ("The following is not true:\n- The gates close at 9.", "The gates close at 9."),
        ("| Gate | Closes |\n|---|---|\n| North | 9 |", "North 9"),
        ("Gate: North\nCloses: 9", "Gate: North"),
        ("None of this is true:\n\nThe gates close at 9.", "The gates close at 9."),
    ],
)
def test_a_claim_is_not_stated(text: str, claim: str) -> None:
    assert not stated(text, claim)


PLANS = "| Plan | Calls a day | Batch |\n|---|---|---|\n| Free | 1,000 | no |\n| Studio | unlimited | yes |"
TURNED = "| | Free | Studio |\n|---|---|---|\n| Batch | no | yes |\n| Price (EUR) | 0 | 12 |"
RECORD = "reservoir: Thornholt\nriver: Sallow\ncapacity_million_m3: 52.0\nbathing: no"


def cell(text: str, claim: str, source: str = "a") -> bool:
    evidence = Evidence("a", source, text, 0, len(text), 1.0)
    return any(has_cell(window, claim) for window in windows_of(evidence))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PLANS, "Free, Batch: no"),
        (PLANS, "Batch, Free: no"),
        (PLANS, "Studio, Calls a day: unlimited"),
        (TURNED, "Free, Batch: no"),
        (TURNED, "Batch, Studio: yes"),
        (TURNED, "Price (EUR), Studio: 12"),
        (RECORD, "Thornholt, Capacity (million m³): 52.0"),
        (RECORD, "Thornholt, River: Sallow"),
    ],
)
def test_a_row_has_the_cell_that_a_claim_repeats(text: str, claim: str) -> None:
    assert cell(text, claim, "reservoirs.csv#4")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (PLANS, "Free, Batch: yes"),
        (PLANS, "Studio, Batch: no"),
        (PLANS, "Free, Calls a day: no"),
        (PLANS, "Batch: no"),
        (TURNED, "Studio, Batch: no"),
        (TURNED, "Free, Price (EUR): 12"),
        (RECORD, "Thornholt, Capacity (million m³): 5.20"),
        (RECORD, "Sallow, Bathing: no"),
        ("Free plan, batch: no.", "Free plan, batch: no."),
    ],
)
def test_a_row_has_no_other_cell(text: str, claim: str) -> None:
    assert not cell(text, claim, "reservoirs.csv#4")
