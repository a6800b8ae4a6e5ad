"""The support of claims that add to what they repeat is what the held-back claims say."""

from __future__ import annotations

from benchmarks.near_copies import held_beyond, lines, near_copies
from verifier.verification.verdict import BEYOND_SUPPORT


def test_of_the_claims_that_add_to_a_sentence_as_many_hold_as_the_rule_says() -> None:
    samples, fusion = near_copies(rules=True)
    held, beyond = held_beyond(samples)
    assert (held + 1) / (beyond + 2) == BEYOND_SUPPORT
    assert any(
        f"beyond: {beyond} claims, {held} of them supported" in line for line in lines(samples, fusion)
    )
