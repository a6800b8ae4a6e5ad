"""What the layout of a text says without words: titles, labels and what they label, what is crossed out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.text import COLONS, LIST_ITEM

__all__ = [
    "CHECK_BOX",
    "DEFINITION",
    "STRUCK",
    "Box",
    "Cell",
    "Style",
    "box_of",
    "cells",
    "is_title",
    "item_start",
    "label_end",
    "title_style",
    "unmarked",
]

STRUCK = re.compile(
    r"(?<![~\\])~~(?=[^\s~])(?:[^~\n]|~(?!~)|\n(?![ \t]*\n))+?(?<=[^\s~])~~(?!~)"
    r"|<(?P<undone>del|s|strike)>(?:[^<\n]|\n(?![ \t]*\n))+?</(?P=undone)>"
)
"""Words that are crossed out, as GitHub's Markdown and HTML in it write it."""

CHECK_BOX = re.compile(r"(?:\[(?P<mark>[ xX✓✔])\][ \t]+|(?P<sign>[☐☑☒✅✔✓⬜])\ufe0f?[ \t]*)(?=\S)")
_OPEN_BOXES = frozenset(" ☐⬜")
DEFINITION = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")
"""What stands before a definition, below the line of its term."""

_LABEL = re.compile(r"(?:\*\*|__)?(?P<label>[^\W_][^\n:|*_.!?(),;]{0,60}?)(?:\*\*|__)?:(?:\*\*|__)?(?=\s)")
_RUN_IN = re.compile(r"(\*\*|__)(?P<label>[^*_\n:]{1,60})\.\1[ \t]+(?=\S)")
"""``**Feeding.** Once a week.``: a title at the head of its text."""
_STATING = lexicon(
    "is are was were has have had can could may might must will would shall should do does did said says"
)
"""Words that make a statement of what stands before a colon."""
_MOST_LABEL_WORDS = 6
_BOLD = re.compile(r"(\*\*|__)(?=\S)(?P<inner>(?:(?!\1)[^\n])+?)(?<=\S)\1[ \t]*(?P<colon>:?)")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_TITLE_CHARS = 100
"""A longer line is running text."""
_MOST_TITLE_WORDS = 8
_NO_TITLE_ENDS = ".!;,:…"
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r"[ \t]*(?:#+!?|//+|--|/?\*+|;+)[ \t]+(?=\S)")
_NOTE = re.compile(r"[ \t]{0,3}\[\^[^\]\s]{1,40}\]:[ \t]+(?=\S)")
"""What stands before the text of a footnote."""
_LINE = re.compile(r"[^\n]*\S[^\n]*")


class Style(NamedTuple):
    """How a line is set off as a title, ``bold`` or ``capitals``, and its ``text`` without markup."""

    name: str
    text: str


class Box(NamedTuple):
    """A check box at the head of an item: where it ends, and whether it is open."""

    start: int
    end: int
    is_open: bool


class Cell(NamedTuple):
    """A stretch whose sentences go together: running text, one item, or one label with what it is said of.

    ``body`` is where that begins, behind a label that stands on a line of its own; ``start`` where there is none.
    ``kind`` is ``prose``, ``item``, ``labelled``, ``note`` (a footnote), ``code`` or ``comment`` (a line of it).
    """

    kind: str
    start: int
    end: int
    body: int


def title_style(line: str) -> Style | None:
    """How a line is set off by its type alone, wherever it stands; ``None`` for a line like any other.

    >>> title_style("**Day ticket:**"), title_style("NIGHT TICKET"), title_style("Day ticket")
    (Style(name='bold', text='Day ticket'), Style(name='capitals', text='NIGHT TICKET'), None)
    """
    bare = line.strip()
    if not bare or len(bare) > _TITLE_CHARS:
        return None
    bold = _BOLD.fullmatch(bare)
    text = (bold["inner"] if bold else bare).strip()
    if bold:
        text = text.removesuffix(":").rstrip()
        return Style("bold", text) if text and text[-1] not in ".!;," and _has_letters(text) else None
    if LIST_ITEM.match(bare) or text[-1] in _NO_TITLE_ENDS or "|" in text:
        return None
    return Style("capitals", text) if text.isupper() and _LONG_WORD.search(text) else None


