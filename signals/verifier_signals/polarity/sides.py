"""Two sides of a claim's relation and two of a premise's go in, how far they are the same or exchanged comes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import common_words, scales_of
from verifier_signals.polarity.quantifiers import NO_COUNT
from verifier_signals.polarity.ties import Ties
from verifier_signals.syntax import Reading
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["Sides", "base_of", "clashing", "content_of", "denied", "pairing", "sentence_at"]

_UNITS = lexicon("""
    second seconds minute minutes hour hours day days week weeks month months year years decade decades century
    centuries time times long soon shortly later earlier
    """)
_NOT = lexicon("""
    not never isn't wasn't aren't weren't didn't doesn't don't won't cannot no nobody none nor neither nothing
    """)
_TIMED = lexicon("later earlier sooner")
_IRREGULAR = {
    "better": "good",
    "worse": "bad",
    "farther": "far",
    "further": "far",
    "elder": "old",
    "lesser": "small",
}


class Sides(NamedTuple):
    """What stands on either side of a relation, as stems; nothing on the right stands for anything else."""

    left: frozenset[str]
    right: frozenset[str]


def pairing(ours: Sides, theirs: Sides) -> tuple[float, float]:
    """How well the sides meet as they stand, and exchanged; each in [0, 2].

    A side that shares nothing with its counterpart makes a pairing worthless.
    """
    if not theirs.right or not ours.right:
        return _with_any(ours, theirs)
    straight = _sum(_cover(ours.left, theirs.left), _cover(ours.right, theirs.right))
    crossed = _sum(_cover(ours.left, theirs.right), _cover(ours.right, theirs.left))
    return straight, crossed


def _with_any(ours: Sides, theirs: Sides) -> tuple[float, float]:
    """The same where one side is everything else: ``more than anyone``."""
    if not ours.right:
        ours, theirs = theirs, ours
    return 2.0 * _cover(ours.left, theirs.left), 2.0 * _cover(ours.right, theirs.left)


def _sum(first: float, second: float) -> float:
    return first + second if first and second else 0.0


def clashing(agreeing: float, contrary: float, ties: Ties) -> int:
    """-1 where the sides speak for the contrary relation, 1 where for the same, 0 where they do not tell."""
    if max(agreeing, contrary) < ties.ahead or abs(agreeing - contrary) < ties.clearly:
        return 0
    return 1 if agreeing > contrary else -1


def _cover(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def sentence_at(reading: Reading, at: int) -> tuple[int, int]:
    """The tokens of the sentence around a token."""
    begin = end = at
    while begin and reading.sentences[begin - 1] == reading.sentences[at]:
        begin -= 1
    while end < len(reading.tokens) and reading.sentences[end] == reading.sentences[at]:
        end += 1
    return begin, end


def denied(reading: Reading, places: Iterable[int]) -> bool:
    """Whether one of the words denies; the ``No,`` of an answer denies the question, and not what it goes on to say,
    and ``no later than``, ``no more than ten`` set a limit."""
    return any(reading.tokens[at].word.low in _NOT and not _limits(reading, at) for at in places)


def _limits(reading: Reading, at: int) -> bool:
    following = reading.tokens[at + 1].word.low if at + 1 < len(reading.tokens) else ""
    if at in reading.heads and following == ",":
        return True
    than = reading.tokens[at + 2].word.low if at + 2 < len(reading.tokens) else ""
    if reading.tokens[at].word.low not in ("no", "not") or following not in NO_COUNT or than != "than":
        return False
    behind = (token.word for token in reading.tokens[at + 3 : at + 5])
    return following in _TIMED or any(word.number or word.low in NUMBER_WORDS for word in behind)


def content_of(reading: Reading, places: Iterable[int]) -> frozenset[str]:
    """Stems of what happens or is measured, years included; a bare span of time (``90 days``) belongs to the
    numbers."""
    found = set()
    for at in places:
        word = reading.tokens[at].word
        if word.number and len(word.low) == 4 and word.low.isdecimal():
            found.add(word.low)
        elif not (
            word.punct or word.function or word.number or word.low in _UNITS or word.low in NUMBER_WORDS
        ):
            found.add(word.stem)
    return frozenset(found)


def base_of(low: str) -> str | None:
    """The positive form of a comparative; ``None`` for a word that only ends like one.

    >>> base_of("heavier"), base_of("bigger"), base_of("larger"), base_of("summer")
    ('heavy', 'big', 'large', None)
    """
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if not low.endswith("er") or len(low) < 5:
        return None
    stem = low[:-2]
    undoubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
    candidates = (f"{stem[:-1]}y" if stem.endswith("i") else stem, f"{stem}e", undoubled)
    return next((one for one in candidates if scales_of(one) and one in common_words()), None)
