"""How long texts are compared: in parts, each claim part with the nearest stretch of the evidence.

Comparing every statement of one text with every one of the other takes time in proportion to the product of their
lengths. So a long claim is read a part at a time, each against the stretch of the evidence that shares most words with
it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.text import sentence_spans
from verifier_signals.stems import content_words
from verifier_signals.types import Span, TextPair

__all__ = ["LONGEST_CLAIM", "LONGEST_EVIDENCE", "PairPart", "parts_of"]

LONGEST_CLAIM = 2_000
"""Code points of a claim that are compared at a time; no claim of an answer is longer."""
LONGEST_EVIDENCE = 4_000
"""Code points of the evidence that each part of a claim is compared with: several passages."""
_PIECES = 8
"""In so many pieces the evidence of a part is put together."""
_MOST_PARTS = 16
"""So many parts of a claim are compared, its first ones."""

Places = Callable[[str], Sequence[int]]
"""Where in a text those things begin of which only so many are compared."""


class PairPart(NamedTuple):
    """Some of a claim, with some of the evidence. ``begins`` and ``told`` are where they stand in the whole texts."""

    pair: TextPair
    begins: int
    told: int

    @property
    def ends(self) -> int:
        """Where the part ends in the whole claim."""
        return self.begins + len(self.pair.hypothesis)

    def in_claim(self, span: Span) -> Span:
        """A span of the part's claim in the whole claim."""
        return span[0] + self.begins, span[1] + self.begins

    def in_evidence(self, span: Span) -> Span:
        """A span of the part's evidence in the whole evidence."""
        return span[0] + self.told, span[1] + self.told


def nowhere(_: str) -> Sequence[int]:
    """The places of nothing: a text is only cut by its length."""
    return ()


def parts_of(pair: TextPair, places: Places = nowhere, most: int = 0) -> list[PairPart]:
    """The parts in which a pair is compared: the pair itself where its texts are short.

    Args:
        pair: the texts.
        places: of these, at most ``most`` are in the claim of a part, and twice as many in its evidence.
        most: how many.
    """
    claim, premise = pair.hypothesis, pair.premise
    ours, theirs = places(claim), places(premise)
    stretches = [(0, len(claim))]
    if not _fits(*stretches[0], ours, LONGEST_CLAIM, most):
        stretches = list(_cut(claim, ours, LONGEST_CLAIM, most))
    if len(stretches) == 1 and len(premise) <= LONGEST_EVIDENCE and len(theirs) <= 2 * most:
        return [PairPart(pair, 0, 0)]
    found = []
    for begin, end in stretches[:_MOST_PARTS]:
        first, last = _nearest(premise, claim[begin:end], theirs, 2 * most)
        found.append(PairPart(TextPair(premise[first:last], claim[begin:end]), begin, first))
    return found


def _cut(text: str, places: Sequence[int], longest: int, most: int) -> Iterator[Span]:
    """A text in stretches of whole sentences, and of parts of sentences that are too long by themselves."""
    begin = end = 0
    for _, last in sentence_spans(text) or [(0, len(text))]:
        while not _fits(begin, last, places, longest, most):
            if end == begin:
                end = _limit(begin, places, longest, most)
            yield begin, end
            begin = end
        end = last
    yield begin, len(text)


def _fits(begin: int, end: int, places: Sequence[int], longest: int, most: int) -> bool:
    return end <= _limit(begin, places, longest, most)


def _limit(begin: int, places: Sequence[int], longest: int, most: int) -> int:
    """How far a stretch may reach at most."""
    at = bisect_left(places, begin) + most
    return min(begin + longest, max(begin + 1, places[at])) if at < len(places) else begin + longest


def _nearest(text: str, claim: str, places: Sequence[int], most: int) -> Span:
    """The stretch of a text that has most of the words of a claim; the first of several."""
    wanted = {word.key for word in content_words(claim)}
    pieces = list(_cut(text, places, LONGEST_EVIDENCE // _PIECES, max(1, most // _PIECES)))
    shared = [Counter(key for key in _keys_in(text, *piece) if key in wanted) for piece in pieces]
    held: Counter[str] = Counter()
    best, most_held, first = (0, 0), -1, 0
    for last, (_, end) in enumerate(pieces):
        held += shared[last]
        while not _fits(pieces[first][0], end, places, LONGEST_EVIDENCE, most):
            held -= shared[first]
            first += 1
        if len(held) > most_held:
            best, most_held = (pieces[first][0], end), len(held)
    return best


def _keys_in(text: str, begin: int, end: int) -> list[str]:
    """The keys of the content words that begin in a stretch."""
    starts, keys = _words(text)
    return keys[bisect_left(starts, begin) : bisect_left(starts, end)]


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[list[int], list[str]]:
    """Where the content words of a text begin, and their keys."""
    found = content_words(text)
    return [word.start for word in found], [word.key for word in found]
