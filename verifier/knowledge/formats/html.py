"""An HTML page goes in, one Document with its visible text comes out, structure kept, in reading order."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.decode import decode, read_bytes
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["read_html"]

_DROPPED = frozenset(
    (
        *("audio", "button", "canvas", "head", "iframe", "math", "nav", "noscript", "object", "script"),
        *("select", "style", "svg", "template", "video"),
    )
)
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div"),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr"),
        *("html", "legend", "li", "main", "menu", "ol", "p", "section", "summary", "ul"),
    )
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CALLED_LATIN_1 = frozenset({"iso8859-1", "ascii"})  # browsers read both as Windows-1252
_DISPLAY_NONE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_TIDY = str.maketrans({"\u00a0": " ", "\u00ad": None, "\u200b": None, "\ufeff": None})
_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_MAX_SPAN = 100


def read_html(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read what a browser would show of a page, without its navigation, scripts and form controls.

    The text is plain Markdown: ``#`` headings, ``-`` items, tables as rows between pipes, a cell that spans
    rows repeated in each. Raised digits become ``²``: neither power nor footnote mark may join a number.

    Raises:
        IngestError: the file cannot be read as text, or shows none.
    """
    from selectolax.lexbor import LexborHTMLParser

    data = read_bytes(file.path, options)
    decoded = decode(data, options.encoding or _declared_encoding(data))
    tree = LexborHTMLParser(decoded.text)
    outline = Outline()
    if tree.body is not None:
        _Page(outline).read(tree.body)
    text = outline.text()
    if not text:
        raise IngestError("no visible text")
    titles = (tree.css_first("head > title"), tree.css_first("h1"))
    title = next((" ".join(node.text().translate(_TIDY).split()) for node in titles if node), "")
    metadata = {"format": "html", **decoded.metadata}
    yield Document(file.source, file.uri, text, "text/markdown", title, metadata=metadata)


def _declared_encoding(data: bytes) -> str | None:
    found = _CHARSET.search(data[:4096])
    if not found:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except (LookupError, UnicodeDecodeError):
        return None
    return "cp1252" if name in _CALLED_LATIN_1 else name


class _Page:
    """Turns the events of a walk over the page into the blocks of an outline."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.inline: list[str] = []
        self.items: list[str] = []  # the marker of each open list item, empty once it has been written
        self.counters: list[int | None] = []  # of each open list; None where it has no numbers

    def read(self, body: LexborNode) -> None:
        for node, entering in _walk(body, opaque=frozenset({"table", "pre", "sup", *_HEADINGS})):
            tag = node.tag or ""
            if node.is_text_node:
                self.inline.append(_SPACES.sub(" ", node.text(deep=False) or ""))
            elif tag == "br" and entering:
                self.inline.append("\n")
            elif tag == "sup" and entering:
                self.inline.append(_raised(_flat_text(node)))
            elif entering and (tag in ("table", "pre") or tag in _HEADINGS):
                self._flush()
                self._whole(node, tag)
            elif tag in _BLOCKS:
                self._flush()
                self._edge(node, tag, entering)
        self._flush()

    def _whole(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            rows, header = _table(node)
            self.outline.table(rows, header=header)
        elif tag == "pre":
            self.outline.code((node.text() or "").translate(_TIDY))
        else:
            self.outline.heading(int(tag[1]), _flat_text(node))

    def _edge(self, node: LexborNode, tag: str, entering: bool) -> None:
        if tag in ("ol", "ul", "menu"):
            if entering:
                start = str(node.attributes.get("start") or "1")
                first = int(start) if start.isdecimal() and len(start) < 9 else 1
                self.counters.append(first if tag == "ol" else None)
            else:
                self.counters.pop()
        elif tag == "li":
            if entering:
                self.items.append(self._marker())
            else:
                self.items.pop()

    def _marker(self) -> str:
        number = self.counters[-1] if self.counters else None
        if number is None:
            return "-"
        self.counters[-1] = number + 1
        return f"{number}."

    def _flush(self) -> None:
        """Write the text since the last edge of a block, as an item if it is the first of one."""
        lines = "".join(self.inline).translate(_TIDY).split("\n")
        self.inline = []
        text = "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
        if not text:
            return
        if self.items and self.items[-1]:
            self.outline.item(text, len(self.items) - 1, self.items[-1])
            self.items[-1] = ""
        else:
            self.outline.paragraph(text, len(self.items))


def _walk(root: LexborNode, opaque: frozenset[str] = frozenset()) -> Iterator[tuple[LexborNode, bool]]:
    """Visible nodes below ``root``, entering and leaving; no recursion, because pages nest without limit."""
    depth, node = 0, root.child
    while node is not None:
        visible = node.is_text_node or (node.is_element_node and not _hidden(node))
        if visible:
            yield node, True
            if node.child is not None and node.tag not in opaque:
                depth, node = depth + 1, node.child
                continue
            if node.is_element_node:
                yield node, False
        while node is not None and node.next is None:
            depth, node = depth - 1, node.parent
            if depth < 0 or node is None:
                return
            yield node, False
        node = node.next


def _hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    style = attributes.get("style")
    return node.tag in _DROPPED or "hidden" in attributes or bool(style and _DISPLAY_NONE.search(style))


def _flat_text(root: LexborNode) -> str:
    """The visible text of a heading or cell, on one line."""
    parts = []
    for node, entering in _walk(root, opaque=frozenset({"sup"})):
        if node.is_text_node:
            parts.append(node.text(deep=False) or "")
        elif node.tag == "sup":
            parts.append(_raised(node.text() or "") if entering else "")
        elif node.tag in _BLOCKS or node.tag in _HEADINGS or node.tag in ("br", "td", "th", "tr", "pre"):
            parts.append(" ")
    return " ".join("".join(parts).translate(_TIDY).split())


def _raised(text: str) -> str:
    text = text.strip()
    raised = text.translate(_RAISED)
    changed = all(before != after for before, after in zip(text, raised, strict=True))
    return raised if changed else f" {text} "


def _table(table: LexborNode) -> tuple[list[list[str]], bool]:
    """The rows of a table, and whether its first one names the columns."""
    rows: list[list[str]] = []
    header = False
    carried: dict[int, tuple[str, int]] = {}  # column -> text and rows left of a cell that spans rows
    for row in _rows(table):
        cells = [cell for cell in row.iter() if cell.tag in ("td", "th") and not _hidden(cell)]
        if not rows:
            in_head = row.parent is not None and row.parent.tag == "thead"
            header = bool(cells) and (in_head or all(cell.tag == "th" for cell in cells))
        rows.append(_filled(cells, carried))
    return rows, header


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """Rows of the table itself; those of a table inside a cell belong to that cell's text."""
    for node, entering in _walk(table, opaque=frozenset({"tr"})):
        if entering and node.tag == "tr":
            yield node


def _filled(cells: list[LexborNode], carried: dict[int, tuple[str, int]]) -> list[str]:
    """The cells of one row, with those that reach down into it from above; updates ``carried``."""
    line: list[str] = []
    waiting = iter(cells)
    while True:
        column = len(line)
        if column in carried:
            text, left = carried.pop(column)
            if left > 1:
                carried[column] = (text, left - 1)
            line.append(text)
            continue
        cell = next(waiting, None)
        if cell is None:
            return line
        text = _flat_text(cell)
        if (rows := _span(cell, "rowspan")) > 1:
            carried[column] = (text, rows - 1)
        line += [text, *[""] * (_span(cell, "colspan") - 1)]


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(int(value), _MAX_SPAN) if value.isdecimal() and len(value) < 5 else 1
