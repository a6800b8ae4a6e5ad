"""What two editions of a text say of a claim that something changed, or did not, from one to the next.

``The 2025 terms raised the fee for late returns over those of 2022`` is settled by a figure of the one document and its
like in the other, in sentences that say the same but for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.comparison import is_denied
from verifier_signals.polarity.trend import direction_of
from verifier_signals.ranking.prose import sentence_parts
from verifier_signals.ranking.types import EvidencePiece, Keys, LookupResult, ShownValue
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, read
from verifier_signals.values import Value, values_of

__all__ = ["Revision", "revised_in", "settled_by_editions"]

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBERED = re.compile(
    r"\b(?:version|edition|issue|release)s?\s+(\d+(?:\.\d+)*)(?:\s+(?:and|to)\s+(\d+(?:\.\d+)*))?",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"\b(?:unchanged|unaltered|untouched|the same|(?:did|does|has|have|was|were) not (?:been )?chang\w+"
    r"|as (?:it|they) (?:was|were))\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b(?<!per )([a-z]+s|percentages?)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_UP = lexicon("extend lift prolong")
"""Verbs that point up where they are said of a figure, beside those of :mod:`verifier_signals.polarity.direction`."""
_FACTORS = {"double": 2.0, "halve": 0.5, "triple": 3.0}
_OF_EDITIONS = lexicon("""
    version edit issu releas term polici rule condit replac compar year form old new earlier later previou current
    follow leav stay remain keep chang same unchang
    """)
"""Stems of words by which a claim speaks of editions and of change, and not of what changed."""
_IN_HEADING = 0.3
"""What a word is worth that stands in the heading over a figure: less than anywhere in its sentence."""
_TOLD = 0.5
"""Share of the claim's words that must stand with a figure, in its sentence or the heading over it."""


class Revision(NamedTuple):
    """That something went up (``way`` 1), down (-1) or stayed (0) from the ``older`` edition to the ``newer`` one.

    ``factor`` is 0 unless the claim says how many times as much it became. ``about`` are the words of what changed,
    ``dimension`` is that of its figures where the claim names a unit (``more kilometres``), ``span`` is where the words
    of the change stand.
    """

    older: str
    newer: str
    way: int
    factor: float
    about: Keys
    dimension: str
    span: tuple[int, int]


@lru_cache(maxsize=512)
def revised_in(claim: str) -> Revision | None:
    """The one change between two editions, named by year or number, that a claim tells of.

    >>> revised_in("The 2025 terms raised the late fee that those of 2022 had set.")[:3]
    ('2022', '2025', 1)
    """
    marks = _marks(claim)
    if marks is None:
        return None
    older, newer = sorted(marks, key=_in_order)
    told = _way(claim, _side(claim, marks, newer))
    if told is None:
        return None
    way, factor, span = told
    about = frozenset(
        word.key
        for word in content_words(claim)
        if not (span[0] <= word.start < span[1] or word.key in _OF_EDITIONS or word.key in marks)
    )
    figures = [value for value in values_of(claim).values if value.quantities and value.kind != "code"]
    counted = any(
        not value.weak and claim[slice(*value.core)] not in marks and not value.dates for value in figures
    )
    if not about or (counted and not factor):
        return None
    dimension = _dimension(claim[: span[0]] + claim[span[1] :])
    return Revision(older, newer, way, factor, about, dimension, span)


def settled_by_editions(asked: Revision, pieces: Sequence[tuple[str, EvidencePiece]]) -> LookupResult | None:
    """What the two editions have for what is said to have changed; ``None`` where they do not plainly tell.

    Args:
        asked: what the claim says.
        pieces: of both editions, each behind the mark of its edition; places are numbered over all of them.
    """
    about = asked.about - _title(pieces)
    old, new = (list(_figures(about, mark, pieces)) for mark in (asked.older, asked.newer))
    ranked = sorted(
        (
            (one.told + other.told + _likeness(one.words, other.words), one, other)
            for one, other in product(old, new)
            if _comparable(one, other, asked.dimension)
        ),
        key=lambda item: -item[0],
    )
    if not ranked:
        return None
    ways = {_change(one.value, other.value) for told, one, other in ranked if told == ranked[0][0]}
    if len(ways) != 1 or None in ways:
        return None
    [way] = ways
    _, one, other = ranked[0]
    if asked.factor and way == asked.way and not _times(one.value, other.value, asked.factor):
        return None
    return LookupResult(way == asked.way, asked.span, other.shown, one.shown)


class _Figure(NamedTuple):
    """A figure with how much of what changed is told with it, the words of its sentence, and where it stands."""

    value: Value
    told: float
    words: Keys
    head: Keys
    shown: ShownValue


def _marks(claim: str) -> frozenset[str] | None:
    """The two numbers of versions that a claim names, else its two years."""
    numbers = {number for found in _NUMBERED.finditer(claim) for number in found.groups() if number}
    years = set(_YEAR.findall(claim))
    for marks in (numbers, years):
        if len(marks) == 2:
            return frozenset(marks)
    return None


