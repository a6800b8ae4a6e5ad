"""The one type that every comparison here gives: in which respect two texts clash, how much, over which words."""

from __future__ import annotations

from typing import NamedTuple

from verifier_signals.polarity.statement import Statement
from verifier_signals.syntax import Reading

__all__ = ["OPEN", "Clash", "Span", "span_of"]

Span = tuple[int, int]

OPEN = frozenset({"hedge", "reach", "cause"})
"""Features of what the evidence leaves open; the others are of what it denies."""


class Clash(NamedTuple):
    """``check`` is the id of the one that found it, ``feature`` one of the negation signal's, ``strength`` in [0, 1].
    Spans are half-open, in each text."""

    check: str
    feature: str
    strength: float
    claim: Span
    evidence: Span
    note: str = ""


def span_of(reading: Reading, first: int, last: int) -> Span:
    """The characters of tokens ``first`` up to ``last``."""
    return reading.tokens[first].start, reading.tokens[last - 1].end


def main_span(reading: Reading, statement: Statement, shared: frozenset[str]) -> Span:
    """The word of a statement that a reader would point at: a shared predicate, else a shared word, else its first."""
    for stems in (statement.predicates & shared, shared & statement.stems, statement.stems):
        if stems:
            at = max(statement.items[one].at for one in stems)
            return span_of(reading, at, at + 1)
    return span_of(reading, statement.first, statement.last)
