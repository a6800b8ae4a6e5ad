"""Documents of a sheet: one for each row below its heads, or one for a sheet without heads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from verifier.core.errors import IngestError
from verifier.core.tables import cells_of
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import LEFT_OUT, Allowance
from verifier.knowledge.formats.outline import Outline
from verifier.knowledge.formats.tabular import (
    bounded,
    column_names,
    head_at,
    is_figure,
    rows_to_documents,
)
from verifier.types import Document

__all__ = ["CELLS", "Sheet", "SheetRow", "cells_at", "column_letters", "first_told", "sheet_documents"]

CELLS = "cells"
"""The metadata that says in which cell what stands: ``0:B7 14:C7``, the offset of each cell into the text."""
_SNIFF_ROWS = 20
_MOST_CELLS = 200
"""Cells of a document whose places are kept; each of its passages carries them."""
_TWO = 2


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row with something in it: its number from 1, what its cells show from the first column on, whether all that
    it shows is in bold type, and whether a cell of it spans several columns, in each of which it is repeated."""

    number: int
    cells: Sequence[str]
    bold: bool = False
    spans: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet by its name, and its rows from the top."""

    name: str
    rows: Iterator[SheetRow]


def sheet_documents(
    file: SourceFile, options: ReadOptions, sheet: Sheet, metadata: Metadata, size: int
) -> Iterator[Document | IngestError]:
    """The documents of a sheet, shown as ``prices.xlsx!Fees#7``: workbook, sheet, and number of the row.

    Rows above the heads that fill few cells are the title of each row. A sheet whose first rows name no columns is one
    document with a table without heads, shown as ``prices.xlsx!Notes``.

    Args:
        file: the workbook.
        options: columns as for a CSV file.
        sheet: its name and rows; none of them is blank.
        metadata: of each document.
        size: of the file, by which rows are bounded.
    """
    first = list(islice(sheet.rows, _SNIFF_ROWS))
    about: Metadata = {**metadata, "workbook": file.source.rpartition("/")[2], "sheet": sheet.name}
    heads = _heads(first)
    if heads is None:
        yield from _whole(file, sheet.name, chain(first, sheet.rows), about, size)
        return
    above, depth = heads
    title = " ".join(cell for row in first[:above] for cell in dict.fromkeys(row.cells) if cell)
    names = _joined([row.cells for row in first[above : above + depth]])
    below = chain(first[above + depth :], sheet.rows)
    yield from _rows(file, options, sheet.name, names, below, about, size, title)


def first_told(items: Iterable[Document | IngestError], left_out: str) -> Iterator[Document | IngestError]:
    """The documents of a workbook, the first of them with what was left out of it.

    Raises:
        IngestError: there is none.
    """
    first = True
    for item in items:
        if first and left_out and isinstance(item, Document):
            said = "; ".join(filter(None, (left_out, str(item.metadata.get(LEFT_OUT) or ""))))
            item = replace(item, metadata={**item.metadata, LEFT_OUT: said})
        first = first and not isinstance(item, Document)
        yield item
    if first:
        raise IngestError(f"no visible cell holds anything{f' ({left_out})' if left_out else ''}")


def cells_at(places: str, start: int, end: int) -> str:
    """The cells in which a stretch of a text stands.

    >>> cells_at("0:B7 14:C7 30:D7", 14, 20), cells_at("0:B7 14:C7 30:D7", 3, 33), cells_at("", 0, 5)
    ('cell C7', 'cells B7:D7', '')
    """
    found = [place.partition(":") for place in places.split()]
    if not found:
        return ""
    offsets = [int(offset) for offset, _, _ in found]
    first = max(bisect_right(offsets, start) - 1, 0)
    last = max(bisect_right(offsets, max(end - 1, start)) - 1, first)
    one, other = found[first][2], found[last][2]
    return f"cell {one}" if first == last else f"cells {one}:{other}"


def column_letters(column: int) -> str:
    """What a column is called in a sheet, from 1.

    >>> column_letters(1), column_letters(27), column_letters(16384)
    ('A', 'AA', 'XFD')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _heads(rows: Sequence[SheetRow]) -> tuple[int, int] | None:
    """How many rows stand above the heads of the columns, and how many rows these take; ``None`` without heads."""
    if not rows:
        return None
    above = head_at([list(dict.fromkeys(row.cells)) if row.spans else row.cells for row in rows])
    head, below = rows[above], rows[above + 1 :]
    named = [cell for cell in head.cells if cell.strip()]
    if len(named) < _TWO or not below or any(map(is_figure, named)):
        return None
    if head.spans and len(below) > 1 and not any(map(_is_value, below[0].cells)):
        return above, 2
    if len(set(named)) < len(named):
        return None
    figures = any(is_figure(cell) for row in below for cell in row.cells)
    return (above, 1) if head.bold or len(named) > _TWO or figures else None


