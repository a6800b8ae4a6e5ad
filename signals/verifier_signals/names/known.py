"""The words of a name go in; which well-known things they name, and their words in one form for all names, come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from verifier.core.lexicon import table_rows
from verifier_signals.names.types import Name
from verifier_signals.syntax.words import tokenise

__all__ = ["people_of", "renamed", "thing_named"]

Words = tuple[str, ...]


class _Things(NamedTuple):
    """What ``aliases.tsv`` lists, by the words of each name."""

    names: Mapping[Words, str]
    people: Mapping[Words, str]
    peoples: Mapping[str, tuple[Words, ...]]
    """The other way round."""
    openings: frozenset[str]
    longest: int


@cache
def _things() -> _Things:
    names: dict[Words, str] = {}
    people: dict[Words, str] = {}
    peoples: dict[str, list[Words]] = defaultdict(list)
    for thing, others, adjectives in table_rows("verifier_signals.lexicon", "aliases.tsv"):
        names |= {_plain(_words(name)): thing for name in (thing, *_items(others))}
        for adjective in _items(adjectives):
            people[_plain(_words(adjective))] = thing
            peoples[thing].append(_words(adjective))
    every = names.keys() | people.keys()
    openings = frozenset(words[0] for words in every)
    return _Things(
        names,
        people,
        {thing: tuple(forms) for thing, forms in peoples.items()},
        openings,
        max(map(len, every)),
    )


def _items(cell: str) -> list[str]:
    return [] if cell == "-" else cell.split("; ")


def _words(name: str) -> Words:
    tokens = tokenise(name)
    return Name(name, tokens, 0, len(tokens)).words


def _plain(words: Words) -> Words:
    """Words without the periods of abbreviations: ``U.S.``, ``US``."""
    return tuple([word.replace(".", "") for word in words])


@lru_cache(maxsize=16384)
def thing_named(words: Words) -> str | None:
    """The well-known thing that the words of a whole name stand for: ``United Kingdom`` for ``Britain``."""
    return _things().names.get(_plain(words))


def people_of(thing: str) -> tuple[Words, ...]:
    """The adjectives, peoples and languages of a thing: ``British`` of ``United Kingdom``."""
    return _things().peoples.get(thing, ())


@lru_cache(maxsize=16384)
def renamed(words: Words) -> Words:
    """The words of a name with each well-known name or people in them as one word.

    >>> renamed(("british", "treasury"))
    ('United Kingdom', 'treasury')
    """
    return words if _things().openings.isdisjoint(_plain(words)) else tuple(_renamed(_plain(words)))


def _renamed(words: Words) -> Iterator[str]:
    things, at = _things(), 0
    while at < len(words):
        for end in range(min(len(words), at + things.longest), at, -1):
            thing = things.names.get(words[at:end]) or things.people.get(words[at:end])
            if thing is not None:
                yield thing
                at = end
                break
        else:
            yield words[at]
            at += 1
