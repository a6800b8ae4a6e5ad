"""A claim and a premise go in; roles of the claim that another holds, or that are told crosswise, come out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, comparable, is_alias, names_in
from verifier_signals.roles.holders import Holder, holders_in, roles_in
from verifier_signals.syntax import read

__all__ = ["exchanged_holders", "other_holder"]

_MUTUAL = lexicon("""
    partner friend colleague neighbour neighbor rival ally cousin brother sister sibling twin spouse peer part member
    opposite equivalent counterpart contemporary relative
    """)
"""Relations that go both ways."""
_SAME_THING = 0.5
"""Share of what a role is said to be of that the premise must mention."""


def other_holder(claim: str, premise: str, find: Finder = names_in) -> dict[Name, Name]:
    """For each name of the claim: who, not named by the claim, holds its role in the evidence instead."""
    known = find(claim)
    found: dict[Name, Name] = {}
    for mine in holders_in(claim, find):
        if not mine.definite or mine.role not in roles_in(premise):
            continue
        if len(mine.of & read(premise).stems) < _SAME_THING * len(mine.of):
            continue
        same = [
            other
            for other in holders_in(premise, find)
            if _same_role(mine, other) and _same_thing(mine, other)
        ]
        if same and not any(is_alias(mine.name, other.name) for other in same):
            for other in same:
                named = any(is_alias(name, other.name) for name in known)
                if other.definite and not named and comparable(mine.name, other.name):
                    found.setdefault(mine.name, other.name)
    return found


def exchanged_holders(claim: str, premise: str, find: Finder = names_in) -> Iterator[tuple[Holder, Holder]]:
    """Relations of the claim that the premise states the other way round: ``A is the father of B``."""
    for mine in holders_in(claim, find):
        if mine.owner is None or mine.role in _mutual_stems() or mine.role not in roles_in(premise):
            continue
        same = [
            other
            for other in holders_in(premise, find)
            if _same_role(mine, other) and other.owner is not None
        ]
        if any(is_alias(mine.name, other.name) for other in same):
            continue
        for other in same:
            if other.owner and is_alias(mine.name, other.owner) and is_alias(mine.owner, other.name):
                yield mine, other
                break


@lru_cache(maxsize=1)
def _mutual_stems() -> frozenset[str]:
    return frozenset(read(word).tokens[0].word.stem for word in _MUTUAL)


def _same_role(ours: Holder, theirs: Holder) -> bool:
    return theirs.role == ours.role and theirs.modifiers == ours.modifiers


def _same_thing(ours: Holder, theirs: Holder) -> bool:
    if ours.owner is not None and theirs.owner is not None:
        return is_alias(ours.owner, theirs.owner) or is_alias(theirs.owner, ours.owner)
    return not (ours.of and theirs.of) or bool(ours.of & theirs.of)
