"""A long text and its tokens' offsets go in; what a model reads of it at once comes out, in whole sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

from signals.stems import content_words
from verifier.core.text import sentence_spans

__all__ = ["gathered_spans", "window_spans"]

_OVERLAP = 4
"""At most one part in so many of a window is shared with the window before it."""


class _Unit(NamedTuple):
    start: int
    end: int
    tokens: int


def window_spans(text: str, offsets: Sequence[tuple[int, int]], budget: int) -> list[tuple[int, int]]:
    """Cut a text into windows of at most ``budget`` tokens.

    Windows end where sentences end, and a window begins with the last sentences of the one before it, as far
    as they take up no more than a quarter of the budget. A sentence longer than the budget is cut between
    words, in quarters of the budget, so that these windows overlap too. Nothing is left out.

    Args:
        text: any text.
        offsets: the half-open code-point span of each token, in reading order.
        budget: tokens, at least 1.

    Returns:
        Half-open code-point spans in reading order; every token lies in at least one. ``[]`` for no tokens.

    >>> text = "One two. Three four. Five."
    >>> tokens = [(0, 3), (4, 7), (7, 8), (9, 14), (15, 19), (19, 20), (21, 25), (25, 26)]
    >>> [text[start:end] for start, end in window_spans(text, tokens, 6)]
    ['One two. Three four.', 'Five.']
    >>> [text[start:end] for start, end in window_spans(text, tokens, 12)]
    ['One two. Three four. Five.']
    """
    units = list(_units(text, offsets, budget))
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(units):
        last, used = first, units[first].tokens
        while last + 1 < len(units) and used + units[last + 1].tokens <= budget:
            last += 1
            used += units[last].tokens
        spans.append((units[first].start, units[last].end))
        if last + 1 == len(units):
            break
        first = _step_back(units, first, last, budget)
    return spans


def gathered_spans(
    text: str, offsets: Sequence[tuple[int, int]], hypothesis: str, budget: int
) -> list[tuple[int, int]]:
    """The sentences of a text that have most in common with a hypothesis, wherever they stand, in reading order.

    A sentence counts the content words it shares, each by its rarity among the sentences, ``log(1 + n / n_word)``.
    The best are taken, first come first served among equals, as long as they fit into ``budget`` tokens together.

    Args:
        text: any text.
        offsets: the half-open code-point span of each of its tokens, in reading order.
        hypothesis: what the sentences are wanted for.
        budget: tokens, at least 1.

    Returns:
        Half-open code-point spans; ``[]`` when no sentence that shares a word fits.

    >>> text = "Ann Lee founded it. It sells tea. She is from Oslo. Tea is not all."
    >>> tokens = [(start, start + 1) for start in range(len(text))]
    >>> [text[a:b] for a, b in gathered_spans(text, tokens, "Ann Lee comes from Oslo.", 40)]
    ['Ann Lee founded it.', 'She is from Oslo.']
    """
    wanted = {word.key for word in content_words(hypothesis)}
    units = list(_units(text, offsets, budget))
    shared = [wanted & {word.key for word in content_words(text[unit.start : unit.end])} for unit in units]
    spread = Counter(key for keys in shared for key in keys)
    worth = [sum(log(1.0 + len(units) / spread[key]) for key in keys) for keys in shared]
    taken: list[_Unit] = []
    for at in sorted(range(len(units)), key=lambda at: (-worth[at], at)):
        if worth[at] > 0.0 and units[at].tokens <= budget:
            taken.append(units[at])
            budget -= units[at].tokens
    return [(unit.start, unit.end) for unit in sorted(taken)]


def _step_back(units: Sequence[_Unit], first: int, last: int, budget: int) -> int:
    """Where the next window begins: it must still have room for the first unit not yet read."""
    room = min(budget // _OVERLAP, budget - units[last + 1].tokens)
    begin = last + 1
    while begin - 1 > first and units[begin - 1].tokens <= room:
        begin -= 1
        room -= units[begin].tokens
    return begin


def _units(text: str, offsets: Sequence[tuple[int, int]], budget: int) -> Iterator[_Unit]:
    """Sentences with their token counts, those over the budget in pieces."""
    starts = [start for start, _ in offsets]
    for begin, end in sentence_spans(text):
        first, stop = bisect_left(starts, begin), bisect_left(starts, end)
        if first == stop:
            continue
        if stop - first <= budget:
            yield _Unit(begin, end, stop - first)
            continue
        size = max(1, budget // _OVERLAP)
        while first < stop:
            cut = _word_end(offsets, first, min(first + size, stop), stop)
            yield _Unit(offsets[first][0], offsets[cut - 1][1], cut - first)
            first = cut


def _word_end(offsets: Sequence[tuple[int, int]], first: int, cut: int, stop: int) -> int:
    """The last boundary at white space in the second half of ``first:cut``; ``cut`` if there is none."""
    if cut == stop:
        return cut
    for at in range(cut, (first + cut) // 2, -1):
        if offsets[at][0] > offsets[at - 1][1]:
            return at
    return cut
