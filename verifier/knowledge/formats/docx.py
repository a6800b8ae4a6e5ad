"""Read Word files: paragraphs, headings, lists and tables in document order."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as, check_tags, open_archive
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["read_docx"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_KIND = "a Word file"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_MAX_SPAN = 100
_BESIDE = 3
"""Characters that an empty cell takes."""
_SPANS = "cells that span rows or columns are not repeated in all of them"
_NOT_TEXT = frozenset({_FALLBACK, _W + "tabs", _W + "moveFrom"})
_FOOTNOTES = ("/footnotes", "/endnotes")
_AROUND = ("/header", "/footer")
_PAGE_NUMBERS = re.compile(r"(?:page|p\.|of|/|[-–—]|\d+|\s)*", re.IGNORECASE)
"""What a head or foot says that numbers the pages."""
_STRIKES = ("strike", "dstrike")
_OFF = ("0", "false", "off", "none")


def read_docx(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the text of a Word file, tracked changes accepted; comments are left out.

    The text is plain Markdown: ``#`` headings, ``-`` items (Word computes their numbers, so none are given),
    tables as rows between pipes, ``~~`` around what is struck out. What the heads and feet of pages say stands once,
    at the beginning; footnotes and endnotes follow at the end.

    Raises:
        IngestError: it is no Word file, broken, encrypted, too large when unpacked, or has no text.
        MissingExtra: python-docx is not installed (extra ``office``).
    """
    docx = require("docx", extra="office", package="python-docx")
    data = read_bytes(file.path, options)
    archive = open_archive(data, options, _KIND, "[Content_Types].xml", old="an old .doc file")
    with archive, broken_as(_KIND):
        check_tags(archive, len(data), _trees(archive))
    with broken_as(_KIND):  # python-docx lets through whatever zipfile, zlib and lxml raise on damage
        word = docx.Document(BytesIO(data))
        outline = Outline()
        allowance = Allowance(len(data))
        _Body(word, outline, allowance).read()
        title = str(word.core_properties.title or "")
    text = outline.text()
    if not text:
        raise IngestError("no text")
    metadata = {"format": "docx", **allowance.metadata}
    yield Document(file.source, file.uri, text, "text/markdown", title, metadata=metadata)


def _trees(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]


class _Body:
    """Walks the XML of the body, because python-docx passes over insertions, controls and text boxes."""

    def __init__(self, word: Any, outline: Outline, allowance: Allowance) -> None:
        self.word, self.outline, self.allowance = word, outline, allowance
        self.style_names: dict[str, str] = {style.style_id: style.name or "" for style in word.styles}
        self.struck_styles = {style.style_id for style in word.styles if _strikes(style.element)}

    def read(self) -> None:
        for line in self._around_pages():
            self.outline.paragraph(line)
        for element in _blocks(self.word.element.body):
            if element.tag == _W + "tbl":
                self.outline.table(_rows(element, self.text, self.allowance), header=_has_header(element))
            else:
                self._paragraph(element)
        for note in self._notes():
            self.outline.paragraph(note)

    def _paragraph(self, element: Any) -> None:
        text = self.text(element)
        style = self._style(element)
        heading = _HEADING.match(style)
        level = element.find(f"{_W}pPr/{_W}numPr/{_W}ilvl")
        numbered = element.find(f"{_W}pPr/{_W}numPr") is not None
        if style == "Title":
            self.outline.heading(1, text)
        elif heading:
            self.outline.heading(int(heading[1]), text)
        elif numbered or style.startswith(("List Bullet", "List Number")):
            depth = int(level.get(_W + "val")) if level is not None else _style_depth(style)
            self.outline.item(text, depth)
        else:
            self.outline.paragraph(text)

    def _style(self, element: Any) -> str:
        style = element.find(f"{_W}pPr/{_W}pStyle")
        return self.style_names.get(style.get(_W + "val"), "") if style is not None else ""

    def _notes(self) -> Iterator[str]:
        for root in self._parts(_FOOTNOTES):
            for note in root:
                if note.get(_W + "type") is None:  # the separator lines have a type
                    yield " ".join(filter(None, (self.text(part).strip() for part in note.iter(_W + "p"))))

    def _around_pages(self) -> Iterator[str]:
        """The lines of the heads and feet of pages, each once, without page numbers and what the body says as well."""
        body = {" ".join(self.text(part).split()) for part in self.word.element.body.iter(_W + "p")}
        lines = (
            " ".join(self.text(part).split()) for root in self._parts(_AROUND) for part in root.iter(_W + "p")
        )
        for line in dict.fromkeys(lines):
            if not _PAGE_NUMBERS.fullmatch(line) and line not in body:
                yield line

    def _parts(self, kinds: tuple[str, ...]) -> Iterator[Any]:
        """The roots of the parts of the file that are of these kinds, in the order of their names."""
        from lxml import etree

        parts = {
            str(relation.target_part.partname): relation.target_part
            for relation in self.word.part.rels.values()
            if not relation.is_external and relation.reltype.endswith(kinds)
        }
        for name in sorted(parts, key=lambda name: ("footer" in name, name)):
            yield etree.fromstring(parts[name].blob, etree.XMLParser(resolve_entities=False))

    def text(self, element: Any) -> str:
        """The text of a paragraph. Deleted text has a tag of its own and is not asked for."""
        style = element.find(f"{_W}pPr/{_W}pStyle")
        all_struck = style is not None and style.get(_W + "val") in self.struck_styles
        parts: list[tuple[bool, str]] = []
        for node in element.iter(_W + "t", _W + "tab", _W + "br", _W + "cr", _W + "noBreakHyphen"):
            above = list(node.iterancestors())
            if any(one.tag in _NOT_TEXT for one in above):
                continue
            if node.tag == _W + "t":
                text = node.text or ""
            else:
                text = {_W + "tab": "\t", _W + "noBreakHyphen": "-"}.get(node.tag, "\n")
            run = next((one for one in above if one.tag == _W + "r"), None)
            parts.append((self._struck(run, all_struck), text))
        joined = (
            (struck, "".join(text for _, text in run)) for struck, run in groupby(parts, key=itemgetter(0))
        )
        return "".join(_marked(text) if struck else text for struck, text in joined)

    def _struck(self, run: Any, otherwise: bool) -> bool:
        """Whether a run is struck out: by its own properties, else by its style, else as its paragraph is."""
        if run is None:
            return otherwise
        own = _strikes(run)
        if own is None:
            style = run.find(f"{_W}rPr/{_W}rStyle")
            return otherwise or (style is not None and style.get(_W + "val") in self.struck_styles)
        return own


