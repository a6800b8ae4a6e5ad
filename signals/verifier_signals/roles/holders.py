"""Offices and relations and who holds them: ``Lead author: A``, ``B (treasurer)``, ``C chairs D``.

A claim clashes where the premise gives its role to another holder, or states a relation the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, comparable, is_alias, names_in
from verifier_signals.roles.fillers import JOINS, ClausePiece, NamesByToken, owners_in, pieces_in
from verifier_signals.syntax import BE, Reading, Word, read, stem

__all__ = ["exchanged_holders", "holders_in", "other_holder", "roles_in"]

_ROLES = lexicon("""
    chair chairman chairwoman chairperson head president director manager officer editor author founder
    co-founder owner operator sponsor patron captain coach trainer mayor minister secretary treasurer chancellor
    principal dean rector headteacher conductor composer architect designer engineer inventor publisher producer
    curator inspector auditor investigator coordinator supervisor leader commander spokesman spokeswoman
    spokesperson winner champion runner-up successor predecessor landlord tenant buyer seller lender borrower
    supplier manufacturer maker contractor regulator registrar librarian keeper host organiser organizer
    chief executive deputy translator illustrator photographer narrator soloist goalkeeper referee partner
    teacher speaker moderator plaintiff defendant consultant statistician capital headquarters
    """)
_PLURAL_ROLES = lexicon(
    "partner engineer inspector auditor sponsor owner tenant supplier contractor host teacher"
)
"""Roles that one thing often has several of: only a name with ``the`` before the role is set against another."""
_OFFICERS = {
    "ceo": "executive",
    "cfo": "financial",
    "coo": "operating",
    "cto": "technology",
    "cio": "information",
}
"""Roles by their acronym: chief and this, whether or not ``officer`` stands behind it."""
_HEADS = _ROLES | _OFFICERS.keys()
_LINKS = BE | lexicon(
    "has have had became becomes become remains remained serves served as now currently also once"
)
_INSTALLED = lexicon("named elected appointed made declared")
_ARTICLES = lexicon("the its their our his her this")
_INDEFINITE = lexicon("a an one")
_OWNED_BY = lexicon("of at for in to during")
_DETERMINERS = _ARTICLES | _INDEFINITE
_INSIDE_OWNED = _OWNED_BY | _DETERMINERS
_STOPS = frozenset(".;:,()!?|")
_REACH = 5
_SELDOM = 0.3
"""Below this share of its uses as a verb a word is read as a noun."""


class RoleHolder(NamedTuple):
    """``name`` holds the role with that head and those modifiers (stems), for the things in ``of`` (stems).

    ``definite``: it is said to be the only one. ``owner`` is the name in ``of``, if any.
    """

    role: str
    modifiers: frozenset[str]
    of: frozenset[str]
    name: Name
    definite: bool
    owner: Name | None = None


@lru_cache(maxsize=2048)
def holders_in(text: str, find: Finder = names_in) -> tuple[RoleHolder, ...]:
    """Who holds which role (its stem), in reading order.

    >>> [(holder.role, holder.name.text) for holder in holders_in("Chair: Ada Orr. Ben Lee is the editor of it.")]
    [('chair', 'Ada Orr'), ('edit', 'Ben Lee')]
    """
    reading = read(text)
    owner = owners_in(text, find)
    told = [holder for name in find(text) for holder in _role_behind_name(reading, owner, name)]
    for clause, pieces in zip(reading.clauses, pieces_in(text, find), strict=True):
        if clause.verbs:
            told += [holder for piece in pieces for holder in _role_by_verb(reading, owner, piece)]
    return tuple(told)


@lru_cache(maxsize=2048)
def roles_in(text: str) -> frozenset[str]:
    """The roles (stems) that somebody can hold in a text, and more: those that its words can name."""
    officers = _OFFICERS.keys() & read(text).places.keys()
    return read(text).stems.union([stem(_OFFICERS[low]) for low in officers])


def _role_behind_name(reading: Reading, owner: NamesByToken, name: Name) -> Iterator[RoleHolder]:
    tokens = reading.tokens
    low = tokens[name.last].word.low if name.last < len(tokens) else ""
    if name.first and tokens[name.first - 1].word.low == ":":
        yield from _role_phrase(
            reading, owner, name, _back(reading, name.first - 2), name.first - 1, definite=True
        )
    elif name.first:
        yield from _role_before_name(reading, owner, name)
    if low in ("(", ","):
        start = name.last + 1
        yield from _role_phrase(reading, owner, name, start, _ahead(reading, start), definite=low == "(")
    elif low in _LINKS:
        start = _behind_links(reading, name.last)
        yield from _role_phrase(reading, owner, name, start, _ahead(reading, start), definite=False)


def _behind_links(reading: Reading, at: int) -> int:
    """Where ``has been``, ``serves as``, ``was elected`` end."""
    tokens, first = reading.tokens, at
    while at < len(tokens) and (
        tokens[at].word.low in _LINKS
        or (at > first and tokens[at].word.low in _INSTALLED and tokens[at - 1].word.low in BE)
    ):
        at += 1
    return at


def _role_before_name(reading: Reading, owner: NamesByToken, name: Name) -> Iterator[RoleHolder]:
    """``the chair of the board is A``, ``the chief engineer, A,``, ``chief engineer A``."""
    tokens = reading.tokens
    at = name.first - 1
    low = tokens[at].word.low
    if low in BE:
        yield from _role_phrase(reading, owner, name, _back(reading, at - 1), at, definite=False)
    elif low == "," and at and tokens[at - 1].word.low in _HEADS:
        first = _modified_from(reading, at - 1)
        if tokens[first].word.low in _ARTICLES:
            yield from _role_phrase(reading, owner, name, first, at, definite=True)
    elif low in _ROLES and not tokens[at].word.capital:
        yield from _role_phrase(reading, owner, name, _modified_from(reading, at), at + 1, definite=False)


def _modified_from(reading: Reading, at: int) -> int:
    """Where the modifiers of a role begin: ``the music director A``."""
    first = at
    while first and at - first < 3 and not reading.tokens[first - 1].word.punct:
        word = reading.tokens[first - 1].word
        if word.function or word.verb is not None or (word.capital and first - 1 not in reading.heads):
            return first - 1 if word.low in _ARTICLES else first
        first -= 1
    return first


def _back(reading: Reading, at: int) -> int:
    first = at + 1
    sentence = reading.sentences[at] if at >= 0 else -1
    while first and at + 1 - first < 8 and reading.sentences[first - 1] == sentence:
        if reading.tokens[first - 1].word.low in _STOPS or reading.tokens[first - 1].word.low == "and":
            break
        first -= 1
    return first


def _ahead(reading: Reading, first: int) -> int:
    last = first
    while last < len(reading.tokens) and last - first < 12 and reading.tokens[last].word.low not in _STOPS:
        last += 1
    return last


def _role_phrase(
    reading: Reading, owner: NamesByToken, name: Name, first: int, last: int, *, definite: bool
) -> Iterator[RoleHolder]:
    """The role that tokens ``first`` up to ``last`` name, with what stands behind ``of``, ``at`` or ``for``."""
    tokens = reading.tokens
    begin, indefinite = first, False
    possessor = next(
        (owner[at] for at in range(first, last) if at in owner and tokens[at].word.possessive), None
    )
    if possessor is not None:
        begin, definite = possessor.last, True
    elif first < last and tokens[first].word.low in _DETERMINERS:
        indefinite = tokens[first].word.low in _INDEFINITE
        begin, definite = first + 1, definite or not indefinite
    end = next((at for at in range(begin, last) if tokens[at].word.function), last)
    if not begin < end <= begin + _REACH:
        return
    words = [tokens[at].word for at in range(begin, end)]
    if any(word.punct or word.number for word in words) or any(at in owner for at in range(begin, end - 1)):
        return
    behind = range(end, _owned_until(reading, end, last))
    owned = possessor or next((owner[at] for at in behind if at in owner and owner[at] is not name), None)
    head = words[-1]
    if head.low not in _HEADS and (owned is None or not _is_noun(head)):
        return
    modifiers = frozenset(word.stem for word in words[:-1] if not word.possessive)
    if head.low in _PLURAL_ROLES and not (definite or modifiers):
        return
    of = _stems_of(reading, behind) | {word.stem for word in words[:-1] if word.possessive}
    if possessor is not None:
        of |= _stems_of(reading, range(possessor.first, possessor.last))
    role, modifiers = _canonical(head.low, head.stem, modifiers)
    yield RoleHolder(role, modifiers, of, name, not indefinite, owned)


def _owned_until(reading: Reading, first: int, last: int) -> int:
    """Where the phrase that ``of`` opens at token ``first`` ends; at once where there is none."""
    at = first
    while at < last:
        word = reading.tokens[at].word
        if word.function and word.low not in _INSIDE_OWNED:
            break
        at += 1
    return at


def _is_noun(word: Word) -> bool:
    return not word.capital and (
        word.verb is None or (word.verb.form == "base" and word.verb.share < _SELDOM)
    )


def _canonical(low: str, role: str, modifiers: frozenset[str]) -> tuple[str, frozenset[str]]:
    """``CEO`` and ``chief executive officer`` are the ``chief executive``."""
    chief = stem("chief")
    if low in _OFFICERS:
        return stem(_OFFICERS[low]), modifiers | {chief}
    if low == "officer" and chief in modifiers and len(modifiers) > 1:
        [area, *_] = sorted(modifiers - {chief})
        return area, modifiers - {area}
    return role, modifiers


def _role_by_verb(reading: Reading, owner: NamesByToken, piece: ClausePiece) -> Iterator[RoleHolder]:
    """``A chairs the board``, ``the board is chaired by A``: the verb of a role in place of its noun."""
    verb, tokens = piece.verb, reading.tokens
    if verb is None or (piece.gapped and not verb.passive):
        return
    main = tokens[verb.main].word
    if main.stem not in _role_stems() or (main.low in _ROLES and main.low != verb.lemma):
        return
    if verb.passive:
        begin = piece.first if piece.gapped else verb.main + 1
        by = next((at for at in range(begin, piece.last) if tokens[at].word.low == "by"), piece.last)
        holders = _series(reading, owner, by + 1, piece.last)
        things = range(piece.first, by if piece.gapped else verb.first)
    else:
        holders = _series(reading, owner, piece.first, verb.first)
        things = range(verb.main + 1, piece.last)
    of = _stems_of(reading, things)
    thing = next((owner[at] for at in things if at in owner), None)
    for name in holders if of else ():
        yield RoleHolder(main.stem, frozenset(), of, name, True, thing)


def _series(reading: Reading, owner: NamesByToken, first: int, last: int) -> list[Name]:
    """The names that stand in a row: ``A, B and C``."""
    found: list[Name] = []
    for at in range(first, last):
        if at in owner:
            if owner[at] not in found:
                found.append(owner[at])
        elif found and reading.tokens[at].word.low not in JOINS:
            break
    return found


def _stems_of(reading: Reading, places: range) -> frozenset[str]:
    words = (reading.tokens[at].word for at in places)
    return frozenset(word.stem for word in words if not (word.punct or word.function or word.number))


@lru_cache(maxsize=1)
def _role_stems() -> frozenset[str]:
    return frozenset(read(role).tokens[0].word.stem for role in _ROLES)


_MUTUAL = lexicon("""
    partner friend colleague neighbour neighbor rival ally cousin brother sister sibling twin spouse peer part member
    opposite equivalent counterpart contemporary relative
    """)
"""Relations that go both ways."""
_SAME_THING = 0.5
"""Share of what a role is said to be of that the premise must mention."""


def other_holder(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim: who, not named by the claim, holds its role in the evidence instead."""
    known = find(claim)
    found: dict[Name, Name] = {}
    for mine in holders_in(claim, find):
        if not mine.definite or mine.role not in roles_in(premise):
            continue
        if len(mine.of & read(premise).stems) < _SAME_THING * len(mine.of):
            continue
        same = [
            other
            for other in holders_in(premise, find)
            if _same_role(mine, other) and _same_thing(mine, other)
        ]
        if same and not any(is_alias(mine.name, other.name) for other in same):
            for other in same:
                named = any(is_alias(name, other.name) for name in known)
                if other.definite and not named and comparable(mine.name, other.name):
                    found.setdefault(mine.name, other.name)
    return found


