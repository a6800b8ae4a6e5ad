"""A claim and a premise go in, roles of the claim's events swapped or filled by another come out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.names import Finder, Name, can_be_rivals, is_alias, names_in
from verifier_signals.roles.bounds import kinds_in
from verifier_signals.roles.directions import reversed_directions
from verifier_signals.roles.events import events_in
from verifier_signals.roles.exchanged import exchanged_anchors, exchanged_words
from verifier_signals.roles.fillers import Event, Filler
from verifier_signals.syntax import read

__all__ = ["Clash", "clashes", "fills_alike", "same_matter"]

_GIVING = {
    "transfer": {"giver": "giver", "taker": "taker", "thing": "thing"},
    "loan": {"lender": "giver", "borrower": "taker", "thing": "thing"},
    "supply": {"supplier": "giver", "receiver": "taker", "supplied": "thing"},
    "award": {"giver": "giver", "receiver": "taker", "award": "thing"},
    "trade": {"seller": "giver", "buyer": "taker", "goods": "thing"},
}
"""Kinds of events by which something passes from one to another."""
_SIDES = (
    ("giver", "taker", "thing"),
    ("taker", "giver", "thing"),
    ("landlord", "tenant", "leased"),
    ("tenant", "landlord", "leased"),
    ("teacher", "pupil", "subject"),
    ("pupil", "teacher", "subject"),
)
"""A role, the one across that the same party does not fill, and what lies between them."""
_YEAR_DIGITS = 4
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_DENIES = re.compile(r"\b(?:not|never|no|nobody|nothing|without|neither)\b|n['’]t\b", re.IGNORECASE)


class Clash(NamedTuple):
    """A filler of the claim where the premise has another one. ``swapped``: the premise has both, crosswise."""

    claim: Filler
    evidence: Filler
    swapped: bool


def clashes(claim: str, premise: str, find: Finder = names_in) -> list[Clash]:
    """What the premise's telling of the same events contradicts.

    An event of the claim that any event of the premise bears out clashes with none. Roles that only one side
    fills are not compared.
    """
    found: list[Clash] = []
    for ours in events_in(claim, find):
        kinds = same_matter(ours.kind)
        if kinds.isdisjoint(kinds_in(premise)):
            continue
        same = [theirs for theirs in events_in(premise, find) if theirs.kind in kinds]
        sided = _is_told_from_one_side(ours, claim, premise)
        clash = None
        for theirs in same:
            across = _across(ours, theirs) if sided else None
            if across is None and _bears_out(ours, theirs):
                clash = None
                break
            clash = clash or _clash(ours, theirs, same) or across
        if clash is not None:
            found.append(clash)
    crossed = (
        reversed_directions(claim, premise)
        or exchanged_anchors(claim, premise, find)
        or exchanged_words(claim, premise)
    )
    found += [
        Clash(Filler(None, "", *ours), Filler(None, "", *other), swapped=True) for ours, other in crossed
    ]
    return found


def same_matter(kind: str) -> frozenset[str]:
    """The kinds of events that may tell of the same as one of that kind."""
    return frozenset(_GIVING) if kind in _GIVING else frozenset({kind})


def fills_alike(ours: Event, theirs: Event) -> bool:
    """Whether an event has every role of the claim's filled by the same."""
    if theirs.kind not in same_matter(ours.kind):
        return False
    if ours.kind != theirs.kind:
        ours, theirs = _as_giving(ours), _as_giving(theirs)
    return all(role in theirs.roles and _fill_alike(ours, theirs, role) for role in ours.roles)


def _clash(ours: Event, theirs: Event, told: Sequence[Event]) -> Clash | None:
    """What an event contradicts; of another kind of giving it only contradicts who gives and who gets."""
    if ours.kind == theirs.kind:
        return _swap(ours, theirs, told) or _other(ours, theirs)
    mine, other = _as_giving(ours), _as_giving(theirs)
    return _swap(mine, other, [_as_giving(one) for one in told])


def _as_giving(event: Event) -> Event:
    """The event with one name for who gives, what, and who gets it."""
    return Event(
        "giving", {_GIVING[event.kind].get(role, role): who for role, who in event.roles.items()}, 0, 0
    )


def _shared(ours: Event, theirs: Event) -> list[str]:
    return [role for role in ours.roles if role in theirs.roles]


def _bears_out(ours: Event, theirs: Event) -> bool:
    shared = _shared(ours, theirs)
    return bool(shared) and all(_fill_alike(ours, theirs, role) for role in shared)


def _is_told_from_one_side(ours: Event, claim: str, premise: str) -> bool:
    """Whether the premise has no word for the claim's deed, denies nothing and knows of no less time than the claim:
    one may buy a mill, and sell it years later."""
    verbs = {token.word.stem for token in read(claim).tokens if ours.start <= token.start < ours.end}
    return (
        verbs.isdisjoint(read(premise).stems)
        and set(_YEAR.findall(claim)) <= set(_YEAR.findall(premise))
        and not _DENIES.search(claim)
        and not _DENIES.search(premise)
    )


