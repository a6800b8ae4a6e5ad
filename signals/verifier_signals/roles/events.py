"""A reading goes in, its events come out: who did what to whom, active, passive or as a noun, without a parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import Frame, frames
from verifier_signals.names import Finder, names_in
from verifier_signals.roles.antecedents import PRONOUNS, Context, antecedent_of
from verifier_signals.roles.fillers import Event, Filler, Owners, fillers_in, owners_in, slots_in
from verifier_signals.roles.frames import frame_of
from verifier_signals.roles.nominals import nominal_events
from verifier_signals.roles.pieces import JOINS, Piece, pieces_in
from verifier_signals.roles.relational import adjective_event, relation_events
from verifier_signals.syntax import Clause, Reading, VerbGroup, read

__all__ = ["events_in"]

_SYMMETRIC = lexicon("""
    be have do meet merge cooperate collaborate partner play agree border resemble marry talk match
    equal differ include contain become remain seem appear say stay stand lie last mean use
    """)
"""Verbs whose sides can change places, or that tell of no deed."""
_MOTION = frozenset({"come", "go"})
"""Verbs that tell of a deed only in a frame of their own: ``the prize went to A``."""
_CONTINUES = frozenset({"and", "or", "but", "then", "also", "to", ","})
"""Words with which a verb takes up the subject before it."""
_BETWEEN = re.compile(
    r"\s+(?:(?:the|an?|his|her|its|their|this|that|[\w.,]*\d[\w.,]*|(?:two|three|four|five|ten|million)"
    r"|[£$€]?)\s*)*",
    re.IGNORECASE,
)
"""What may lie between the two objects of a verb: an article, an amount, and no join."""
_ARTICLED = re.compile(r"\b(?:the|an?|his|her|its|their|our|this|that)\s+$", re.IGNORECASE)
_LONGEST_ARTICLE = 10
"""Characters of an article with the white space around it."""
_TO_WHOM = frozenset({"him", "her", "them"})


@lru_cache(maxsize=2048)
def events_in(text: str, find: Finder = names_in) -> tuple[Event, ...]:
    """The events of a text in reading order.

    >>> [event] = events_in("Morrowline was acquired by the Durrant Group.")
    >>> {role: [filler.head for filler in fillers] for role, fillers in event.roles.items()}
    {'thing': ['morrowline'], 'taker': ['group']}
    """
    reading = read(text)
    owner = owners_in(text, find)
    context = Context()
    found: list[Event] = []
    for number, (clause, pieces) in enumerate(zip(reading.clauses, pieces_in(text, find), strict=True)):
        for order, group in enumerate(clause.verbs):
            end = next(piece.last for piece in pieces if group.main < piece.last)
            found.extend(_verb_event(reading, owner, number, order, group, context, end))
        found.extend(_gapped_events(reading, owner, pieces, context))
        found.extend(nominal_events(reading, owner, clause))
        found.extend(relation_events(reading, owner, clause))
    return tuple(found)


def _verb_event(
    reading: Reading, owner: Owners, number: int, order: int, group: VerbGroup, context: Context, end: int
) -> Iterator[Event]:
    clause = reading.clauses[number]
    begin = clause.verbs[order - 1].main + 1 if order else clause.first
    subject, relative = _sides(reading, owner, number, begin, group, context)
    following = clause.verbs[order + 1] if order + 1 < len(clause.verbs) else None
    if following is not None:
        end = min(end, following.first)
    slots, particles = slots_in(reading, owner, group.main + 1, end)
    if "obj" not in slots and relative:
        slots["obj"] = relative
    elif "obj" not in slots and group.main + 1 < end:
        slots["obj"] = context.object_of(reading.tokens[group.main + 1].word.low, subject)
    after = reading.tokens[group.main + 1].word.low if group.main + 1 < end else ""
    if after in _TO_WHOM and slots.get("obj") and group.lemma in _with_two_objects():
        slots = {**slots, "obj2": slots["obj"], "obj": context.object_of(after, subject)}
    if following is not None and reading.tokens[following.first - 1].word.low == "to":
        token = reading.tokens[following.main]
        slots["inf"] = (Filler(None, token.word.stem, token.start, token.end),)
    context.note(subject, tuple(filler for fillers in slots.values() for filler in fillers))
    yield from adjective_event(reading, group, slots, subject)
    if group.lemma in _SYMMETRIC:
        return
    if group.passive:
        if group.lemma in _with_two_objects() and slots.get("obj"):
            slots = {**slots, "obj2": slots["obj"]}  # who was given something
        slots = {**slots, "subj": slots.get("by", ()), "obj": subject}
        slots.pop("by", None)
    else:
        slots = {**slots, "subj": subject}
    yield from _event(reading, group, particles, slots)


def _event(
    reading: Reading, group: VerbGroup, particles: Sequence[str], slots: dict[str, tuple[Filler, ...]]
) -> Iterator[Event]:
    """The event of a verb with these slots, if two of its roles are filled."""
    slots = {slot: fillers for slot, fillers in slots.items() if fillers}
    filled = _parted(reading, group.lemma, slots)
    frame = _frame(group.lemma, particles, filled)
    roles = {frame.roles[slot]: fillers for slot, fillers in filled.items() if slot in frame.roles}
    if len(roles) > 1 and (group.lemma not in _MOTION or frame.event != group.lemma):
        yield Event(frame.event, roles, reading.tokens[group.first].start, reading.tokens[group.main].end)


def _parted(
    reading: Reading, lemma: str, slots: dict[str, tuple[Filler, ...]]
) -> dict[str, tuple[Filler, ...]]:
    """A name and a thing in one object are two (``taught Ada chess``), and so are two things behind a verb that takes
    two (``gives the buyer a receipt``)."""
    objects = slots.get("obj", ())
    if len(objects) != 2 or objects[1].name is not None or "obj2" in slots:
        return slots
    if objects[0].name is None and lemma not in _with_two_objects():
        return slots
    between = reading.text[objects[0].end : objects[1].start]
    if not _BETWEEN.fullmatch(between) or (between.isspace() and _bears_name(reading, *objects)):
        return slots
    return {**slots, "obj": objects[:1], "obj2": objects[1:]}


def _bears_name(reading: Reading, name: Filler, thing: Filler) -> bool:
    """Whether a name is that of the thing right behind it: ``sold the Marlow mill``, not ``sold Marlow shares``."""
    articled = _ARTICLED.search(reading.text, max(name.start - _LONGEST_ARTICLE, 0), name.start)
    return articled is not None and not reading.text[thing.start : thing.end].endswith("s")


@cache
def _with_two_objects() -> frozenset[str]:
    """The verbs that take two objects."""
    return frozenset(verb for verb, known in frames().items() if any("obj2" in one.roles for one in known))


def _gapped_events(
    reading: Reading, owner: Owners, pieces: Sequence[Piece], context: Context
) -> Iterator[Event]:
    """Events of the pieces that inherit their verb: ``and singing with Ida``, ``Riga the museum``."""
    for piece in pieces:
        verb = piece.verb
        if verb is None or not piece.gapped or verb.lemma in _SYMMETRIC:
            continue
        first = piece.first
        while first < piece.last and reading.tokens[first].word.low in JOINS:
            first += 1
        slots, _ = slots_in(reading, owner, first, piece.last)
        objects = slots.get("obj", ())
        if verb.passive:
            slots = {**slots, "subj": slots.get("by", ())}
        elif len(objects) > 1 and objects[0].name is not None:
            slots = {**slots, "subj": objects[:1], "obj": objects[1:]}
        else:
            slots = {**slots, "subj": context.subject}
        yield from _event(reading, verb, (), slots)


def _frame(lemma: str, particles: Sequence[str], slots: dict[str, tuple[Filler, ...]]) -> Frame:
    if lemma == "replace" and "with" in slots:
        return Frame("succession", {"with": "new", "obj": "old"})
    phrases = [" ".join((lemma, *particles[:length])) for length in range(len(particles), 0, -1)]
    return frame_of([*phrases, lemma], slots)


def _sides(
    reading: Reading, owner: Owners, number: int, begin: int, group: VerbGroup, context: Context
) -> tuple[tuple[Filler, ...], tuple[Filler, ...]]:
    """The fillers of the subject, and of an object that a relative stands for: ``the map that Ivo Crane printed``."""
    clause = reading.clauses[number]
    relative = antecedent_of(reading, owner, number, group) if begin == clause.first else None
    subject = _subject(reading, owner, number, begin, group, context)
    if relative is None:
        return subject, ()
    acts = any(filler.name for filler in subject) or any(
        reading.tokens[at].word.low in PRONOUNS for at in range(begin, group.first)
    )
    return (subject, relative) if acts else (relative, ())


def _subject(
    reading: Reading, owner: Owners, number: int, begin: int, group: VerbGroup, context: Context
) -> tuple[Filler, ...]:
    """The fillers before a verb; from the clauses before for a pronoun or a missing subject."""
    clause = reading.clauses[number]
    lows = [reading.tokens[at].word.low for at in range(begin, group.first)]
    if lows and any(low in PRONOUNS for low in lows[-3:]):
        return context.subject_of(lows[-1])
    if lows and lows[-1] == "," and (apposed := _apposed(reading, owner, number, clause)):
        return apposed
    fillers = fillers_in(reading, owner, begin, group.first)
    if fillers or (lows and lows[0] not in _CONTINUES):
        return fillers
    return context.subject


def _apposed(reading: Reading, owner: Owners, number: int, clause: Clause) -> tuple[Filler, ...]:
    """The names before an apposition that a comma closes: ``Ada Orr, until then treasurer, succeeded her``."""
    before = reading.clauses[number - 1] if number else None
    if before is None or before.verbs or before.sentence != clause.sentence:
        return ()
    return tuple(filler for filler in fillers_in(reading, owner, before.first, before.last) if filler.name)
