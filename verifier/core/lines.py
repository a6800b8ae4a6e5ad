"""Line and column, or paragraph, of any offset in a text, as those who look it up count."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

__all__ = ["Lines", "Paragraphs", "Place", "line_ends", "paragraph_ends"]

_END = re.compile(r"\r\n|\r|\n")
_PARAGRAPH_END = re.compile(r"\n\n|\n(?= *- )")
"""In a text whose blocks a reader of documents wrote: blank lines part them, and each item of a list is one."""
_HEADING = re.compile(r"#{1,6} ")


def line_ends(text: str) -> int:
    """How many lines end in a text, at LF, CR LF or CR."""
    return sum(1 for _ in _END.finditer(text))


def paragraph_ends(text: str, at: int | None = None) -> int:
    """How many paragraphs of a text end before an offset, or in the whole of it."""
    return sum(1 for end in _PARAGRAPH_END.finditer(text) if at is None or end.end() <= at)


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


class Paragraphs:
    """The paragraphs of a Markdown text, counted from the heading above them, which is number 0.

    >>> text = "# Fees\\n\\nEntry is free.\\n\\n- A tour costs 5 EUR.\\n- A map costs 2 EUR."
    >>> paragraphs = Paragraphs(text)
    >>> [paragraphs.number(text.index(words)) for words in ("Fees", "free", "tour", "map")]
    [0, 1, 2, 3]
    """

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in _PARAGRAPH_END.finditer(text))]
        self._numbers: list[int] = []
        for start in self._starts:
            before = self._numbers[-1] if self._numbers else 0
            self._numbers.append(0 if _HEADING.match(text, start) else before + 1)

    def __len__(self) -> int:
        return len(self._starts)

    def number(self, at: int) -> int:
        """That of the paragraph in which the code point at an offset stands."""
        return self._numbers[bisect_right(self._starts, at) - 1]
