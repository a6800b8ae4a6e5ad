"""A reading goes in, its events come out: who did what to whom, active, passive or as a noun, without a parser."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from signals.lexicon import Frame, frames
from signals.names import Finder, Name, Sort, names_in
from signals.roles.fillers import Event, Filler, Owners, fillers_in, slots_in
from signals.roles.nominals import nominal_events
from signals.roles.pieces import pieces_of
from signals.syntax import Reading, VerbGroup, is_common, read
from verifier.core.lexicon import lexicon

__all__ = ["events_in"]

_RELATIVES = frozenset({"who", "which", "that"})
_OBJECT_PRONOUNS = frozenset({"it", "them", "him", "her"})
_PRONOUNS = frozenset({"he", "she", "it", "they", "him", "her", "them"})
_SYMMETRIC = lexicon("""
    be have do meet merge cooperate collaborate partner play agree border resemble marry talk match
    equal differ include contain become remain seem appear say come go stay stand lie last mean use
    """)
"""Verbs whose sides can change places, or that tell of no deed."""
_FREE_SLOTS = ("subj", "obj", "to", "from", "against", "over")
"""Slots that are roles by themselves where a verb's frame does not name them."""


class _Context:
    """What a pronoun or a missing subject can stand for: the last subject, and all that the last clause names."""

    __slots__ = ("named", "subject")

    def __init__(self) -> None:
        self.subject: tuple[Filler, ...] = ()
        self.named: tuple[Filler, ...] = ()

    def note(self, subject: tuple[Filler, ...], others: tuple[Filler, ...]) -> None:
        self.subject = subject or self.subject
        self.named = (*subject, *others) or self.named

    def person(self) -> tuple[Filler, ...]:
        """The last subject if it can be a person, else the last named person."""
        for group in (self.subject, self.named[::-1]):
            for filler in group:
                if filler.name is not None and _can_be_person(filler.name):
                    return (filler,)
        return self.subject


def _can_be_person(name: Name) -> bool:
    named = len(name.words) > 1 and not all(is_common(word) for word in name.words)
    return name.sort == Sort.PERSON or (name.sort == Sort.OTHER and named)


@lru_cache(maxsize=2048)
def events_in(text: str, find: Finder = names_in) -> tuple[Event, ...]:
    """The events of a text in reading order.

    >>> [event] = events_in("Morrowline was acquired by the Durrant Group.")
    >>> {role: [filler.head for filler in fillers] for role, fillers in event.roles.items()}
    {'taker': ['group'], 'thing': ['morrowline']}
    """
    reading = read(text)
    owner = {at: name for name in find(text) for at in range(name.first, name.last)}
    context = _Context()
    found: list[Event] = []
    for number, clause in enumerate(reading.clauses):
        ends = [piece.last for piece in pieces_of(reading, owner, clause)]
        for order, group in enumerate(clause.verbs):
            end = next(end for end in ends if group.main < end)
            event = _verb_event(reading, owner, number, order, group, context, end)
            if event is not None:
                found.append(event)
        found.extend(nominal_events(reading, owner, clause))
    return tuple(found)


def _verb_event(
    reading: Reading, owner: Owners, number: int, order: int, group: VerbGroup, context: _Context, end: int
) -> Event | None:
    clause = reading.clauses[number]
    begin = clause.verbs[order - 1].main + 1 if order else clause.first
    subject = _subject(reading, owner, number, begin, group, context)
    if order + 1 < len(clause.verbs):
        end = min(end, clause.verbs[order + 1].first)
    slots, particles = slots_in(reading, owner, group.main + 1, end)
    if (
        "obj" not in slots
        and group.main + 1 < end
        and reading.tokens[group.main + 1].word.low in _OBJECT_PRONOUNS
    ):
        slots["obj"] = context.named
    context.note(subject, tuple(filler for fillers in slots.values() for filler in fillers))
    if group.lemma in _SYMMETRIC:
        return None
    if group.passive:
        slots = {**slots, "subj": slots.get("by", ()), "obj": subject}
        slots.pop("by", None)
    else:
        slots = {**slots, "subj": subject}
    frame = _frame(group.lemma, particles, slots)
    names = {slot: slot for slot in _FREE_SLOTS if slot not in ("subj", "obj")} | dict(frame.roles)
    roles = {names[slot]: fillers for slot, fillers in slots.items() if slot in names and fillers}
    first, last = reading.tokens[group.first].start, reading.tokens[group.main].end
    return Event(frame.event, roles, first, last) if len(roles) > 1 else None


def _frame(lemma: str, particles: tuple[str, ...], slots: Mapping[str, tuple[Filler, ...]]) -> Frame:
    known = frames()
    for length in (2, 1):
        phrase = " ".join((lemma, *particles[:length]))
        if particles and phrase in known:
            return known[phrase]
    if lemma == "replace" and "with" in slots:
        return Frame("succession", {"with": "new", "obj": "old"})
    if lemma in known:
        return known[lemma]
    return Frame(lemma, {slot: slot for slot in _FREE_SLOTS})


def _subject(
    reading: Reading, owner: Owners, number: int, begin: int, group: VerbGroup, context: _Context
) -> tuple[Filler, ...]:
    """The fillers before a verb; from the clause before for a relative, a pronoun or a missing subject."""
    clause = reading.clauses[number]
    lows = [reading.tokens[at].word.low for at in range(begin, group.first)]
    if any(low in _RELATIVES for low in lows[:2]) and number and begin == clause.first:
        previous = reading.clauses[number - 1]
        near = fillers_in(reading, owner, max(previous.first, clause.first - 6), clause.first)
        return near[-1:]
    if lows and any(low in _PRONOUNS for low in lows[-3:]):
        if lows[-1] in {"he", "she"}:
            return context.person()
        return context.subject if lows[-1] in {"it", "they"} else ()
    fillers = fillers_in(reading, owner, begin, group.first)
    if fillers or (lows and lows[0] not in {"and", "or", "but", "then", "also", "to", ","}):
        return fillers
    return context.subject
