"""What can fill a role: names and head nouns, the pieces of a clause they stand in, and what a pronoun stands for.

Everything else in this package is built on these. A clause is cut into pieces where a coordinate part says something of
its own; a pronoun or a relative takes its antecedent from the text before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, Sort
from verifier_signals.syntax import BE, Clause, Reading, VerbGroup, is_common, read

__all__ = [
    "JOINS",
    "PRONOUNS",
    "AntecedentContext",
    "ClausePiece",
    "Event",
    "Filler",
    "NamesByToken",
    "antecedent_of",
    "as_filler",
    "fillers_in",
    "opens_with_ing",
    "owners_in",
    "pieces_in",
    "slots_in",
]

NamesByToken = Mapping[int, Name]
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
def owners_in(text: str, find: Finder) -> NamesByToken:
    """The names of a text by the places of their tokens."""
    return {at: name for name in find(text) for at in range(name.first, name.last)}


def as_filler(name: Name) -> Filler:
    """A name as what fills a role."""
    return Filler(name, name.words[-1], name.start, name.end)


def slots_in(
    reading: Reading, owner: NamesByToken, begin: int, end: int
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


def fillers_in(reading: Reading, owner: NamesByToken, first: int, last: int) -> tuple[Filler, ...]:
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


def _is_head(reading: Reading, owner: NamesByToken, at: int, last: int) -> bool:
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


JOINS = frozenset({",", "and", "or", "but", "while"})
"""Words and marks at which a coordinate part begins."""


class ClausePiece(NamedTuple):
    """Tokens ``first`` up to ``last`` of a clause, with the verb in them; ``gapped`` where it is inherited."""

    first: int
    last: int
    verb: VerbGroup | None
    gapped: bool


@lru_cache(maxsize=2048)
def pieces_in(text: str, find: Finder) -> tuple[tuple[ClausePiece, ...], ...]:
    """The pieces of each clause of a text."""
    reading, owner = read(text), owners_in(text, find)
    return tuple([tuple(_pieces_of(reading, owner, clause)) for clause in reading.clauses])


def _pieces_of(reading: Reading, owner: NamesByToken, clause: Clause) -> Iterator[ClausePiece]:
    """Cut a clause where a comma or ``and`` opens a part with a verb, or with a name and something of its own.

    ``Oslo hosts the archive, Riga the museum`` has two pieces, ``ferries call at Mull, Iona and Staffa`` one.
    """
    joins = [at for at in range(clause.first + 1, clause.last) if _is_join(reading, owner, at)]
    first, head = clause.first, None
    for at, following in pairwise([*joins, clause.last]):
        if _stands_alone(reading, owner, clause, at, following):
            piece = _piece(clause, first, at, head)
            yield piece
            first, head = at, piece.verb
    yield _piece(clause, first, clause.last, head)


def _is_join(reading: Reading, owner: NamesByToken, at: int) -> bool:
    return (
        reading.tokens[at].word.low in JOINS
        and at not in owner
        and reading.tokens[at - 1].word.low not in JOINS
    )


def _piece(clause: Clause, first: int, last: int, head: VerbGroup | None) -> ClausePiece:
    verb = next((group for group in clause.verbs if first <= group.main < last), None)
    return ClausePiece(first, last, verb or head, verb is None and head is not None)


def _stands_alone(reading: Reading, owner: NamesByToken, clause: Clause, first: int, last: int) -> bool:
    if any(first <= group.main < last for group in clause.verbs) or opens_with_ing(reading, first):
        return True
    if reading.tokens[first].word.low == "," and first - 1 in owner and first + 1 in owner:
        return False  # a place in a place, or one more of a list
    names = {owner[at] for at in range(first, last) if at in owner}
    return len(names) > 1 or (bool(names) and any(_tells(reading, owner, at) for at in range(first, last)))


def _tells(reading: Reading, owner: NamesByToken, at: int) -> bool:
    word = reading.tokens[at].word
    return at not in owner and not (word.punct or word.function)


def opens_with_ing(reading: Reading, first: int) -> bool:
    """``, replacing Ada``: whether a verb in -ing opens the tokens from ``first`` on, a join before it or not."""
    at = first + 1 if reading.tokens[first].word.low in JOINS else first
    verb = reading.tokens[at].word.verb if at < len(reading.tokens) else None
    return verb is not None and verb.form == "ing"


PRONOUNS = frozenset({"he", "she", "it", "they", "him", "her", "them"})
_RELATIVES = frozenset({"who", "whom", "which", "that"})
_PLACING = frozenset({"in", "on", "at", "near", "from"})
_NEAR = 6
"""Tokens before a relative in which its antecedent stands."""


class AntecedentContext:
    """What a pronoun or a missing subject can stand for: the last subject, and all that the last clause names."""

    __slots__ = ("named", "subject")

    def __init__(self) -> None:
        self.subject: tuple[Filler, ...] = ()
        self.named: tuple[Filler, ...] = ()

    def note(self, subject: tuple[Filler, ...], others: tuple[Filler, ...]) -> None:
        """Remember a clause that was read."""
        self.subject = subject or self.subject
        self.named = (*subject, *others) or self.named

    def subject_of(self, pronoun: str) -> tuple[Filler, ...]:
        """What a pronoun before a verb stands for; nothing where that is open."""
        if pronoun in {"he", "she"}:
            return self._person()
        return self.subject if pronoun in {"it", "they"} else ()

    def object_of(self, pronoun: str, subject: tuple[Filler, ...]) -> tuple[Filler, ...]:
        """What a pronoun behind a verb with that subject stands for; nothing for any other word."""
        if pronoun in {"him", "her"}:
            person = self._person()
            return () if person == subject else person
        if pronoun == "it":
            return tuple(filler for filler in self.named if not _can_be_person(filler.name))
        return self.named if pronoun == "them" else ()

    def _person(self) -> tuple[Filler, ...]:
        """The last subject if it can be a person, else the last named person."""
        for group in (self.subject, self.named[::-1]):
            for filler in group:
                if _can_be_person(filler.name):
                    return (filler,)
        return self.subject


def _can_be_person(name: Name | None) -> bool:
    if name is None:
        return False
    named = len(name.words) > 1 and not all(is_common(word) for word in name.words)
    return name.sort == Sort.PERSON or (name.sort == Sort.OTHER and named)


def antecedent_of(
    reading: Reading, owner: NamesByToken, number: int, group: VerbGroup
) -> tuple[Filler, ...] | None:
    """What the relative stands for that opens clause ``number`` before a verb; ``None`` where none does.

    A phrase in apposition is passed over (``Ada Orr, head of sales, who``), and what an emphatic sentence names
    behind its relative clause is taken for it (``The one who signed was Ada Orr``).
    """
    clause = reading.clauses[number]
    lows = [reading.tokens[at].word.low for at in range(clause.first, group.first)]
    relative = next((low for low in lows[:2] if low in _RELATIVES), None)
    if relative is None or not number:
        return None
    previous = reading.clauses[number - 1]
    near = fillers_in(reading, owner, max(previous.first, clause.first - _NEAR), clause.first)
    if near and near[-1].name is None:
        emphatic = _complement_of_one(reading, owner, number, group)
        if emphatic:
            return emphatic
        people = [filler for filler in near if _can_be_person(filler.name)]
        if relative == "who" and people and reading.tokens[clause.first - 1].word.low == ",":
            return (people[-1],)
    return near[-2:-1] if _is_place_of_head(reading, clause.first, near) else near[-1:]


def _is_place_of_head(reading: Reading, first: int, near: Sequence[Filler]) -> bool:
    """Whether the name before a relative without a comma only says where the thing before it is: ``the inn at Elm that
    serves soup``."""
    if len(near) < 2 or near[-1].name is None or near[-2].name is not None:
        return False
    name = near[-1].name
    lows = {token.word.low for token in reading.tokens[max(name.first - 2, 0) : name.first]}
    return name.last == first and not lows.isdisjoint(_PLACING)


def _complement_of_one(
    reading: Reading, owner: NamesByToken, number: int, group: VerbGroup
) -> tuple[Filler, ...]:
    """The name of ``The one who signed was Ada Orr``; nothing where another clause stands before this one."""
    sentence = reading.clauses[number].sentence
    first = reading.clauses[number - 1]
    if first.verbs or (number > 1 and reading.clauses[number - 2].sentence == sentence):
        return ()
    for at in range(group.main + 1, len(reading.tokens) - 1):
        if reading.sentences[at] != sentence:
            break
        if reading.tokens[at].word.low in BE and at + 1 in owner:
            return (as_filler(owner[at + 1]),)
    return ()
