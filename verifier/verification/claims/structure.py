"""A response goes in; its blocks (paragraphs, headings, list items, table rows, code) come out in order.

markdown-it finds the blocks and the lines that they take; everything inside a line is read here, because its
inline parser gives no offsets. Plain text is Markdown without marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from verifier.core.text import COLONS, trimmed
from verifier.verification.claims.html import Html, Region

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Block", "Kind", "blocks_of"]


class Kind(StrEnum):
    """What a block is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    HEADER_ROW = "header row"
    ROW = "row"
    CODE = "code"
    MARKUP = "markup"


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines ``response[start:end]`` of one kind.

    ``stem`` is the index of the block that introduces the list of an item (a line that ends with a colon, or the
    item that the list is nested in), and of an item's first paragraph for its further ones; ``header`` is that of a
    row's header row; both among the blocks returned together.
    """

    kind: Kind
    start: int
    end: int
    stem: int | None = None
    header: int | None = None


_NEWLINE = re.compile(r"\r\n|\r|\n")
_TYPED_BULLET = re.compile(r"^([ \t]*)[•‣◦▪●○■□∙⁃·–](?=[ \t])", re.MULTILINE)
_PROSE_FENCES = frozenset({"text", "txt", "plain", "plaintext", "markdown", "md"})
_CODE_SIGN = re.compile(r"[{};=<>$\\]|\w\(|^\s*(?:#|//|import |from |def |class |SELECT )", re.MULTILINE)
_SENTENCE = re.compile(r"[A-Z][^\n]{12,}[a-z0-9%)][.!?](?:\s|$)")


@cache
def _parser() -> MarkdownIt:
    """Block rules only. Those that would hide prose are off: indented code, underlined headings, raw HTML."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.disable(["code", "lheading", "html_block", "reference"])
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def blocks_of(page: Html) -> list[Block]:
    """Cut a response into blocks.

    Returns:
        Blocks in order, not overlapping; every line that is not blank in ``page.text`` belongs to exactly one.
    """
    starts = [0, *(match.end() for match in _NEWLINE.finditer(page.structure))]
    blocks = _Reader(page.structure, starts).read()
    if page.text == page.structure and not page.regions:
        return blocks
    count = len(blocks)
    return _in_order(page.text, [*blocks, *_region_blocks(page.regions, count)])


def _region_blocks(regions: tuple[Region, ...], count: int) -> Iterator[Block]:
    """The blocks of rows and hidden code, which come after ``count`` others; a table's first row may name columns."""
    table, header = 0, None
    for index, region in enumerate(regions):
        if region.kind == "code":
            yield Block(Kind.CODE, region.start, region.end)
            continue
        first, table = region.table != table, region.table
        if first:
            header = count + index if region.kind == "header" else None
        names_columns = first and header is not None
        yield Block(
            Kind.HEADER_ROW if names_columns else Kind.ROW,
            region.start,
            region.end,
            header=None if names_columns else header,
        )


def _in_order(text: str, blocks: list[Block]) -> list[Block]:
    """Sort blocks, cut the tags off them, and point them at each other's new places."""
    spans = [
        (block.start, block.end) if block.kind is Kind.CODE else trimmed(text, block.start, block.end)
        for block in blocks
    ]
    order = _outermost(spans)
    places: dict[int | None, int] = {old: new for new, old in enumerate(order)}
    return [
        replace(
            blocks[old],
            start=spans[old][0],
            end=spans[old][1],
            stem=places.get(blocks[old].stem),
            header=places.get(blocks[old].header),
        )
        for old in order
    ]


def _outermost(spans: list[tuple[int, int]]) -> list[int]:
    """The spans that are not empty, in order, by their numbers; none that lies in another, as a script in code may."""
    found: list[int] = []
    for number in sorted((n for n, (start, end) in enumerate(spans) if start < end), key=spans.__getitem__):
        if not found or spans[number][1] > spans[found[-1]][1]:
            found.append(number)
    return found


