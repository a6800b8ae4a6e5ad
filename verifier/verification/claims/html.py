"""HTML in a response: its tags blanked, and what they say of the text's structure.

Everything keeps its length, so that every offset still points into the response.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifier.core.lexicon import lexicon
from verifier.core.text import blanked
from verifier.verification.claims.presupposition import is_sentence

__all__ = ["TAG", "HtmlPage", "HtmlRegion", "blank_spans", "closed_fences", "fences", "read_html"]

_VALUE = r"(?:\"[^\"<>]{0,2000}\"|'[^'<>]{0,2000}'|[^\s<>\"'`=]{1,2000})"
_ATTRIBUTE = rf"\s{{1,200}}[A-Za-z:_@][\w:.-]{{0,60}}\s{{0,9}}=\s{{0,9}}{_VALUE}"
_SWITCHES = "allowfullscreen|async|checked|defer|disabled|hidden|itemscope|nowrap|open|reversed|selected"
_ALONE = rf"\s{{1,200}}(?:{_SWITCHES})(?=[\s/>])"
TAG = rf"</?[A-Za-z][A-Za-z0-9-]{{0,20}}(?:{_ATTRIBUTE}|{_ALONE}){{0,40}}+\s{{0,9}}/?>"
"""A tag, as a pattern without groups. ``a <b and c> d`` has none: what is no attribute is text."""

_BLOCK_NAMES = lexicon("""
    address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol option p pre section
    select summary table tbody td tfoot th thead title tr ul
    """)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "title", "dt", "legend", "summary"})
_HIDDEN = frozenset({"script", "style"})
_LISTS = frozenset({"ul", "ol", "menu"})
_BULLETED = re.compile(r"[ \t>]*(?:[-*+•–]|\d{1,3}[.)])[ \t]")
_LONGEST_LINE = 2000
"""Code points before a tag in which the start of its line is looked for."""
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_MARK = re.compile(
    rf"(?P<code>(?<!`)(?P<ticks>`{{1,3}})(?!`)[^`\n]{{1,300}}(?P=ticks)(?!`))"
    rf"|(?P<comment><!--|-->|<!DOCTYPE[^<>]{{0,200}}>)|(?P<tag>{TAG})",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(
    r"\s(?:alt|value|placeholder)\s{0,9}=\s{0,9}(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE
)
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")


@dataclass(frozen=True, slots=True)
class HtmlRegion:
    """``response[start:end]`` is a row of a table (``header`` if it names the columns) or hidden code."""

    start: int
    end: int
    kind: str
    """``row``, ``header`` or ``code``."""
    table: int = 0
    """Number of the table that a row belongs to."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A response read as HTML.

    ``text`` is the response with block tags as line breaks and the cells of a row between ``|``; ``structure`` is
    the same with lists and headings as Markdown, and without what stands in ``regions``.
    """

    text: str
    structure: str
    regions: tuple[HtmlRegion, ...] = ()


def read_html(response: str) -> HtmlPage:
    """Find the block tags, rows and scripts of a response; plain text and Markdown come back as they are.

    Tags in code, and in the rows of a Markdown table, are left alone.

    >>> read_html("<ul><li>parking</ul>").structure
    '\\n\\n\\n\\n\\n\\n- parking\\n\\n\\n\\n\\n'
    """
    if "<" not in response:
        return HtmlPage(response, response)
    reader = _Reader(response)
    reader.read()
    return HtmlPage("".join(reader.text), "".join(reader.structure), tuple(reader.regions))


def blank_spans(page: HtmlPage, spans: Sequence[tuple[int, int]]) -> HtmlPage:
    """The page with blank lines in the place of some spans."""
    if not spans:
        return page
    return replace(page, text=blanked(page.text, spans), structure=blanked(page.structure, spans))


class _Reader:
    """One pass over the tags of one response."""

    def __init__(self, response: str) -> None:
        self.response = response
        self.lower = response.lower() if len(response.lower()) == len(response) else response
        self.text = list(response)
        self.structure = list(response)
        self.regions: list[HtmlRegion] = []
        self.depth = 0
        self.in_item = False
        self.table = 0
        self.row: int | None = None
        """Where the row that is open begins."""
        self.names_columns = False
        """Whether that row has none but header cells so far."""
        self.unclosed: set[str] = set()

    def read(self) -> None:
        protected = closed_fences(self.response)
        at = 0
        while match := _MARK.search(self.response, at):
            at = match.end()
            while protected and protected[0][1] <= match.start():
                protected.pop(0)
            if protected and protected[0][0] <= match.start():
                at = protected[0][1]
            elif match["comment"]:
                self._break(match.start(), match.end())
            elif match["tag"]:
                at = self._tag(match)
        self._close_row(len(self.response))

    def _tag(self, match: re.Match[str]) -> int:
        """Take in one tag; where to read on."""
        named = _NAME.match(match[0])
        name = named[1].lower() if named else ""
        start, end = match.span()
        closing = match[0].startswith("</")
        if name in _HIDDEN:
            return self._hide(name, start, end) if not closing else self._break(start, end)
        if name in ("img", "input", "area") and (said := _alternative_text(match)):
            self._break(start, end)
            self.text[slice(*said)] = self.structure[slice(*said)] = self.response[slice(*said)]
            return end
        if name not in _BLOCK_NAMES:
            return end
        if name in ("table", "tr", "td", "th", "thead", "tbody", "tfoot"):
            self._table_tag(name, start, end, closing=closing)
        elif self.row is None and not _in_markdown_row(self.response, start):
            self._break(start, end)
            self._mark(name, start, end, closing=closing)
        return end

    def _hide(self, name: str, start: int, end: int) -> int:
        """A script or style to its end; one that is never closed hides nothing."""
        close = -1 if name in self.unclosed else self.lower.find(f"</{name}", end)
        if close < 0:
            self.unclosed.add(name)
            return self._break(start, end)
        bracket = self.response.find(">", close, close + 40)
        last = bracket + 1 if bracket >= 0 else close + len(name) + 2
        if self.row is None:
            self.regions.append(HtmlRegion(start, last, "code"))
        self._fill(self.structure, start, last, "\n")
        self._fill(self.text, start, last, "\n" if self.row is None else " ")
        return last

    def _table_tag(self, name: str, start: int, end: int, *, closing: bool) -> None:
        if _in_markdown_row(self.response, start) and self.row is None:
            return
        if name in ("td", "th") and self.row is not None:
            self.names_columns &= name == "th"
            self._fill(self.text, start, end, " ")
            if not closing:
                self.text[start] = "|"
            return
        self._break(start, end)
        if name == "table":
            self.table += not closing
        self._close_row(start)
        if name == "tr" and not closing:
            self.row, self.names_columns = end, True

    def _close_row(self, end: int) -> None:
        if self.row is None:
            return
        start, self.row = self.row, None
        inside = "".join(self.text[start:end])
        if "|" not in inside:
            return
        first = start + inside.index("|")
        self._fill(self.structure, first, end, "\n")
        for at in range(first, end):
            if self.text[at] in "\n\r\u2028\u2029":
                self.text[at] = " "
        self.regions.append(HtmlRegion(first, end, "header" if self.names_columns else "row", self.table))

    def _mark(self, name: str, start: int, end: int, *, closing: bool) -> None:
        """Say in Markdown what a tag says: a heading, an item at the depth of its list, or its next line."""
        if name in _LISTS:
            self.depth = max(0, self.depth + (-1 if closing else 1))
            self.in_item = False
        elif name == "li":
            self.in_item = not closing
            if not closing:
                self._mark_item(start, end)
        elif name in _HEADINGS and not closing:
            self.structure[end - 2 : end] = "# "
        elif self._continues_item(name, start, closing=closing):
            self._fill(self.structure, start, end, " ")

    def _mark_item(self, start: int, end: int) -> None:
        """Put ``- `` right before the text of an item, and as much of its list's depth as there is room for."""
        while end < len(self.response) and self.response[end].isspace():
            end += 1
        self._fill(self.structure, start, end, "\n")
        self.structure[end - 2 : end] = "- "
        at = end - 3
        for _ in range(2 * min(self.depth - 1, 3)):
            if at < 1 or self.structure[at] != "\n" or self.structure[at - 1] != "\n":
                break
            self.structure[at] = " "
            at -= 1

    def _continues_item(self, name: str, start: int, *, closing: bool) -> bool:
        """Whether a tag breaks a line of an item, or stands right behind its mark."""
        if name == "br":
            return self.in_item or bool(_BULLETED.match(_line_before(self.response, start)))
        if name not in ("p", "div") or closing or not self.in_item:
            return False
        return self.structure[start - 2 : start] == ["-", " "]

    def _break(self, start: int, end: int) -> int:
        self._fill(self.text, start, end, "\n")
        self._fill(self.structure, start, end, "\n")
        return end

    @staticmethod
    def _fill(target: list[str], start: int, end: int, with_what: str) -> None:
        target[start:end] = with_what * (end - start)


