"""A Document goes in, its Units come out: sentences, list items, rows and lines that no passage tears."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.core.text import COLONS, LIST_ITEM, sentence_spans, trimmed
from verifier.types import Document, Span

__all__ = ["Unit", "UnitList", "pieces", "plain_units", "shortened"]

_BLANK_LINES = re.compile(r"(?>\r\n?|\n)(?:[ \t]*(?>\r\n?|\n))+")
_LINE = re.compile(r"[^\r\n]+")
_TITLE_CHARS = 100
"""A longer line is running text."""


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
        for first, last in sentence_spans(self.text[start:end]):
            first, last = start + first, start + last
            opens = self.text[last - 1] in COLONS
            self.add(first, last, context=context, opens=opens)
            lead = shortened(self.text[first:last], self.max_chars // 3) if opens else ""
        return lead


def plain_units(document: Document, max_chars: int) -> list[Unit]:
    """Split running text at titles, blank lines, list items and sentences."""
    found = UnitList(document.text, max_chars)
    start, stem = 0, ""
    for gap in _BLANK_LINES.finditer(document.text):
        stem = _paragraph(found, start, gap.start(), stem)
        start = gap.end()
    _paragraph(found, start, len(document.text), stem)
    return found.units


def _titled(found: UnitList, start: int, end: int) -> int:
    """Add the title that a paragraph begins with, if it does, and make it the heading of what follows.

    The first such line names the document, later ones its sections. Returns where the paragraph goes on.
    """
    start, end = trimmed(found.text, start, end)
    line = _LINE.match(found.text, start, end)
    follows = line is not None and bool(found.text[line.end() :].strip())
    if line is None or not follows or not _is_title(line[0].strip(), alone=line.end() == end):
        return start
    if found.units:
        found.section += 1
        found.headings = (*found.headings[:1], line[0].strip())
    else:
        found.headings = (line[0].strip(),)
    found.block += 1
    found.add(start, line.end(), opens=True)
    return line.end()


def _is_title(line: str, *, alone: bool) -> bool:
    """Whether a line in front of other text is a title: in capitals, a question, or a phrase on its own."""
    if len(line) > _TITLE_CHARS or not line[:1].isupper() or LIST_ITEM.match(line):
        return False
    if line[-1] in ".!;,:":
        return False
    return line.isupper() or line[-1] == "?" or alone


def _paragraph(found: UnitList, start: int, end: int, stem: str) -> str:
    """Add one paragraph or list. ``stem`` led into it; returns what leads into the next one."""
    start = _titled(found, start, end)
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