class _Reader:
    """One pass over the tokens of one response; ``lines[i]`` is where line ``i`` starts."""

    def __init__(self, response: str, starts: list[int]) -> None:
        self.response, self.starts = response, [*starts, len(response)]
        self.blocks: list[Block] = []
        self.line = 0
        """The first line that belongs to no block yet."""

    def read(self) -> list[Block]:
        self._read_lines(0, len(self.starts) - 1)
        return self.blocks

    def _read_lines(self, first: int, last: int) -> None:
        source = _TYPED_BULLET.sub(r"\1-", self.response[self.starts[first] : self.starts[last]])
        stems: list[int | None] = []
        items: list[int | None] = []
        in_item = False
        kind, header = Kind.PROSE, None
        for token in _parser().parse(source):
            if token.type in ("bullet_list_open", "ordered_list_open"):
                self._fill(first + (token.map or [0])[0])
                own = items[-1] if items and not in_item else None
                led = self._introduction()
                stems.append(own if led is None else led)
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                stems.pop()
            elif token.type == "list_item_open":
                in_item = True
                items.append(None)
            elif token.type == "list_item_close":
                items.pop()
            elif token.type == "thead_open":
                kind = Kind.HEADER_ROW
            elif token.type == "tbody_open":
                kind = Kind.ROW
            elif token.type == "tr_open" and token.map:
                self._add(kind, first + token.map[0], first + token.map[1], header=header)
                if kind is Kind.HEADER_ROW:
                    header = len(self.blocks) - 1
                    self._add(Kind.MARKUP, first + token.map[1], first + token.map[1] + 1)
            elif token.type == "table_close":
                kind, header = Kind.PROSE, None
            elif token.type == "inline" and kind is Kind.PROSE and token.map:
                stem = (stems[-1] if in_item else items[-1]) if stems and items else None
                self._add(
                    Kind.ITEM if stems else Kind.PROSE, first + token.map[0], first + token.map[1], stem=stem
                )
                if items and in_item and self.blocks:
                    items[-1] = len(self.blocks) - 1
                in_item = False
            elif token.type == "heading_open" and token.map:
                self._add(Kind.HEADING, first + token.map[0], first + token.map[1])
            elif token.type == "fence" and token.map:
                self._fence(token, first + token.map[0], first + token.map[1])
            elif token.type == "hr" and token.map:
                self._add(Kind.MARKUP, first + token.map[0], first + token.map[1])
        self._fill(last)

    def _fence(self, token: Token, first: int, last: int) -> None:
        """Code is skipped; but an open fence, or one around prose, hides nothing: its lines are read."""
        self._fill(first)
        closing = self.response[self.starts[last - 1] : self.starts[last]].strip(" \t\r\n>")
        closed = last - first > 1 and closing.startswith(token.markup) and not closing.strip(token.markup[0])
        info = token.info.strip().lower()
        wordy = not info and _SENTENCE.search(token.content) and not _CODE_SIGN.search(token.content)
        if closed and info not in _PROSE_FENCES and not wordy:
            self._add(Kind.CODE, first, last)
            return
        self._add(Kind.MARKUP, first, first + 1)
        inner = last - 1 if closed else last
        self._read_lines(first + 1, inner)
        self._add(Kind.MARKUP, inner, last)

    def _introduction(self) -> int | None:
        """The block right above a list that leads into it with a colon."""
        if not self.blocks or self.blocks[-1].kind not in (Kind.PROSE, Kind.ITEM, Kind.HEADING):
            return None
        above = self.blocks[-1]
        text = self.response[above.start : above.end].rstrip(" *_~`")
        return len(self.blocks) - 1 if text.endswith(COLONS) else None

    def _fill(self, line: int) -> None:
        """Lines that no token claimed (too deeply nested, say) are prose: nothing gets lost."""
        if line > self.line:
            for start, end in _paragraphs(self.response, self.starts, self.line, line):
                self.blocks.append(Block(Kind.PROSE, start, end))
            self.line = line

    def _add(
        self, kind: Kind, first: int, last: int, *, stem: int | None = None, header: int | None = None
    ) -> None:
        first = max(first, self.line)
        self._fill(first)
        start, end = trimmed(self.response, self.starts[first], self.starts[max(first, last)])
        if start < end:
            self.blocks.append(Block(kind, start, end, stem, header))
        self.line = max(first, last)


def _paragraphs(response: str, starts: list[int], first: int, last: int) -> Iterator[tuple[int, int]]:
    begin = first
    for line in range(first, last + 1):
        if line == last or not response[starts[line] : starts[line + 1]].strip():
            start, end = trimmed(response, starts[begin], starts[line])
            if start < end:
                yield start, end
            begin = line + 1
