"""A reading goes in, its events come out: who did what to whom, active, passive or as a noun, without a parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from signals.lexicon import Frame, frames, nominal_verb
from signals.names import Name, Sort, names_in
from signals.syntax import Clause, Reading, VerbGroup, is_common, read
from verifier.core.lexicon import lexicon

__all__ = ["Event", "Filler", "events_in"]

_SLOTS = lexicon("to from by for with against over as into at in on")
_ENDS = lexicon("""
    because although when while if unless until since than that which who and or but , ; : ( )
    """)
_RELATIVES = frozenset({"who", "which", "that"})
_OBJECT_PRONOUNS = frozenset({"it", "them", "him", "her"})
_PRONOUNS = frozenset({"he", "she", "it", "they", "him", "her", "them"})
_SYMMETRIC = lexicon("""
    be have do meet merge cooperate collaborate partner play agree border resemble marry talk match
    equal differ include contain become remain seem appear say come go stay stand lie last mean use
    """)
"""Verbs whose sides can change places, or that tell of no deed."""
_COUNTS = lexicon("""
    both some several many few all two three four five six seven eight nine ten
    """)
_FAR = 12
"""Tokens that a slot is looked for in; farther off, a light reading is a guess."""


class Filler(NamedTuple):
    """What fills a role: a name, or the head noun of a phrase (its stem), at tokens ``first`` to ``last``."""

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
def events_in(text: str) -> tuple[Event, ...]:
    """The events of a text in reading order.

    >>> [event] = events_in("Morrowline was acquired by the Durrant Group.")
    >>> {role: [filler.head for filler in fillers] for role, fillers in event.roles.items()}
    {'taker': ['group'], 'thing': ['morrowline']}
    """
    reading = read(text)
    owner: dict[int, Name] = {at: name for name in names_in(text) for at in range(name.first, name.last)}
    context = _Context()
    found: list[Event] = []
    for number, clause in enumerate(reading.clauses):
        for order, group in enumerate(clause.verbs):
            event = _verb_event(reading, owner, number, order, group, context)
            if event is not None:
                found.append(event)
        found.extend(_nominal_events(reading, owner, clause))
    return tuple(found)


def _verb_event(
    reading: Reading, owner: dict[int, Name], number: int, order: int, group: VerbGroup, context: _Context
) -> Event | None:
    clause = reading.clauses[number]
    begin = clause.verbs[order - 1].main + 1 if order else clause.first
    subject = _subject(reading, owner, number, begin, group, context)
    end = clause.verbs[order + 1].first if order + 1 < len(clause.verbs) else clause.last
    slots, particles = _slots(reading, owner, group.main + 1, end)
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
    if frame is None:
        return None
    roles = {frame.roles[slot]: fillers for slot, fillers in slots.items() if slot in frame.roles and fillers}
    first, last = reading.tokens[group.first].start, reading.tokens[group.main].end
    return Event(frame.event, roles, first, last) if len(roles) > 1 else None


def _frame(lemma: str, particles: tuple[str, ...], slots: Mapping[str, tuple[Filler, ...]]) -> Frame | None:
    known = frames()
    for length in (2, 1):
        phrase = " ".join((lemma, *particles[:length]))
        if particles and phrase in known:
            return known[phrase]
    if lemma == "replace" and "with" in slots:
        return Frame("succession", {"with": "new", "obj": "old"})
    if lemma in known:
        return known[lemma]
    return Frame(lemma, {slot: slot for slot in ("subj", "obj", "to", "from", "against", "over")})


def _subject(
    reading: Reading, owner: dict[int, Name], number: int, begin: int, group: VerbGroup, context: _Context
) -> tuple[Filler, ...]:
    """The fillers before a verb; from the clause before for a relative, a pronoun or a missing subject."""
    clause = reading.clauses[number]
    lows = [reading.tokens[at].word.low for at in range(begin, group.first)]
    if any(low in _RELATIVES for low in lows[:2]) and number and begin == clause.first:
        previous = reading.clauses[number - 1]
        near = _fillers(reading, owner, max(previous.first, clause.first - 6), clause.first)
        return near[-1:]
    if lows and any(low in _PRONOUNS for low in lows[-3:]):
        if lows[-1] in {"he", "she"}:
            return context.person()
        return context.subject if lows[-1] in {"it", "they"} else ()
    fillers = _fillers(reading, owner, begin, group.first)
    if fillers or (lows and lows[0] not in {"and", "or", "but", "then", "also", "to", ","}):
        return fillers
    return context.subject


def _slots(
    reading: Reading, owner: dict[int, Name], begin: int, end: int
) -> tuple[dict[str, tuple[Filler, ...]], tuple[str, ...]]:
    """The object and the prepositional phrases behind a verb, and the particles right behind it."""
    tokens = reading.tokens
    particles = []
    for at in range(begin, min(begin + 2, end)):
        if tokens[at].word.low not in {"over", "up", "in", "off", "out", "from", "about"}:
            break
        particles.append(tokens[at].word.low)
    if particles and particles[0] in {"over", "up", "off", "out", "about"}:
        begin += 1
    slots: dict[str, tuple[Filler, ...]] = {}
    slot, first = "obj", begin
    for at in range(begin, min(end, begin + _FAR) + 1):
        low = tokens[at].word.low if at < min(end, begin + _FAR) else ";"
        if low in _SLOTS or low in _ENDS - {",", "and"} or at == min(end, begin + _FAR):
            fillers = _fillers(reading, owner, first, at)
            if fillers and slot not in slots:
                slots[slot] = fillers
            if low not in _SLOTS:
                break
            slot, first = low, at + 1
    return slots, tuple(particles)


def _fillers(reading: Reading, owner: dict[int, Name], first: int, last: int) -> tuple[Filler, ...]:
    """The names and the head nouns among tokens ``first`` up to ``last``."""
    found: list[Filler] = []
    tokens, at = reading.tokens, first
    while at < last:
        name = owner.get(at)
        if name is not None:
            found.append(Filler(name, name.words[-1], name.start, name.end))
            at = name.last
            continue
        word = tokens[at].word
        if not (word.punct or word.function or word.number) and _is_head(reading, owner, at, last):
            found.append(Filler(None, word.stem, tokens[at].start, tokens[at].end))
        at += 1
    return tuple(found)


def _is_head(reading: Reading, owner: dict[int, Name], at: int, last: int) -> bool:
    """Whether a common noun ends its phrase: no further noun and no name behind it. Things that are only counted
    (``187 goals``, ``both goals``) are not the same things."""
    if reading.tokens[at].word.low.endswith("ly") or reading.tokens[at].word.possessive:
        return False
    if at and (reading.tokens[at - 1].word.number or reading.tokens[at - 1].word.low in _COUNTS):
        return False
    if at + 1 >= last:
        return True
    following = reading.tokens[at + 1].word
    return at + 1 not in owner and (following.punct or following.function or following.low.endswith("ly"))


def _nominal_events(reading: Reading, owner: dict[int, Name], clause: Clause) -> Iterator[Event]:
    """``A's acquisition of B from C``, ``the acquisition of B by A``."""
    tokens = reading.tokens
    for at in range(clause.first, clause.last):
        word = tokens[at].word
        if word.punct or word.function or word.capital:
            continue
        following = tokens[at + 1].word.low if at + 1 < clause.last else ""
        if following not in {"of", "by"}:
            continue
        verb = nominal_verb(word.low) or _NOMINALS.get(word.low)
        if verb is None or verb not in frames():
            continue
        slots, _ = _slots(reading, owner, at + 1, clause.last)
        patient = slots.pop("obj", ())
        agent = slots.pop("by", ())
        before = owner.get(at - 1)
        if not agent and before is not None and tokens[at - 1].word.possessive:
            agent = (Filler(before, before.words[-1], before.start, before.end),)
        roles = frames()[verb].roles
        filled = {**slots, "subj": agent, "obj": patient}
        named = {roles[slot]: fillers for slot, fillers in filled.items() if slot in roles and fillers}
        if len(named) > 1:
            yield Event(frames()[verb].event, named, tokens[at].start, tokens[at].end)


_NOMINALS = {
    "sale": "sell",
    "takeover": "acquire",
    "purchase": "purchase",
    "loan": "lend",
    "supply": "supply",
}
"""Nouns that do not begin as their verb does."""
