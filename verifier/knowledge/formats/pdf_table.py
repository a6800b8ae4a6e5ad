"""Find the cells of a table in rows of pieces that stand in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from verifier.knowledge.formats.pdf_rows import Piece, Row

__all__ = ["table_of"]

_FIGURE = re.compile(r"\d")
_PAIR = 2
_MOST = 0.5
_EVEN = 1.1
"""How many times as far as one row another may be, and still be as near."""


@dataclass
class _Line:
    """A row while cells are put into it: their texts by column, and its baseline."""

    y: float
    cells: dict[int, list[str]] = field(default_factory=dict)
    bold: bool = False
    spanned: bool = False
    """Whether a text of it stands over several columns."""
    parts: dict[int, list[tuple[float, list[str]]]] = field(default_factory=dict)
    """Of a cell of several lines, the texts of each with its baseline."""

    def take(self, line: _Line) -> None:
        """Put the texts of another line into the cells of this row, from the top."""
        for column, texts in line.cells.items():
            own = [(self.y, self.cells[column])] if column in self.cells else []
            parts = self.parts.setdefault(column, own)
            parts.append((line.y, texts))
            parts.sort(key=lambda part: -part[0])
            self.cells[column] = [text for _, found in parts for text in found]


def table_of(rows: Sequence[Row]) -> tuple[list[list[str]], bool]:
    """The cells of a table, and whether its first row names the columns.

    A line that fills one cell alone goes on with a cell of the row it is nearest to. A first cell that stands beside
    several rows, between them or at the first of them, is the first cell of each.
    """
    columns = _columns(rows)
    lines = [_line(row, columns) for row in rows]
    body = _with_one_head(_whole_rows(lines, len(columns)))
    header = _has_header(_texts(body, len(columns)), body)
    _carry_down(body[1:] if header else body, len(columns))
    return _texts(body, len(columns)), header


def _texts(body: Sequence[_Line], width: int) -> list[list[str]]:
    return [[" ".join(line.cells.get(column, ())) for column in range(width)] for line in body]


def _with_one_head(body: list[_Line]) -> list[_Line]:
    """A head over several columns, and the row of heads below it, as one row: ``Price Summer``, ``Price Winter``."""
    if (
        len(body) < 3
        or not body[0].spanned
        or any(_FIGURE.search(text) for texts in body[1].cells.values() for text in texts)
    ):
        return body
    top, below, *rest = body
    cells = {
        column: [*top.cells.get(column, ()), *below.cells.get(column, ())]
        for column in sorted({*top.cells, *below.cells})
    }
    return [_Line(top.y, cells, top.bold and below.bold), *rest]


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Where the columns stand: as in the rows with the most pieces, and wider where others are."""
    most = max(len(row.pieces) for row in rows)
    full = [row.pieces for row in rows if len(row.pieces) == most]
    return [
        (min(piece.x0 for piece in column), max(piece.x1 for piece in column))
        for column in zip(*full, strict=True)
    ]


def _column_of(piece: Piece, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that a piece stands in: those it overlaps, else the nearest."""
    over = [n for n, (x0, x1) in enumerate(columns) if piece.x0 < x1 and x0 < piece.x1]
    middle = (piece.x0 + piece.x1) / 2
    return over or [min(range(len(columns)), key=lambda n: abs(middle - sum(columns[n]) / 2))]


def _line(row: Row, columns: Sequence[tuple[float, float]]) -> _Line:
    line = _Line(row.y, bold=all(piece.bold for piece in row.pieces))
    for piece in row.pieces:
        over = _column_of(piece, columns)
        spans = over if len(over) > 1 and not _FIGURE.search(piece.text) else over[:1]
        line.spanned |= len(spans) > 1
        for column in spans:
            line.cells.setdefault(column, []).append(piece.text)
    return line


def _whole_rows(lines: Sequence[_Line], width: int) -> list[_Line]:
    """Lines that make rows of their own, with the others put where they belong."""
    anchors = [line for line in lines if _is_anchor(line, width)]
    if not anchors:
        return list(lines)
    body = list(anchors)
    for line in lines:
        if any(line is anchor for anchor in anchors):
            continue
        homes = _homes(line, anchors)
        for home in homes:
            home.take(line)
        if not homes:
            body.append(line)
    return sorted(body, key=lambda line: -line.y)


def _is_anchor(line: _Line, width: int) -> bool:
    return len(line.cells) > 1 and (len(line.cells) >= width - 1 or 0 in line.cells)


def _homes(line: _Line, anchors: Sequence[_Line]) -> list[_Line]:
    """The rows that a line goes on with; none for one that stands alone."""
    above = [anchor for anchor in anchors if anchor.y > line.y]
    below = [anchor for anchor in anchors if anchor.y < line.y]
    without = {id(anchor) for anchor in anchors if not set(line.cells) & set(anchor.cells)}
    if set(line.cells) == {0}:
        beside = [side for side in (above[-1:], below[:1]) if side and id(side[0]) in without]
        if beside:
            return [side[0] for side in beside]
        starts = line.cells[0][0][:1]
        return above[-1:] if starts.islower() else []
    if below and _is_continued(line, below[0], above[-1] if above else None):
        return below[:1]
    near = sorted([*above[-1:], *below[:1]], key=lambda anchor: abs(anchor.y - line.y))
    empty = [anchor for anchor in near if id(anchor) in without]
    return empty[:1] or above[-1:]


def _is_continued(line: _Line, below: _Line, above: _Line | None) -> bool:
    """Whether a cell of the row below, which is no farther than the one above, goes on with what a line begins: the
    lines of a cell that is centred stand on both sides of the row."""
    if above is not None and line.y - below.y > _EVEN * (above.y - line.y):
        return False
    return all(below.cells.get(column, ("",))[0][:1].islower() for column in line.cells)


def _carry_down(body: Sequence[_Line], width: int) -> None:
    """A row that has all cells but the first stands beside the first cell of the row above."""
    for above, line in pairwise(body):
        if 0 not in line.cells and len(line.cells) == width - 1 and above.cells.get(0) and width > 2:
            line.cells[0] = list(above.cells[0])


def _has_header(cells: Sequence[Sequence[str]], body: Sequence[_Line]) -> bool:
    """Whether the first row names the columns: it is bold alone, or has no figures where the rows below have them."""
    head, *rest = cells
    if not rest or any(map(_FIGURE.search, head)) or sum(map(bool, head)) < len(head) - 1:
        return False
    if body[0].bold and not all(line.bold for line in body[1:]):
        return True
    shares = [_of_figures(column) for column in zip(*rest, strict=True)]
    if len(head) > _PAIR:
        return max(shares) > _MOST
    # Two columns may as well be names and values: ``Monday | closed`` above ``Tuesday | 9 to 17``.
    return len(rest) > 1 and shares[1] == 1 and not any(cell[:1].islower() for cell in head)


def _of_figures(column: Sequence[str]) -> float:
    filled = [cell for cell in column if cell]
    return sum(_FIGURE.search(cell) is not None for cell in filled) / len(filled) if filled else 0.0
