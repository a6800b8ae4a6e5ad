"""A rule for one case, and a claim about the contrary one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import TextPair

IF_UNOPENED = "Goods may be sent back if they are unopened."


def features(premise: str, claim: str) -> Mapping[str, float]:
    return NegationSignal().score([TextPair(premise, claim)])[0].features


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Unopened goods may be sent back.", "Opened goods may be sent back."),
        ("Opened goods may be sent back.", "Unopened goods may be sent back."),
        ("Registered users may vote.", "Unregistered users may vote."),
        ("Members may book courts.", "Non-members may book courts."),
        (IF_UNOPENED, "Opened goods may be sent back."),
    ],
)
def test_what_is_granted_to_one_case_is_not_granted_to_the_contrary_one(premise: str, claim: str) -> None:
    assert features(premise, claim)["condition"] > 0.5


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Unopened goods may be sent back.", "Unopened goods may be sent back."),
        ("Unopened goods may be sent back.", "Opened goods may not be sent back."),
        (IF_UNOPENED, "Unopened goods may be sent back."),
        (IF_UNOPENED, "Opened goods may not be sent back."),
        ("Members may book two days ahead, non-members one day ahead.", "Non-members may book courts."),
        ("Old and new members may vote.", "New members may vote."),
    ],
)
def test_the_case_itself_and_a_denial_of_the_contrary_one_are_no_conflict(premise: str, claim: str) -> None:
    found = features(premise, claim)
    assert not any(found[name] for name in ("condition", "polarity", "antonym", "modality"))


def test_the_words_that_are_contrary_are_pointed_at() -> None:
    premise, claim = "Members may get a full refund in May.", "Members may get a partial refund in May."
    [score] = NegationSignal().score([TextPair(premise, claim)])
    [finding] = score.findings
    assert (finding.claim_value, finding.evidence_value) == ("partial", "full")
