"""The units of a document that no passage tears: sentences, list items, rows and lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.core.layout import Cell, cells, label_end
from verifier.core.text import COLONS, LIST_ITEM, sentence_spans, trimmed
from verifier.knowledge.titles import Found, titles_in
from verifier.types import Document, Span

__all__ = ["Unit", "UnitList", "pieces", "plain_units", "shortened"]

_BLANK_LINES = re.compile(r"(?>\r\n?|\n)(?:[ \t]*(?>\r\n?|\n))+")
_LABEL_CHARS = 100
_LINE = re.compile(r"[^\r\n]+")
_TABLE = re.compile(
    r"[ \t]*(\|[^\r\n]*\|)[ \t]*\r?\n[ \t]*\|[ \t|:-]+\|[ \t]*(?:\r?\n[ \t]*\|[^\r\n]*\|[ \t]*)+"
)
"""A table between pipes, as readers of files that hold tables write them: its head, the rule, its rows."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A span that stays whole.

    ``block`` numbers the paragraph, list or table it belongs to, ``section`` the heading's reach. ``context``
    is what a reader needs who begins here. A unit that ``opens`` leads into the next one: a heading, a header
    row, a sentence that ends with a colon.
    """

    start: int
    end: int
    block: int
    section: int = 0
    headings: tuple[str, ...] = ()
    context: str = ""
    opens: bool = False


class UnitList:
    """Units of one document as they are found, each no longer than ``max_chars``.

    Args:
        text: the document's text.
        max_chars: code points that a unit may have.
    """

    def __init__(self, text: str, max_chars: int) -> None:
        self.text, self.max_chars = text, max_chars
        self.units: list[Unit] = []
        self.block = 0
        self.section = 0
        self.headings: tuple[str, ...] = ()

    def add(self, start: int, end: int, *, context: str = "", opens: bool = False) -> None:
        """Add a span as one unit, or in pieces if it is too long; surrounding white space is left out."""
        start, end = trimmed(self.text, start, end)
        for first, last in pieces(self.text, start, end, self.max_chars):
            unit = Unit(first, last, self.block, self.section, self.headings, context, opens and last == end)
            self.units.append(unit)

    def add_whole(self, start: int, end: int, *, context: str = "") -> None:
        """Add a list item or table row: as one unit if it fits, else sentence by sentence."""
        start, end = trimmed(self.text, start, end)
        if end - start <= self.max_chars:
            self.add(start, end, context=context)
        else:
            self.add_sentences(start, end, context=context)

    def add_sentences(self, start: int, end: int, *, context: str = "") -> str:
        """Add running text sentence by sentence; returns the last one if it leads into what follows."""
        lead = ""
        for cell in cells(self.text, start, end):
            label, inner = self._label(cell), context
            for first, last in sentence_spans(self.text[cell.start : cell.end]):
                first, last = cell.start + first, cell.start + last
                opens = self.text[last - 1] in COLONS or last <= cell.body > cell.start
                self.add(first, last, context=inner, opens=opens)
                lead = shortened(self.text[first:last], self.max_chars // 3) if opens else ""
                inner = shortened(" ".join(filter(None, [context, label])), 2 * self.max_chars // 3)
        return lead

    def _label(self, cell: Cell) -> str:
        """What a reader needs who begins within a cell: the label that all of it is said of."""
        if cell.kind == "labelled":
            end = cell.body if cell.body > cell.start else label_end(self.text, cell.start)
            label = shortened(self.text[cell.start : end].strip(": \t\r\n"), _LABEL_CHARS)
            return f"{label.strip('*_:')}:"
        return ""


def plain_units(document: Document, max_chars: int) -> list[Unit]:
    """Split running text at titles, blank lines, list items, rows of tables between pipes, and sentences."""
    found = UnitList(document.text, max_chars)
    paragraphs = list(_paragraphs(document.text))
    titles = titles_in(document.text, paragraphs)
    path: list[tuple[int, str]] = []
    stem = ""
    for start, end in paragraphs:
        start, end = trimmed(document.text, start, end)
        if (title := titles.get(start)) is not None:
            _add_title(found, title, path)
            start = title.end
        if start < end:
            stem = _paragraph(found, start, end, stem)
    return found.units


def _paragraphs(text: str) -> Iterator[Span]:
    start = 0
    for gap in _BLANK_LINES.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _add_title(found: UnitList, title: Found, path: list[tuple[int, str]]) -> None:
    """Add a title and make it the heading of what follows, to the next of its rank or a higher one."""
    path[:] = [(rank, text) for rank, text in path if rank < title.rank]
    path.append((title.rank, title.text))
    found.section += bool(found.units)
    found.headings = tuple(text for _, text in path)
    found.block += 1
    found.add(title.start, title.end, opens=True)


def _paragraph(found: UnitList, start: int, end: int, stem: str) -> str:
    """Add one paragraph, list or table. ``stem`` led into it; returns what leads into the next one."""
    if table := _TABLE.fullmatch(found.text, start, end):
        _rows(found, table)
        return ""
    found.block += 1
    marks = [match.start() for match in LIST_ITEM.finditer(found.text, start, end)]
    lead = found.add_sentences(start, marks[0] if marks else end)
    if not marks:
        return lead
    found.block += 1
    stem = lead or (stem if marks[0] == start else "")
    for first, last in zip(marks, [*marks[1:], end], strict=True):
        found.add_whole(first, last, context=stem)
    return stem


def _rows(found: UnitList, table: re.Match[str]) -> None:
    """Add the rows of a table, each with the heads of its columns as its context."""
    found.block += 1
    head, rule, *rows = _LINE.finditer(found.text, *table.span())
    found.add(head.start(), rule.end(), opens=True)
    context = shortened(head[0], found.max_chars // 3)
    for row in rows:
        found.add_whole(*row.span(), context=context)


def pieces(text: str, start: int, end: int, max_chars: int) -> Iterator[Span]:
    """Cut a span into pieces of at most ``max_chars``, at white space where there is any.

    >>> list(pieces("one two three", 0, 13, 8))
    [(0, 7), (8, 13)]
    """
    while end - start > max_chars:
        cut = _cut(text, start, start + max_chars)
        first, last = trimmed(text, start, cut)
        if first < last:
            yield first, last
        start = trimmed(text, cut, end)[0]
    if start < end:
        yield start, end


def _cut(text: str, start: int, limit: int) -> int:
    if text[limit].isspace():
        return limit
    for at in range(limit - 1, start, -1):
        if text[at].isspace():
            return at + 1
    at = limit
    while at > max(start + 1, limit - 16) and (unicodedata.combining(text[at]) or text[at - 1] == "\u200d"):
        at -= 1  # an accent stays on its letter
    return at


def shortened(text: str, max_chars: int) -> str:
    """Text on one line, cut at a space if it is too long.

    >>> shortened("You  may\\nreturn it", 12)
    'You may …'
    """
    line = " ".join(text[: 4 * max_chars].split())
    if len(line) <= max_chars:
        return line
    return line[: max_chars - 1].rsplit(" ", 1)[0] + " …"
