"""Group the runs of a page into rows: pieces on one baseline, split at wide gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verifier.knowledge.formats.pdf_runs import Run

__all__ = ["Piece", "Row", "rows_of"]

_WIDE = 0.8
"""A gap of this many sizes parts two pieces. The space of a line that is stretched to both edges is narrower, or it
parts no second line at the same place."""
_SPACE = 0.15
"""A narrower gap is none."""
_AFTER_MARKER = 4.0
_SAME_LINE = 0.25
"""Two baselines that differ by less, in sizes, are one."""
_SMALLER = 0.85
_RAISED = (0.12, 0.75)
"""How much smaller raised text is, and by how much of the size it is raised."""
_RAISED_FORMS = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_CAN_RAISE = re.compile(r"[+\-−]?(?:\d+|n)")
_MARKER = re.compile(r"(?:[-–—•‣◦▪●○■□*·]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)])")
"""What stands in front of the item of a list."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one row without a wide gap in it; ``first`` and ``last`` are the orders of its runs."""

    text: str
    x0: float
    x1: float
    bold: bool
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces on one baseline, from left to right."""

    pieces: tuple[Piece, ...]
    y: float
    size: float


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """The rows of a page, from top to bottom. A raised figure stays with the text that it stands behind: ``10⁶``."""
    base: list[float] = []
    raised: set[int] = set()
    for n, run in enumerate(runs):
        before = runs[n - 1] if n else None
        if before is not None and _is_raised(run, before, base[-1]):
            raised.add(n)
            base.append(base[-1])
        else:
            base.append(run.y)
    rows: list[list[int]] = []
    for n in sorted(range(len(runs)), key=lambda n: (-base[n], runs[n].order)):
        first = rows[-1][0] if rows else None
        same = first is not None and base[first] - base[n] <= _SAME_LINE * max(runs[first].size, runs[n].size)
        if same:
            rows[-1].append(n)
        else:
            rows.append([n])
    return [_row([(runs[n], base[n], n in raised) for n in row]) for row in rows]


def _is_raised(run: Run, before: Run, base: float) -> bool:
    near = abs(run.x0 - before.x1) <= 2 * _SPACE * before.size
    rise = run.y - base
    smaller = run.size <= _SMALLER * before.size or (
        rise > 0 and before.y > base
    )  # the rest of a raised text
    return near and smaller and _RAISED[0] * before.size <= rise <= _RAISED[1] * before.size


def _row(members: Sequence[tuple[Run, float, bool]]) -> Row:
    placed = sorted(members, key=lambda member: (member[0].x0, member[0].order))
    pieces: list[Piece] = []
    for run, _, raised in placed:
        text = run.text
        if raised and _CAN_RAISE.fullmatch(text.strip()):
            text = text.strip().translate(_RAISED_FORMS)
        last = pieces[-1] if pieces else None
        if last is not None and _joins(last, run):
            space = "" if raised or not _is_spaced(last, run) else " "
            pieces[-1] = Piece(
                last.text.rstrip() + space + text.strip() if space or raised else last.text + text,
                last.x0,
                max(last.x1, run.x1),
                last.bold and run.bold,
                min(last.first, run.order),
                max(last.last, run.order),
            )
        else:
            pieces.append(Piece(text, run.x0, run.x1, run.bold, run.order, run.order))
    size = max(run.size for run, _, _ in members)
    y = min(base for _, base, _ in members)
    return Row(tuple(_stripped(pieces)), y, size)


def _joins(piece: Piece, run: Run) -> bool:
    gap = run.x0 - piece.x1
    widest = _AFTER_MARKER if _MARKER.fullmatch(piece.text.strip()) else _WIDE
    return gap < widest * run.size


def _is_spaced(piece: Piece, run: Run) -> bool:
    """Whether a space stands before a run: as pypdf has it where it is drawn next, else where there is a gap."""
    if run.order == piece.last + 1:
        return run.text[0].isspace() or piece.text[-1].isspace()
    return run.x0 - piece.x1 > _SPACE * run.size


def _stripped(pieces: Iterable[Piece]) -> list[Piece]:
    return [
        Piece(" ".join(one.text.split()), one.x0, one.x1, one.bold, one.first, one.last)
        for one in pieces
        if one.text.strip()
    ]
