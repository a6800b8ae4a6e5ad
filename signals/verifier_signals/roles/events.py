"""Events of a text: who did what to whom, told by a verb in either voice, a noun or an adjective.

No parser is used: a frame from ``verifier_signals.lexicon`` says which role each slot around a verb fills. Nouns of
deeds (``A's takeover of B``) and of relations (``A is the parent of B``) tell events too. What no word of a premise can
say it cannot contradict: :func:`possible_keys` and :func:`possible_event_kinds` bound that in little time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from verifier.core.lexicon import lexicon, table_rows
from verifier_signals.lexicon import Frame, frames, nominal_verb
from verifier_signals.names import Finder, names_in
from verifier_signals.roles.fillers import (
    JOINS,
    PRONOUNS,
    AntecedentContext,
    ClausePiece,
    Event,
    Filler,
    NamesByToken,
    antecedent_of,
    as_filler,
    fillers_in,
    owners_in,
    pieces_in,
    slots_in,
)
from verifier_signals.stems import word_key
from verifier_signals.syntax import Clause, Reading, VerbGroup, read

__all__ = ["events_in", "frame_of", "possible_event_kinds", "possible_keys"]

_FREE_SLOTS = ("subj", "obj", "to", "from", "against", "over")
"""Slots that are roles by themselves where no frame names two of those that are filled."""


def frame_of(verbs: Sequence[str], filled: Collection[str]) -> Frame:
    """The frame of a verb that gives a role to most of its filled slots.

    Args:
        verbs: the lemma with its particles and the bare lemma, as the table may list them, the likeliest first. Among
            frames that fit alike the first wins.
        filled: the slots that are filled. Where no frame gives two roles to them they are roles by themselves, and
            verbs of one meaning tell of one event: ``shut`` and ``close``.

    >>> frame_of(["report"], ["subj", "to"]).event, frame_of(["report"], ["subj", "obj"]).event
    ('hierarchy', 'report')
    """
    known = [frame for verb in verbs for frame in frames().get(verb, ())]
    best = max(known, key=lambda frame: _filled_roles(frame, filled), default=None)
    if best is not None and _filled_roles(best, filled) > 1:
        return best
    return Frame(word_key(verbs[-1]) or verbs[-1], {slot: slot for slot in _FREE_SLOTS})


def _filled_roles(frame: Frame, filled: Collection[str]) -> int:
    """How many roles the filled slots fill."""
    return len({frame.roles[slot] for slot in filled if slot in frame.roles})


_NOMINALS = {
    "sale": "sell",
    "takeover": "acquire",
    "purchase": "purchase",
    "loan": "lend",
    "supply": "supply",
    "victory": "beat",
    "win": "beat",
    "triumph": "beat",
    "defeat": "defeat",
    "loss": "lose",
    "gift": "donate",
    "succession": "succeed",
}
"""Nouns that do not begin as their verb does, or that stand for another."""
_MADE_KINDS = ("proposal", "writing")
"""What ``by`` behind a thing can tell of."""
_OBJECT_LINKS = {"beat": "over", "lose": "to"}
"""Where the object of a noun stands behind another preposition than ``of``."""


def _deed_of(noun: str) -> str | None:
    """The verb of the deed that a folded noun names; ``None`` for other words."""
    return _NOMINALS.get(noun) or nominal_verb(noun)


def _nominal_events(reading: Reading, owner: NamesByToken, clause: Clause) -> Iterator[Event]:
    """The deeds told by nouns with two of their sides named or called."""
    tokens = reading.tokens
    for at in range(clause.first, clause.last - 1):
        word = tokens[at].word
        if word.punct or word.function or word.capital or at in owner:
            continue
        if tokens[at + 1].word.low == "by":
            yield from _authored_event(reading, owner, clause, at)
        verb = _deed_of(word.low)
        if verb is None or tokens[at + 1].word.low not in {"of", "by", _OBJECT_LINKS.get(verb, "of")}:
            continue
        filled = _nominal_slots(reading, owner, clause, at, verb)
        frame = frame_of([verb], [slot for slot, fillers in filled.items() if fillers])
        named = {
            frame.roles[slot]: fillers for slot, fillers in filled.items() if slot in frame.roles and fillers
        }
        if len(named) > 1:
            yield Event(frame.event, named, tokens[at].start, tokens[at].end)


def _authored_event(reading: Reading, owner: NamesByToken, clause: Clause, at: int) -> Iterator[Event]:
    """``an amendment by A``: who is named behind a thing's ``by`` wrote it or put it forward."""
    tokens = reading.tokens
    if tokens[at].word.verb is not None and nominal_verb(tokens[at].word.low) is None:
        return
    behind = fillers_in(reading, owner, at + 2, min(at + 5, clause.last))
    if not behind or behind[0].name is None:
        return
    thing = Filler(None, tokens[at].word.stem, tokens[at].start, tokens[at].end)
    for kind, maker, made in zip(_MADE_KINDS, ("proposer", "author"), ("proposed", "work"), strict=True):
        yield Event(kind, {maker: behind[:1], made: (thing,)}, thing.start, thing.end)


