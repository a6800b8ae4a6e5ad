"""A claim's readings go in; the words by which it says more than the sentence that it repeats come out.

A word that evidence lacks is mostly a paraphrase where the claim is told in other words. Where it repeats a sentence,
the word is what was added, or put in the place of another: ``the ring is made by hand`` of a source that says that it
is made, and nothing of hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from verifier_signals.content import content_of
from verifier_signals.repeated import Gap, gaps_in, stems_of

from verifier.types import Span
from verifier.verification.features import WindowScores, absent_from_all

__all__ = ["said_beyond"]

WIDEST = 1.5
"""Words, for one of the claim, among which the repeated ones stand at most. What takes a long sentence together has
words of its own, which as often as not are right."""
LEAST_COVERAGE = 0.5
"""Windows that cover less of a claim repeat no sentence with most of its words."""


def said_beyond(readings: Sequence[WindowScores], claim: str) -> tuple[str, ...]:
    """The words of a claim that none of its windows has, where the best that it repeats a sentence of denies nothing.

    Names and values are left out, but for a name in the place of another word: a claim may tell of whom a document
    speaks and when, and their own signals look for them.
    """
    near = (one for one in readings if one.feature("traceability", "coverage") >= LEAST_COVERAGE)
    repeating = ((one, gaps) for one in near if (gaps := gaps_in(claim, one.window.premise, WIDEST)))
    reading, gaps = next(repeating, (None, ()))
    if reading is None or reading.conflict > 0:
        return ()
    missing = absent_from_all(readings, "traceability").keys()
    anybody = _names_and_values(claim)
    spans = [span for gap in gaps for span in _in_gap(gap, missing, anybody)]
    return tuple(claim[slice(*span)] for span in spans)


def _names_and_values(claim: str) -> set[Span]:
    content = content_of(claim)
    return {
        (unit.start, unit.end) for at, unit in enumerate(content.units) if content.is_name(at) or not unit.key
    }


def _in_gap(gap: Gap, missing: Set[Span], anybody: set[Span]) -> Iterator[Span]:
    """What is missing of what the claim has in a gap, a name only where the sentence has a word in its place."""
    places = {token.start for token in gap.ours}
    allowed = missing if stems_of(gap.theirs) else missing - anybody
    yield from sorted(span for span in allowed if span[0] in places)
