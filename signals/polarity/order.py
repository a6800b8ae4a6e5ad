"""A claim and a premise go in, where they put two things in contrary orders comes out: in time, or by measure."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from signals.lexicon import antonyms_of
from signals.polarity.clash import Clash, Span, span_of
from signals.syntax import Reading, read
from verifier.core.lexicon import lexicon

__all__ = ["Order", "OrderComparison", "compare_orders", "orders_in"]

_TIMES = {"before": "before", "after": "after"}
_UNITS = lexicon("""
    second seconds minute minutes hour hours day days week weeks month months year years time times
    """)
_AHEAD = 1.0
"""Sum of two coverages, at most 2, from which on two sides are the same two things."""
_CLEARLY = 0.4
"""By how much one way of pairing the sides must be better than the other."""


class Order(NamedTuple):
    """``left`` stands in the relation ``word`` to ``right`` (stems); the span is that of the relation."""

    word: str
    left: frozenset[str]
    right: frozenset[str]
    span: Span


@lru_cache(maxsize=2048)
def orders_in(text: str) -> tuple[Order, ...]:
    """The relations ``before``, ``after`` and ``... than`` of a text."""
    reading = read(text)
    found: list[Order] = []
    for at, token in enumerate(reading.tokens):
        low = token.word.low
        if low not in _TIMES and low != "than":
            continue
        begin, end = _sentence(reading, at)
        first = _comparative(reading, at, begin) if low == "than" else at
        if first is None:
            continue
        word = reading.tokens[first].word.low
        left, right = _stems(reading, begin, first), _stems(reading, at + 1, end)
        if not left and low != "than":
            comma = next((place for place in range(at, end) if reading.tokens[place].word.low == ","), end)
            left, right = _stems(reading, comma, end), _stems(reading, at + 1, comma)
        if left and right:
            found.append(Order(word, left, right, span_of(reading, first, at + 1)))
    return tuple(found)


def _sentence(reading: Reading, at: int) -> tuple[int, int]:
    begin = end = at
    while begin and reading.sentences[begin - 1] == reading.sentences[at]:
        begin -= 1
    while end < len(reading.tokens) and reading.sentences[end] == reading.sentences[at]:
        end += 1
    return begin, end


def _comparative(reading: Reading, than: int, begin: int) -> int | None:
    """The token of the comparative before ``than``, close by."""
    for at in range(than - 1, max(begin, than - 6) - 1, -1):
        low = reading.tokens[at].word.low
        if (
            low in ("more", "less", "fewer")
            or (low.endswith("er") and len(low) > 4)
            or low in ("better", "worse")
        ):
            return at
    return None


def _stems(reading: Reading, first: int, last: int) -> frozenset[str]:
    """What happens or is measured; a bare span of time (``after 90 days``) is none, it belongs to the numbers."""
    words = (reading.tokens[at].word for at in range(first, last))
    return frozenset(
        word.stem for word in words if not (word.punct or word.function or word.number or word.low in _UNITS)
    )


class OrderComparison(NamedTuple):
    """The clashes, and the spans in the claim of relations that the premise bears out."""

    clashes: tuple[Clash, ...]
    agreed: tuple[Span, ...]


def compare_orders(claim: str, premise: str) -> OrderComparison:
    """Find relations that the premise states with the sides exchanged or with the contrary word; both agree."""
    found: list[Clash] = []
    agreed: list[Span] = []
    for ours in orders_in(claim):
        for theirs in orders_in(premise):
            same = ours.word == theirs.word
            if not same and theirs.word not in antonyms_of(ours.word):
                continue
            straight = _cover(ours.left, theirs.left) + _cover(ours.right, theirs.right)
            crossed = _cover(ours.left, theirs.right) + _cover(ours.right, theirs.left)
            contrary, agreeing = (crossed, straight) if same else (straight, crossed)
            if contrary >= _AHEAD and contrary - agreeing >= _CLEARLY:
                found.append(Clash("antonym", 1.0, ours.span, theirs.span, "the order is contrary"))
            elif agreeing >= _AHEAD and agreeing - contrary >= _CLEARLY:
                agreed.append(ours.span)
    return OrderComparison(tuple(found), tuple(agreed))


def _cover(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs))
