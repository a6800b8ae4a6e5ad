"""The rule signals over hundreds of invented documents: none raises, and spans lie in the claim."""

from __future__ import annotations

import pytest
from verifier_signals.base import Signal
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import TextPair

from training.sheets import read_sheets
from training.verdicts import verdict_rows
from verifier.verification.evidence.windows import windows_of
from verifier.verification.retrieve import GivenTexts

ROWS = 150


@pytest.fixture(scope="module")
def pairs() -> list[TextPair]:
    found = []
    for row in verdict_rows(read_sheets(), ROWS, seed=11):
        [passages] = GivenTexts.of(str(row["premise"])).retrieve([str(row["claim"])])
        found += [
            TextPair(window.premise, str(row["claim"])) for item in passages for window in windows_of(item)
        ]
    return found


@pytest.mark.parametrize("kind", [EntitySignal, NegationSignal, NumberSignal, TraceabilitySignal])
def test_no_document_or_claim_makes_a_rule_signal_fail(kind: type[Signal], pairs: list[TextPair]) -> None:
    scores = kind().score(pairs)
    assert len(scores) == len(pairs) > 1000
    for pair, score in zip(pairs, scores, strict=True):
        for item in score.findings:
            assert 0 <= item.claim_span[0] <= item.claim_span[1] <= len(pair.hypothesis)
