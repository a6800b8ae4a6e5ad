"""A text goes in, the pieces of its clauses come out: cut where a coordinate part says something of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifier_signals.names import Finder
from verifier_signals.roles.fillers import Owners, owners_in
from verifier_signals.syntax import Clause, Reading, VerbGroup, read

__all__ = ["JOINS", "Piece", "opens_with_ing", "pieces_in"]

JOINS = frozenset({",", "and", "or", "but", "while"})
"""Words and marks at which a coordinate part begins."""


class Piece(NamedTuple):
    """Tokens ``first`` up to ``last`` of a clause, with the verb in them; ``gapped`` where it is inherited."""

    first: int
    last: int
    verb: VerbGroup | None
    gapped: bool


@lru_cache(maxsize=2048)
def pieces_in(text: str, find: Finder) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of each clause of a text."""
    reading, owner = read(text), owners_in(text, find)
    return tuple([tuple(_pieces_of(reading, owner, clause)) for clause in reading.clauses])


def _pieces_of(reading: Reading, owner: Owners, clause: Clause) -> Iterator[Piece]:
    """Cut a clause where a comma or ``and`` opens a part with a verb, or with a name and something of its own.

    ``Oslo hosts the archive, Riga the museum`` has two pieces, ``ferries call at Mull, Iona and Staffa`` one.
    """
    joins = [at for at in range(clause.first + 1, clause.last) if _is_join(reading, owner, at)]
    first, head = clause.first, None
    for at, following in pairwise([*joins, clause.last]):
        if _stands_alone(reading, owner, clause, at, following):
            piece = _piece(clause, first, at, head)
            yield piece
            first, head = at, piece.verb
    yield _piece(clause, first, clause.last, head)


def _is_join(reading: Reading, owner: Owners, at: int) -> bool:
    return (
        reading.tokens[at].word.low in JOINS
        and at not in owner
        and reading.tokens[at - 1].word.low not in JOINS
    )


def _piece(clause: Clause, first: int, last: int, head: VerbGroup | None) -> Piece:
    verb = next((group for group in clause.verbs if first <= group.main < last), None)
    return Piece(first, last, verb or head, verb is None and head is not None)


def _stands_alone(reading: Reading, owner: Owners, clause: Clause, first: int, last: int) -> bool:
    if any(first <= group.main < last for group in clause.verbs) or opens_with_ing(reading, first):
        return True
    if reading.tokens[first].word.low == "," and first - 1 in owner and first + 1 in owner:
        return False  # a place in a place, or one more of a list
    names = {owner[at] for at in range(first, last) if at in owner}
    return len(names) > 1 or (bool(names) and any(_tells(reading, owner, at) for at in range(first, last)))


def _tells(reading: Reading, owner: Owners, at: int) -> bool:
    word = reading.tokens[at].word
    return at not in owner and not (word.punct or word.function)


def opens_with_ing(reading: Reading, first: int) -> bool:
    """``, replacing Ada``: whether a verb in -ing opens the tokens from ``first`` on, a join before it or not."""
    at = first + 1 if reading.tokens[first].word.low in JOINS else first
    verb = reading.tokens[at].word.verb if at < len(reading.tokens) else None
    return verb is not None and verb.form == "ing"