def exchanged_holders(
    claim: str, premise: str, find: Finder = names_in
) -> Iterator[tuple[RoleHolder, RoleHolder]]:
    """Relations of the claim that the premise states the other way round: ``A is the father of B``."""
    for mine in holders_in(claim, find):
        if mine.owner is None or mine.role in _mutual_stems() or mine.role not in roles_in(premise):
            continue
        same = [
            other
            for other in holders_in(premise, find)
            if _same_role(mine, other) and other.owner is not None
        ]
        if any(is_alias(mine.name, other.name) for other in same):
            continue
        for other in same:
            if other.owner and is_alias(mine.name, other.owner) and is_alias(mine.owner, other.name):
                yield mine, other
                break


@lru_cache(maxsize=1)
def _mutual_stems() -> frozenset[str]:
    return frozenset(read(word).tokens[0].word.stem for word in _MUTUAL)


def _same_role(ours: RoleHolder, theirs: RoleHolder) -> bool:
    return theirs.role == ours.role and theirs.modifiers == ours.modifiers


def _same_thing(ours: RoleHolder, theirs: RoleHolder) -> bool:
    if ours.owner is not None and theirs.owner is not None:
        return is_alias(ours.owner, theirs.owner) or is_alias(theirs.owner, ours.owner)
    return not (ours.of and theirs.of) or bool(ours.of & theirs.of)
