"""The blocks of a response (paragraphs, headings, list items, table rows, code) and how they belong together.

markdown-it finds the blocks and the lines that they take; everything inside a line is read here, because its
inline parser gives no offsets. Plain text is Markdown without marks. :class:`Outline` tells which blocks are titles and
what leads into each item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from verifier.core.text import COLONS, sentence_spans, trimmed
from verifier.verification.claims.ellipsis import LONGEST_CONTEXT
from verifier.verification.claims.headings import (
    TitleDependence,
    TitleLevel,
    heading_rank,
    is_bold,
    is_empty_title,
    is_label,
    is_labelled,
    is_line_title,
    is_underlined,
    label_of,
    may_be_bold_title,
    read_title,
    title_asserts,
    title_dependence,
)
from verifier.verification.claims.html import HtmlPage, HtmlRegion
from verifier.verification.claims.markup import blank_markup
from verifier.verification.grammar.fragments import is_verbless, lead_in, needs_introduction, presented_topic

__all__ = ["BlockKind", "Outline", "ResponseBlock", "blocks_of"]


# -- blocks ----------------------------------------------------------------------------------------------------


if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class BlockKind(StrEnum):
    """What a block is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    HEADER_ROW = "header row"
    ROW = "row"
    CODE = "code"
    MARKUP = "markup"


@dataclass(frozen=True, slots=True)
class ResponseBlock:
    """Whole lines ``response[start:end]`` of one kind.

    ``stem`` is the index of the block that introduces the list of an item (a line that ends with a colon, or the
    item that the list is nested in), and of an item's first paragraph for its further ones; ``header`` is that of a
    row's header row; both among the blocks returned together.
    """

    kind: BlockKind
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


def blocks_of(page: HtmlPage) -> list[ResponseBlock]:
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


def _region_blocks(regions: tuple[HtmlRegion, ...], count: int) -> Iterator[ResponseBlock]:
    """The blocks of rows and hidden code, which come after ``count`` others; a table's first row may name columns."""
    table, header = 0, None
    for index, region in enumerate(regions):
        if region.kind == "code":
            yield ResponseBlock(BlockKind.CODE, region.start, region.end)
            continue
        first, table = region.table != table, region.table
        if first:
            header = count + index if region.kind == "header" else None
        names_columns = first and header is not None
        yield ResponseBlock(
            BlockKind.HEADER_ROW if names_columns else BlockKind.ROW,
            region.start,
            region.end,
            header=None if names_columns else header,
        )


