"""What a reason quotes of a long window."""

from __future__ import annotations

from verifier_signals.base import Signal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import TextPair

from verifier.types import Evidence, Verdict
from verifier.verification.decision.features import WindowScores
from verifier.verification.evidence.windows import whole
from verifier.verification.explanation.reasons import MAX_QUOTE, _quoted
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer, default_signals
from verifier.verification.vocabulary import Vocabulary

FIRST = "Staff turnover was 9 percent, the lowest in five years, says the head of people in her yearly letter to all."


def _quote(text: str, claim: str) -> str:
    window = whole(Evidence("a", "a", text, 0, len(text), 1.0))
    [score] = TraceabilitySignal().score([TextPair(window.premise, claim)])
    return _quoted(WindowScores(window, {"traceability": score}))


def test_a_long_window_is_quoted_from_the_sentence_that_bears_on_the_claim() -> None:
    second = "On 14 June 2024 Brightmoor acquired the consulting firm Tidewise."
    text = f"{FIRST} {second}"
    assert len(text) > MAX_QUOTE
    assert _quote(text, "Brightmoor acquired Tidewise in June 2024.").startswith(f"“… {second}”")
    assert _quote(text, "Staff turnover was 9 percent, the lowest in years.").startswith(
        "“Staff turnover was 9"
    )
    assert _quote(f"Turnover fell. {second}", "Brightmoor acquired Tidewise.").startswith(
        "“Turnover fell. On 14"
    )


def test_what_stands_in_another_place_is_not_set_against_itself() -> None:
    text = "After a summer 11 % of the colour had faded with the new dye, 4 % with the old one."
    claim = "After a summer 4 % of the colour had faded with the new dye, 11 % with the old one."
    [verdict] = VerifiedScorer(GivenTexts.of(text), _rules()).verify(claim).claims
    assert verdict.verdict is Verdict.CONTRADICTED
    assert verdict.reason.startswith("claim says 4, evidence says 11 (the two sides are exchanged)")


def test_a_reason_has_no_full_stop_in_its_midst() -> None:
    text = "# Leave\n\nLate applications are accepted only in medical emergencies."
    claim = "Late applications are accepted except in medical emergencies."
    [verdict] = VerifiedScorer(GivenTexts.of(text), _rules()).verify(claim).claims
    assert verdict.verdict is Verdict.CONTRADICTED
    assert ".," not in verdict.reason


def _rules() -> list[Signal]:
    return [signal for signal in default_signals(Vocabulary()) if signal.name != "nli"]