def _across(ours: Event, theirs: Event) -> Clash | None:
    """One party on the other side of the same thing (``A sold the mill``, where ``A bought the mill``).

    None where the claim names the one on the side that is left, unless the thing has a name: what is borrowed from one
    may be lent to another.
    """
    if ours.kind in _GIVING and theirs.kind in _GIVING:
        ours, theirs = _as_giving(ours), _as_giving(theirs)
    for one, other, thing in _SIDES:
        if (
            one not in ours.roles
            or other not in theirs.roles
            or (other in ours.roles and one in theirs.roles)
        ):
            continue
        if not {thing} <= ours.roles.keys() & theirs.roles.keys() or not _fill_alike(ours, theirs, thing):
            continue
        if other in ours.roles and not any(filler.name for filler in ours.roles[thing]):
            continue
        pair = _pair(ours.roles[one][:1], theirs.roles[other][:1])
        if pair is not None:
            return Clash(*pair, swapped=True)
    return None


def _swap(ours: Event, theirs: Event, told: Sequence[Event]) -> Clash | None:
    """Two roles filled crosswise. A third one that is filled by something else tells of another event, and so does any
    where the premise tells the like the same way round, too (``A pays B rent, and B pays A interest``)."""
    for first in ours.roles:
        for second in theirs.roles:
            if first == second or first not in theirs.roles or second not in ours.roles:
                continue
            if not _of_one_matter(ours, theirs, told, {first, second}):
                continue
            if _fill_alike(ours, theirs, first) or _fill_alike(ours, theirs, second):
                continue
            here = _pair(ours.roles[first], theirs.roles[second])
            there = _pair(ours.roles[second], theirs.roles[first])
            if here is not None and there is not None:
                return Clash(here[0], there[1], swapped=True)
    return None


def _of_one_matter(ours: Event, theirs: Event, told: Sequence[Event], crossed: set[str]) -> bool:
    further = [role for role in _shared(ours, theirs) if role not in crossed]
    alike = [role for role in further if _fill_alike(ours, theirs, role)]
    if any(_are_things(ours, theirs, role) for role in further if role not in alike):
        return False
    straight = any(
        crossed <= one.roles.keys() and all(_fill_alike(ours, one, role) for role in crossed) for one in told
    )
    return bool(alike) or not straight


def _are_things(ours: Event, theirs: Event, role: str) -> bool:
    """Whether no name fills a role on either side: what a name stands for may be told by any word."""
    return not any(filler.name for filler in (*ours.roles[role], *theirs.roles[role]))


def _other(ours: Event, theirs: Event) -> Clash | None:
    """One role filled by another name while another role, a name or a thing, is filled alike.

    Alike is judged by the head: ``the towers of the bridge`` are not the bridge.
    """
    shared = _shared(ours, theirs)
    alike = [role for role in shared if _meet(ours.roles[role][:1], theirs.roles[role])]
    unlike = [role for role in shared if role not in alike]
    if not alike or len(unlike) != 1:
        return None
    if {item.head for item in ours.roles[unlike[0]]} & {item.head for item in theirs.roles[unlike[0]]}:
        return None  # a name beside the same thing: ``voting in the EU``
    for claim in ours.roles[unlike[0]]:
        for evidence in theirs.roles[unlike[0]]:
            if claim.name and evidence.name and can_be_rivals(claim.name, evidence.name):
                return Clash(claim, evidence, swapped=False)
    return None


def _fill_alike(ours: Event, theirs: Event, role: str) -> bool:
    """Whether the same thing fills a role, judged by its head: a time or a phrase behind it fills none."""
    return _meet(ours.roles[role][:1], theirs.roles[role][:1])


def _meet(ours: Sequence[Filler], theirs: Sequence[Filler]) -> bool:
    return _pair(ours, theirs) is not None


def _pair(ours: Sequence[Filler], theirs: Sequence[Filler]) -> tuple[Filler, Filler] | None:
    """Fillers that are the same; where both sides have names only these count (``firm of A``, ``firm of B``)."""
    named = any(filler.name for filler in ours) and any(filler.name for filler in theirs)
    for claim in ours:
        for evidence in theirs:
            if named and not (claim.name and evidence.name):
                continue
            if _same(claim, evidence):
                return claim, evidence
    return None


def _same(claim: Filler, evidence: Filler) -> bool:
    if claim.name is not None and evidence.name is not None:
        return is_alias(claim.name, evidence.name) or _without_year(claim.name) == _without_year(
            evidence.name
        )
    if claim.name is None and evidence.name is None:
        return claim.head == evidence.head
    name, head = (claim.name, evidence.head) if claim.name else (evidence.name, claim.head)
    return name is not None and any(word.startswith(head) for word in name.words)


def _without_year(name: Name) -> tuple[str, ...]:
    """A prize and the prize of a year (``Kestrel Prize 2023``) are one where only one of them tells the year."""
    return tuple(word for word in name.words if not (len(word) == _YEAR_DIGITS and word.isdecimal()))
