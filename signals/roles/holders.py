"""A reading goes in, who holds which role comes out: ``Lead author: A``, ``B (treasurer)``, ``C is the chair of D``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from signals.names import Name, comparable, is_alias, names_in
from signals.syntax import BE, Reading, read
from verifier.core.lexicon import lexicon

__all__ = ["Holder", "holders_in", "other_holder"]

_ROLES = lexicon("""
    chair chairman chairwoman chairperson head president director manager officer editor author founder
    co-founder owner operator sponsor patron captain coach trainer mayor minister secretary treasurer chancellor
    principal dean rector headteacher conductor composer architect designer engineer inventor publisher producer
    curator inspector auditor investigator coordinator supervisor leader commander spokesman spokeswoman
    spokesperson winner champion runner-up successor predecessor landlord tenant buyer seller lender borrower
    supplier manufacturer maker contractor regulator registrar librarian keeper host organiser organizer
    chief executive deputy translator illustrator photographer narrator soloist goalkeeper referee partner
    """)
_PLURAL_ROLES = lexicon("partner engineer inspector auditor sponsor owner tenant supplier contractor host")
"""Roles that one thing often has several of: only a name with ``the`` before the role is set against another."""
_LINKS = lexicon("is was became becomes remains remained named serves served")
_ARTICLES = lexicon("the its their our his her this")
_INDEFINITE = lexicon("a an one")
_STOPS = frozenset(".;:,()!?|")
_REACH = 5
_SAME_THING = 0.5


class Holder(NamedTuple):
    """``name`` holds the role with that head and those modifiers (stems), for the things in ``of`` (stems)."""

    role: str
    modifiers: frozenset[str]
    of: frozenset[str]
    name: Name
    definite: bool


@lru_cache(maxsize=2048)
def holders_in(text: str) -> tuple[Holder, ...]:
    """Who holds which role (its stem), in reading order.

    >>> [(holder.role, holder.name.text) for holder in holders_in("Chair: Ada Orr. Ben Lee is the editor of it.")]
    [('chair', 'Ada Orr'), ('edit', 'Ben Lee')]
    """
    reading = read(text)
    return tuple(holder for name in names_in(text) for holder in _held(reading, name))


def _held(reading: Reading, name: Name) -> Iterator[Holder]:
    tokens = reading.tokens
    low = tokens[name.last].word.low if name.last < len(tokens) else ""
    if name.first and tokens[name.first - 1].word.low == ":":
        yield from _phrase(reading, name, _back(reading, name.first - 2), name.first - 1, definite=True)
    elif name.first:
        yield from _before(reading, name)
    if low in ("(", ","):
        yield from _phrase(reading, name, name.last + 1, _ahead(reading, name.last + 1), definite=low == "(")
    elif low in _LINKS:
        start = name.last + 1
        if start < len(tokens) and tokens[start].word.low == "as":
            start += 1
        yield from _phrase(reading, name, start, _ahead(reading, start), definite=False)


def _before(reading: Reading, name: Name) -> Iterator[Holder]:
    """``the chair of the board is A``, ``chief engineer A``."""
    tokens = reading.tokens
    at = name.first - 1
    if tokens[at].word.low in BE:
        yield from _phrase(reading, name, _back(reading, at - 1), at, definite=False)
    elif tokens[at].word.low in _ROLES and not tokens[at].word.capital:
        yield from _phrase(reading, name, _modified_from(reading, at), at + 1, definite=False)


def _modified_from(reading: Reading, at: int) -> int:
    """Where the modifiers of a role begin: ``the music director A``."""
    first = at
    while first and at - first < 3 and not reading.tokens[first - 1].word.punct:
        word = reading.tokens[first - 1].word
        if word.function or word.capital or word.verb is not None:
            return first - 1 if word.low in _ARTICLES else first
        first -= 1
    return first


def _back(reading: Reading, at: int) -> int:
    first = at + 1
    sentence = reading.sentences[at] if at >= 0 else -1
    while first and at + 1 - first < 8 and reading.sentences[first - 1] == sentence:
        if reading.tokens[first - 1].word.low in _STOPS:
            break
        first -= 1
    return first


def _ahead(reading: Reading, first: int) -> int:
    last = first
    while last < len(reading.tokens) and last - first < 12 and reading.tokens[last].word.low not in _STOPS:
        last += 1
    return last


def _phrase(reading: Reading, name: Name, first: int, last: int, *, definite: bool) -> Iterator[Holder]:
    """The role that tokens ``first`` up to ``last`` name, with what stands behind ``of``, ``at`` or ``for``."""
    tokens = reading.tokens
    links = (
        at for at in range(first, last) if tokens[at].word.low in ("of", "at", "for", "in", "to", "during")
    )
    end = next(links, last)
    begin = first
    lows = [tokens[at].word.low for at in range(first, end)]
    if lows and lows[0] in _ARTICLES | _INDEFINITE:
        begin, definite = first + 1, definite or lows[0] in _ARTICLES
        if lows[0] in _INDEFINITE:
            return
    if not begin < end <= begin + _REACH or tokens[end - 1].word.low not in _ROLES:
        return
    words = [tokens[at].word for at in range(begin, end)]
    if any(word.punct or word.function or word.number for word in words):
        return
    head = words[-1]
    modifiers = frozenset(word.stem for word in words[:-1])
    if head.low in _PLURAL_ROLES and not (definite or modifiers):
        return
    of = frozenset(
        token.word.stem
        for token in tokens[end:last]
        if not (token.word.punct or token.word.function or token.word.number)
    )
    yield Holder(head.stem, modifiers, of, name, definite)


def other_holder(claim: str, premise: str) -> dict[Name, Name]:
    """For each name of the claim: who holds its role in the evidence instead."""
    ours = holders_in(claim)
    theirs = holders_in(premise) if ours else ()
    if not theirs:
        return {}
    stems = {token.word.stem for token in read(premise).tokens}
    found: dict[Name, Name] = {}
    for mine in ours:
        if not len(mine.of & stems) >= _SAME_THING * len(mine.of):
            continue
        same = [
            other
            for other in theirs
            if other.role == mine.role and other.modifiers == mine.modifiers and _same_thing(mine, other)
        ]
        if same and not any(is_alias(mine.name, other.name) for other in same):
            rival = next((other for other in same if comparable(mine.name, other.name)), None)
            if rival is not None:
                found[mine.name] = rival.name
    return found


def _same_thing(ours: Holder, theirs: Holder) -> bool:
    return not (ours.of and theirs.of) or bool(ours.of & theirs.of)
