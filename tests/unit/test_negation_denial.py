"""Denials that both texts have, and those that only one of them has."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import TextPair


def denial(premise: str, claim: str) -> float:
    [score] = NegationSignal().score([TextPair(premise, claim)])
    return score.features["denial"]


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The ferry does not run on Sundays.", "No ferry runs on Sundays."),
        ("There is no shower on the upper deck.", "The upper deck is without a shower."),
        ("Smoking is prohibited on the terrace.", "Nobody may smoke on the terrace."),
        ("None of the bolts was loose.", "Not a single bolt was loose."),
        ("The choir has never sung abroad.", "The choir has not sung in another country."),
        ("The guild never admitted Mara Veil.", "It is not true that the guild admitted Mara Veil."),
    ],
)
def test_what_both_texts_deny_is_a_denial_that_is_borne_out(premise: str, claim: str) -> None:
    assert denial(premise, claim) == 1.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The ferry runs on Sundays.", "The ferry does not run on Sundays."),
        ("The ferry does not run on Sundays.", "The ferry runs on Sundays."),
        ("The cook was ill. No bicycle may be left in the yard.", "The ferry does not run on Sundays."),
        ("The upper deck has a shower.", "The upper deck is without a shower."),
        ("Members sing every week.", "The choir has not sung abroad."),
        ("The guild never admitted Mara Veil.", "It is not true that the guild shut its doors to Mara Veil."),
        ("The bank did not lend Orlow money.", "It is not the case that the bank turned Orlow's mayor away."),
    ],
)
def test_a_denial_of_one_text_or_of_something_else_is_not(premise: str, claim: str) -> None:
    assert denial(premise, claim) == 0.0
