"""A claim and a premise go in, roles of the claim's events swapped or filled by another come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from signals.names import Finder, comparable, is_alias, names_in
from signals.roles.bounds import kinds_in
from signals.roles.events import events_in
from signals.roles.fillers import Event, Filler

__all__ = ["Clash", "clashes"]


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
        if ours.kind not in kinds_in(premise):
            continue
        same = [theirs for theirs in events_in(premise, find) if theirs.kind == ours.kind]
        if any(_bears_out(ours, theirs) for theirs in same):
            continue
        for theirs in same:
            clash = _swap(ours, theirs) or _other(ours, theirs)
            if clash is not None:
                found.append(clash)
                break
    return found


def _shared(ours: Event, theirs: Event) -> list[str]:
    return [role for role in ours.roles if role in theirs.roles]


def _bears_out(ours: Event, theirs: Event) -> bool:
    shared = _shared(ours, theirs)
    return bool(shared) and all(_fill_alike(ours, theirs, role) for role in shared)


def _swap(ours: Event, theirs: Event) -> Clash | None:
    for first in ours.roles:
        for second in theirs.roles:
            if first == second or first not in theirs.roles or second not in ours.roles:
                continue
            if _fill_alike(ours, theirs, first) or _fill_alike(ours, theirs, second):
                continue
            here = _pair(ours.roles[first], theirs.roles[second])
            there = _pair(ours.roles[second], theirs.roles[first])
            if here is not None and there is not None:
                return Clash(here[0], there[1], swapped=True)
    return None


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
            if claim.name and evidence.name and comparable(claim.name, evidence.name):
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
        return is_alias(claim.name, evidence.name)
    if claim.name is None and evidence.name is None:
        return claim.head == evidence.head
    name, head = (claim.name, evidence.head) if claim.name else (evidence.name, claim.head)
    return name is not None and any(word.startswith(head) for word in name.words)
