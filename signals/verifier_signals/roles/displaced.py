"""A claim and a premise go in; names of the claim in whose place the premise has another one come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier_signals.names import Finder, Name, can_be_rivals, is_alias, is_known, names_in
from verifier_signals.roles.bounds import keys_in
from verifier_signals.roles.facts import ANY, LINKED, Fact, Placed, facts_in
from verifier_signals.stems import word_key

__all__ = ["displaced"]

_SAME_MATTER = 0.7
"""Share of what a claim says of a name that the other fact must have."""
_LEAST = 2
"""So many words and names it must have of that at least: of much is told that it is English."""


def displaced(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim that the premise has elsewhere: the name of which the premise says the same.

    Two facts of the premise have one verb, or none; one tells of the claim's name, the other of another name in the
    same place. The name is displaced where the other fact has all that those which do speak of it share with the
    claim, and more: ``Backups go to Dublin`` against ``Backups go to Frankfurt; logs go to Dublin``.
    """
    known = find(claim)
    found: dict[Name, Name] = {}
    for fact in facts_in(claim, find):
        if not fact.names or not _can_recur(fact, premise):
            continue
        for placed in fact.names:
            if placed.name in found or not _is_named(placed.name, find(premise)):
                continue
            rival = _rival(placed, fact, facts_in(premise, find), known)
            if rival is not None:
                found[placed.name] = rival
    return found


def _can_recur(fact: Fact, premise: str) -> bool:
    """Whether the premise has words enough to say of another name what the claim's fact says of one of its own."""
    others = len(fact.names) - 1
    return len(fact.keys & keys_in(premise)) + others >= _SAME_MATTER * (len(fact.keys) + others)


def _is_named(name: Name, theirs: Iterable[Name]) -> bool:
    return any(is_alias(name, other) for other in theirs)


def _rival(placed: Placed, fact: Fact, theirs: Sequence[Fact], known: Sequence[Name]) -> Name | None:
    own = [other for other in theirs if _speaks_of(other, placed.name)]
    if not own:
        return None
    names = [other.name for other in fact.names if other.name is not placed.name]
    said = len(fact.keys) + len(names)
    shared: set[str | int] = set().union(*(_shared(fact, names, other) for other in own))
    for other in theirs:
        if other in own:
            continue
        more = _shared(fact, names, other)
        if not shared < more or len(more) < max(_LEAST, _SAME_MATTER * said):
            continue
        for rival in other.names:
            if _in_place(fact, placed, rival, other, own) and not is_known(rival.name, known):
                return rival.name
    return None


def _in_place(fact: Fact, placed: Placed, rival: Placed, other: Fact, own: Sequence[Fact]) -> bool:
    """Whether a name stands in its fact where the claim's name stands in the claim, and in a fact like that one, or
    with the verb of the claim, where the claim's name has another verb of its own."""
    if not can_be_rivals(placed.name, rival.name) or not _alike(placed.place, rival.place):
        return False
    verb = word_key(fact.verb)
    own_place = placed.place == rival.place and placed.place not in (ANY, LINKED)
    if verb and own_place and word_key(other.verb) == verb:
        verbs = {word_key(told.verb) for told in own} - {""}
        if verbs and verb not in verbs:
            return True
    return any(
        told.verb == other.verb and is_alias(placed.name, mine.name) and _alike(mine.place, rival.place)
        for told in own
        for mine in told.names
    )


def _speaks_of(fact: Fact, name: Name) -> bool:
    return _is_named(name, [placed.name for placed in fact.names]) or _is_named(name, fact.earlier)


def _shared(fact: Fact, names: Sequence[Name], other: Fact) -> set[str | int]:
    """The words of the claim's fact that another fact has, and the numbers of its other names."""
    met = {number for number, name in enumerate(names) if _speaks_of(other, name)}
    return {*(fact.keys & other.keys), *met}


def _alike(first: str, second: str) -> bool:
    """Whether two places are one: ``is the head`` and ``heads`` tell the same, what is read nowhere tells nothing."""
    if ANY in (first, second):
        return False
    if first == second:
        return True
    return LINKED in (first, second) and bool({"subject", "object"} & {first, second})
