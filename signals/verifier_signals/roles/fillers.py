"""Tokens of a reading go in; the names and head nouns that can fill a role among them come out, slot by slot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name
from verifier_signals.syntax import Reading

__all__ = ["Event", "Filler", "Owners", "as_filler", "fillers_in", "owners_in", "slots_in"]

Owners = Mapping[int, Name]
"""The name that a token belongs to, by the token's place."""

_SLOTS = lexicon("to from by for with under against over as into at in on")
_ENDS = lexicon("""
    because although when while if unless until since than that which who whom or but not ; : ( )
    """)
_PARTICLES = frozenset({"over", "up", "in", "off", "out", "from", "about"})
_COUNTS = lexicon("""
    both some several many few all two three four five six seven eight nine ten
    """)
_FAR = 12
"""Tokens that a slot is looked for in; farther off, a light reading is a guess."""


class Filler(NamedTuple):
    """What fills a role: a name, or the head noun of a phrase (its stem), at characters ``start`` to ``end``."""

    name: Name | None
    head: str
    start: int
    end: int


class Event(NamedTuple):
    """A deed and the fillers of its roles. A role that a pronoun fills is empty: it can be anything."""

    kind: str
    roles: Mapping[str, tuple[Filler, ...]]
    start: int
    end: int


@lru_cache(maxsize=2048)
def owners_in(text: str, find: Finder) -> Owners:
    """The names of a text by the places of their tokens."""
    return {at: name for name in find(text) for at in range(name.first, name.last)}


def as_filler(name: Name) -> Filler:
    """A name as what fills a role."""
    return Filler(name, name.words[-1], name.start, name.end)


def slots_in(
    reading: Reading, owner: Owners, begin: int, end: int
) -> tuple[dict[str, tuple[Filler, ...]], tuple[str, ...]]:
    """The object and the prepositional phrases behind a verb, and the particles right behind it."""
    tokens = reading.tokens
    particles = []
    for at in range(begin, min(begin + 2, end)):
        if tokens[at].word.low not in _PARTICLES:
            break
        particles.append(tokens[at].word.low)
    if particles and particles[0] not in {"in", "from"}:
        begin += 1
    slots: dict[str, tuple[Filler, ...]] = {}
    slot, first = "obj", begin
    last = min(end, begin + _FAR)
    for at in range(begin, last + 1):
        low = tokens[at].word.low if at < last else ";"
        if low in _SLOTS or low in _ENDS:
            fillers = fillers_in(reading, owner, first, at)
            if fillers and slot not in slots:
                slots[slot] = fillers
            if low not in _SLOTS:
                break
            slot, first = low, at + 1
    return slots, tuple(particles)


def fillers_in(reading: Reading, owner: Owners, first: int, last: int) -> tuple[Filler, ...]:
    """The names and the head nouns among tokens ``first`` up to ``last``."""
    found: list[Filler] = []
    tokens, at = reading.tokens, first
    while at < last:
        name = owner.get(at)
        if name is not None:
            found.append(as_filler(name))
            at = name.last
            continue
        word = tokens[at].word
        if not (word.punct or word.function or word.number) and _is_head(reading, owner, at, last):
            found.append(Filler(None, word.stem, tokens[at].start, tokens[at].end))
        at += 1
    return tuple(found)


def _is_head(reading: Reading, owner: Owners, at: int, last: int) -> bool:
    """Whether a common noun ends its phrase: no further noun and no name behind it. Things that are only counted
    (``187 goals``, ``both goals``) are not the same things."""
    if reading.tokens[at].word.low.endswith("ly") or reading.tokens[at].word.possessive:
        return False
    if at and (reading.tokens[at - 1].word.number or reading.tokens[at - 1].word.low in _COUNTS):
        return False
    if at + 1 >= last:
        return True
    following = reading.tokens[at + 1].word
    ends = following.punct or following.function or following.low.endswith("ly") or following.low in _COUNTS
    return at + 1 not in owner and ends