def is_title(line: str) -> bool:
    """Whether a line that stands alone between blank lines has the form of a title: a short phrase without an end mark.

    >>> is_title("Night ticket"), is_title("night ticket"), is_title("It is valid on buses.")
    (True, False, False)
    """
    bare = line.strip()
    if not bare or len(bare) > _TITLE_CHARS or len(bare.split()) > _MOST_TITLE_WORDS:
        return False
    plain = not (LIST_ITEM.match(bare) or item_start(bare) or "|" in bare or "`" in bare or "~~" in bare)
    return bare[0].isupper() and bare[-1] not in _NO_TITLE_ENDS and plain and _has_letters(bare)


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def unmarked(line: str) -> str:
    """A title without the markup that sets it off.

    >>> unmarked("**Day ticket**"), unmarked("## Fees ##")
    ('Day ticket', 'Fees')
    """
    bare = line.strip().lstrip("#").rstrip("#").strip()
    style = title_style(bare)
    return style.text if style is not None else bare


def label_end(text: str, start: int = 0) -> int:
    """Where the label ends that stands at ``start``, its colon and emphasis with it; ``start`` where none does.

    >>> label_end("Fee: 5 EUR"), label_end("**Fee:** 5 EUR"), label_end("Open from 9:30 on")
    (4, 8, 0)
    """
    bullet = item_start(text, start)
    found = _LABEL.match(text, bullet or start)
    return start if found is None or not _labels(found["label"]) else found.end()


def _labels(text: str) -> bool:
    words = text.split()
    return len(words) <= _MOST_LABEL_WORDS and _STATING.isdisjoint(map(str.casefold, words))


def item_start(text: str, start: int = 0) -> int:
    """Where the words of an item begin, behind its bullet and its check box; 0 where the line is no item."""
    bullet = LIST_ITEM.match(text, start)
    at = bullet.end() if bullet else start
    box = CHECK_BOX.match(text, at)
    if box is not None and (bullet or box["sign"] or box["mark"]):
        return box.end()
    return at if bullet else 0


def box_of(text: str, start: int, end: int) -> Box | None:
    """The check box that an item begins with."""
    bullet = LIST_ITEM.match(text, start, end)
    at = bullet.end() if bullet else start + len(text[start:end]) - len(text[start:end].lstrip())
    found = CHECK_BOX.match(text, at, end)
    if found is None:
        return None
    return Box(found.start(), found.end(), (found["mark"] or found["sign"]) in _OPEN_BOXES)


class _Line(NamedTuple):
    start: int
    end: int
    parted: bool  # whether a blank line stands before it
    text: str


def cells(text: str, start: int = 0, end: int | None = None) -> Iterator[Cell]:
    """The cells of a text without tables and headings, in order; together they hold all that is not white space.

    >>> [(one.kind, "Open: June.\\nClosed: May.\\n\\nAsk us."[one.start : one.end]) for one in
    ...  cells("Open: June.\\nClosed: May.\\n\\nAsk us.")]
    [('labelled', 'Open: June.'), ('labelled', 'Closed: May.'), ('prose', 'Ask us.')]
    """
    return _Cells(text, start, len(text) if end is None else end).found()


