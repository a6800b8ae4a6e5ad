"""The rows of a table in; each with its cells as the words and values that a claim may name them by, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.ranking.keys import keys_of
from verifier_signals.ranking.types import Keys, Piece
from verifier_signals.syntax import tokenise
from verifier_signals.values import Value, parse
from verifier_signals.values.fields import Field, fields_of

__all__ = [
    "Entry",
    "Record",
    "constant_columns",
    "is_whole",
    "named_by",
    "records_by_table",
    "words_in",
    "words_of",
]

_MOST_WORDS = 6
"""A cell of more words is prose: it may name other rows than its own."""
_ANSWERS = {"yes": True, "no": False, "none": False, "true": True, "false": False, "✓": True, "✗": False}
_FREE = lexicon("free gratis")
_APART = re.compile(r"['’]s?(?![^\W_])|(?<=[^\W\d_])-(?=[^\W\d_])")
"""What parts words, or ends a possessive: ``the café's``, ``one-way``."""
_BRACKETS = re.compile(r"\([^()]*\)")
"""What a cell adds to a name: ``Ash 120 (front loader)``."""
_PLURALS = {"children": "child", "men": "man", "women": "woman"}
_IRREGULAR = re.compile(rf"\b(?:{'|'.join(_PLURALS)})\b", re.IGNORECASE)
_OPEN_LABEL = keys_of("amount number value name figure total")
"""Words of a label that a claim need not repeat."""


class Entry(NamedTuple):
    """A cell: its label, the words of it (``wanted``), its words and its one value, or the answer that it gives.

    ``free``: it says that nothing is to be paid.
    """

    label: str
    wanted: Keys
    words: Keys
    value: Value | None
    answer: bool | None
    free: bool
    start: int
    end: int

    @property
    def is_text(self) -> bool:
        """Whether it names something, and gives no figure and no answer."""
        return self.value is None and self.answer is None and not self.free and bool(self.words)


class Record(NamedTuple):
    """A row: its cells, those of prose left out; and the words of what stands above it, its file's name among them."""

    piece: int
    number: int
    entries: tuple[Entry, ...]
    above: Keys
    labels: frozenset[str]


def records_by_table(pieces: Sequence[Piece]) -> list[list[Record]]:
    """The rows among the pieces, those of each table together."""
    tables: dict[str, list[Record]] = {}
    for at, piece in enumerate(pieces):
        read = _read(piece.text)
        if read is not None:
            entries, above, labels = read
            named = words_of(piece.group.replace("_", " ").replace(".", " "))
            tables.setdefault(piece.group, []).append(
                Record(at, piece.number, entries, above | named, labels)
            )
    return list(tables.values())


def constant_columns(table: Sequence[Record]) -> frozenset[str]:
    """The labels under which all rows have the same words: they tell no row from another."""
    seen: dict[str, list[Keys]] = {}
    for record in table:
        for entry in record.entries:
            seen.setdefault(entry.label, []).append(entry.words)
    return frozenset(
        label for label, words in seen.items() if len(words) == len(table) > 1 and len(set(words)) == 1
    )


def is_whole(table: Sequence[Record]) -> bool:
    """Whether no row is missing between the first and the last that are known."""
    numbers = sorted(record.number for record in table)
    return numbers == [0] * len(numbers) or numbers == list(range(1, len(numbers) + 1))


def named_by(words: Keys, record: Record, constant: frozenset[str]) -> tuple[Entry, ...]:
    """The cells whose words are among those given, their labels' aside (``Elm Hut`` in a column ``hut``).

    These are cells of text, and the first that tells rows apart, whatever it holds (a year, a code).
    """
    key = next((entry.label for entry in record.entries if entry.label not in constant), "")
    return tuple(
        entry
        for entry in record.entries
        if (entry.is_text or (entry.label == key and entry.answer is None))
        and (own := (entry.words - entry.wanted) or entry.words)
        and own <= words
    )


@lru_cache(maxsize=8192)
def words_of(text: str) -> Keys:
    """The keys of a cell, a label or a claim, those of words with a hyphen apart and without the possessive.

    >>> sorted(words_of("the café's round-trip ticket"))
    ['cafe', 'round', 'ticket', 'trip']
    """
    plain = _APART.sub(" ", text)
    return keys_of(_IRREGULAR.sub(lambda match: _PLURALS[match[0].casefold()], plain))


def words_in(claim: str) -> Keys:
    """The keys of a claim; the capital of a function word at its head makes no name of it.

    >>> sorted(words_in("Every hut has a shower."))
    ['hut', 'shower']
    """
    opener = next(iter(tokenise(claim)), None)
    if opener is not None and opener.word.function:
        claim = claim[: opener.end].lower() + claim[opener.end :]
    return words_of(claim)


@lru_cache(maxsize=2048)
def _read(text: str) -> tuple[tuple[Entry, ...], Keys, frozenset[str]] | None:
    fields = fields_of(text)
    if len(fields) < 2 or len({field.row for field in fields}) > 1:
        return None
    values = parse(text)
    found = [_entry(text, field, values) for field in fields]
    entries = tuple(one for one, field in zip(found, fields, strict=True) if _is_short(text, field))
    return entries, words_of(text[: fields[0].row[0]]), frozenset(field.label for field in fields)


def _is_short(text: str, field: Field) -> bool:
    return len(text[field.start : field.end].split()) <= _MOST_WORDS


def _entry(text: str, field: Field, values: Sequence[Value]) -> Entry:
    cell = text[field.start : field.end]
    inside = [value for value in values if field.start <= value.core[0] < field.end]
    one = inside[0] if len(inside) == 1 and not inside[0].weak else None
    outside = words_of(cell) - (words_of(text[slice(*one.core)]) if one else frozenset())
    named = bool(outside) and cell[:1].isalpha()
    if named or len(outside) > 1 or (one is not None and one.kind == "code"):
        one = None  # a name with a figure in it
    name = words_of(_BRACKETS.sub(" ", cell)) or words_of(cell)
    label, low = words_of(field.label), cell.strip(" .*").casefold()
    return Entry(
        field.label,
        (label - _OPEN_LABEL) or label,
        name,
        one,
        _ANSWERS.get(low),
        low.removesuffix(" of charge") in _FREE,
        field.start,
        field.end,
    )
