"""Rivals: names that the premise has in the role of a name of the claim, and whether they tell against the claim."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.names import (
    Finder,
    Name,
    can_be_rivals,
    is_alias,
    is_known,
    is_subject,
    may_be_one,
    preposition_before,
    unnamed_subjects,
)
from verifier_signals.roles.fillers import pieces_in
from verifier_signals.syntax import Reading, read

__all__ = ["rival_denies", "share_clause_piece"]

_DENYING = frozenset({"not", "nor", "never"})
_NEAR = 4
"""Tokens before a name in which a word denies it."""
_LISTING = lexicon(", and or & / as well both the a an")
"""What stands between the items of a list."""


def rival_denies(name: Name, rival: Name, claim: str, premise: str, find: Finder) -> bool:
    """Whether a premise that has ``rival`` in the role of ``name`` tells against it.

    It does not where both may be one, where the claim has ``rival`` too, where they stand in one list, or where the
    claim tells of ``name`` and the premise, which never has it, of somebody whom it does not name: ``He wrote it with
    Ada Orr`` may tell of anybody.
    """
    if not can_be_rivals(name, rival) or is_known(rival, find(claim)):
        return False
    own = _mentions(name, premise, find)
    if own:
        return not _in_one_list(rival, own, premise, find)
    ours, theirs = read(claim), read(premise)
    if not is_subject(ours, name) or (preposition_before(theirs, rival) == "by" and _acts(ours)):
        return True
    return not unnamed_subjects(premise)[theirs.sentences[rival.first]]


def share_clause_piece(name: Name, rival: Name, premise: str, find: Finder) -> bool:
    """Whether one piece of the premise has the claim's name and the other one: then roles are easily mistaken.

    Not where it denies the claim's: ``It blamed Delmar, not the architect, Osgood``.
    """
    lows = read(premise).lows
    mentions = [
        one
        for one in _mentions(name, premise, find)
        if _DENYING.isdisjoint(lows[max(one.first - _NEAR, 0) : one.first])
    ]
    return bool(mentions) and any(
        piece.first <= rival.first < piece.last
        and any(piece.first <= one.first < piece.last for one in mentions)
        for pieces in pieces_in(premise, find)
        for piece in pieces
    )


def _mentions(name: Name, premise: str, find: Finder) -> list[Name]:
    return [other for other in find(premise) if is_alias(name, other) or may_be_one(name, other)]


def _acts(reading: Reading) -> bool:
    """Whether the first verb of a text is active, so that its subject is one behind ``by`` in the passive."""
    return any(not clause.verbs[0].passive for clause in reading.clauses[:1] if clause.verbs)


def _in_one_list(name: Name, others: Sequence[Name], text: str, find: Finder) -> bool:
    """Whether nothing but items and their joins stands between a name and one of some others."""
    groups = _lists_in(text, find)
    return any(groups.get(name.first) == groups.get(other.first) for other in others if name.first in groups)


@lru_cache(maxsize=2048)
def _lists_in(text: str, find: Finder) -> dict[int, int]:
    """The number of the list that a name belongs to, by the place of its first token."""
    tokens, names = read(text).tokens, find(text)
    found: dict[int, int] = {}
    last = 0
    for number, name in enumerate(names):
        between = [token.word.low for token in tokens[last : name.first]]
        together = number > 0 and bool(between) and _LISTING.issuperset(between)
        found[name.first] = found[names[number - 1].first] if together else number
        last = name.last
    return found
