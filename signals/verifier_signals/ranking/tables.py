"""The rows of one table in; which of them, and which of their cells, a claim speaks of out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.ranking.keys import keys_of, years_in
from verifier_signals.ranking.types import Keys, Piece
from verifier_signals.values import Value, parse
from verifier_signals.values.fields import fields_of

__all__ = ["Cell", "Row", "Table", "row_in"]

_MOST_WORDS = 6
"""A cell of more words is prose: it may name other rows than its own."""
_TOTALS = lexicon("total totals all sum overall average mean altogether")


class Cell(NamedTuple):
    """A cell that holds one value; ``label`` are the keys of its column's name. Offsets are into the row's text."""

    name: str
    label: Keys
    value: Value
    start: int
    end: int


class Row(NamedTuple):
    """A row: the keys of its first cell, of all its short cells, of its labels, of the headings above it, and its cells
    that hold one value. What stands before the cells of a row whose first column has no label is its first cell."""

    piece: int
    number: int
    first: Keys
    names: Keys
    labels: Keys
    headings: Keys
    cells: tuple[Cell, ...]


def row_in(piece: Piece, at: int) -> Row | None:
    """The row that a piece of evidence, number ``at``, is; ``None`` where it is a sentence."""
    read = _read(piece.text, piece.start)
    return Row(at, piece.number, *read) if read is not None else None


@lru_cache(maxsize=2048)
def _read(text: str, start: int) -> tuple[Keys, Keys, Keys, Keys, tuple[Cell, ...]] | None:
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
            cells.append(Cell(field.label, label, inside[0], field.start, field.end))
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

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    @cached_property
    def names(self) -> Keys:
        """The keys of all short cells."""
        return frozenset[str]().union(*(row.names for row in self.rows))

    @cached_property
    def labels(self) -> Keys:
        """The keys of all labels."""
        return frozenset[str]().union(*(row.labels for row in self.rows))

    def named(self, side: Keys) -> list[Row]:
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


def overlapping(label: Keys, wanted: Keys) -> int | None:
    """How many words a label shares with those wanted; ``None`` where both name years, and different ones."""
    told, asked = years_in(label), years_in(wanted)
    return None if told and asked and not told & asked else len(label & wanted)


def best_labels(cells: Iterable[Cell], wanted: Keys) -> set[str]:
    """The names of the columns that share most words with those wanted."""
    scored: dict[str, int] = {}
    for cell in cells:
        if (score := overlapping(cell.label, wanted)) is not None:
            scored[cell.name] = score
    most = max(scored.values(), default=0)
    return {name for name, score in scored.items() if score == most}


def cells_of(rows: Sequence[Row], names: set[str]) -> Iterator[tuple[Row, Cell]]:
    """The cells of some columns."""
    return ((row, cell) for row in rows for cell in row.cells if cell.name in names)