def _in_order(text: str, blocks: list[ResponseBlock]) -> list[ResponseBlock]:
    """Sort blocks, cut the tags off them, and point them at each other's new places."""
    spans = [
        (block.start, block.end) if block.kind is BlockKind.CODE else trimmed(text, block.start, block.end)
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
        self.blocks: list[ResponseBlock] = []
        self.line = 0
        """The first line that belongs to no block yet."""

    def read(self) -> list[ResponseBlock]:
        self._read_lines(0, len(self.starts) - 1)
        return self.blocks

    def _read_lines(self, first: int, last: int) -> None:
        source = _TYPED_BULLET.sub(r"\1-", self.response[self.starts[first] : self.starts[last]])
        stems: list[int | None] = []
        items: list[int | None] = []
        in_item = False
        kind, header = BlockKind.PROSE, None
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
                kind = BlockKind.HEADER_ROW
            elif token.type == "tbody_open":
                kind = BlockKind.ROW
            elif token.type == "tr_open" and token.map:
                self._add(kind, first + token.map[0], first + token.map[1], header=header)
                if kind is BlockKind.HEADER_ROW:
                    header = len(self.blocks) - 1
                    self._add(BlockKind.MARKUP, first + token.map[1], first + token.map[1] + 1)
            elif token.type == "table_close":
                kind, header = BlockKind.PROSE, None
            elif token.type == "inline" and kind is BlockKind.PROSE and token.map:
                stem = (stems[-1] if in_item else items[-1]) if stems and items else None
                self._add(
                    BlockKind.ITEM if stems else BlockKind.PROSE,
                    first + token.map[0],
                    first + token.map[1],
                    stem=stem,
                )
                if items and in_item and self.blocks:
                    items[-1] = len(self.blocks) - 1
                in_item = False
            elif token.type == "heading_open" and token.map:
                self._add(BlockKind.HEADING, first + token.map[0], first + token.map[1])
            elif token.type == "fence" and token.map:
                self._fence(token, first + token.map[0], first + token.map[1])
            elif token.type == "hr" and token.map:
                self._add(BlockKind.MARKUP, first + token.map[0], first + token.map[1])
        self._fill(last)

    def _fence(self, token: Token, first: int, last: int) -> None:
        """Code is skipped; but an open fence, or one around prose, hides nothing: its lines are read."""
        self._fill(first)
        closing = self.response[self.starts[last - 1] : self.starts[last]].strip(" \t\r\n>")
        closed = last - first > 1 and closing.startswith(token.markup) and not closing.strip(token.markup[0])
        info = token.info.strip().lower()
        wordy = not info and _SENTENCE.search(token.content) and not _CODE_SIGN.search(token.content)
        if closed and info not in _PROSE_FENCES and not wordy:
            self._add(BlockKind.CODE, first, last)
            return
        self._add(BlockKind.MARKUP, first, first + 1)
        inner = last - 1 if closed else last
        self._read_lines(first + 1, inner)
        self._add(BlockKind.MARKUP, inner, last)

    def _introduction(self) -> int | None:
        """The block right above a list that leads into it with a colon."""
        if not self.blocks or self.blocks[-1].kind not in (
            BlockKind.PROSE,
            BlockKind.ITEM,
            BlockKind.HEADING,
        ):
            return None
        above = self.blocks[-1]
        text = self.response[above.start : above.end].rstrip(" *_~`")
        return len(self.blocks) - 1 if text.endswith(COLONS) else None

    def _fill(self, line: int) -> None:
        """Lines that no token claimed (too deeply nested, say) are prose: nothing gets lost."""
        if line > self.line:
            for start, end in _paragraphs(self.response, self.starts, self.line, line):
                self.blocks.append(ResponseBlock(BlockKind.PROSE, start, end))
            self.line = line

    def _add(
        self, kind: BlockKind, first: int, last: int, *, stem: int | None = None, header: int | None = None
    ) -> None:
        first = max(first, self.line)
        self._fill(first)
        start, end = trimmed(self.response, self.starts[first], self.starts[max(first, last)])
        if start < end:
            self.blocks.append(ResponseBlock(kind, start, end, stem, header))
        self.line = max(first, last)


def _paragraphs(response: str, starts: list[int], first: int, last: int) -> Iterator[tuple[int, int]]:
    begin = first
    for line in range(first, last + 1):
        if line == last or not response[starts[line] : starts[line + 1]].strip():
            start, end = trimmed(response, starts[begin], starts[line])
            if start < end:
                yield start, end
            begin = line + 1


# -- titles and list introductions -----------------------------------------------------------------------------

_LONGEST_READ = 2000
"""Code points at the head and at the end of a block in which its first and its last sentence are looked for."""


class Outline:
    """How the blocks of one response belong together.

    Args:
        response: the text that the blocks are of.
        blocks: in order.
    """

    def __init__(self, response: str, blocks: list[ResponseBlock]) -> None:
        self.response, self.blocks = response, blocks
        self._blanked: dict[int, str] = {}
        self._stems: dict[int, str] = {}
        self.parents = {block.stem for block in blocks}
        """The blocks that lead into others."""
        self.introductions = {
            block.stem
            for block in blocks
            if block.stem is not None and self._joins(block.stem, self.first_sentence(block))
        }
        """Those of them that say nothing but what the others say in full."""

    def blank(self, block: ResponseBlock) -> str:
        """The text of a block with its markup blanked."""
        if block.start not in self._blanked:
            listed = block.kind in (BlockKind.ITEM, BlockKind.HEADING)
            self._blanked[block.start] = blank_markup(self.source(block), listed=listed)
        return self._blanked[block.start]

    def source(self, block: ResponseBlock) -> str:
        """The text of a block as it is written."""
        return self.response[block.start : block.end]

    def first_sentence(self, block: ResponseBlock) -> str:
        """The sentence that a block begins with."""
        blank = self.blank(block)
        start, end = next(iter(sentence_spans(blank[:_LONGEST_READ])), (0, 0))
        return blank[start:end]

    def only_introduces(self, index: int) -> bool:
        """Whether a block leads into a list or table and stands right above it."""
        below = self.blocks[index + 1 : index + 2]
        return any(block.stem == index or block.kind is BlockKind.HEADER_ROW for block in below)

    def lead_for(self, block: ResponseBlock, text: str, *, titled: bool) -> str:
        """What introduces the first sentence of an item, where that needs it.

        Args:
            block: the item.
            text: the sentence.
            titled: whether the titles above complete it in any case.
        """
        if block.stem is None:
            return ""
        if self._joins(block.stem, text):
            return "" if self._is_empty(block.stem, text, titled) else self._lead_in(block)
        stated = not self._stem(block.stem).endswith(COLONS)
        return self._lead_in(block) if stated and title_dependence(text) is TitleDependence.LABEL else ""

    def title_level(self, index: int) -> int | None:
        """The level of a block that is a title; a statement in bold type is none."""
        block, source = self.blocks[index], self.source(self.blocks[index])
        if block.kind is BlockKind.HEADING:
            return heading_rank(source)
        following = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        text = " ".join(self.blank(block).split())
        if block.kind is BlockKind.ITEM:
            return TitleLevel.BOLD if following and self._heads(block, following, text) else None
        if index in self.introductions:
            return None
        ruled = following is not None and following.kind is BlockKind.MARKUP
        underlined = is_underlined(
            source, self.response[block.end : following.end] if ruled and following else ""
        )
        if is_bold(source) or underlined:
            titled = may_be_bold_title(text) and not title_asserts(text)
            return (1 if underlined else TitleLevel.BOLD) if titled else None
        if following is None or following.kind is not BlockKind.PROSE or not text.endswith(COLONS):
            return None
        return TitleLevel.LINE if is_line_title(text, source, self.first_sentence(following)) else None

    def is_inner_title(self, block: ResponseBlock, content: tuple[int, int], below: tuple[int, int]) -> bool:
        """Whether a line of a paragraph is the title of the next one; both are spans in the block."""
        blank, source = self.blank(block), self.source(block)
        if "\n" not in source[content[1] : below[0]]:
            return False
        begin = source.rfind("\n", 0, content[0]) + 1
        line = source[begin : source.find("\n", content[1])]
        return is_line_title(blank[slice(*content)], line, blank[slice(*below)])

    def _stem(self, index: int) -> str:
        """The last sentence of a block that introduces a list; empty where it is markup alone."""
        if index not in self._stems:
            blank = self.blank(self.blocks[index])[-_LONGEST_READ:]
            start, end = next(reversed(sentence_spans(blank)), (0, 0))
            self._stems[index] = " ".join(blank[start:end].split())[-LONGEST_CONTEXT:]
        return self._stems[index]

    def _joins(self, stem: int, item: str) -> bool:
        """Whether the block above an item says nothing but what its items say in full."""
        above = self._stem(stem)
        if above.endswith(COLONS):
            return needs_introduction(above, item) or (
                title_dependence(item) is TitleDependence.SUBJECT and _named_by(above) is not None
            )
        return is_label(above) and title_dependence(item) is not None

    def _lead_in(self, block: ResponseBlock) -> str:
        """Everything that introduces an item, outermost list first."""
        if block.stem is None:
            return ""
        above, stem = self.blocks[block.stem], self._stem(block.stem)
        outer = self._lead_in(above) if is_verbless(stem) else ""
        if stem.endswith(COLONS):
            name = _named_by(presented_topic(stem))
            own = lead_in(presented_topic(stem)) if name is None else f"{name}: "
        else:
            label = stem if is_label(stem) else label_of(stem)
            own = f"{label}: " if label else ""
        return (outer + own)[-LONGEST_CONTEXT:] if own else ""

    def _is_empty(self, stem: int, item: str, titled: bool) -> bool:
        """Whether an introduction says nothing (``Key facts:``), and an item says of what it is one without it."""
        above = presented_topic(self._stem(stem))
        return is_empty_title(above) and is_verbless(above) and (titled or is_labelled(item))

    def _heads(self, block: ResponseBlock, following: ResponseBlock, text: str) -> bool:
        """Whether an item is the title of what stands below its list, or of a list of another kind."""
        source, below = self.source(block), self.response[following.start : following.start + 1]
        numbered = source[:1].isdigit() or source[:1] == "("
        if following.kind is BlockKind.ITEM:
            apart = numbered and not (below.isdigit() or below == "(") and following.stem is None
        else:
            apart = is_bold(source) and following.kind is BlockKind.PROSE
        return apart and is_line_title(text, source, self.first_sentence(following))


def _named_by(stem: str) -> str | None:
    """The thing that an introduction without a verb names; ``None`` where it names none."""
    title = read_title(stem) if is_verbless(stem) else None
    return title.text if title is not None and title.names else None