def _nominal_slots(
    reading: Reading, owner: NamesByToken, clause: Clause, at: int, verb: str
) -> dict[str, tuple[Filler, ...]]:
    """What stands in each slot. A possessive is the one who acts, unless that one stands behind ``by``."""
    begin = at + 2 if reading.tokens[at + 1].word.low == "of" else at + 1
    slots, _ = slots_in(reading, owner, begin, clause.last)
    if verb in _OBJECT_LINKS and "obj" not in slots:
        begin = at + 2
        slots, _ = slots_in(reading, owner, begin, clause.last)
    patient, agent = slots.pop("obj", ()), slots.pop("by", ())
    before = owner.get(at - 1)
    if before is not None and reading.tokens[at - 1].word.possessive:
        if agent and not patient:
            patient = (as_filler(before),)
        elif not agent:
            agent = (as_filler(before),)
    object_slot = "to" if verb == "lose" else "obj"
    return {**slots, "subj": agent, object_slot: patient}


_LINKING = lexicon("be become remain")
_KIND_OF_FIRM = lexicon("company firm organisation organization group")
_OF = lexicon("of to for")
_REACH = 6


@cache
def _relations() -> Mapping[str, tuple[str, str, str]]:
    """For each noun the event, the role of the one who is it, and of the one whose it is."""
    found: dict[str, tuple[str, str, str]] = {}
    for nouns, event, roles in table_rows("verifier_signals.lexicon", "relations.tsv"):
        holder, other = roles.split()
        for noun in nouns.split(", "):
            found[noun] = (event, holder, other)
    return found


def _relations_of_noun(low: str) -> frozenset[str]:
    """The kind of event that a folded noun of a relation tells of; none for other words."""
    relation = _relations().get(low)
    return frozenset() if relation is None else frozenset({relation[0]})


def _relation_events(reading: Reading, owner: NamesByToken, clause: Clause) -> Iterator[Event]:
    """The relations of a clause: ``A is B's pupil``, ``the pupil of B is A``, ``A, the pupil of B,``."""
    for at in range(clause.first, clause.last):
        relation = _relations().get(reading.tokens[at].word.low)
        if relation is None or at in owner:
            continue
        event, holder_role, other_role = relation
        other = _relation_owner(reading, owner, clause, at)
        holder = _relation_holder(reading, owner, clause, at) if other else ()
        if holder and other and holder[0].head != other[0].head:
            roles = {holder_role: holder, other_role: other}
            yield Event(event, roles, reading.tokens[at].start, reading.tokens[at].end)


def _relation_owner(reading: Reading, owner: NamesByToken, clause: Clause, at: int) -> tuple[Filler, ...]:
    """Who stands behind ``of``, or before the noun as a possessive."""
    tokens = reading.tokens
    behind = at + 1 + (at + 1 < clause.last and tokens[at + 1].word.low in _KIND_OF_FIRM)
    if behind < clause.last and tokens[behind].word.low in _OF:
        end = min(behind + _REACH, clause.last)
        stop = next(
            (n for n in range(behind + 1, end) if tokens[n].word.low in (",", "and", "in", "at")), end
        )
        return fillers_in(reading, owner, behind + 1, stop)[:1]
    for place in range(at - 1, max(at - 4, clause.first - 1), -1):
        if place in owner and tokens[place].word.possessive:
            name = owner[place]
            return (Filler(name, name.words[-1], name.start, name.end),)
    return ()


def _relation_holder(reading: Reading, owner: NamesByToken, clause: Clause, at: int) -> tuple[Filler, ...]:
    """Who is said to be it: before a form of ``be``, behind one, or before a comma."""
    linking = [group for group in clause.verbs if group.lemma in _LINKING and not group.passive]
    ahead = [group for group in linking if group.main < at]
    between = range(ahead[-1].main + 1, at) if ahead else range(0)
    if ahead and not any(reading.tokens[place].word.punct for place in between):
        before = fillers_in(reading, owner, clause.first, ahead[-1].first)
        return tuple(one for one in before if one.name)[:1] or before[-1:]
    behind = [group for group in linking if group.main > at]
    if behind and behind[0] is clause.verbs[0]:
        return tuple(one for one in fillers_in(reading, owner, behind[0].main + 1, clause.last) if one.name)[
            :1
        ]
    comma = next((n for n in range(at, max(at - 4, 1), -1) if reading.tokens[n].word.low == ","), 0)
    if comma and comma - 1 in owner:
        name = owner[comma - 1]
        return (Filler(name, name.words[-1], name.start, name.end),)
    return ()