def _is_value(cell: str) -> bool:
    """Whether a cell is a figure that cannot be the head of a column: ``Q1`` can."""
    return is_figure(cell) and not cell[:1].isalpha()


def _joined(heads: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns; what several rows say of one, from the top, each once."""
    width = max(map(len, heads))
    stacked = [[row[column] for row in heads if column < len(row)] for column in range(width)]
    return column_names([" ".join(dict.fromkeys(filter(None, column))) for column in stacked])


def _rows(
    file: SourceFile,
    options: ReadOptions,
    sheet: str,
    names: Sequence[str],
    rows: Iterable[SheetRow],
    metadata: Metadata,
    size: int,
    title: str,
) -> Iterator[Document | IngestError]:
    columns = {name: column for column, name in enumerate(names, 1)}

    def records() -> Iterator[tuple[int, Mapping[str, object]]]:
        for row in rows:
            extra = {f"column {column_letters(at)}": at for at in range(len(names) + 1, len(row.cells) + 1)}
            columns.update(extra)
            yield (
                row.number,
                {name: row.cells[at - 1] for name, at in columns.items() if at <= len(row.cells)},
            )

    for item in rows_to_documents(file, options, bounded(records(), size), metadata, title, by_number=True):
        if isinstance(item, IngestError):
            yield IngestError(f"sheet {sheet}, {item}")
            continue
        number = int(item.source.rpartition("#")[2])
        name = sheet.replace("#", "%23")
        yield replace(
            item,
            source=f"{file.source}!{name}#{number}",
            uri=f"{file.uri}#{name}!{number}",
            metadata={**item.metadata, **metadata, "row": number, CELLS: _places(item.text, columns, number)},
        )


def _places(text: str, columns: Mapping[str, int], number: int) -> str:
    """Where the line of each column stands in the text of a row."""
    places: list[str] = []
    at = 0
    for line in text.split("\n"):
        name = line.partition(": ")[0]
        if name in columns and len(places) < _MOST_CELLS:
            places.append(f"{at}:{column_letters(columns[name])}{number}")
        at += len(line) + 1
    return " ".join(places)


def _whole(
    file: SourceFile, sheet: str, rows: Iterable[SheetRow], metadata: Metadata, size: int
) -> Iterator[Document]:
    """The whole sheet: rows of one cell as paragraphs, others as tables without heads."""
    outline, allowance = Outline(), Allowance(size)
    table: list[Sequence[str]] = []
    places: list[tuple[int, int]] = []  # of each line that will be written: its row, and its first column
    for row in rows:
        told = list(dict.fromkeys(cell for cell in row.cells if cell.strip()))
        if not allowance.take(
            sum(map(len, told)) + len(row.cells), f"the rows from {row.number} on are left out"
        ):
            break
        first = next(at for at, cell in enumerate(row.cells) if cell.strip())
        places.append((row.number, first + 1))
        if len(told) == 1:
            outline.table(table, header=False)
            table = []
            outline.paragraph(told[0])
        else:
            table.append(row.cells[first:])
    outline.table(table, header=False)
    if text := outline.text():
        name = sheet.replace("#", "%23")
        about = {**metadata, **allowance.metadata, CELLS: _places_of_lines(text, places)}
        yield Document(
            f"{file.source}!{name}", f"{file.uri}#{name}!", text, "text/markdown", sheet, metadata=about
        )


def _places_of_lines(text: str, rows: Sequence[tuple[int, int]]) -> str:
    """Where the cells of a whole sheet stand in its text, as far as they are kept."""
    places: list[str] = []
    waiting = iter(rows)
    at = 0
    for line in text.split("\n"):
        cells = cells_of(line) if line.startswith("|") else [(0, len(line))]
        told = not line.startswith("|---") and any(end > start for start, end in cells)
        if told and (place := next(waiting, None)) is not None:
            row, column = place
            places += [
                f"{at + start}:{column_letters(column + n)}{row}"
                for n, (start, end) in enumerate(cells)
                if end > start
            ]
        if len(places) >= _MOST_CELLS:
            break
        at += len(line) + 1
    return " ".join(places[:_MOST_CELLS])
