"""The cells of a table row between pipes, and whether one of them spans the whole row."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["cells_of", "is_row", "is_rule", "spanning"]

_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_RULE = re.compile(r"[\s|:-]+")
_CELL = re.compile(r"(?<=\|)(?:\\\||[^|\n])*(?=\|)")


def is_row(line: str) -> bool:
    """Whether a line is a row of a table."""
    return _ROW.fullmatch(line) is not None


def is_rule(line: str) -> bool:
    """Whether a line is the rule below the head of a table."""
    return _RULE.fullmatch(line) is not None


def cells_of(line: str) -> list[tuple[int, int]]:
    """Where the cells of a row stand in it, without the white space around them; empty cells have no length.

    >>> row = "| Day |  | 12 EUR |"
    >>> [row[start:end] for start, end in cells_of(row)]
    ['Day', '', '12 EUR']
    """
    found = []
    for match in _CELL.finditer(line):
        cell = match[0]
        start = match.start() + len(cell) - len(cell.lstrip())
        found.append((start, start + len(cell.strip())))
    return found


def spanning(values: Sequence[str]) -> str:
    """The text of the one cell that reaches over a whole row, or stands at its head alone; ``""`` where none does.

    >>> spanning(["Adults", "Adults", "Adults"]), spanning(["**Adults**", "", ""]), spanning(["Day", "12 EUR"])
    ('Adults', 'Adults', '')
    """
    if len(values) < 3 or not values[0] or (len(set(values)) > 1 and any(values[1:])):
        return ""
    return values[0].strip("*_: ")
