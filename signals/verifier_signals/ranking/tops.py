"""A superlative and the rows of a table in; whether the row that the claim names has that rank, out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.lexicon import measures_of
from verifier_signals.ranking.figures import WORLD, beyond, names_another_scale, sign_of
from verifier_signals.ranking.lookup import SAY_NOTHING
from verifier_signals.ranking.records import (
    Entry,
    Record,
    constant_columns,
    is_whole,
    named_by,
    words_in,
    words_of,
)
from verifier_signals.ranking.types import Asked, Keys, Settled, Shown
from verifier_signals.stems import word_key
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["narrows", "topped_by_name"]

_CLASS = re.compile(
    r"\b(?:of|among|in) (?:all )?(?:of )?(?:the|these|those) (?:\w+ )??(?P<noun>\w+s)\b", re.IGNORECASE
)
"""What is ranked: ``of the huts``."""
_NEUTRAL = SAY_NOTHING | words_of(
    "range list listed table model item product kind number second third fourth fifth"
)

_MARKS = words_of("score point mark grade result rating")
"""What a performance is told by, under whatever name."""


def narrows(asked: Asked, claim: str, table: Sequence[Record]) -> bool:
    """Whether a claim ranks its thing among those rows only that have what it says."""
    words = words_in(claim)
    field = _field(words, asked, table) if len(table) > 1 else None
    if field is None:
        return False
    column = _column(asked, field, words)
    unsaid = _unsaid(asked, claim, words, field, column, table) if column else frozenset[str]()
    return len(field.rows) < len(table) or bool(unsaid & asked.measured)


class _Field(NamedTuple):
    """The rows that a superlative is about, those of its holder, and the words of the claim that tell so."""

    rows: list[Record]
    holders: list[Record]
    words: Keys


def topped_by_name(asked: Asked, claim: str, table: Sequence[Record]) -> Settled | None:
    """Whether the row that a claim names, wherever in the sentence, has the rank of its superlative.

    Only the rows count that have what the claim says of them all (``of the huts that allow dogs``). Nothing is settled
    where the claim narrows them down by words that the table does not have.
    """
    if len(table) < 2:
        return None
    words = words_in(claim)
    field = _field(words, asked, table)
    if field is None:
        return None
    column = _column(asked, field, words)
    if column is None or _unsaid(asked, claim, words, field, column, table):
        return None
    return _ranked(asked, claim, table, field, column)


def _field(words: Keys, asked: Asked, table: Sequence[Record]) -> _Field | None:
    constant = constant_columns(table)
    named = [(record, [one for one in named_by(words, record, constant) if one.is_text]) for record in table]
    times = Counter((entry.label, entry.words) for record in table for entry in record.entries)
    shared = {words for (_, words), count in times.items() if count > 1}
    scored = [
        (
            len(frozenset[str]().union(*(one.words & words for one in cells if one.words not in shared))),
            record,
        )
        for record, cells in named
    ]
    most = max(score for score, _ in scored)
    holders = [record for score, record in scored if score == most > 0]
    if len(holders) != 1:
        return None
    cells = next(cells for record, cells in named if record is holders[0])
    kinds = [one for one in cells if one.words in shared]
    told = frozenset[str]().union(*(one.words for one in cells))
    answers = [one for one in _answers(table) if one.wanted <= words - told - asked.measured]
    rows = [
        record
        for record in table
        if all(
            any(one.label == kind.label and one.words == kind.words for one in record.entries)
            for kind in kinds
        )
        and all(_says_yes(record, one.label) for one in answers)
    ]
    known = told.union(*(one.wanted for one in answers))
    return _Field(rows, holders, known) if holders[0] in rows else None


def _answers(table: Sequence[Record]) -> list[Entry]:
    """One cell of each column of answers."""
    return [
        *{one.label: one for record in table for one in record.entries if one.answer is not None}.values()
    ]


def _says_yes(record: Record, label: str) -> bool:
    return any(one.label == label and one.answer for one in record.entries)


def _column(asked: Asked, field: _Field, words: Keys) -> str | None:
    """The one column that measures what is ranked: by what the claim calls it, else by its dimension."""
    cells = [one for record in field.rows for one in record.entries if one.value is not None]
    names = frozenset(word_key(name) for scale, _ in asked.scales for name in measures_of(scale).names)
    called = asked.measured | (_MARKS if asked.measured & _MARKS else frozenset())
    measured = {one.label: len(one.wanted & called) for one in cells if one.wanted & called}
    fitting = {
        one.label: len(one.wanted & (words | names))
        for one in cells
        if one.wanted & names
        or (
            one.value and sign_of(asked, one.value) is not None and not names_another_scale(asked, one.wanted)
        )
    }
    sizes = {one.label: 1 for one in cells if one.wanted <= words - field.words}
    found = measured or fitting or (sizes if asked.scales[0][0] == "size" else {})
    best = [label for label, score in found.items() if score == max(found.values())]
    return best[0] if len(best) == 1 else None


def _unsaid(
    asked: Asked, claim: str, words: Keys, field: _Field, column: str, table: Sequence[Record]
) -> Keys:
    """The words of the claim that may narrow down what is ranked, and that the table does not have."""
    kind = _CLASS.search(claim)
    noun = asked.measured if len(asked.measured) == 1 else frozenset[str]()
    known = set(_NEUTRAL | noun | field.words | words_of(column) | words_of(claim[slice(*asked.span)]))
    known |= words_of(kind["noun"]) if kind else frozenset()
    known |= words & NUMBER_WORDS
    for record in table:
        known |= record.above.union(*(one.words | words_of(one.label) for one in record.entries[:1]))
    return words - known


def _ranked(asked: Asked, claim: str, table: Sequence[Record], field: _Field, column: str) -> Settled | None:
    cells = [
        (record, one) for record in field.rows for one in record.entries if one.label == column and one.value
    ]
    own = next(((record, one) for record, one in cells if record is field.holders[0]), None)
    others = [(record, one) for record, one in cells if record is not field.holders[0]]
    if own is None or not others:
        return None
    ways = [beyond(asked, one.value, own[1].value) for _, one in others if one.value and own[1].value]
    ahead = [one for one, way in zip(others, ways, strict=True) if way == 1]
    ours, theirs = _shown(*own), _shown(*(ahead or others)[0])
    if len(ahead) >= asked.rank:
        return Settled(False, asked.span, ours, theirs)
    if any(way not in (1, -1) for way in ways) or len(cells) < len(field.rows):
        return None
    holds = len(ahead) == asked.rank - 1
    if holds and (not is_whole(table) or WORLD.search(claim)):
        return None
    return Settled(holds, asked.span, ours, theirs)


def _shown(record: Record, entry: Entry) -> Shown:
    return Shown(record.piece, entry.start, entry.end)
