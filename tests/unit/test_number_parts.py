"""Parts of a year against each other, feet with inches, and a least against a most."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair


def outcome(premise: str, claim: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, claim)])[0].outcome


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("The plant opened in Q3 2024.", "The plant opened in the second half of 2024.", Outcome.CONSISTENT),
        ("It shut in the second quarter of 2019.", "It shut in the first half of 2019.", Outcome.CONSISTENT),
        ("The plant opened in Q3 2024.", "The plant opened in the first half of 2024.", Outcome.CONFLICTING),
        ("The plant opened in Q3 2024.", "The plant opened in the second half of 2023.", Outcome.CONFLICTING),
        ("Sales fell in Q1 2020.", "Sales fell in Q2 2020.", Outcome.CONFLICTING),
        ("The trial began in early 2020.", "The trial began in mid 2020.", Outcome.CONFLICTING),
        ("The trial began in the second half of 2020.", "The trial began in Q4 2020.", Outcome.ABSENT),
        ("The mast is 5 ft 6 in tall.", "The mast is 66 inches tall.", Outcome.CONSISTENT),
        ("The mast is 66 inches tall.", "The mast is 5 ft 6 in.", Outcome.CONSISTENT),
        ("The mast is 5 ft 6 in tall.", "The mast is 56 inches tall.", Outcome.CONFLICTING),
        ("The ditch is 5 feet deep, 6 in the middle.", "The ditch is 5 feet deep.", Outcome.CONSISTENT),
        ("A team has at least 20 players.", "A team has at most 20 players.", Outcome.CONFLICTING),
        ("The lift carries up to 400 kg.", "The lift carries at least 400 kg.", Outcome.CONFLICTING),
        ("Cancel up to 14 days before arrival.", "Cancel at least 14 days before arrival.", Outcome.ABSENT),
    ],
)  # fmt: skip
def test_what_parts_and_limits_say_of_each_other(premise: str, claim: str, expected: Outcome) -> None:
    assert outcome(premise, claim) is expected
