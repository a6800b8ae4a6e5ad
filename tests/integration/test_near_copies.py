"""The odds of claims that add to what they repeat are what the held-back claims say."""

from __future__ import annotations

import pytest

from benchmarks.near_copies import beyond, lines, near_copies
from verifier.verification.verdict import BEYOND_ODDS


def test_the_claims_that_add_to_a_sentence_hold_as_often_as_the_rule_says() -> None:
    samples, fusion = near_copies()
    told = beyond(samples, fusion)
    # Processors with and without instructions for int8 read some claims otherwise.
    assert told.odds == pytest.approx(BEYOND_ODDS, rel=0.1)
    assert any(line.startswith(f"beyond: {told.claims} claims") for line in lines(samples, fusion))
