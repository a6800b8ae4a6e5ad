"""Read HTML pages: the visible text in reading order, with its structure."""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.core.errors import IngestError
from verifier.core.layout import title_style
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import decode, read_bytes
from verifier.knowledge.formats.html_depth import check_depth
from verifier.knowledge.formats.html_nodes import (
    BLOCKS,
    HEADINGS,
    STRUCK_MARKS,
    crossed_out,
    flat_text,
    is_heavy,
    is_struck,
    raised,
    tidy,
    walk,
)
from verifier.knowledge.formats.html_tables import layout_tables, page_table
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["add_page", "read_declared", "read_html"]

_CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CALLED_LATIN_1 = frozenset({"iso8859-1", "ascii"})  # browsers read both as Windows-1252
_SPACES = re.compile(r"[ \t\r\n\f]+")
_LINES_OF_TABLES = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"})
_BOLD_MARKS = ("\ufdd2", "\ufdd3")
"""What stands around bold text while a line is read: code points that no text has."""
_ANY_MARK = re.compile("[\ufdd0-\ufdd3]")


def read_html(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read what a browser would show of a page, without its navigation, scripts and form controls.

    The text is plain Markdown: ``#`` headings, ``**`` around a line that is all in bold type, ``-`` items with ``[x]``
    or ``[ ]`` for a check box, ``: `` before a definition below its term, ``~~`` around what is crossed out, tables as
    rows between pipes: a cell that spans rows or columns is repeated in each, heads of several rows are one, a caption
    and a title row stand above as a line with a colon. A table that holds others and names no columns is none. Raised
    digits become ``²``: neither power nor footnote mark may join a number.

    Raises:
        IngestError: the file cannot be read as text, shows none, or nests too deep.
    """
    data = read_bytes(file.path, options)
    decoded = decode(data, options.encoding or read_declared(data))
    outline = Outline()
    allowance = Allowance(len(decoded.text))
    title = add_page(decoded.text, outline, allowance)
    text = outline.text()
    if not text:
        raise IngestError("no visible text")
    metadata = {"format": "html", **decoded.metadata, **allowance.metadata}
    yield Document(file.source, file.uri, text, "text/markdown", title, metadata=metadata)


def add_page(html: str, outline: Outline, allowance: Allowance) -> str:
    """Write what a browser would show of a page into an outline.

    Returns:
        Its title, else its first heading; empty without both.

    Raises:
        IngestError: it nests too deep.
    """
    from selectolax.lexbor import LexborHTMLParser

    check_depth(html)
    tree = LexborHTMLParser(html)
    if tree.body is not None:
        _Page(outline, allowance).read(tree.body)
    titles = (tree.css_first("head > title"), tree.css_first("h1"))
    return next((" ".join(tidy(node.text()).split()) for node in titles if node), "")


def read_declared(data: bytes) -> str | None:
    """The encoding that a page says it is written in, if Python knows it."""
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

    def __init__(self, outline: Outline, allowance: Allowance) -> None:
        self.outline = outline
        self.allowance = allowance
        self.layout: frozenset[int] = frozenset()
        self.inline: list[str] = []
        self.items: list[str] = []  # the marker of each open list item, empty once it has been written
        self.counters: list[int | None] = []  # of each open list; None where it has no numbers
        self.struck = self.bold = 0  # how many open elements cross out their text, or set it in bold type
        self.defining = ""  # ``dt`` or ``dd`` where one is open

    def read(self, body: LexborNode) -> None:
        self.layout = layout_tables(body)
        for node, entering in walk(body, self._is_whole):
            tag = node.tag or ""
            self.struck += (1 if entering else -1) if is_struck(node) else 0
            self.bold += (1 if entering else -1) if is_heavy(node) else 0
            if node.is_text_node:
                self.inline.append(self._marked(_SPACES.sub(" ", node.text(deep=False) or "")))
            elif tag == "br" and entering:
                self.inline.append("\n")
            elif tag == "sup" and entering:
                self.inline.append(self._marked(raised(flat_text(node))))
            elif tag == "input" and entering:
                self._box(node)
            elif entering and self._is_whole(node):
                self._flush()
                self._whole(node, tag)
            elif tag in BLOCKS or tag in _LINES_OF_TABLES:
                self._flush()
                self._edge(node, tag, entering)
        self._flush()

    def _is_whole(self, node: LexborNode) -> bool:
        """Whether a node is read as one; a table that only places what stands on the page is not."""
        tag = node.tag or ""
        return tag in HEADINGS or tag in ("pre", "sup") or (tag == "table" and node.mem_id not in self.layout)

    def _marked(self, text: str) -> str:
        if text.strip():
            text = text.join(STRUCK_MARKS) if self.struck else text
            text = text.join(_BOLD_MARKS) if self.bold else text
        return text

    def _box(self, node: LexborNode) -> None:
        """A check box at the head of a line, as Markdown has it."""
        if (node.attributes.get("type") or "").lower() == "checkbox" and not "".join(self.inline).strip():
            self.inline.append("[x] " if "checked" in node.attributes else "[ ] ")

    def _whole(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            self._tables(node)
        elif tag == "pre":
            self.outline.code(tidy(node.text() or ""))
        else:
            self.outline.heading(int(tag[1]), flat_text(node))

    def _tables(self, node: LexborNode) -> None:
        """A table, and those within its cells after it, each below the name of its row."""
        waiting: deque[tuple[str, LexborNode]] = deque([("", node)])
        while waiting:
            name, node = waiting.popleft()
            table = page_table(node, self.allowance)
            for title in filter(None, [name, *table.titles]):
                self.outline.paragraph(title if title[-1] in ".:!?" else f"{title}:")
            self.outline.table(
                [table.head, *table.rows] if table.head else table.rows, header=bool(table.head)
            )
            waiting.extendleft(reversed(table.inner))

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
        elif tag in ("dt", "dd"):
            self.defining = tag if entering else ""

    def _marker(self) -> str:
        number = self.counters[-1] if self.counters else None
        if number is None:
            return "-"
        self.counters[-1] = number + 1
        return f"{number}."

    def _flush(self) -> None:
        """Write the text since the last edge of a block, as an item if it is the first of one."""
        lines = [" ".join(line.split()) for line in tidy("".join(self.inline)).split("\n")]
        self.inline = []
        titled = not self.items and not self.defining
        text = "\n".join(
            filter(None, (crossed_out(_titled(line) if titled else _unbold(line)) for line in lines))
        )
        if not text:
            return
        if self.items and self.items[-1]:
            self.outline.item(text, len(self.items) - 1, self.items[-1])
            self.items[-1] = ""
        elif self.defining and not self.items:
            self.outline.definition(text, term=self.defining == "dt")
        else:
            self.outline.paragraph(text, len(self.items))


def _titled(line: str) -> str:
    """A line in bold type as Markdown sets it, where it has the form of a title; any other without its marks."""
    begin, end = _BOLD_MARKS
    bare = _unbold(line)
    apart = line.replace(f"{end} {begin}", " ").replace(f"{end}{begin}", "")
    whole = apart.startswith(begin) and apart.endswith(end) and apart.count(begin) == 1
    marked = f"**{bare}**"
    return marked if whole and _ANY_MARK.search(bare) is None and title_style(marked) is not None else bare


def _unbold(line: str) -> str:
    for mark in _BOLD_MARKS:
        line = line.replace(mark, "")
    return line
