"""Facts about names, and names of the claim in whose place the premise has another one.

A fact is the least piece of a text that says something of a name. :func:`displaced_names` finds the rival;
:func:`rival_denies` decides whether a rival in a role tells against the claim at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import (
    Finder,
    Name,
    can_be_rivals,
    is_alias,
    is_known,
    is_subject,
    may_be_one,
    names_in,
    preposition_before,
    unnamed_subjects,
)
from verifier_signals.roles.events import possible_keys
from verifier_signals.roles.fillers import (
    JOINS,
    ClausePiece,
    NamesByToken,
    opens_with_ing,
    owners_in,
    pieces_in,
)
from verifier_signals.stems import LIGHT_WORDS, word_key
from verifier_signals.syntax import BE, Reading, read

__all__ = [
    "ANAPHORS",
    "LINKS",
    "displaced_names",
    "facts_in",
    "key_at",
    "reads_as_person",
    "rival_denies",
    "share_clause_piece",
]

_ANY, _LINKED, _SUBJECT, _OBJECT = "any", "linked", "subject", "object"
"""Places of a name beside those behind a preposition (which are called by it): unknown, by ``is``, and by a verb."""
LINKS = lexicon("of in on at by for with about against to from under over as than into via through during")
_ONE_LINK = {"at": "in", "on": "in", "through": "via", "for": "of"}
"""Prepositions that are taken for another."""
_RELATIVES = lexicon("who which that whom whose where")
_ATTACHING = _RELATIVES | {",", "("}
_JOINS_OR_BRACKET = JOINS | {"("}
ANAPHORS = lexicon("""
    he she they him her them his their hers theirs he's she's they're himself herself themselves
    """)
_NEUTER = frozenset({"it", "its", "it's", "itself"})
_STOPS = frozenset(".;:,()!?|")
_PLAIN_NUMBER = re.compile(r"\d[\d.,]*")


class PlacedName(NamedTuple):
    """A name and its place in a fact: ``subject``, ``object``, ``linked``, ``any`` or a preposition."""

    name: Name
    place: str


class Fact(NamedTuple):
    """What one piece of a text says.

    ``names`` are those in it, and the one that its missing subject stands for; ``earlier`` further ones that its
    pronouns or its missing subject can stand for. ``keys`` are its content words and plain figures. ``verb`` is the
    lemma of its verb, inherited or its own, empty where it has none.
    """

    names: tuple[PlacedName, ...]
    earlier: tuple[Name, ...]
    keys: frozenset[str]
    verb: str
    sentence: int


@lru_cache(maxsize=2048)
def facts_in(text: str, find: Finder = names_in) -> tuple[Fact, ...]:
    """The facts of a text in reading order.

    >>> for fact in facts_in("Oslo hosts the archive, Riga the museum."):
    ...     print([placed.name.text for placed in fact.names], sorted(fact.keys))
    ['Oslo'] ['archiv', 'host']
    ['Riga'] ['host', 'museum']
    """
    reading = read(text)
    owner = owners_in(text, find)
    facts: list[Fact] = []
    for pieces in pieces_in(text, find):
        for piece in pieces:
            facts.append(_fact(reading, owner, piece, facts))
    return tuple(facts)


def key_at(reading: Reading, owner: NamesByToken, at: int) -> str:
    """What a token says: the key of a content word, a figure, or nothing."""
    token = reading.tokens[at]
    if at in owner or token.word.punct or token.word.function:
        return ""
    if _PLAIN_NUMBER.fullmatch(token.word.low):
        return token.word.low
    return "" if token.word.low in LIGHT_WORDS else word_key(token.word.low)


def _fact(reading: Reading, owner: NamesByToken, piece: ClausePiece, before: Sequence[Fact]) -> Fact:
    tokens = range(piece.first, piece.last)
    keys = {key for at in tokens if (key := key_at(reading, owner, at))}
    if piece.gapped and piece.verb is not None:
        keys.add(key_at(reading, owner, piece.verb.main))
    inside = list(dict.fromkeys(owner[at] for at in tokens if at in owner))
    placed = [PlacedName(name, _place(reading, name, piece)) for name in inside]
    sentence = reading.sentences[piece.first]
    antecedent, earlier = _standing_for(reading, owner, piece, before, sentence)
    if antecedent is not None and antecedent not in inside:
        placed.insert(0, PlacedName(antecedent, _LINKED))
    colon = piece.first > 0 and reading.tokens[piece.first - 1].word.low == ":"
    if colon and before and before[-1].sentence == sentence:
        keys |= before[-1].keys
    verb = "" if piece.verb is None else piece.verb.lemma
    return Fact(tuple(placed), tuple(earlier), frozenset(keys - {""}), verb, sentence)


def _standing_for(
    reading: Reading, owner: NamesByToken, piece: ClausePiece, before: Sequence[Fact], sentence: int
) -> tuple[Name | None, list[Name]]:
    """The name that a missing subject stands for, and all that a pronoun or a missing subject can stand for."""
    here = [fact for fact in before if fact.sentence == sentence]
    near = [fact for fact in before if fact.sentence >= sentence - 1]
    lows = [reading.tokens[at].word.low for at in range(piece.first, piece.last) if at not in owner]
    earlier: list[Name] = []
    antecedent = None
    if here and _lacks_subject(reading, owner, piece):
        names = [placed.name for fact in here for placed in fact.names]
        last = [placed.name for placed in here[-1].names]
        attached = reading.tokens[piece.first].word.low in _ATTACHING or not piece.verb
        antecedent = (last[-1] if attached else names[0]) if names and (last or not attached) else None
        earlier += names
    if not ANAPHORS.isdisjoint(lows):
        earlier += [placed.name for fact in near for placed in fact.names]
    elif not _NEUTER.isdisjoint(lows):
        earlier += [placed.name for fact in near for placed in fact.names if not reads_as_person(placed.name)]
    return antecedent, earlier


def reads_as_person(name: Name) -> bool:
    """Whether a name reads as a person's: two or three words of letters, and nothing that says otherwise."""
    return name.sort == "person" or (
        name.sort == "other" and len(name.words) in (2, 3) and all(map(str.isalpha, name.words))
    )


