"""What a claim changes in a sentence of the evidence that it otherwise repeats.

In a text with words of its own, a word that the source lacks is a paraphrase as often as not. A text that repeats a
sentence and changes a word of it mostly says another thing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from verifier_signals.syntax import Token, read

__all__ = ["ANY_REPEATED", "Gap", "gaps_in", "stems_of"]

FEWEST = 4
"""Words that a claim must repeat: fewer are a turn of phrase."""
ANY_REPEATED = 0.5
"""Share of the claim's words that a sentence must hold, in their order, to be looked at."""
LEAST_REPEATED = 0.7
"""The same for a sentence that the claim repeats, by default."""
WIDEST = 2.0
"""Words, for one of the claim, among which they stand in the sentence at most: others stand here and there in it."""

_ARTICLE = 2
"""Words more that may stand in the place of the claim's last ones: ``to the museum`` for ``to Ostermoor``."""


class Gap(NamedTuple):
    """What the claim has between two words that it repeats, and what the sentence has there; either may be empty.

    ``behind`` is the number of the claim's words that are repeated before it, ``ahead`` the first one behind it on both
    sides, where there is one.
    """

    ours: Sequence[Token]
    theirs: Sequence[Token]
    behind: int
    ahead: tuple[Token, Token] | None


class _Repetition(NamedTuple):
    """The gaps of a repeated sentence, how many of the claim's words it holds, and among how many of its own."""

    gaps: tuple[Gap, ...]
    kept: int
    among: int


def gaps_in(
    claim: str, premise: str, widest: float = WIDEST, least_repeated: float = LEAST_REPEATED
) -> tuple[Gap, ...]:
    """The gaps of the sentence of which the claim repeats most; none where it repeats none, or all of one.

    ``widest`` is as :data:`WIDEST`, ``least_repeated`` as :data:`LEAST_REPEATED`, at least ``ANY_REPEATED``.

    >>> [gap] = gaps_in("Books are lent for three weeks.", "Rules. Maps and books are lent for two weeks in winter.")
    >>> [token.word.low for token in gap.ours], [token.word.low for token in gap.theirs], gap.behind
    (['three'], ['two'], 4)
    """
    found = _repetition(claim, premise)
    if found is None:
        return ()
    words = len(_words(claim))
    fits = found.kept >= math.ceil(least_repeated * words) and found.among <= widest * words
    return found.gaps if fits else ()


@lru_cache(maxsize=4096)
def _repetition(claim: str, premise: str) -> _Repetition | None:
    """The sentence of which the claim repeats most, looked for once for all who ask with bounds of their own."""
    ours = _words(claim)
    least = max(FEWEST, math.ceil(ANY_REPEATED * len(ours)))
    known = read(premise).stems
    if sum(token.word.stem in known for token in ours) < least:
        return None
    mine = [token.word.stem for token in ours]
    kept, sentence = least - 1, None
    for other in _sentences(premise):
        stems = [token.word.stem for token in other]
        if len(stems) > kept and (same := LCSseq.similarity(mine, stems, score_cutoff=kept + 1)):
            kept, sentence = same, other
    return None if sentence is None else _repeated(ours, sentence, kept)


def stems_of(tokens: Sequence[Token]) -> frozenset[str]:
    """The stems of the words that say something by themselves."""
    return frozenset([token.word.stem for token in tokens if not token.word.function])


def _repeated(ours: Sequence[Token], theirs: Sequence[Token], kept: int) -> _Repetition:
    edits = LCSseq.opcodes([token.word.stem for token in ours], [token.word.stem for token in theirs])
    blocks = [(block.a, block.b, block.size) for block in edits.as_matching_blocks() if block.size]
    (first, begins, _), (last, ends, size) = blocks[0], blocks[-1]
    among, rest = ends + size - begins, len(ours) - last - size
    closing = (len(ours), min(len(theirs), ends + size + (rest + _ARTICLE if rest else 0)), 0)
    at, there, behind = 0, max(0, begins - first), 0
    found = []
    for here, over, size in (*blocks, closing):
        if here > at or over > there:
            ahead = (ours[here], theirs[over]) if size else None
            found.append(Gap(ours[at:here], theirs[there:over], behind, ahead))
        at, there, behind = here + size, over + size, behind + size
    return _Repetition(tuple(found), kept, among)


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[Token, ...]:
    return tuple(token for token in read(text).tokens if not token.word.punct)


@lru_cache(maxsize=2048)
def _sentences(text: str) -> list[list[Token]]:
    reading = read(text)
    numbered = zip(reading.sentences, reading.tokens, strict=True)
    parts = (some for _, some in groupby(numbered, key=lambda item: item[0]))
    return [[token for _, token in part if not token.word.punct] for part in parts]
