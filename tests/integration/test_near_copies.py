"""The odds of claims that add to what they repeat are what written and public claims say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.near_copies import beyond, lines, near_copies, odds_of, public_copies
from verifier.verification.decision.verdict import BEYOND_ODDS


@pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA is unset: the training data is not here"
)
def test_the_claims_that_add_to_a_sentence_hold_as_often_as_the_rule_says() -> None:
    samples, fusion = near_copies()
    public = public_copies(Path(os.environ["VERIFIER_DATA"]))
    odds = odds_of([beyond(some, fusion) for some in (samples, public)])
    # Processors with and without instructions for int8 read some claims otherwise.
    assert odds == pytest.approx(BEYOND_ODDS, rel=0.1)
    assert len(list(lines(samples, fusion))) == 5
