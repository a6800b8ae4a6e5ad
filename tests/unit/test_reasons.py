"""What a reason quotes of a long window."""

from __future__ import annotations

from signals.traceability import TraceabilitySignal
from signals.types import TextPair
from verifier.types import Evidence
from verifier.verification.features import Reading
from verifier.verification.reasons import MAX_QUOTE, _quoted
from verifier.verification.windows import whole

FIRST = "Staff turnover was 9 percent, the lowest in five years, says the head of people in her yearly letter to all."


def _quote(text: str, claim: str) -> str:
    window = whole(Evidence("a", "a", text, 0, len(text), 1.0))
    [score] = TraceabilitySignal().score([TextPair(window.premise, claim)])
    return _quoted(Reading(window, {"traceability": score}))


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
