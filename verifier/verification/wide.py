"""A claim's ranked windows in; the wider premises that are read beside them out, where one window is not enough.

Two kinds. Windows of different places *joined*, when the second has content of the claim that the first lacks: the
name in one sentence and the figure in another, a comparison of two rows, a fact from each of two documents. And the
*whole* passage around the best window, which says what a paraphrase with few shared words is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier_signals.types import Relation, SignalScore

from verifier.types import Span
from verifier.verification.statements import Factuality
from verifier.verification.windows import Window, is_prose, joined, whole

__all__ = ["wide_windows"]

MAX_PARTS = 3
"""Places that are joined into one premise at most."""

LEAST_ELSEWHERE = 2
"""Missing words that a window of another document must have: one common word is in every document."""

Ranked = Sequence[tuple[Window, SignalScore]]
"""Windows with their traceability, best first."""


def wide_windows(ranked: Ranked) -> list[Window]:
    """None to two windows: the joined one first, then the whole passage of the best window."""
    ranked = [item for item in ranked if item[0].factuality is Factuality.ASSERTED]
    if not ranked:
        return []
    parts = _complementary(ranked)
    found = [joined(parts)] if len(parts) > 1 else []
    best = parts[0]
    if is_prose(best.evidence.text) and len(best.evidence.text) > best.end - best.start:
        found.append(whole(best.evidence))
    return found


def _complementary(ranked: Ranked) -> list[Window]:
    """The best window and those that have most of what is still missing, each from a place of its own."""
    parts = [ranked[0][0]]
    missing = _absent(ranked[0][1])
    while missing and len(parts) < MAX_PARTS:
        apart = [
            (window, missing - _absent(score))
            for window, score in ranked
            if not any(window.overlaps(part) for part in parts)
        ]
        enough = [
            (window, gained)
            for window, gained in apart
            if len(gained) >= (1 if window.evidence.doc_id == parts[0].evidence.doc_id else LEAST_ELSEWHERE)
        ]
        if not enough:
            break
        # Among equals the better ranked one: max keeps the first.
        window, gained = max(enough, key=lambda item: len(item[1]))
        parts.append(window)
        missing -= gained
    return parts


def _absent(score: SignalScore) -> set[Span]:
    return {item.claim_span for item in score.findings if item.relation is Relation.ABSENT}
