"""Windows: what a model reads at once of a long text, in whole sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from verifier.core.text import sentence_spans
from verifier_signals.stems import content_words

__all__ = ["TextPiece", "gathered_spans", "pieces_of", "window_spans"]

_OVERLAP = 4
"""At most one part in so many of a window is shared with the window before it."""


class TextPiece(NamedTuple):
    """A sentence, or a part of one that is over the budget: its half-open code-point span, and how many tokens."""

    start: int
    end: int
    tokens: int


def pieces_of(text: str, offsets: Sequence[tuple[int, int]], budget: int) -> list[TextPiece]:
    """The sentences of a text that have a token, in reading order.

    One longer than the budget is cut between words, in quarters of the budget. Every token is in one piece.

    Args:
        text: any text.
        offsets: the half-open code-point span of each token, in reading order.
        budget: tokens, at least 1.
    """
    starts = [start for start, _ in offsets]
    pieces: list[TextPiece] = []
    for begin, end in sentence_spans(text):
        first, stop = bisect_left(starts, begin), bisect_left(starts, end)
        if 0 < stop - first <= budget:
            pieces.append(TextPiece(begin, end, stop - first))
            continue
        size = max(1, budget // _OVERLAP)
        while first < stop:
            cut = _word_end(offsets, first, min(first + size, stop), stop)
            pieces.append(TextPiece(offsets[first][0], offsets[cut - 1][1], cut - first))
            first = cut
    return pieces


def window_spans(pieces: Sequence[TextPiece], budget: int) -> list[tuple[int, int]]:
    """Join pieces to windows of at most ``budget`` tokens.

    A window begins with the last pieces of the one before it, as far as they take up no more than a quarter of the
    budget; so windows through a sentence that was cut overlap, too. Nothing is left out.

    Args:
        pieces: what :func:`pieces_of` gives for this budget.
        budget: tokens, at least 1.

    Returns:
        Half-open code-point spans in reading order; every token lies in at least one. ``[]`` for no pieces.

    >>> text = "One two. Three four. Five."
    >>> tokens = [(0, 3), (4, 7), (7, 8), (9, 14), (15, 19), (19, 20), (21, 25), (25, 26)]
    >>> [text[start:end] for start, end in window_spans(pieces_of(text, tokens, 6), 6)]
    ['One two. Three four.', 'Five.']
    >>> [text[start:end] for start, end in window_spans(pieces_of(text, tokens, 12), 12)]
    ['One two. Three four. Five.']
    """
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(pieces):
        last, used = first, pieces[first].tokens
        while last + 1 < len(pieces) and used + pieces[last + 1].tokens <= budget:
            last += 1
            used += pieces[last].tokens
        spans.append((pieces[first].start, pieces[last].end))
        if last + 1 == len(pieces):
            break
        first = _step_back(pieces, first, last, budget)
    return spans


def gathered_spans(
    text: str, pieces: Sequence[TextPiece], hypothesis: str, budget: int
) -> list[tuple[int, int]]:
    """The sentences of a text that have most in common with a hypothesis, wherever they stand, in reading order.

    A sentence counts the content words it shares, each by its rarity among the sentences, ``log(1 + n / n_word)``.
    The best are taken, first come first served among equals, as long as they fit into ``budget`` tokens together.

    Args:
        text: any text.
        pieces: its sentences.
        hypothesis: what the sentences are wanted for.
        budget: tokens, at least 1.

    Returns:
        Half-open code-point spans; ``[]`` when no sentence that shares a word fits.

    >>> text = "Ann Lee founded it. It sells tea. She is from Oslo. Tea is not all."
    >>> tokens = [(start, start + 1) for start in range(len(text))]
    >>> [text[a:b] for a, b in gathered_spans(text, pieces_of(text, tokens, 40), "Ann Lee comes from Oslo.", 40)]
    ['Ann Lee founded it.', 'She is from Oslo.']
    """
    wanted = {word.key for word in content_words(hypothesis)}
    shared = [
        wanted & {word.key for word in content_words(text[piece.start : piece.end])} for piece in pieces
    ]
    spread = Counter(key for keys in shared for key in keys)
    worth = [sum(log(1.0 + len(pieces) / spread[key]) for key in keys) for keys in shared]
    taken: list[TextPiece] = []
    for at in sorted(range(len(pieces)), key=lambda at: (-worth[at], at)):
        if worth[at] > 0.0 and pieces[at].tokens <= budget:
            taken.append(pieces[at])
            budget -= pieces[at].tokens
    return [(piece.start, piece.end) for piece in sorted(taken)]


def _step_back(pieces: Sequence[TextPiece], first: int, last: int, budget: int) -> int:
    """Where the next window begins: it must still have room for the first piece not yet read."""
    room = min(budget // _OVERLAP, budget - pieces[last + 1].tokens)
    begin = last + 1
    while begin - 1 > first and pieces[begin - 1].tokens <= room:
        begin -= 1
        room -= pieces[begin].tokens
    return begin


def _word_end(offsets: Sequence[tuple[int, int]], first: int, cut: int, stop: int) -> int:
    """The last boundary at white space in the second half of ``first:cut``; ``cut`` if there is none."""
    if cut == stop:
        return cut
    for at in range(cut, (first + cut) // 2, -1):
        if offsets[at][0] > offsets[at - 1][1]:
            return at
    return cut
