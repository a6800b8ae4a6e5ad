"""A clause goes in, the relations that it states by a noun or an adjective come out: ``A is the parent of B``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from verifier.core.lexicon import lexicon, table_rows
from verifier_signals.roles.fillers import Event, Filler, Owners, fillers_in
from verifier_signals.syntax import Clause, Reading, VerbGroup

__all__ = ["adjective_event", "relation_events", "relations_of_noun"]

_LINKING = lexicon("be become remain")
_KIND_OF_FIRM = lexicon("company firm organisation organization group")
_OF = lexicon("of to for")
_MUTUAL = lexicon("""
    similar equal equivalent close next adjacent parallel related identical connected opposite linked comparable married
    near nearest open due
    """)
"""Adjectives that hold both ways, or whose two sides are not of one kind."""
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


def relations_of_noun(low: str) -> frozenset[str]:
    """The kind of event that a folded noun of a relation tells of; none for other words."""
    relation = _relations().get(low)
    return frozenset() if relation is None else frozenset({relation[0]})


def relation_events(reading: Reading, owner: Owners, clause: Clause) -> Iterator[Event]:
    """The relations of a clause: ``A is B's pupil``, ``the pupil of B is A``, ``A, the pupil of B,``."""
    for at in range(clause.first, clause.last):
        relation = _relations().get(reading.tokens[at].word.low)
        if relation is None or at in owner:
            continue
        event, holder_role, other_role = relation
        other = _other(reading, owner, clause, at)
        holder = _holder(reading, owner, clause, at) if other else ()
        if holder and other and holder[0].head != other[0].head:
            roles = {holder_role: holder, other_role: other}
            yield Event(event, roles, reading.tokens[at].start, reading.tokens[at].end)


def _other(reading: Reading, owner: Owners, clause: Clause, at: int) -> tuple[Filler, ...]:
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


def _holder(reading: Reading, owner: Owners, clause: Clause, at: int) -> tuple[Filler, ...]:
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


def adjective_event(
    reading: Reading, group: VerbGroup, slots: Mapping[str, tuple[Filler, ...]], subject: tuple[Filler, ...]
) -> Iterator[Event]:
    """``A is liable to B for C``: an adjective between ``be`` and ``to``, with what it is for."""
    called = slots.get("obj", ())
    if (
        group.lemma != "be"
        or len(called) != 1
        or called[0].name is not None
        or not slots.get("to")
        or not subject
    ):
        return
    word = reading.tokens[group.main + 1].word
    if (
        called[0].start != reading.tokens[group.main + 1].start
        or word.low in _MUTUAL
        or word.verb is not None
    ):
        return
    roles = {"subj": subject, **{slot: slots[slot] for slot in ("to", "for") if slots.get(slot)}}
    yield Event(f"be {called[0].head}", roles, reading.tokens[group.first].start, called[0].end)
