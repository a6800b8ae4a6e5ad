"""Misattribution: the claim says of a name what the premise says of another one.

:func:`attached_to_another` reads brackets and appositions behind a name, :func:`attributed_to_another` whole sentences
about people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon.denials import DENYING_WORDS
from verifier_signals.names import (
    Finder,
    Name,
    can_be_rivals,
    comparable,
    is_alias,
    is_known,
    may_be_one,
    mention_of,
    names_in,
)
from verifier_signals.roles.displacement import ANAPHORS, LINKS, key_at, reads_as_person
from verifier_signals.roles.events import possible_keys
from verifier_signals.roles.fillers import NamesByToken, owners_in
from verifier_signals.roles.holders import holders_in
from verifier_signals.stems import LIGHT_WORDS, word_key
from verifier_signals.syntax import Reading, is_common, read

__all__ = ["attached_to_another", "attributed_to_another"]

_RELATIVES = lexicon("who which whose where")
_OPENERS = lexicon("the a an one its their his her formerly then now also") | _RELATIVES
"""Words with which a phrase behind a comma speaks of the name before it."""
_JOINS = frozenset({",", "and", "or", "&", "/", ";"})
_ENDS = frozenset({";", ".", "|", "(", ")"})
_DENYING = DENYING_WORDS | {"without"}
_MOST = 0.5
"""Share of what a claim says of a name that must be attached to the other one."""


class _Attachment(NamedTuple):
    """What stands in brackets or behind a comma right behind a name, and says something of that name alone."""

    name: Name
    keys: frozenset[str]
    names: tuple[Name, ...]
    sentence: int


def attached_to_another(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim: the one to which the premise attaches more than half of what the claim says of it.

    Both stand in one sentence of the premise, each with words of its own: ``Orlow, the deepest of them, and Varn, which
    freezes in winter``. Nothing is found where the premise says any of it of the claim's name too, in an attachment of
    that one, in another sentence that names it, or in one with a pronoun.
    """
    wanted = _claimed_keys(claim, find)
    if not wanted or len(wanted & possible_keys(premise)) <= _MOST * len(wanted):
        return {}
    told = _attachments(premise, find)
    known = find(claim)
    found: dict[Name, Name] = {}
    for name in known if told else ():
        rival = _attachment_rival(name, known, wanted, told, premise, find)
        if rival is not None:
            found[name] = rival
    return found


@lru_cache(maxsize=2048)
def _claimed_keys(claim: str, find: Finder) -> frozenset[str]:
    """The keys of what a claim says of its names; none where it has no name or denies something."""
    reading, owner = read(claim), owners_in(claim, find)
    places = range(len(reading.tokens))
    return _keys_of_tokens(reading, owner, places) if owner and not _denies(reading, places) else frozenset()


def _attachment_rival(
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
        places = _tokens_behind_name(reading, owner, name, taken)
        taken.update(places)
        inside = tuple(dict.fromkeys(owner[at] for at in places if at in owner))
        keys = _keys_of_tokens(reading, owner, places)
        if keys and not _denies(reading, places):
            found.append(_Attachment(name, keys, inside, reading.sentences[name.first]))
    several = [one.sentence for one in found]
    return tuple(one for one in found if several.count(one.sentence) > 1)


def _tokens_behind_name(reading: Reading, owner: NamesByToken, name: Name, taken: Set[int]) -> range:
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


def _is_part(reading: Reading, owner: NamesByToken, name: Name, taken: Set[int]) -> bool:
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


def _closing(reading: Reading, owner: NamesByToken, first: int) -> int:
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
    return _keys_of_tokens(reading, owners_in(premise, find), places)


def _keys_of_tokens(reading: Reading, owner: NamesByToken, places: Iterable[int]) -> frozenset[str]:
    return frozenset(key for at in places if (key := key_at(reading, owner, at)))


def _denies(reading: Reading, places: Iterable[int]) -> bool:
    lows = (reading.tokens[at].word.low for at in places)
    return any(low in _DENYING or low.endswith("n't") for low in lows)


_SAME_MATTER = 0.7
"""The same where the premise knows nothing of the person of the claim."""


class _NamedSentence(NamedTuple):
    """A sentence: the keys of its content words, its names, and whether a pronoun in it stands for somebody."""

    keys: frozenset[str]
    names: tuple[Name, ...]
    open: bool


def attributed_to_another(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each such person of the claim: the one of whom the premise tells it.

    Either a sentence about the other one has what the sentences about the claim's person have of the claim, and most
    of it besides; or the premise has nothing of that person, and in the same matter one other person only.
    """
    people, wanted = _people_named(claim, find), _keys_of_sentences(claim, find)
    if not (people and wanted) or len(wanted & possible_keys(premise)) < _MOST * len(wanted):
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
def _people_named(text: str, find: Finder) -> tuple[Name, ...]:
    return tuple(filter(reads_as_person, find(text)))


@lru_cache(maxsize=2048)
def _keys_of_sentences(text: str, find: Finder) -> frozenset[str]:
    return frozenset().union(*(told.keys for told in _sentences(text, find)))


@lru_cache(maxsize=2048)
def _sentences(text: str, find: Finder) -> tuple[_NamedSentence, ...]:
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
        _NamedSentence(frozenset(some - {""}), tuple(mine), told)
        for some, mine, told in zip(keys, held, pronoun, strict=True)
    )


def _told_of_another(
    person: Name, known: Sequence[Name], wanted: frozenset[str], premise: str, find: Finder
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
    if len(_keys_of_sentences(premise, find) & wanted) < _SAME_MATTER * len(wanted):
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