def _lacks_subject(reading: Reading, owner: NamesByToken, piece: ClausePiece) -> bool:
    """Whether a piece begins with a relative, a verb or an apposition: ``who owns it``, ``a judge from Osaka``."""
    at = piece.first
    while at < piece.last and reading.tokens[at].word.low in _JOINS_OR_BRACKET:
        at += 1
    if at >= piece.last:
        return False
    word = reading.tokens[at].word
    if word.low in _RELATIVES or opens_with_ing(reading, at):
        return True
    if piece.verb is not None and not piece.gapped:
        return (
            piece.verb.first == at
            or (word.low.endswith("ly") and piece.verb.first == at + 1)
            or word.low == "also"
        )
    nameless = all(other not in owner for other in range(at, min(at + 3, piece.last)))
    return nameless and reading.tokens[piece.first].word.low in {",", "("} and word.low not in LINKS


def _place(reading: Reading, name: Name, piece: ClausePiece) -> str:
    tokens = reading.tokens
    if tokens[name.last - 1].word.possessive:
        return "of"
    passive = piece.verb is not None and piece.verb.passive
    at, steps = name.first - 1, 0
    while at >= piece.first and steps < 4 and not tokens[at].word.punct:
        low = tokens[at].word.low
        if low in LINKS:
            return _SUBJECT if low == "by" else _ONE_LINK.get(low, low)
        if tokens[at].word.verb is not None and piece.verb is not None and at == piece.verb.main:
            break
        at, steps = at - 1, steps + 1
    verb = piece.verb
    if verb is None or (piece.gapped and not _opens_piece(reading, name, piece)):
        return _ANY
    if tokens[verb.main].word.low in BE or verb.lemma in ("become", "remain"):
        return _LINKED
    if name.last <= verb.main or piece.gapped:
        return _OBJECT if passive else _SUBJECT
    return _LINKED if passive else _OBJECT


def _opens_piece(reading: Reading, name: Name, piece: ClausePiece) -> bool:
    """Whether a name opens a piece, where the subject stands if its verb is left out: ``Riga the museum``."""
    return all(
        reading.tokens[at].word.function or reading.tokens[at].word.punct
        for at in range(piece.first, name.first)
    )


_SAME_MATTER = 0.7
"""Share of what a claim says of a name that the other fact must have."""
_LEAST = 2
"""So many words and names it must have of that at least: of much is told that it is English."""


