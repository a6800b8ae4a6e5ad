"""A claim and a premise go in; names of the claim of which it says what the premise attaches to another come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, comparable, is_alias, is_known, names_in
from verifier_signals.roles.bounds import keys_in
from verifier_signals.roles.facts import ANAPHORS, LINKS, key_at
from verifier_signals.roles.fillers import Owners, owners_in
from verifier_signals.syntax import Reading, read

__all__ = ["attached"]

_RELATIVES = lexicon("who which whose where")
_OPENERS = lexicon("the a an one its their his her formerly then now also") | _RELATIVES
"""Words with which a phrase behind a comma speaks of the name before it."""
_JOINS = frozenset({",", "and", "or", "&", "/", ";"})
_ENDS = frozenset({";", ".", "|", "(", ")"})
_DENYING = lexicon("not no nor never neither none nobody nothing without cannot")
_MOST = 0.5
"""Share of what a claim says of a name that must be attached to the other one."""


class _Attachment(NamedTuple):
    """What stands in brackets or behind a comma right behind a name, and says something of that name alone."""

    name: Name
    keys: frozenset[str]
    names: tuple[Name, ...]
    sentence: int


def attached(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim: the one to which the premise attaches more than half of what the claim says of it.

    Both stand in one sentence of the premise, each with words of its own: ``Orlow, the deepest of them, and Varn, which
    freezes in winter``. Nothing is found where the premise says any of it of the claim's name too, in an attachment of
    that one, in another sentence that names it, or in one with a pronoun.
    """
    wanted = _wanted(claim, find)
    if not wanted or len(wanted & keys_in(premise)) <= _MOST * len(wanted):
        return {}
    told = _attachments(premise, find)
    known = find(claim)
    found: dict[Name, Name] = {}
    for name in known if told else ():
        rival = _rival(name, known, wanted, told, premise, find)
        if rival is not None:
            found[name] = rival
    return found


@lru_cache(maxsize=2048)
def _wanted(claim: str, find: Finder) -> frozenset[str]:
    """The keys of what a claim says of its names; none where it has no name or denies something."""
    reading, owner = read(claim), owners_in(claim, find)
    places = range(len(reading.tokens))
    return _keys(reading, owner, places) if owner and not _denies(reading, places) else frozenset()


def _rival(
    name: Name,
    known: Sequence[Name],
    wanted: frozenset[str],
    told: Sequence[_Attachment],
    premise: str,
    find: Finder,
) -> Name | None:
    own = [other for other in told if is_alias(name, other.name)]
    if not own:
        return None
    said = frozenset().union(*(other.keys for other in own)) | _said_elsewhere(name, premise, find)
    for other in told:
        shared = other.keys & wanted
        if len(shared) <= _MOST * len(wanted) or shared & said or is_known(other.name, known):
            continue
        together = any(mine.sentence == other.sentence for mine in own)
        if together and comparable(name, other.name) and not is_known(name, other.names):
            return other.name
    return None


@lru_cache(maxsize=2048)
def _attachments(text: str, find: Finder) -> tuple[_Attachment, ...]:
    """What is attached to the names of a text, where a sentence attaches something to two of them."""
    reading = read(text)
    owner = owners_in(text, find)
    found: list[_Attachment] = []
    taken: set[int] = set()
    for name in find(text):
        places = _behind(reading, owner, name, taken)
        taken.update(places)
        inside = tuple(dict.fromkeys(owner[at] for at in places if at in owner))
        keys = _keys(reading, owner, places)
        if keys and not _denies(reading, places):
            found.append(_Attachment(name, keys, inside, reading.sentences[name.first]))
    several = [one.sentence for one in found]
    return tuple(one for one in found if several.count(one.sentence) > 1)


def _behind(reading: Reading, owner: Owners, name: Name, taken: Set[int]) -> range:
    """The tokens in brackets behind a name, or those between commas that speak of that name alone; else none.

    ``taken`` are those that speak of names before it.
    """
    tokens, at = reading.tokens, name.last
    nothing = range(at, at)
    if at + 1 >= len(tokens) or reading.sentences[at] != reading.sentences[name.first]:
        return nothing
    mark, opener = tokens[at].word.low, tokens[at + 1].word.low
    if mark == "(":
        return range(at + 1, _closing(reading, {}, at + 1))
    if mark != "," or opener not in _OPENERS or _is_part(reading, owner, name, taken):
        return nothing
    phrase = range(at + 1, _closing(reading, owner, at + 1))
    return nothing if opener not in _RELATIVES and _asserts(reading, phrase) else phrase


def _is_part(reading: Reading, owner: Owners, name: Name, taken: Set[int]) -> bool:
    """Whether what follows a name can speak of more: the last of a row (``A and B, who``), a place behind ``of``."""
    at = name.first - 1
    while at >= 0 and reading.tokens[at].word.low in {"the", "a", "an"}:
        at -= 1
    if at < 0:
        return False
    if reading.tokens[at].word.low in LINKS:
        return True
    while at >= 0 and reading.tokens[at].word.low in _JOINS:
        at -= 1
    return at in owner and at not in taken and at + 1 < name.first


def _closing(reading: Reading, owner: Owners, first: int) -> int:
    """Where an attachment ends: at a comma before a name or ``and`` with a name, or with its sentence."""
    tokens = reading.tokens
    for at in range(first, len(tokens)):
        low = tokens[at].word.low
        if low in _ENDS or reading.sentences[at] != reading.sentences[first]:
            return at
        if low == "," and any(near in owner for near in range(at + 1, at + 4)):
            return at
    return len(tokens)


def _asserts(reading: Reading, places: range) -> bool:
    """Whether a phrase has a finite verb, so that it is a clause: ``Leaving Elm, the ferry calls at Orlow``."""
    verbs = (group for clause in reading.clauses for group in clause.verbs if group.main in places)
    for group in verbs:
        verb, before = reading.tokens[group.main].word.verb, reading.tokens[group.first - 1].word.low
        if group.first < group.main or verb is None or verb.form == "s":
            return True
        if verb.form == "base" and before.endswith("s"):
            return True
    return False


def _said_elsewhere(name: Name, premise: str, find: Finder) -> frozenset[str]:
    """The keys of the sentences without attachments that name it, or have a pronoun that may stand for it."""
    reading, names = read(premise), find(premise)
    apart = {one.sentence for one in _attachments(premise, find)}
    naming = {reading.sentences[other.first] for other in names if is_alias(name, other)}
    naming |= {reading.sentences[at] for at, token in enumerate(reading.tokens) if token.word.low in ANAPHORS}
    places = [at for at, sentence in enumerate(reading.sentences) if sentence in naming - apart]
    return _keys(reading, owners_in(premise, find), places)


def _keys(reading: Reading, owner: Owners, places: Iterable[int]) -> frozenset[str]:
    return frozenset(key for at in places if (key := key_at(reading, owner, at)))


def _denies(reading: Reading, places: Iterable[int]) -> bool:
    lows = (reading.tokens[at].word.low for at in places)
    return any(low in _DENYING or low.endswith("n't") for low in lows)