def closed_fences(response: str) -> list[tuple[int, int]]:
    """The spans of fenced code that is closed."""
    return fences(response)[0]


def fences(response: str) -> tuple[list[tuple[int, int]], int | None]:
    """The spans of fenced code that is closed, and where one begins that is not."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    at = 0
    for line in response.splitlines(keepends=True):
        if match := _FENCE.match(line):
            if opened is None:
                opened = at, match[1]
            elif match[1].startswith(opened[1]):
                spans.append((opened[0], at + len(line)))
                opened = None
        at += len(line)
    return spans, None if opened is None else opened[0]


def _alternative_text(tag: re.Match[str]) -> tuple[int, int] | None:
    """Where the text stands that an image is replaced by, or a field shows, if that is a sentence."""
    found = _ALTERNATIVE.search(tag[0])
    if found is None:
        return None
    name = "double" if found["double"] is not None else "single"
    start, end = (tag.start() + at for at in found.span(name))
    return (start, end) if is_sentence(found[name]) else None


def _in_markdown_row(response: str, at: int) -> bool:
    """Whether a line of a Markdown table goes on there."""
    return _line_before(response, at).lstrip(" \t>").startswith("|")


def _line_before(response: str, at: int) -> str:
    """The line up to ``at``, where it is not too long."""
    first = max(0, at - _LONGEST_LINE)
    return response[response.rfind("\n", first, at) + 1 or first : at]
