"""A Word file goes in, one Document comes out: paragraphs, headings, lists and tables in document order."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["read_docx"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_OLE = b"\xd0\xcf\x11\xe0"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_MAX_SPAN = 100
_NOT_TEXT = frozenset({_FALLBACK, _W + "tabs", _W + "moveFrom"})
_FOOTNOTES = ("/footnotes", "/endnotes")


def read_docx(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the text of a Word file, tracked changes accepted; headers, footers and comments are left out.

    The text is plain Markdown: ``#`` headings, ``-`` items (Word computes their numbers, so none are given),
    tables as rows between pipes. Footnotes and endnotes follow at the end.

    Raises:
        IngestError: it is no Word file, broken, encrypted, too large when unpacked, or has no text.
        MissingExtra: python-docx is not installed (extra ``office``).
    """
    docx = require("docx", extra="office", package="python-docx")
    data = read_bytes(file.path, options)
    _check_container(data, options)
    try:
        word = docx.Document(BytesIO(data))
        outline = Outline()
        _Body(word, outline).read()
        title = str(word.core_properties.title or "")
    except (KeyError, ValueError, SyntaxError, AttributeError, zipfile.BadZipFile, EOFError) as error:
        # python-docx lets through what zipfile and lxml (XMLSyntaxError is a SyntaxError) raise on damage
        raise IngestError("broken, or not a Word file") from error
    text = outline.text()
    if not text:
        raise IngestError("no text")
    metadata = {"format": "docx"}
    yield Document(file.source, file.uri, text, "text/markdown", title, metadata=metadata)


def _check_container(data: bytes, options: ReadOptions) -> None:
    if data.startswith(_OLE):
        raise IngestError("encrypted, or an old .doc file with the wrong suffix")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
            size = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise IngestError("broken, or not a Word file (no zip archive)") from error
    if "[Content_Types].xml" not in names:
        raise IngestError("broken, or not a Word file (an archive of something else)")
    if size > options.max_bytes:
        raise IngestError(f"unpacks to more than the limit of {options.max_bytes / 1e6:g} MB")


class _Body:
    """Walks the XML of the body, because python-docx passes over insertions, controls and text boxes."""

    def __init__(self, word: Any, outline: Outline) -> None:
        self.word, self.outline = word, outline
        self.style_names: dict[str, str] = {style.style_id: style.name or "" for style in word.styles}

    def read(self) -> None:
        for element in _blocks(self.word.element.body):
            if element.tag == _W + "tbl":
                self.outline.table(_rows(element), header=_has_header(element))
            else:
                self._paragraph(element)
        for note in self._notes():
            self.outline.paragraph(note)

    def _paragraph(self, element: Any) -> None:
        text = _text(element)
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
        from lxml import etree

        for relation in self.word.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(_FOOTNOTES):
                continue
            root = etree.fromstring(relation.target_part.blob, etree.XMLParser(resolve_entities=False))
            for note in root:
                if note.get(_W + "type") is None:  # the separator lines have a type
                    yield " ".join(filter(None, (_text(part).strip() for part in note.iter(_W + "p"))))


def _blocks(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, also those inside content controls and tracked insertions."""
    for child in parent:
        if child.tag in (_W + "p", _W + "tbl"):
            yield child
        elif child.tag in (_W + "sdt", _W + "sdtContent", _W + "ins", _W + "customXml", _W + "smartTag"):
            yield from _blocks(child)


def _text(element: Any) -> str:
    """The text of a paragraph. Deleted text has a tag of its own and is not asked for."""
    parts = []
    for node in element.iter(_W + "t", _W + "tab", _W + "br", _W + "cr", _W + "noBreakHyphen"):
        if any(above.tag in _NOT_TEXT for above in node.iterancestors()):
            continue
        if node.tag == _W + "t":
            parts.append(node.text or "")
        else:
            parts.append({_W + "tab": "\t", _W + "noBreakHyphen": "-"}.get(node.tag, "\n"))
    return "".join(parts)


def _rows(table: Any) -> list[list[str]]:
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
            text = " ".join(_text(paragraph) for paragraph in cell.iter(_W + "p"))
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            if merged is not None and merged.get(_W + "val") != "restart" and len(cells) < len(above):
                text = above[len(cells)]
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            width = min(int(span.get(_W + "val")), _MAX_SPAN) if span is not None else 1
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