def _dimension(claim: str) -> str:
    """What the unit that a claim names in the plural measures (``kilometres``); ``""`` where it names none, or two."""
    words = (word for found in _PLURAL.finditer(claim) for word in found.groups() if word)
    found = {
        "share" if word.startswith("percentage") else value.quantities[0].dimension
        for word in words
        for value in values_of(f"5 {word}").values
        if value.quantities
    }
    found.discard("")
    return found.pop() if len(found) == 1 else ""


def _in_order(mark: str) -> tuple[int, ...]:
    return tuple(map(int, mark.split(".")))


def _side(claim: str, marks: frozenset[str], newer: str) -> int:
    """1 where a comparison is one of the newer edition with the older, -1 the other way, 0 without ``than``."""
    than = _THAN.search(claim)
    if than is None:
        return 0
    behind = [mark for mark in marks if re.search(rf"\b{re.escape(mark)}\b", claim[than.end() :])]
    if len(behind) != 1:
        return 0
    return -1 if behind[0] == newer else 1


def _way(claim: str, side: int) -> tuple[int, float, tuple[int, int]] | None:
    """Which way the claim says that things changed, by what factor, and in which words."""
    same = _SAME.search(claim)
    if same is not None:
        return 0, 0.0, same.span()
    reading = read(claim)
    if is_denied(reading, range(len(reading.tokens))):
        return None
    verbs = {group.main: group.lemma for clause in reading.clauses for group in clause.verbs}
    told = [(at, way) for at, lemma in verbs.items() if (way := _verbal(reading, at, lemma)) is not None]
    if len(told) == 1:
        at, way = told[0]
        token = reading.tokens[at]
        return way, _FACTORS.get(verbs[at], 0.0), (token.start, token.end)
    sizes = [
        (token, found)
        for token in reading.tokens
        if (found := direction_of(token.word.low)) is not None and found.kind == "size"
    ]
    if told or len(sizes) != 1 or not side:
        return None
    token, found = sizes[0]
    return side * (1 if found.up else -1), 0.0, (token.start, token.end)


def _verbal(reading: Reading, at: int, lemma: str) -> int | None:
    """Which way a verb points."""
    following = reading.lows[at + 1] if at + 1 < len(reading.lows) else ""
    if lemma in ("go", "come", "bring", "be") and following in ("up", "down"):
        return 1 if following == "up" else -1
    if lemma in _UP:
        return 1
    found = direction_of(reading.tokens[at].word.low)
    return None if found is None or found.kind != "change" else 1 if found.up else -1


def _title(pieces: Sequence[tuple[str, EvidencePiece]]) -> Keys:
    """The words that every heading of both editions has: those of their title."""
    headings = [sentence_parts(piece.text, piece.start)[0] for mark, piece in pieces if mark]
    return frozenset[str]().union(*headings[:1]).intersection(*headings)


def _figures(about: Keys, mark: str, pieces: Sequence[tuple[str, EvidencePiece]]) -> Iterator[_Figure]:
    """The figures of an edition that enough of what changed is told with."""
    for at, (own, piece) in enumerate(pieces):
        if own != mark:
            continue
        headings, text, start = sentence_parts(piece.text, piece.start)
        for value in text.values:
            if (
                value.start < start
                or value.weak
                or value.dates
                or not value.quantities
                or value.kind == "code"
            ):
                continue
            near = text.near(value)
            worth = {key: near.get(key, _IN_HEADING if key in headings else 0.0) for key in about}
            if sum(map(bool, worth.values())) < _TOLD * len(about):
                continue
            if not any(key in near for key in about):
                continue
            words = frozenset(near)
            yield _Figure(value, sum(worth.values()), words, text.head(value), ShownValue(at, *value.core))


def _likeness(one: Keys, other: Keys) -> float:
    """Share of the words of two sentences that both have, in [0, 1]."""
    return len(one & other) / max(len(one | other), 1)


def _comparable(one: _Figure, other: _Figure, dimension: str) -> bool:
    """Whether two figures are of one kind, that ``dimension`` if any, and count the same where they are counts."""
    mine, theirs = one.value.quantities[0], other.value.quantities[0]
    if mine.dimension != theirs.dimension or one.value.per != other.value.per:
        return False
    if dimension and mine.dimension != dimension:
        return False
    return bool(mine.dimension) or not one.head or not other.head or bool(one.head & other.head)


def _change(older: Value, newer: Value) -> int | None:
    """1 where the newer value is the larger, -1 where it is the smaller, 0 where both are the same."""
    one, other = older.quantities[0], newer.quantities[0]
    if (one.low, one.high) == (other.low, other.high):
        return 0
    if one.low <= other.low and one.high <= other.high:
        return 1
    return -1 if one.low >= other.low and one.high >= other.high else None


def _times(older: Value, newer: Value, factor: float) -> bool:
    one, other = older.quantities[0], newer.quantities[0]
    return one.low == one.high and other.low == other.high and abs(one.low * factor - other.low) < 1e-9
