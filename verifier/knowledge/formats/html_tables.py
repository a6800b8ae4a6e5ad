"""Tables of a page as rows of text: heads of several rows become one, spanned cells are repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.html_nodes import flat_text, hidden, is_bold, walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["PageTable", "inner_tables", "layout_tables", "page_table"]

_MAX_SPAN = 100
_BESIDE = 3
"""Characters that a cell takes beside its text."""
_SPANS = "cells that span rows or columns are not repeated in all of them"
_OF_CELLS = ("td", "th")
_PLAIN_ROLES = frozenset({"presentation", "none"})


@dataclass(slots=True)
class PageTable:
    """What a table says: the titles above its head, the head, which may be empty, and the rows below it.

    ``inner`` are the tables within its cells, each with the first cell of its row.
    """

    titles: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    inner: list[tuple[str, LexborNode]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    heads: bool
    """Whether it is marked as a head, or all of it is in bold type."""


def layout_tables(body: LexborNode) -> frozenset[int]:
    """The tables that only place what stands on the page, by ``mem_id``: they hold others, of several cells a row, and
    name no columns. All of them are found in one walk, since tables nest without limit."""
    layout: set[int] = set()
    holding: set[int] = set()
    named: set[int] = set()
    open_tables: list[int] = []
    for node, entering in walk(body):
        if node.tag == "table":
            if entering:
                open_tables.append(node.mem_id)
                continue
            done = open_tables.pop()
            if _is_plain(node) or (done in holding and done not in named):
                layout.add(done)
            if open_tables and (done in holding or _is_wide(node)):
                holding.add(open_tables[-1])
        elif entering and node.tag == "th" and open_tables:
            named.add(open_tables[-1])
    return frozenset(layout)


def _is_plain(table: LexborNode) -> bool:
    return (table.attributes.get("role") or "").lower() in _PLAIN_ROLES


def _is_wide(table: LexborNode) -> bool:
    """Whether a row of the table itself has several cells."""
    return any(len(_cells(row)) > 1 for row in _rows(table))


def inner_tables(cell: LexborNode) -> list[LexborNode]:
    """The tables of several cells a row within a cell, without those within these."""
    if cell.css_first("table") is None:
        return []
    found = (node for node, entering in walk(cell, lambda node: node.tag == "table") if entering)
    return [node for node in found if node.tag == "table" and _is_wide(node)]


def page_table(table: LexborNode, allowance: Allowance) -> PageTable:
    """Read one table; those within its cells are left to be read after it. Spanning cells are repeated as far as there
    is an ``allowance``."""
    found = PageTable()
    caption = next((node for node in table.iter() if node.tag == "caption" and not hidden(node)), None)
    if caption is not None and (title := flat_text(caption)):
        found.titles.append(title)
    nodes = list(_rows(table))
    grid, marked = _grid(nodes, found, allowance)
    grid = [row for row in grid if any(cell.text for cell in row)] if not any(marked) else grid
    above = _title_rows(grid)
    found.titles += [next(cell.text for cell in row if cell.text) for row in grid[:above]]
    grid, marked = grid[above:], marked[above:]
    depth = _head_rows(grid, marked)
    found.head = [
        _joined(row[column].text for row in grid[:depth] if column < len(row))
        for column in range(_width(grid))
    ]
    found.rows = [[cell.text for cell in row] for row in grid[depth:]]
    if not depth:
        found.head = []
    return found


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """Rows of the table itself; those of a table inside a cell belong to that cell."""
    for node, entering in walk(table, lambda node: node.tag == "tr"):
        if entering and node.tag == "tr":
            yield node


def _cells(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in _OF_CELLS and not hidden(cell)]


def _grid(
    rows: Sequence[LexborNode], found: PageTable, allowance: Allowance
) -> tuple[list[list[_Cell]], list[bool]]:
    """The cells of all rows, a spanning cell once for each row and column that it spans; and which rows are in a
    ``thead``."""
    grid: list[list[_Cell]] = []
    marked: list[bool] = []
    carried: dict[int, tuple[_Cell, int]] = {}  # column -> cell and rows left of one that spans rows
    for row in rows:
        cells = _cells(row)
        if not cells and not carried:
            continue
        inner = [(cell, inner_tables(cell)) for cell in cells]
        grid.append(_filled(inner, carried, allowance))
        marked.append(row.parent is not None and row.parent.tag == "thead")
        first = grid[-1][0].text if grid[-1] else ""
        found.inner += [(first, node) for _, nodes in inner for node in nodes]
    return grid, marked


def _filled(
    cells: Sequence[tuple[LexborNode, Sequence[LexborNode]]],
    carried: dict[int, tuple[_Cell, int]],
    allowance: Allowance,
) -> list[_Cell]:
    """The cells of one row, with those that reach down into it from above; updates ``carried``."""
    line: list[_Cell] = []
    waiting = iter(cells)
    while True:
        column = len(line)
        if column in carried:
            cell, left = carried.pop(column)
            if not allowance.take(len(cell.text) + _BESIDE, _SPANS):
                carried.clear()
                continue
            if left > 1:
                carried[column] = (cell, left - 1)
            line.append(cell)
            continue
        following = next(waiting, None)
        if following is None:
            return line
        node, inner = following
        made = _Cell(flat_text(node, without=inner), node.tag == "th" or is_bold(node))
        rows = _span(node, "rowspan")
        for at in range(column, column + _span(node, "colspan")):
            if at > column and not allowance.take(len(made.text) + _BESIDE, _SPANS):
                break
            if rows > 1:
                carried[at] = (made, rows - 1)
            line.append(made)


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and len(value) < 5 else 1


def _width(grid: Sequence[Sequence[_Cell]]) -> int:
    return max(map(len, grid), default=0)


def _title_rows(grid: Sequence[Sequence[_Cell]]) -> int:
    """How many rows at the top are one cell above a table of several columns."""
    last = max((n for n, row in enumerate(grid) if len(row) > 1), default=0)
    return next((n for n, row in enumerate(grid[:last]) if not _is_one_cell(row)), last)


def _is_one_cell(row: Sequence[_Cell]) -> bool:
    told = {id(cell) for cell in row if cell.text}
    return len(told) == 1 and (len(row) == 1 or len({id(cell) for cell in row}) == 1)


def _head_rows(grid: Sequence[Sequence[_Cell]], marked: Sequence[bool]) -> int:
    """How many rows name the columns: those of the ``thead``, else those at the top all of whose cells are heads, else
    a first row of words above figures."""
    depth = 0
    while depth < len(grid) and (marked[depth] or _all_heads(grid[depth], of_many=len(grid) > 1)):
        depth += 1
    if depth == len(grid) and not any(marked):
        return min(depth, 1)
    return depth or int(_names_figures(grid))


def _all_heads(row: Sequence[_Cell], *, of_many: bool) -> bool:
    told = [cell for cell in row if cell.text]
    spans = len(row) > 1 and len({id(cell) for cell in row}) == 1
    return bool(told) and of_many and not spans and all(cell.heads for cell in told)


def _names_figures(grid: Sequence[Sequence[_Cell]]) -> bool:
    """Whether the first row of three columns or more has no figure, and a column below it has one in every row."""
    if (
        len(grid) < 3
        or len(grid[0]) < 3
        or any(_has_digit(cell.text) or not cell.text for cell in grid[0][1:])
    ):
        return False
    return any(
        all(column < len(row) and _has_digit(row[column].text) for row in grid[1:])
        for column in range(1, len(grid[0]))
    )


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _joined(texts: Iterator[str]) -> str:
    """The heads of one column, from the top; one that spans several rows once."""
    return " ".join(dict.fromkeys(filter(None, texts)))
