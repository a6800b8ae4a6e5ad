"""Line and column of any offset in a text, counted as editors count."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

__all__ = ["Lines", "Place", "line_ends"]

_END = re.compile(r"\r\n|\r|\n")


def line_ends(text: str) -> int:
    """How many lines end in a text, at LF, CR LF or CR."""
    return sum(1 for _ in _END.finditer(text))


class Place(NamedTuple):
    """A line and a column, both from 1; columns are code points."""

    line: int
    column: int


class Lines:
    """The lines of a text, which end at LF, CR LF or CR.

    >>> Lines("one\\r\\ntwo").place(6)
    Place(line=2, column=2)
    """

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in _END.finditer(text))]

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, at: int) -> Place:
        """Where the code point at an offset stands."""
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)
