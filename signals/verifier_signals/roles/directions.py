"""A claim and a premise go in; where one says ``from A to B`` and the other ``from B to A`` comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.stems import word_key
from verifier_signals.syntax import Reading, read

__all__ = ["Direction", "reversed_directions"]

_TO = lexicon("to into onto")
_BOTH_WAYS = re.compile(
    r"\b(?:distance|way|road|route|line|path|trail|journey|trip|ride|walk|drive|flight|crossing|ferry|ferries|bus|buses"
    r"|trains?|trams?|boats?|sail(?:s|ed)?|runs?|ran|leads?|goes|went|km|kilometres?|miles?|back|both ways|"
    r"each way|return)\b",
    re.IGNORECASE,
)
"""What is true of both directions, or tells of a way that goes back."""
_STOPS = lexicon(". ; : , ( ) and or but which who that when while because by on at for with in until")
_LONGEST = 6
"""Tokens between ``from`` and ``to``, and behind ``to``."""

Span = tuple[int, int]


class Direction(NamedTuple):
    """Two ends, as the words of each, at characters ``start`` to ``end``; ``by`` are the words that lead into them."""

    origin: frozenset[str]
    goal: frozenset[str]
    by: frozenset[str]
    start: int
    end: int


def reversed_directions(claim: str, premise: str) -> list[tuple[Span, Span]]:
    """The spans of the directions that the premise states the other way round, on both sides.

    None where it states one of them as the claim does, too, or where the claim tells of a way, that leads back as well.
    """
    ours = directions_in(claim)
    if not ours or _BOTH_WAYS.search(claim):
        return []
    told = directions_in(premise)
    if any(
        _alike(one.origin, other.origin) and _alike(one.goal, other.goal) for one in ours for other in told
    ):
        return []
    return [
        ((one.start, one.end), (other.start, other.end))
        for one in ours
        for other in told
        if _alike(one.origin, other.goal) and _alike(one.goal, other.origin) and one.by & other.by
    ]


@lru_cache(maxsize=2048)
def directions_in(text: str) -> tuple[Direction, ...]:
    """The directions of a text: ``from Riga to Oslo``, ``out of the lake into the canal``.

    >>> [(sorted(one.origin), sorted(one.goal)) for one in directions_in("It was moved from Riga to Oslo.")]
    [(['riga'], ['oslo'])]
    """
    reading = read(text)
    return tuple(_directions(reading)) if "from" in reading.places else ()


def _directions(reading: Reading) -> Iterator[Direction]:
    for at in reading.places["from"]:
        to = _reach(reading, at, at + 1, _TO)
        if to is None:
            continue
        end = _end(reading, to + 1)
        origin, goal = _words(reading, range(at + 1, to)), _words(reading, range(to + 1, end))
        by = _words(reading, range(max(at - _LONGEST, 0), at))
        if origin and goal and not origin & goal:
            yield Direction(origin, goal, by, reading.tokens[at].start, reading.tokens[end - 1].end)


def _reach(reading: Reading, at: int, first: int, wanted: frozenset[str]) -> int | None:
    for place in range(first + 1, min(first + _LONGEST, len(reading.tokens))):
        low = reading.tokens[place].word.low
        if low in wanted and reading.sentences[place] == reading.sentences[at]:
            return place
        if low in _STOPS:
            return None
    return None


def _end(reading: Reading, first: int) -> int:
    last = min(first + _LONGEST, len(reading.tokens))
    stops = (place for place in range(first, last) if reading.tokens[place].word.low in _STOPS)
    return next(stops, last)


def _words(reading: Reading, places: range) -> frozenset[str]:
    found = set()
    for at in places:
        word = reading.tokens[at].word
        if not (word.punct or word.function):
            found.add(word_key(word.low) or word.low)
    return frozenset(found)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one
