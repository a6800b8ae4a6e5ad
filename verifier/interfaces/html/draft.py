"""The blocks and the markup of a draft, as offsets into its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.interfaces.html.types import BlockView, DraftView, Style
from verifier.verification.claims.html import TAG, read_html
from verifier.verification.claims.markup import cell_spans
from verifier.verification.claims.structure import BlockKind, ResponseBlock, blocks_of

__all__ = ["draft_of"]

_HEADING = re.compile(r"[ \t>]*(?P<marks>#{1,6})[ \t]+")
_ITEM = re.compile(r"(?P<quote>[ \t>]*)(?:(?P<bullet>[-*+•‣◦▪●○■□∙⁃·–])|(?P<number>\(?\d{1,9}[.)]))[ \t]+")
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^\n]*\n?", re.MULTILINE)
_INLINE = re.compile(
    rf"""
      (?P<code>(?<!`)(?P<ticks>`{{1,2}})(?!`)(?=\S)[^`\n]{{1,300}}(?P=ticks)(?!`))
    | (?P<strong>(?P<stars>\*\*|(?<!\w)__)(?=\S)(?:(?!(?P=stars))[^\n]){{1,1000}}?(?<=\S)(?P=stars))
    | (?P<emphasis>(?P<star>(?<![*\w])\*|(?<![_\w])_)(?=[^\s*_])[^*_\n]{{1,500}}?(?<=[^\s*_])(?P=star)(?![*_\w]))
    | (?P<struck>~~(?=\S)[^~\n]{{1,1000}}?(?<=\S)~~)
    | (?P<link>!?\[(?=[^\[\]\n]{{1,300}}\]\([^()\s]{{0,1000}}\))) | (?P<target>(?<=\S)\]\([^()\s]{{0,1000}}\))
    | (?P<tag>{TAG})
    """,
    re.VERBOSE,
)
_AROUND = {"code": "ticks", "strong": "stars", "emphasis": "star"}
"""The group that holds the marks of a style; struck-out words have two tildes."""


def draft_of(text: str, name: str = "") -> DraftView:
    """A draft to be shown: what is a heading, an item, a row in it, and which characters only mark that up.

    >>> draft = draft_of("# Plans\\n\\n- **Basic** is free")
    >>> [(block["kind"], draft["text"][block["text_at"] : block["end"]]) for block in draft["blocks"]]
    [('heading', 'Plans'), ('item', '**Basic** is free')]
    >>> [(style["kind"], draft["text"][style["start"] : style["end"]]) for style in draft["styles"]]
    [('mark', '**'), ('strong', 'Basic'), ('mark', '**')]
    """
    blocks = [_block(text, block) for block in blocks_of(read_html(text))]
    _nest(text, blocks)
    styles = [style for block in blocks for style in _styles(text, block)]
    return DraftView(name=name, text=text, blocks=blocks, styles=styles)


def _block(text: str, block: ResponseBlock) -> BlockView:
    view = BlockView(
        kind=block.kind.value,
        start=block.start,
        end=block.end,
        text_at=block.start,
        level=0,
        marker="",
        cells=[],
        quoted=text[block.start] == ">",
    )
    if block.kind is BlockKind.HEADING and (found := _HEADING.match(text, block.start, block.end)):
        view["text_at"], view["level"] = found.end(), len(found["marks"])
    elif block.kind is BlockKind.ITEM and (found := _ITEM.match(text, block.start, block.end)):
        view["text_at"], view["marker"] = found.end(), found["number"] or ""
    elif block.kind in (BlockKind.ROW, BlockKind.HEADER_ROW):
        cells = cell_spans(text[block.start : block.end])
        view["cells"] = [[block.start + start, block.start + end] for start, end in cells]
    return view


def _nest(text: str, blocks: list[BlockView]) -> None:
    """Give each item its depth: how many items above it, of the same list, stand further out."""
    indents: list[int] = []
    for block in blocks:
        if block["kind"] != "item":
            indents = []
            continue
        indent = block["start"] - text.rfind("\n", 0, block["start"]) - 1
        indents = [other for other in indents if other < indent]
        block["level"] = len(indents)
        indents.append(indent)


def _styles(text: str, block: BlockView) -> Iterator[Style]:
    """What the marks within a block say; code has its fence, and markup none."""
    if block["kind"] == "markup":
        return
    marks = _FENCE if block["kind"] == "code" else _QUOTED
    for mark in marks.finditer(text, block["start"], block["end"]):
        yield Style(start=mark.start(), end=mark.end(), kind="mark")
    if block["kind"] == "code":
        return
    at = block["text_at"]
    while found := _INLINE.search(text, at, block["end"]):
        start, end = found.span()
        kind = next(name for name in ("code", "strong", "emphasis", "struck", "mark") if _is(found, name))
        if kind == "mark":
            yield Style(start=start, end=end, kind="mark")
            at = end
            continue
        width = len(found[_AROUND[kind]]) if kind in _AROUND else 2
        yield Style(start=start, end=start + width, kind="mark")
        yield Style(start=start + width, end=end - width, kind=kind)  # type: ignore[typeddict-item]
        yield Style(start=end - width, end=end, kind="mark")
        at = end


def _is(found: re.Match[str], kind: str) -> bool:
    return kind == "mark" or bool(found[kind])
