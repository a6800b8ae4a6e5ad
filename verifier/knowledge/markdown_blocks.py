"""Parse Markdown into blocks, a piece at a time, so that memory does not grow with the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block import table
from markdown_it.token import Token

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

__all__ = ["Block", "blocks_of"]

_PIECE = 40_000
"""Code points that are parsed at a time, and more only where a block is longer."""
_MOST_TOKENS = 20_000
"""Of a single block; one with more is cut at a line. A parser makes up to 1.3 of a code point, a kilobyte each."""
_OF_TABLES = frozenset({"table_open", "table_close"})


@dataclass(slots=True)
class Block:
    """A block of the grammar of Markdown over the lines ``first`` up to ``last``, not included.

    ``tag`` is that of HTML. ``content`` is what a heading says, ``children`` the blocks within. ``continues`` tells
    that a cut was made before it, within what is one block to the grammar.
    """

    type: str
    tag: str
    first: int
    last: int
    content: str = ""
    children: list[Block] = field(default_factory=list)
    continues: bool = False


def blocks_of(text: str, lines: Sequence[int]) -> Iterator[Block]:
    """The blocks of a text at its top level, in order.

    Args:
        text: what is parsed.
        lines: where each line begins, and last where the text ends; the text is parsed from the first of them.
    """
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    line, end, size = 0, len(lines) - 1, _PIECE
    cut = False
    while line < end:
        stop = min(max(bisect_left(lines, lines[line] + size), line + 1), end)
        tokens = parser.parse(text[lines[line] : lines[stop]])
        found = _nested(tokens, line)
        if stop < end and len(found) < 2 and len(tokens) < _MOST_TOKENS:
            size *= 2  # one block, which goes on: a long paragraph or fence
            continue
        whole = stop == end or len(found) < 2
        if found and cut:
            found[0].continues = True
        yield from found if whole else found[:-1]
        cut = whole
        line, size = (stop if whole else found[-1].first), _PIECE


def _nested(tokens: Sequence[Token], line: int) -> list[Block]:
    """The blocks that tokens open and close, with the lines counted from ``line`` on."""
    whole = Block("root", "", line, line)
    above = [whole]
    for token in tokens:
        if token.nesting < 0:
            above.pop()
        elif token.type == "inline":
            above[-1].content = token.content if above[-1].type == "heading" else ""
        elif token.map is not None:
            first, last = token.map
            block = Block(token.type.removesuffix("_open"), token.tag, first + line, last + line)
            above[-1].children.append(block)
            if token.nesting > 0:
                above.append(block)
    return whole.children


def _table(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """The rule for tables, but without its cells: their rows are read line by line, and a table may have a million."""
    kept = state.push
    dropped = Token("", "", 0)

    def push(kind: str, tag: str, nesting: int) -> Token:
        return kept(kind, tag, nesting) if kind in _OF_TABLES else dropped  # type: ignore[arg-type]

    state.push = push  # type: ignore[method-assign,assignment]
    try:
        return table(state, first, last, silent)
    finally:
        state.push = kept  # type: ignore[method-assign]
