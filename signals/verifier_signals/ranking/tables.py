"""Rows of a table as a claim can name them: the keys, words and values of their cells.

Claims and cells name a thing by the same keys. There are two views of a row: a :class:`TableRow` has the cells with one
value, to compare figures; a :class:`TableRecord` has every short cell, to look up what it says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.ranking.types import EvidencePiece, Keys
from verifier_signals.stems import word_key
from verifier_signals.syntax import Reading, tokenise
from verifier_signals.values import Value, parse
from verifier_signals.values.fields import Field, fields_of

__all__ = [
    "RecordCell",
    "Table",
    "TableRecord",
    "TableRow",
    "ValueCell",
    "best_labels",
    "cells_of",
    "constant_columns",
    "is_whole",
    "keys_at",
    "keys_of",
    "named_by",
    "records_by_table",
    "row_in",
    "words_in",
    "words_of",
    "years_in",
]

_YEAR_DIGITS = 4
_POSSESSIVE = re.compile(r"['’]s?$")
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_PARTS_OF_YEARS = {"quarter": "q", "half": "h"}
"""How a table calls the parts of a year: ``Q3``, ``H1``."""


def keys_at(reading: Reading, places: Iterable[int]) -> Keys:
    """The keys of some tokens of a claim."""
    found = set()
    for at in places:
        token = reading.tokens[at]
        if part := _part_of_year(reading, at):
            found.add(part)
            continue
        surface = reading.text[token.start : token.end]
        named = surface[:1].isupper() and at not in reading.heads
        if named and len(surface) == 1:
            found.add(surface)
        elif not token.word.punct and (named or not token.word.function):
            found.add(_surface_key(surface) or token.word.low)
    return frozenset(found)


def _part_of_year(reading: Reading, at: int) -> str:
    """``q3`` for the ``third`` of a ``third quarter``, and of a ``third`` that leaves the word to another such one."""
    low, lows = reading.lows[at], reading.lows
    if low not in _ORDINALS:
        return ""
    following = lows[at + 1] if at + 1 < len(lows) else "."
    if following in _PARTS_OF_YEARS:
        return _PARTS_OF_YEARS[following] + _ORDINALS[low]
    if following.isalpha() and following != "of":
        return ""
    named = [
        _PARTS_OF_YEARS[word]
        for before, word in pairwise(lows)
        if before in _ORDINALS and word in _PARTS_OF_YEARS
    ]
    return named[0] + _ORDINALS[low] if named else ""


def _surface_key(surface: str) -> str:
    return word_key(_POSSESSIVE.sub("", surface))


@lru_cache(maxsize=8192)
def keys_of(text: str) -> Keys:
    """The keys of a cell or a label.

    >>> sorted(keys_of("Trench C")), sorted(keys_of("seats 2024"))
    (['C', 'trench'], ['2024', 'seat'])
    """
    found = set()
    for token in tokenise(text):
        surface = text[token.start : token.end]
        if len(surface) == 1 and surface.isupper():
            found.add(surface)
        elif not token.word.punct and (surface[:1].isupper() or not token.word.function):
            found.add(_surface_key(surface) or token.word.low)
    return frozenset(found)


def years_in(keys: Keys) -> Keys:
    """The keys that are years."""
    return frozenset(key for key in keys if len(key) == _YEAR_DIGITS and key.isdecimal() and key[0] in "12")


_MOST_WORDS = 6
"""A cell of more words is prose: it may name other rows than its own."""
_TOTALS = lexicon("total totals all sum overall average mean altogether")


class ValueCell(NamedTuple):
    """A cell that holds one value; ``label`` are the keys of its column's name. Offsets are into the row's text."""

    name: str
    label: Keys
    value: Value
    start: int
    end: int


class TableRow(NamedTuple):
    """A row: the keys of its first cell, of all its short cells, of its labels, of the headings above it, and its cells
    that hold one value. What stands before the cells of a row whose first column has no label is its first cell."""

    piece: int
    number: int
    first: Keys
    names: Keys
    labels: Keys
    headings: Keys
    cells: tuple[ValueCell, ...]


def row_in(piece: EvidencePiece, at: int) -> TableRow | None:
    """The row that a piece of evidence, number ``at``, is; ``None`` where it is a sentence."""
    read = _row_fields(piece.text, piece.start)
    return TableRow(at, piece.number, *read) if read is not None else None


@lru_cache(maxsize=2048)
def _row_fields(text: str, start: int) -> tuple[Keys, Keys, Keys, Keys, tuple[ValueCell, ...]] | None:
    fields = fields_of(text)
    if len(fields) < 2 or len({field.row for field in fields}) > 1:
        return None
    begin, ahead = fields[0].row[0], text[start : fields[0].row[0]].rstrip()
    first = ahead if ahead.endswith(";") else text[fields[0].start : fields[0].end]
    if _TOTALS & set(first.casefold().split()):
        return None
    values = parse(text)
    names: set[str] = set(keys_of(first))
    labels: set[str] = set()
    cells = []
    for field in fields:
        inside = [value for value in values if field.start <= value.core[0] < field.end]
        cell, label = text[field.start : field.end], keys_of(field.label)
        labels |= label
        if len(cell.split()) > _MOST_WORDS:
            continue
        if len(inside) == 1 and not inside[0].weak:
            cells.append(ValueCell(field.label, label, inside[0], field.start, field.end))
            if cell[0].isupper() and inside[0].start > field.start:  # ``Moss 25`` is a name
                names |= keys_of(cell)
        elif any(map(str.isalpha, cell)):
            names |= keys_of(cell)
    return (
        keys_of(first),
        frozenset(names),
        frozenset(labels),
        keys_of(text[: min(start, begin)]),
        tuple(cells),
    )


class Table:
    """The rows of one table, in the order in which they were retrieved."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        self.rows = rows

    @cached_property
    def names(self) -> Keys:
        """The keys of all short cells."""
        return frozenset[str]().union(*(row.names for row in self.rows))

    @cached_property
    def labels(self) -> Keys:
        """The keys of all labels."""
        return frozenset[str]().union(*(row.labels for row in self.rows))

    def named(self, side: Keys) -> list[TableRow]:
        """The rows that have all of those words of a side that any row has; by their first cells, where these do. None
        where a figure of the side is in no row: ``Moss 30`` is not ``Moss 25``. What every row is called by names none:
        ``the river`` is not the one with a ``Sorrel River Board``."""
        if any(key.isdecimal() for key in side - years_in(side) - self.names - self.labels):
            return []
        heads = side & frozenset[str]().union(*(row.first for row in self.rows))
        found = [row for row in self.rows if heads <= row.first] if heads else []
        found = [row for row in found if row.first == heads] or found
        known = side & self.names
        telling = bool(known - self.labels)
        narrowed = [row for row in found or self.rows if known <= row.names] if telling else []
        return narrowed or found

    def whole(self) -> bool:
        """Whether no row is missing between the first and the last that are known."""
        numbers = sorted(row.number for row in self.rows)
        return numbers == [0] * len(numbers) or numbers == list(range(1, len(numbers) + 1))


