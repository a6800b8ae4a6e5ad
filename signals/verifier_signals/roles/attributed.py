"""A claim and a premise go in; people of the claim of whom it says what the premise tells of another come out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.names import (
    Finder,
    Name,
    can_be_rivals,
    is_alias,
    is_known,
    may_be_one,
    mention_of,
    names_in,
)
from verifier_signals.roles.bounds import keys_in
from verifier_signals.roles.facts import ANAPHORS, reads_as_person
from verifier_signals.roles.holders import holders_in
from verifier_signals.stems import LIGHT_WORDS, word_key
from verifier_signals.syntax import is_common, read

__all__ = ["attributed"]

_MOST = 0.5
"""Share of a claim's words that a sentence must have to tell of what the claim tells."""
_SAME_MATTER = 0.7
"""The same where the premise knows nothing of the person of the claim."""


class _Told(NamedTuple):
    """A sentence: the keys of its content words, its names, and whether a pronoun in it stands for somebody."""

    keys: frozenset[str]
    names: tuple[Name, ...]
    open: bool


def attributed(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each such person of the claim: the one of whom the premise tells it.

    Either a sentence about the other one has what the sentences about the claim's person have of the claim, and most
    of it besides; or the premise has nothing of that person, and in the same matter one other person only.
    """
    people, wanted = _people(claim, find), _keys(claim, find)
    if not (people and wanted) or len(wanted & keys_in(premise)) < _MOST * len(wanted):
        return {}
    known = find(claim)
    found: dict[Name, Name] = {}
    for person in people:
        rival = _told_of_another(person, known, wanted, premise, find)
        rival = rival or _in_place_of(person, known, wanted, premise, find)
        if rival is not None:
            found[person] = rival
    return found


@lru_cache(maxsize=2048)
def _people(text: str, find: Finder) -> tuple[Name, ...]:
    return tuple(filter(reads_as_person, find(text)))


@lru_cache(maxsize=2048)
def _keys(text: str, find: Finder) -> frozenset[str]:
    return frozenset().union(*(told.keys for told in _sentences(text, find)))


@lru_cache(maxsize=2048)
def _sentences(text: str, find: Finder) -> tuple[_Told, ...]:
    reading = read(text)
    names = find(text)
    inside = {at for name in names for at in range(name.first, name.last)}
    count = reading.sentences[-1] + 1 if reading.sentences else 0
    keys: list[set[str]] = [set() for _ in range(count)]
    pronoun = [False] * count
    for at, token in enumerate(reading.tokens):
        low, sentence = token.word.low, reading.sentences[at]
        pronoun[sentence] |= low in ANAPHORS
        if at not in inside and not token.word.punct and low not in LIGHT_WORDS:
            keys[sentence].add(word_key(low))
    held: list[list[Name]] = [[] for _ in range(count)]
    for name in names:
        held[reading.sentences[name.first]].append(name)
    return tuple(
        _Told(frozenset(some - {""}), tuple(mine), told)
        for some, mine, told in zip(keys, held, pronoun, strict=True)
    )


def _told_of_another(
    person: Name,
    known: Sequence[Name],
    wanted: frozenset[str],
    premise: str,
    find: Finder,
) -> Name | None:
    sentences = _sentences(premise, find)
    own = [told for told in sentences if any(is_alias(person, name) for name in told.names)]
    if not own:
        return None
    holders = [holder.name for holder in holders_in(premise, find)]
    if not (_surely_person(person) or is_known(person, holders)):
        return None
    said = frozenset().union(*(told.keys for told in own)) & wanted
    if len(said) > 1:
        return None
    for told in sentences:
        shared = told.keys & wanted
        if told in own or told.open or not said < shared or len(shared) < _MOST * len(wanted):
            continue
        for name in told.names:
            person_too = _surely_person(name) or (reads_as_person(name) and name in holders)
            if person_too and can_be_rivals(person, name) and not is_known(name, known):
                return name
    return None


def _in_place_of(
    person: Name, known: Sequence[Name], wanted: frozenset[str], premise: str, find: Finder
) -> Name | None:
    theirs, reading = find(premise), read(premise)
    if len(_keys(premise, find) & wanted) < _SAME_MATTER * len(wanted):
        return None
    if not _surely_person(person) or mention_of(person, theirs, reading) is not None:
        return None
    if any(mention_of(name, theirs, reading) is None for name in known if name is not person):
        return None
    if any(may_be_one(person, other) for other in theirs) or _begins_with_pronoun(premise, find):
        return None
    others = {name.words: name for name in theirs if _surely_person(name) and not is_known(name, known)}
    [rival] = others.values() if len(others) == 1 else [None]
    return rival if rival is not None and can_be_rivals(person, rival) else None


@lru_cache(maxsize=2048)
def _begins_with_pronoun(text: str, find: Finder) -> bool:
    """Whether a text speaks of somebody before it names anybody: ``His film stars Ada Orr``."""
    reading = read(text)
    first = min((name.first for name in find(text) if _surely_person(name)), default=len(reading.tokens))
    return not ANAPHORS.isdisjoint(reading.lows[:first])


def _surely_person(name: Name) -> bool:
    """Whether a name reads as a person's, and its last word is no ordinary one (``Cairn Lift``)."""
    return reads_as_person(name) and not is_common(name.words[-1])
