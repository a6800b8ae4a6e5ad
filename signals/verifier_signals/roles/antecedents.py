"""A pronoun or a relative goes in, what it stands for as far as the text before it tells comes out."""

from __future__ import annotations

from collections.abc import Sequence

from verifier_signals.names import Name, Sort
from verifier_signals.roles.fillers import Filler, Owners, as_filler, fillers_in
from verifier_signals.syntax import BE, Reading, VerbGroup, is_common

__all__ = ["PRONOUNS", "Context", "antecedent_of"]

PRONOUNS = frozenset({"he", "she", "it", "they", "him", "her", "them"})
_RELATIVES = frozenset({"who", "whom", "which", "that"})
_PLACING = frozenset({"in", "on", "at", "near", "from"})
_NEAR = 6
"""Tokens before a relative in which its antecedent stands."""


class Context:
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
    reading: Reading, owner: Owners, number: int, group: VerbGroup
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
        emphatic = _told_behind(reading, owner, number, group)
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


def _told_behind(reading: Reading, owner: Owners, number: int, group: VerbGroup) -> tuple[Filler, ...]:
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