def _overlapping(label: Keys, wanted: Keys) -> int | None:
    """How many words a label shares with those wanted; ``None`` where both name years, and different ones."""
    told, asked = years_in(label), years_in(wanted)
    return None if told and asked and not told & asked else len(label & wanted)


def best_labels(cells: Iterable[ValueCell], wanted: Keys) -> list[str]:
    """The names of the columns that share most words with those wanted, in the order of the cells."""
    scored: dict[str, int] = {}
    for cell in cells:
        if (score := _overlapping(cell.label, wanted)) is not None:
            scored[cell.name] = score
    most = max(scored.values(), default=0)
    return [name for name, score in scored.items() if score == most]


def cells_of(rows: Sequence[TableRow], names: Collection[str]) -> Iterator[tuple[TableRow, ValueCell]]:
    """The cells of some columns."""
    return ((row, cell) for row in rows for cell in row.cells if cell.name in names)


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


class RecordCell(NamedTuple):
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


class TableRecord(NamedTuple):
    """A row: its cells, those of prose left out; and the words of what stands above it, its file's name among them."""

    piece: int
    number: int
    entries: tuple[RecordCell, ...]
    above: Keys
    labels: frozenset[str]


def records_by_table(pieces: Sequence[EvidencePiece]) -> list[list[TableRecord]]:
    """The rows among the pieces, those of each table together."""
    tables: dict[str, list[TableRecord]] = {}
    for at, piece in enumerate(pieces):
        read = _record_fields(piece.text)
        if read is not None:
            entries, above, labels = read
            named = words_of(piece.group.replace("_", " ").replace(".", " "))
            tables.setdefault(piece.group, []).append(
                TableRecord(at, piece.number, entries, above | named, labels)
            )
    return list(tables.values())


def constant_columns(table: Sequence[TableRecord]) -> frozenset[str]:
    """The labels under which all rows have the same words: they tell no row from another."""
    seen: dict[str, list[Keys]] = {}
    for record in table:
        for entry in record.entries:
            seen.setdefault(entry.label, []).append(entry.words)
    return frozenset(
        label for label, words in seen.items() if len(words) == len(table) > 1 and len(set(words)) == 1
    )


def is_whole(table: Sequence[TableRecord]) -> bool:
    """Whether no row is missing between the first and the last that are known."""
    numbers = sorted(record.number for record in table)
    return numbers == [0] * len(numbers) or numbers == list(range(1, len(numbers) + 1))


def named_by(words: Keys, record: TableRecord, constant: frozenset[str]) -> tuple[RecordCell, ...]:
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
def _record_fields(text: str) -> tuple[tuple[RecordCell, ...], Keys, frozenset[str]] | None:
    fields = fields_of(text)
    if len(fields) < 2 or len({field.row for field in fields}) > 1:
        return None
    values = parse(text)
    found = [_record_cell(text, field, values) for field in fields]
    entries = tuple(one for one, field in zip(found, fields, strict=True) if _is_short(text, field))
    return entries, words_of(text[: fields[0].row[0]]), frozenset(field.label for field in fields)


def _is_short(text: str, field: Field) -> bool:
    return len(text[field.start : field.end].split()) <= _MOST_WORDS


def _record_cell(text: str, field: Field, values: Sequence[Value]) -> RecordCell:
    cell = text[field.start : field.end]
    inside = [value for value in values if field.start <= value.core[0] < field.end]
    one = inside[0] if len(inside) == 1 and not inside[0].weak else None
    outside = words_of(cell) - (words_of(text[slice(*one.core)]) if one else frozenset())
    named = bool(outside) and cell[:1].isalpha()
    if named or len(outside) > 1 or (one is not None and one.kind == "code"):
        one = None  # a name with a figure in it
    name = words_of(_BRACKETS.sub(" ", cell)) or words_of(cell)
    label, low = words_of(field.label), cell.strip(" .*").casefold()
    return RecordCell(
        field.label,
        (label - _OPEN_LABEL) or label,
        name,
        one,
        _ANSWERS.get(low),
        low.removesuffix(" of charge") in _FREE,
        field.start,
        field.end,
    )