class _Cells:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.lines: list[_Line] = []
        at = start
        for match in _LINE.finditer(text, start, end):
            parted = bool(self.lines) and text.count("\n", at, match.start()) > 1
            self.lines.append(_Line(match.start(), match.end(), parted, match[0]))
            at = match.end()
        self.cells: list[Cell] = []
        self.indent = 0  # of the last item

    def found(self) -> Iterator[Cell]:
        fence = ""
        for n, line in enumerate(self.lines):
            mark = _FENCE.match(line.text)
            if fence or mark:
                self._code(line, bool(mark))
                fence = (
                    ""
                    if fence and mark and line.text.strip() == fence
                    else fence or (mark[1] if mark else "")
                )
            else:
                self._line(n, line)
        yield from self.cells

    def _line(self, n: int, line: _Line) -> None:
        last = self.cells[-1] if self.cells else None
        if item_start(line.text):
            self.indent = len(line.text) - len(line.text.lstrip())
            self._open("item", line)
        elif (note := _NOTE.match(line.text)) is not None:
            self._open("note", line, body=line.start + note.end())
        elif DEFINITION.match(line.text) and last is not None and last.kind != "code":
            self._define(n, line, last)
        elif (run_in := _RUN_IN.match(line.text.lstrip())) is not None and _labels(run_in["label"]):
            bare = line.end - len(line.text.lstrip())
            self._open("labelled", line, body=bare + run_in.end())
        elif self._leads(n, line):
            self._open("labelled", line, body=self.lines[n + 1].start)
        elif self._labels(n, line, last):
            self._open("labelled", line)
        elif (
            last is None
            or last.kind in ("code", "comment")
            or (line.parted and last.body != line.start and not self._belongs(line, last))
        ):
            if last is not None and last.kind == "prose":
                self._stretch(line)
            else:
                self._open("prose", line)
        else:
            self._stretch(line)

    def _open(self, kind: str, line: _Line, body: int | None = None) -> None:
        self.cells.append(Cell(kind, line.start, line.end, line.start if body is None else body))

    def _stretch(self, line: _Line) -> None:
        self.cells[-1] = self.cells[-1]._replace(end=line.end)

    def _code(self, line: _Line, mark: bool) -> None:
        comment = None if mark else _COMMENT.match(line.text)
        if comment:
            self._open("comment", line, body=line.start + comment.end())
        elif self.cells and self.cells[-1].kind == "code":
            self._stretch(line)
        else:
            self._open("code", line)

    def _define(self, n: int, line: _Line, last: Cell) -> None:
        """A definition takes its term, the line above it, with it."""
        term = self.lines[n - 1]
        if last.kind == "labelled" and last.body > last.start:
            self._stretch(line)
            return
        self.cells.pop()
        if last.start < term.start:
            before = self.text[last.start : term.start].rstrip()
            self.cells.append(last._replace(end=last.start + len(before)))
        mark = DEFINITION.match(line.text)
        body = line.start + (mark.end() if mark else 0)
        self.cells.append(Cell("labelled", term.start, line.end, body))

    def _leads(self, n: int, line: _Line) -> bool:
        """Whether a line is a label alone, above what it is said of and that is no list; over a blank line only where
        it is a paragraph of its own."""
        bare = line.text.strip()
        if not bare.endswith(COLONS) or len(bare.split()) > _MOST_LABEL_WORDS or n + 1 == len(self.lines):
            return False
        below = self.lines[n + 1]
        alone = n == 0 or line.parted or not below.parted
        return alone and not (item_start(below.text) or "." in bare or "," in bare)

    def _labels(self, n: int, line: _Line, last: Cell | None) -> bool:
        """Whether a line begins with a label; one in small letters does only beside others of its kind."""
        if label_end(line.text.lstrip()) == 0:
            return False
        if last is None or line.parted or last.kind == "labelled" or line.text.lstrip()[0] in "*_":
            return last is None or last.kind != "item" or not self._belongs(line, last)
        below = self.lines[n + 1] if n + 1 < len(self.lines) else None
        beside = below is not None and not below.parted and label_end(below.text.lstrip()) > 0
        return last.kind == "prose" and beside and line.text.lstrip()[0].isupper()

    def _belongs(self, line: _Line, last: Cell) -> bool:
        """Whether a paragraph goes on an item: it stands deeper than its bullet."""
        return last.kind == "item" and len(line.text) - len(line.text.lstrip()) > self.indent
