"""Lay out the rows of a page as text: columns one after the other, tables as rows between pipes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from verifier.knowledge.formats.outline import Outline
from verifier.knowledge.formats.pdf_rows import Piece, Row, rows_of
from verifier.knowledge.formats.pdf_runs import Run
from verifier.knowledge.formats.pdf_table import table_of

__all__ = ["SENTENCE_END", "laid_out"]

SENTENCE_END = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_STOP_INSIDE = re.compile(r"[a-z]{2}[.!?] [A-Z]")
_GUTTER = 0.5
"""The least width of what parts two columns, in sizes."""
_APART = 4.0
"""Rows further apart than this many sizes do not go together."""
_RUNNING = 0.4
"""The share of the lines of a column that go on with a small letter, in running text."""
_WORDS = 2.5
"""Words of a line of running text, at the mean."""
_FURTHER = 1.3
"""A row this many times as far from the one above as any others are is no row of the same table."""
_CELL_WORDS = 8
"""Words of a cell, at the mean; text with more is no table."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Band:
    """Rows that stand in columns: which, and the text that is read in their place."""

    first: int
    stop: int
    text: str
    kind: str


class _Block(NamedTuple):
    """Text to be read in one go, and when it was drawn: a ``line``, ``columns`` or a ``table``."""

    order: int
    text: str
    kind: str


def laid_out(runs: Sequence[Run]) -> str:
    """The text of a page.

    What stands side by side in two rows or more is read column by column where its lines run on, as a table where
    they do not. All else is read in the order in which it is drawn.
    """
    rows = rows_of(runs)
    blocks: list[_Block] = []
    at = 0
    for band in _bands(rows):
        blocks += _lines(rows[at : band.first])
        first = min(piece.first for row in rows[band.first : band.stop] for piece in row.pieces)
        blocks.append(_Block(first, band.text, band.kind))
        at = band.stop
    blocks += _lines(rows[at:])
    blocks.sort(key=lambda block: block.order)
    out = ""
    for n, block in enumerate(blocks):
        if n:
            kinds = {block.kind, blocks[n - 1].kind}
            apart = "table" in kinds or ("columns" in kinds and SENTENCE_END.search(out[-8:]))
            out += "\n\n" if apart else "\n"
        out += block.text
    return out


def _lines(rows: Sequence[Row]) -> list[_Block]:
    """The lines of rows without columns: pieces that are drawn one after the other are one."""
    lines = []
    for row in rows:
        line: list[Piece] = []
        for piece in sorted(row.pieces, key=lambda piece: piece.first):
            if line and piece.first != line[-1].last + 1:
                lines.append(_line(line))
                line = []
            line.append(piece)
        lines.append(_line(line))
    return lines


def _line(pieces: Sequence[Piece]) -> _Block:
    return _Block(pieces[0].first, " ".join(piece.text for piece in pieces), "line")


def _bands(rows: Sequence[Row]) -> list[_Band]:
    bands: list[_Band] = []
    at = 0
    while at < len(rows):
        if len(rows[at].pieces) < 2:
            at += 1
            continue
        stop, columns = _stretch(rows, at)
        band = _running(rows, at, stop, columns, bands[-1].stop if bands else 0) or _table(rows, at, stop)
        if band is None:
            at += 1
        else:
            bands.append(band)
            at = band.stop
    return bands


def _stretch(rows: Sequence[Row], first: int) -> tuple[int, list[Interval]]:
    """How far the columns of a row go on, and where they stand then."""
    columns = _merged([(piece.x0, piece.x1) for piece in rows[first].pieces], rows[first].size)
    most = len(rows[first].pieces)
    stop = first + 1
    while stop < len(rows):
        row = rows[stop]
        step = rows[stop - 1].y - row.y
        if step > _APART * row.size or (len(row.pieces) != most and _is_apart(rows, first, stop)):
            break
        wider = _merged([*columns, *((piece.x0, piece.x1) for piece in row.pieces)], row.size)
        if len(wider) < 2 or (len(row.pieces) == 1 and _covered(row.pieces[0], columns) > 1):
            break
        columns = wider
        most = max(most, len(row.pieces))
        stop += 1
    return stop, columns


def _merged(intervals: Sequence[Interval], size: float) -> list[Interval]:
    out: list[Interval] = []
    for x0, x1 in sorted(intervals):
        if out and x0 - out[-1][1] < _GUTTER * size:
            out[-1] = out[-1][0], max(out[-1][1], x1)
        else:
            out.append((x0, x1))
    return out


def _covered(piece: Piece, columns: Sequence[Interval]) -> int:
    return sum(piece.x0 < x1 and x0 < piece.x1 for x0, x1 in columns)


def _running(
    rows: Sequence[Row], first: int, stop: int, columns: Sequence[Interval], floor: int
) -> _Band | None:
    """Columns of running text, with the rows above and below that lie within them."""
    parts = _parted(rows[first:stop], columns)
    if len(parts) < 2 or not all(map(_runs_on, parts)):
        return None
    while first > floor and all(_covered(piece, columns) == 1 for piece in rows[first - 1].pieces):
        first -= 1
    parts = _parted(rows[first:stop], columns)
    text = ""
    for part in parts:
        if text:
            text += "\n\n" if SENTENCE_END.search(text[-8:]) else "\n"
        text += "\n".join(part)
    return _Band(first, stop, text, "columns")


def _parted(rows: Sequence[Row], columns: Sequence[Interval]) -> list[list[str]]:
    """The lines of each column."""
    parts: list[list[str]] = [[] for _ in columns]
    for row in rows:
        for part, (x0, x1) in zip(parts, columns, strict=True):
            line = [piece.text for piece in row.pieces if piece.x0 < x1 and x0 < piece.x1]
            if line:
                part.append(" ".join(line))
    return parts


def _runs_on(lines: Sequence[str]) -> bool:
    """Whether the lines are of one text: a good part of them goes on where the one before broke off."""
    if len(lines) < 2:
        return False
    on = sum(_breaks_off(above, below) for above, below in pairwise(lines))
    return on >= _RUNNING * (len(lines) - 1) and sum(len(line.split()) for line in lines) >= _WORDS * len(
        lines
    )


def _breaks_off(above: str, below: str) -> bool:
    """Whether a sentence goes on from one line to the next."""
    from verifier_signals.syntax import FUNCTION_WORDS

    if SENTENCE_END.search(above):
        return False
    return below[0].islower() or _STOP_INSIDE.search(below) is not None or above.split()[-1] in FUNCTION_WORDS


def _table(rows: Sequence[Row], first: int, stop: int) -> _Band | None:
    """A table of two rows or more, without the lines that follow it at a greater distance or across its columns."""
    while stop > first and len(rows[stop - 1].pieces) == 1 and _is_apart(rows, first, stop - 1):
        stop -= 1
    some = rows[first:stop]
    if sum(len(row.pieces) > 1 for row in some) < 2:
        return None
    words = [len(piece.text.split()) for row in some for piece in row.pieces]
    if sum(words) > _CELL_WORDS * len(words):
        return None
    outline = Outline()
    cells, header = table_of(some)
    outline.table(cells, header=header)
    return _Band(first, stop, outline.text(), "table")


def _is_apart(rows: Sequence[Row], first: int, at: int) -> bool:
    """Whether a row is further from the one above than any two rows above it are."""
    steps = [above.y - below.y for above, below in pairwise(rows[first:at])]
    return bool(steps) and rows[at - 1].y - rows[at].y > _FURTHER * max(steps)