def displaced_names(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim that the premise has elsewhere: the name of which the premise says the same.

    Two facts of the premise have one verb, or none; one tells of the claim's name, the other of another name in the
    same place. The name is displaced where the other fact has all that those which do speak of it share with the
    claim, and more: ``Backups go to Dublin`` against ``Backups go to Frankfurt; logs go to Dublin``.
    """
    known = find(claim)
    found: dict[Name, Name] = {}
    for fact in facts_in(claim, find):
        if not fact.names or not _can_recur(fact, premise):
            continue
        for placed in fact.names:
            if placed.name in found or not _is_named(placed.name, find(premise)):
                continue
            rival = _rival(placed, fact, facts_in(premise, find), known)
            if rival is not None:
                found[placed.name] = rival
    return found


def _can_recur(fact: Fact, premise: str) -> bool:
    """Whether the premise has words enough to say of another name what the claim's fact says of one of its own."""
    others = len(fact.names) - 1
    return len(fact.keys & possible_keys(premise)) + others >= _SAME_MATTER * (len(fact.keys) + others)


def _is_named(name: Name, theirs: Iterable[Name]) -> bool:
    return any(is_alias(name, other) for other in theirs)


def _rival(placed: PlacedName, fact: Fact, theirs: Sequence[Fact], known: Sequence[Name]) -> Name | None:
    own = [other for other in theirs if _speaks_of(other, placed.name)]
    if not own:
        return None
    names = [other.name for other in fact.names if other.name is not placed.name]
    said = len(fact.keys) + len(names)
    shared: set[str | int] = set().union(*(_shared(fact, names, other) for other in own))
    for other in theirs:
        if other in own:
            continue
        more = _shared(fact, names, other)
        if not shared < more or len(more) < max(_LEAST, _SAME_MATTER * said):
            continue
        for rival in other.names:
            if _in_place(fact, placed, rival, other, own) and not is_known(rival.name, known):
                return rival.name
    return None


def _in_place(fact: Fact, placed: PlacedName, rival: PlacedName, other: Fact, own: Sequence[Fact]) -> bool:
    """Whether a name stands in its fact where the claim's name stands in the claim, and in a fact like that one, or
    with the verb of the claim, where the claim's name has another verb of its own."""
    if not can_be_rivals(placed.name, rival.name) or not _places_alike(placed.place, rival.place):
        return False
    verb = word_key(fact.verb)
    own_place = placed.place == rival.place and placed.place not in (_ANY, _LINKED)
    if verb and own_place and word_key(other.verb) == verb:
        verbs = {word_key(told.verb) for told in own} - {""}
        if verbs and verb not in verbs:
            return True
    return any(
        told.verb == other.verb
        and is_alias(placed.name, mine.name)
        and _places_alike(mine.place, rival.place)
        for told in own
        for mine in told.names
    )


def _speaks_of(fact: Fact, name: Name) -> bool:
    return _is_named(name, [placed.name for placed in fact.names]) or _is_named(name, fact.earlier)


def _shared(fact: Fact, names: Sequence[Name], other: Fact) -> set[str | int]:
    """The words of the claim's fact that another fact has, and the numbers of its other names."""
    met = {number for number, name in enumerate(names) if _speaks_of(other, name)}
    return {*(fact.keys & other.keys), *met}


def _places_alike(first: str, second: str) -> bool:
    """Whether two places are one: ``is the head`` and ``heads`` tell the same, what is read nowhere tells nothing."""
    if _ANY in (first, second):
        return False
    if first == second:
        return True
    return _LINKED in (first, second) and bool({"subject", "object"} & {first, second})


_DENYING = frozenset({"not", "nor", "never"})
_NEAR = 4
"""Tokens before a name in which a word denies it."""
_LISTING = lexicon(", and or & / as well both the a an")
"""What stands between the items of a list."""


def rival_denies(name: Name, rival: Name, claim: str, premise: str, find: Finder) -> bool:
    """Whether a premise that has ``rival`` in the role of ``name`` tells against it.

    It does not where both may be one, where the claim has ``rival`` too, where they stand in one list, or where the
    claim tells of ``name`` and the premise, which never has it, of somebody whom it does not name: ``He wrote it with
    Ada Orr`` may tell of anybody.
    """
    if not can_be_rivals(name, rival) or is_known(rival, find(claim)):
        return False
    own = _mentions(name, premise, find)
    if own:
        return not _in_one_list(rival, own, premise, find)
    ours, theirs = read(claim), read(premise)
    if not is_subject(ours, name) or (preposition_before(theirs, rival) == "by" and _acts(ours)):
        return True
    return not unnamed_subjects(premise)[theirs.sentences[rival.first]]


def share_clause_piece(name: Name, rival: Name, premise: str, find: Finder) -> bool:
    """Whether one piece of the premise has the claim's name and the other one: then roles are easily mistaken.

    Not where it denies the claim's: ``It blamed Delmar, not the architect, Osgood``.
    """
    lows = read(premise).lows
    mentions = [
        one
        for one in _mentions(name, premise, find)
        if _DENYING.isdisjoint(lows[max(one.first - _NEAR, 0) : one.first])
    ]
    return bool(mentions) and any(
        piece.first <= rival.first < piece.last
        and any(piece.first <= one.first < piece.last for one in mentions)
        for pieces in pieces_in(premise, find)
        for piece in pieces
    )


def _mentions(name: Name, premise: str, find: Finder) -> list[Name]:
    return [other for other in find(premise) if is_alias(name, other) or may_be_one(name, other)]


def _acts(reading: Reading) -> bool:
    """Whether the first verb of a text is active, so that its subject is one behind ``by`` in the passive."""
    return any(not clause.verbs[0].passive for clause in reading.clauses[:1] if clause.verbs)


def _in_one_list(name: Name, others: Sequence[Name], text: str, find: Finder) -> bool:
    """Whether nothing but items and their joins stands between a name and one of some others."""
    groups = _lists_in(text, find)
    return any(groups.get(name.first) == groups.get(other.first) for other in others if name.first in groups)


@lru_cache(maxsize=2048)
def _lists_in(text: str, find: Finder) -> dict[int, int]:
    """The number of the list that a name belongs to, by the place of its first token."""
    tokens, names = read(text).tokens, find(text)
    found: dict[int, int] = {}
    last = 0
    for number, name in enumerate(names):
        between = [token.word.low for token in tokens[last : name.first]]
        together = number > 0 and bool(between) and _LISTING.issuperset(between)
        found[name.first] = found[names[number - 1].first] if together else number
        last = name.last
    return found