@lru_cache(maxsize=2048)
def possible_keys(text: str) -> frozenset[str]:
    """The keys that a fact, an attachment or a sentence of a text can have, and more: those of all its words."""
    return frozenset(map(word_key, read(text).places))


@lru_cache(maxsize=2048)
def possible_event_kinds(text: str) -> frozenset[str]:
    """The kinds that an event of a text can have, and more: those of all its verbs and of all nouns of deeds."""
    reading = read(text)
    told = [_kinds_of(group.lemma) for clause in reading.clauses for group in clause.verbs]
    made = _MADE_KINDS if "by" in reading.places else ()
    return frozenset().union(made, *told, *map(_kinds_of_noun, reading.places))


@lru_cache(maxsize=65536)
def _kinds_of_noun(low: str) -> frozenset[str]:
    """The kinds of the events that a folded word can tell of as a noun."""
    verb = _deed_of(low)
    return _relations_of_noun(low) | (frozenset() if verb is None else _kinds_of(verb))


@lru_cache(maxsize=16384)
def _kinds_of(verb: str) -> frozenset[str]:
    """The kinds of the events that a verb can tell of, alone or with particles."""
    own = word_key(verb) or verb
    return _framed().get(verb, frozenset()) | {own}


@cache
def _framed() -> dict[str, frozenset[str]]:
    """The events of the frames of each verb, those of its phrases included; ``replace A with B`` is in no table."""
    found: dict[str, set[str]] = {"replace": {"succession"}}
    for phrase, known in frames().items():
        found.setdefault(phrase.split()[0], set()).update(frame.event for frame in known)
    return {verb: frozenset(events) for verb, events in found.items()}


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
    context = AntecedentContext()
    found: list[Event] = []
    for number, (clause, pieces) in enumerate(zip(reading.clauses, pieces_in(text, find), strict=True)):
        for order, group in enumerate(clause.verbs):
            end = next(piece.last for piece in pieces if group.main < piece.last)
            found.extend(_verb_event(reading, owner, number, order, group, context, end))
        found.extend(_gapped_events(reading, owner, pieces, context))
        found.extend(_nominal_events(reading, owner, clause))
        found.extend(_relation_events(reading, owner, clause))
    return tuple(found)


def _verb_event(
    reading: Reading,
    owner: NamesByToken,
    number: int,
    order: int,
    group: VerbGroup,
    context: AntecedentContext,
    end: int,
) -> Iterator[Event]:
    clause = reading.clauses[number]
    begin = clause.verbs[order - 1].main + 1 if order else clause.first
    subject, relative = _subject_and_object(reading, owner, number, begin, group, context)
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
    filled = _split_object(reading, group.lemma, slots)
    frame = _frame_with_particles(group.lemma, particles, filled)
    roles = {frame.roles[slot]: fillers for slot, fillers in filled.items() if slot in frame.roles}
    if len(roles) > 1 and (group.lemma not in _MOTION or frame.event != group.lemma):
        yield Event(frame.event, roles, reading.tokens[group.first].start, reading.tokens[group.main].end)


def _split_object(
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
    reading: Reading, owner: NamesByToken, pieces: Sequence[ClausePiece], context: AntecedentContext
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


def _frame_with_particles(
    lemma: str, particles: Sequence[str], slots: dict[str, tuple[Filler, ...]]
) -> Frame:
    if lemma == "replace" and "with" in slots:
        return Frame("succession", {"with": "new", "obj": "old"})
    phrases = [" ".join((lemma, *particles[:length])) for length in range(len(particles), 0, -1)]
    return frame_of([*phrases, lemma], slots)


def _subject_and_object(
    reading: Reading,
    owner: NamesByToken,
    number: int,
    begin: int,
    group: VerbGroup,
    context: AntecedentContext,
) -> tuple[tuple[Filler, ...], tuple[Filler, ...]]:
    """The fillers of the subject, and of an object that a relative stands for: ``the map that Ivo Crane printed``."""
    clause = reading.clauses[number]
    relative = antecedent_of(reading, owner, number, group) if begin == clause.first else None
    subject = _subject_fillers(reading, owner, number, begin, group, context)
    if relative is None:
        return subject, ()
    acts = any(filler.name for filler in subject) or any(
        reading.tokens[at].word.low in PRONOUNS for at in range(begin, group.first)
    )
    return (subject, relative) if acts else (relative, ())


def _subject_fillers(
    reading: Reading,
    owner: NamesByToken,
    number: int,
    begin: int,
    group: VerbGroup,
    context: AntecedentContext,
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


def _apposed(reading: Reading, owner: NamesByToken, number: int, clause: Clause) -> tuple[Filler, ...]:
    """The names before an apposition that a comma closes: ``Ada Orr, until then treasurer, succeeded her``."""
    before = reading.clauses[number - 1] if number else None
    if before is None or before.verbs or before.sentence != clause.sentence:
        return ()
    return tuple(filler for filler in fillers_in(reading, owner, before.first, before.last) if filler.name)
