"""The units of a Markdown document, each under its path of headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from verifier.core.layout import Style, is_title, title_style
from verifier.core.tables import cells_of, spanning
from verifier.core.text import trimmed
from verifier.knowledge.formats.markdown import front_matter
from verifier.knowledge.markdown_blocks import Block, blocks_of
from verifier.knowledge.titles import UNMARKED, Ranks
from verifier.knowledge.units import Unit, UnitList, shortened
from verifier.types import Document

__all__ = ["markdown_units"]

_NEWLINE = re.compile(r"\r\n?|\n")  # markdown-it's own notion of a line
_ONLY_MARKUP = re.compile(r"[\s\-+*=_`~#>|:\\]*")
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->\s*", re.DOTALL)
_TITLE_CHARS = 200
_BODIES = frozenset({"paragraph", "bullet_list", "ordered_list", "table", "blockquote"})
"""What a title may stand above."""


def markdown_units(document: Document, max_chars: int) -> list[Unit]:
    """Split Markdown by its block grammar; inline markup stays in the text as it is."""
    return _Walker(document.text, max_chars).walk()


class _Walker:
    """Walks one document's syntax tree; what no block covers (link definitions) counts as running text."""

    def __init__(self, text: str, max_chars: int) -> None:
        self.text, self.found = text, UnitList(text, max_chars)
        self.begin = front_matter(text).end
        breaks = [match.end() for match in _NEWLINE.finditer(text, self.begin)]
        self.lines = [self.begin, *breaks, len(text)]
        self.path: list[tuple[int, str]] = []
        self.waiting: list[tuple[int, int, int]] = []  # headings without a body so far: level, start, end
        self.ranks = Ranks()
        self.lone: set[int] = set()  # the lines that are titles by standing alone

    def walk(self) -> list[Unit]:
        blocks = [self._needed(block) for block in blocks_of(self.text, self.lines)]
        self.lone = set(self._lone_titles(blocks))
        self._blocks(blocks, 0, len(self.lines) - 1, context="", top=True)
        self._place_headings()
        return self.found.units

    def _needed(self, block: Block) -> Block:
        """A block without those in the items of a list that stay whole: there may be a hundred thousand."""
        start, end = trimmed(self.text, *self._span(block.first, block.last))
        if block.type == "list_item" and end - start <= self.found.max_chars:
            block.children = []
        for child in block.children:
            self._needed(child)
        return block

    def _blocks(
        self, blocks: Iterable[Block], line: int, stop: int, *, context: str, top: bool = False
    ) -> None:
        stem = led = ""
        for child in blocks:
            first, last = max(child.first, line), min(child.last, stop)
            self._running_text(line, first, context)
            stem = led = led if child.continues else stem
            if top and child.type == "heading":
                self._heading(child, first, last)
                stem = ""
            elif top and child.type == "hr":
                self._end_titles()
                stem = ""
            elif top and child.type == "paragraph" and (title := self._unmarked(first, last, stop)):
                self._title(self.ranks.of(title[0]), title[1], first, first + 1)
                stem = self._running_text(first + 1, last, context) if last > first + 1 else ""
            else:
                stem = self._block(child, first, last, context=context, stem=stem, inside_item=not top)
            line = max(line, last)
        self._running_text(line, stop, context)

    def _block(
        self, node: Block, first: int, last: int, *, context: str, stem: str, inside_item: bool
    ) -> str:
        """Add one block; returns what leads into the next one."""
        match node.type:
            case "hr":
                return ""
            case "blockquote":
                self._blocks(node.children, first, last, context=context)
            case "bullet_list" | "ordered_list":
                self._list(node, first, last, self._joined(context, stem))
            case "table":
                self._table(first, last, self._joined(context, stem))
            case "fence" | "code_block":
                self._code(first, last, context)
            case "html_block" if _COMMENT.fullmatch(self.text, *self._span(first, last)):
                return ""
            case _:
                lead = self._running_text(first, last, context)
                if inside_item:  # the item's own words lead into the list below them, colon or not
                    return lead or shortened(self.text[slice(*self._span(first, last))], self._context_chars)
                return lead
        return ""

    def _running_text(self, first: int, last: int, context: str) -> str:
        start, end = self._span(first, last)
        if not self._begin_block(start, end):
            return ""
        return self.found.add_sentences(start, end, context=context)

    def _list(self, node: Block, line: int, stop: int, context: str) -> None:
        for item in node.children:
            first, last = max(item.first, line), min(item.last, stop)
            start, end = trimmed(self.text, *self._span(first, last))
            if end - start <= self.found.max_chars:
                if self._begin_block(start, end, same_block=line != first):
                    self.found.add(start, end, context=context)
            else:
                self._blocks(item.children, first, last, context=context)
            line = max(line, last)

    def _table(self, first: int, last: int, context: str) -> None:
        start, end = self._span(first, first + 1)
        header = shortened(self.text[start:end], self._context_chars)
        above, group = context, ""
        if self._begin_block(start, end):
            self.found.add(start, end, context=context, opens=True)
            context = self._joined(context, header)
        for line in range(first + 2, last):  # the line between is the rule below the header
            start, end = self._span(line, line + 1)
            if not self._begin_block(start, end, same_block=True):
                continue
            row = self.text[start:end].strip()
            over = spanning([row[left:right] for left, right in cells_of(row)])
            group = shortened(over, self._context_chars) if over else group
            if over and header:
                context = self._joined(self._joined(above, f"{group}:"), header)
            self.found.add_whole(start, end, context=context)

    def _code(self, first: int, last: int, context: str) -> None:
        for line in range(first, last):
            start, end = self._span(line, line + 1)
            if self._begin_block(start, end, same_block=line != first):
                self.found.add(start, end, context=context)

    def _lone_titles(self, blocks: Iterable[Block]) -> Iterator[int]:
        """Paragraphs of one short line above one that is none, if there are several, or one at the very top."""
        found: list[int] = []
        top = None
        for block, below in pairwise((each.type, each.first, self._is_short(each)) for each in blocks):
            top = block[1] if top is None else top
            if block[2] and not below[2] and below[0] in _BODIES:
                found.append(block[1])
        if len(found) > 1 or found == [top]:
            yield from found

    def _is_short(self, block: Block) -> bool:
        if block.type != "paragraph" or block.last - block.first != 1:
            return False
        return is_title(self.text[slice(*self._span(block.first, block.last))])

    def _unmarked(self, first: int, last: int, stop: int) -> Style | None:
        """The title that a paragraph is, or begins with: a line in bold type or capitals, or a short one on its own.
        None at the end of the document."""
        line = self.text[slice(*self._span(first, first + 1))]
        title = title_style(line)
        if title is None and first in self.lone:
            title = Style("line", line.strip())
        ends = _ONLY_MARKUP.fullmatch(self.text, self.lines[min(first + 1, last)], self.lines[stop])
        return None if ends else title

    def _end_titles(self) -> None:
        """A rule ends what titles govern that no markup makes headings."""
        kept = [(above, title) for above, title in self.path if above < UNMARKED]
        if kept != self.path:
            self._place_headings()
            self.path = kept
            self.found.section += 1
            self.found.headings = tuple(title for _, title in kept)

    def _heading(self, node: Block, first: int, last: int) -> None:
        self._title(int(node.tag[1]), node.content, first, last)

    def _title(self, level: int, title: str, first: int, last: int) -> None:
        if self.waiting and self.waiting[-1][0] >= level:
            self._place_headings()
        self.path = [(above, title) for above, title in self.path if above < level]
        title = shortened(title, _TITLE_CHARS)
        if title:
            self.path.append((level, title))
        self.found.section += 1
        self.found.headings = tuple(title for _, title in self.path)
        self.waiting.append((level, *self._span(first, last)))

    def _place_headings(self) -> None:
        """Put the headings that wait for a body in front of it, so that they are quoted with it."""
        waiting, self.waiting = self.waiting, []
        for _, start, end in waiting:
            self.found.block += 1
            if not _ONLY_MARKUP.fullmatch(self.text, start, end):
                self.found.add(start, end, opens=True)

    def _begin_block(self, start: int, end: int, *, same_block: bool = False) -> bool:
        """Whether the span says anything; if so, what is added next belongs to a new block."""
        if _ONLY_MARKUP.fullmatch(self.text, start, end):
            return False
        self._place_headings()
        self.found.block += not same_block
        return True

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets of the lines ``first`` up to ``last``, not included."""
        return self.lines[first], self.lines[max(first, last)]

    def _joined(self, context: str, stem: str) -> str:
        return shortened(" ".join(filter(None, [context, stem])), 2 * self._context_chars)

    @property
    def _context_chars(self) -> int:
        return self.found.max_chars // 3
