"""A text goes in, its facts come out: the least pieces that say something of a name, each with its names and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, names_in
from verifier_signals.roles.fillers import Owners, owners_in
from verifier_signals.roles.pieces import JOINS, Piece, opens_with_ing, pieces_in
from verifier_signals.stems import LIGHT_WORDS, word_key
from verifier_signals.syntax import BE, Reading, read

__all__ = ["ANAPHORS", "ANY", "LINKED", "LINKS", "Fact", "Placed", "facts_in", "key_at", "reads_as_person"]

ANY, LINKED, SUBJECT, OBJECT = "any", "linked", "subject", "object"
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


class Placed(NamedTuple):
    """A name and its place in a fact: ``subject``, ``object``, ``linked``, ``any`` or a preposition."""

    name: Name
    place: str


class Fact(NamedTuple):
    """What one piece of a text says.

    ``names`` are those in it, and the one that its missing subject stands for; ``earlier`` further ones that its
    pronouns or its missing subject can stand for. ``keys`` are its content words and plain figures. ``verb`` is the
    lemma of its verb, inherited or its own, empty where it has none.
    """

    names: tuple[Placed, ...]
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


def key_at(reading: Reading, owner: Owners, at: int) -> str:
    """What a token says: the key of a content word, a figure, or nothing."""
    token = reading.tokens[at]
    if at in owner or token.word.punct or token.word.function:
        return ""
    if _PLAIN_NUMBER.fullmatch(token.word.low):
        return token.word.low
    return "" if token.word.low in LIGHT_WORDS else word_key(token.word.low)


def _fact(reading: Reading, owner: Owners, piece: Piece, before: Sequence[Fact]) -> Fact:
    tokens = range(piece.first, piece.last)
    keys = {key for at in tokens if (key := key_at(reading, owner, at))}
    if piece.gapped and piece.verb is not None:
        keys.add(key_at(reading, owner, piece.verb.main))
    inside = list(dict.fromkeys(owner[at] for at in tokens if at in owner))
    placed = [Placed(name, _place(reading, name, piece)) for name in inside]
    sentence = reading.sentences[piece.first]
    antecedent, earlier = _standing_for(reading, owner, piece, before, sentence)
    if antecedent is not None and antecedent not in inside:
        placed.insert(0, Placed(antecedent, LINKED))
    colon = piece.first > 0 and reading.tokens[piece.first - 1].word.low == ":"
    if colon and before and before[-1].sentence == sentence:
        keys |= before[-1].keys
    verb = "" if piece.verb is None else piece.verb.lemma
    return Fact(tuple(placed), tuple(earlier), frozenset(keys - {""}), verb, sentence)


def _standing_for(
    reading: Reading, owner: Owners, piece: Piece, before: Sequence[Fact], sentence: int
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


def _lacks_subject(reading: Reading, owner: Owners, piece: Piece) -> bool:
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


def _place(reading: Reading, name: Name, piece: Piece) -> str:
    tokens = reading.tokens
    if tokens[name.last - 1].word.possessive:
        return "of"
    passive = piece.verb is not None and piece.verb.passive
    at, steps = name.first - 1, 0
    while at >= piece.first and steps < 4 and not tokens[at].word.punct:
        low = tokens[at].word.low
        if low in LINKS:
            return SUBJECT if low == "by" else _ONE_LINK.get(low, low)
        if tokens[at].word.verb is not None and piece.verb is not None and at == piece.verb.main:
            break
        at, steps = at - 1, steps + 1
    verb = piece.verb
    if verb is None or (piece.gapped and not _opens(reading, name, piece)):
        return ANY
    if tokens[verb.main].word.low in BE or verb.lemma in ("become", "remain"):
        return LINKED
    if name.last <= verb.main or piece.gapped:
        return OBJECT if passive else SUBJECT
    return LINKED if passive else OBJECT


def _opens(reading: Reading, name: Name, piece: Piece) -> bool:
    """Whether a name opens a piece, where the subject stands if its verb is left out: ``Riga the museum``."""
    return all(
        reading.tokens[at].word.function or reading.tokens[at].word.punct
        for at in range(piece.first, name.first)
    )