def _blocks(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, also those inside content controls and tracked insertions."""
    for child in parent:
        if child.tag in (_W + "p", _W + "tbl"):
            yield child
        elif child.tag in (_W + "sdt", _W + "sdtContent", _W + "ins", _W + "customXml", _W + "smartTag"):
            yield from _blocks(child)


def _strikes(element: Any) -> bool | None:
    """What a run or a style says of a line through its text; ``None`` for nothing."""
    marks = [mark for name in _STRIKES if (mark := element.find(f"{_W}rPr/{_W}{name}")) is not None]
    return any(mark.get(_W + "val", "1") not in _OFF for mark in marks) if marks else None


def _marked(text: str) -> str:
    """Struck-out text as Markdown writes it, line by line."""
    return re.sub(r"[^\s](?:[^\n]*[^\s])?", r"~~\g<0>~~", text)


def _rows(table: Any, text_of: Callable[[Any], str], allowance: Allowance) -> list[list[str]]:
    """The cells of each row.

    A cell that spans rows is repeated in each, one that spans columns is followed by empty ones. A table
    inside a cell counts as that cell's text.
    """
    rows: list[list[str]] = []
    for row in table.iter(_W + "tr"):
        if next(row.iterancestors(_W + "tbl")) is not table:
            continue
        above = rows[-1] if rows else []
        cells: list[str] = []
        for cell in row.iter(_W + "tc"):
            if next(cell.iterancestors(_W + "tr")) is not row:
                continue
            text = " ".join(text_of(paragraph) for paragraph in cell.iter(_W + "p"))
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            if merged is not None and merged.get(_W + "val") != "restart" and len(cells) < len(above):
                copied = above[len(cells)]
                text = copied if allowance.take(len(copied), _SPANS) else text
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            width = min(int(span.get(_W + "val")), _MAX_SPAN) if span is not None else 1
            width = width if allowance.take(_BESIDE * (width - 1), _SPANS) else 1
            cells += [text, *[""] * (width - 1)]
        rows.append(cells)
    return rows


def _has_header(table: Any) -> bool:
    """Whether the first row names the columns: Word's own mark, or its usual look of a table."""
    if table.find(f"{_W}tr/{_W}trPr/{_W}tblHeader") is not None:
        return True
    look = table.find(f"{_W}tblPr/{_W}tblLook")
    if look is None:
        return False
    value = look.get(_W + "firstRow")
    return value in ("1", "true", "on") if value else bool(int(look.get(_W + "val", "0"), 16) & 0x20)


def _style_depth(style: str) -> int:
    """``List Bullet 2`` is one level below ``List Bullet``."""
    return int(style[-1]) - 1 if style[-1:].isdecimal() else 0
