"""Which windows are joined, which passage is read whole, and what the joined premise can quote."""

from __future__ import annotations

from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import TextPair

from verifier.types import Evidence
from verifier.verification.evidence.premises import wide_windows
from verifier.verification.evidence.windows import Window, windows_of


def _evidence(doc_id: str, text: str, start: int = 0, headings: tuple[str, ...] = ()) -> Evidence:
    return Evidence(doc_id, f"{doc_id}.md", text, start, start + len(text), 1.0, headings=headings)


def _wide(claim: str, *evidence: Evidence) -> list[Window]:
    windows = [window for item in evidence for window in windows_of(item)]
    scores = TraceabilitySignal().score([TextPair(window.premise, claim) for window in windows])
    ranked = sorted(zip(windows, scores, strict=True), key=lambda item: -item[1].features["coverage"])
    return wide_windows(ranked)


def test_two_rows_of_a_table_are_joined_for_a_comparison() -> None:
    table = _evidence("bikes", "| Model | Weight |\n|---|---|\n| Ember | 21 kg |\n| Tarn | 19 kg |")
    [joined] = _wide("The Ember is heavier than the Tarn.", table)
    assert joined.premise == "Model: Ember; Weight: 21 kg Model: Tarn; Weight: 19 kg"
    assert len(joined.parts) == 2


def test_what_a_joined_premise_quotes_is_found_in_its_own_document() -> None:
    first = _evidence("a", "The tower was built by Ada Dahl.")
    second = _evidence("b", "Ada Dahl was born in Norham in 1870.", start=100)
    found = _wide("The tower was built by somebody born in Norham in 1870.", first, second)
    joined = next(window for window in found if window.parts)
    at = joined.premise.index("1870")
    place = joined.place_of((at, at + 4))
    assert place is not None
    evidence, (start, end) = place
    assert evidence.doc_id == "b"
    assert evidence.text[start - 100 : end - 100] == "1870"
    assert joined.place_of((0, len(joined.premise))) is None


def test_one_common_word_joins_no_other_document() -> None:
    first = _evidence("a", "Refunds are paid within 30 days.")
    second = _evidence("b", "The shop in Norham sells shoes.")
    assert not [
        window for window in _wide("The shop pays refunds within 30 days.", first, second) if window.parts
    ]


def test_a_passage_is_read_whole_without_the_headings_inside() -> None:
    text = "## Fees\n\nEntry is free. Tours cost 5 euros."
    [window] = _wide("Tours cost 5 euros.", _evidence("a", text, start=10, headings=("Museum", "Fees")))
    assert window.premise == "Museum. Fees. Entry is free. Tours cost 5 euros."
    at = window.premise.index("Tours")
    place = window.place_of((at, at + 5))
    assert place is not None
    assert text[place[1][0] - 10 : place[1][1] - 10] == "Tours"


def test_a_claim_that_one_window_covers_needs_no_other() -> None:
    assert _wide("Entry is free.", _evidence("a", "Entry is free.")) == []
    assert _wide("Entry is free.") == []
