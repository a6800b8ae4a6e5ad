"""Open OpenDocument files: their trees, what their styles mean, and the text and tables within.

Read from the archive by the standard library's XML parser: ``odfpy`` has seen no release since January 2020, and holds
a file as objects of several times the memory.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from xml.etree.ElementTree import Element

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import ReadOptions
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.office.archive import broken_as, check_tags, open_archive, part
from verifier.knowledge.formats.office.shown import shown

__all__ = ["DRAW", "OFFICE", "PRESENTATION", "TABLE", "TEXT", "OdfFile", "TableRow", "open_odf"]

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
DRAW, OFFICE, TABLE, TEXT, _STYLE = (
    f"{{{_SPACE}{name}:1.0}}" for name in ("drawing", "office", "table", "text", "style")
)
_FORM = f"{{{_SPACE}xsl-fo-compatible:1.0}}"
PRESENTATION = f"{{{_SPACE}presentation:1.0}}"
_NEEDS = "META-INF/manifest.xml"
_NO_TEXT = frozenset(
    {f"{TEXT}note", f"{OFFICE}annotation", f"{DRAW}frame", f"{TEXT}tracked-changes", f"{DRAW}custom-shape"}
)
_CELLS = frozenset({f"{TABLE}table-cell", f"{TABLE}covered-table-cell"})
_GROUPS = frozenset(
    f"{TABLE}{name}"
    for name in ("table-header-rows", "table-rows", "table-row-group", "table-header-columns")
)
_BESIDE = 3
"""Characters that a repeated cell takes beside its text."""
_REPEATED = "cells that are repeated or merged do not stand in all their places"
_MOST_SPACES = 100
_MOST_COLUMNS = 1024


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its number from 1, what its cells show, and what is to be known of how it is shown."""

    number: int
    cells: Sequence[str]
    heads: bool = False
    bold: bool = False
    spans: bool = False
    hidden: bool = False


@dataclass(slots=True)
class OdfFile:
    """The tree of a file's content, and the names of its styles that strike out, set in bold type, or hide."""

    body: Element
    title: str
    allowance: Allowance
    struck: set[str] = field(default_factory=set)
    bold: set[str] = field(default_factory=set)
    hiding: set[str] = field(default_factory=set)
    unknown: int = 0
    """Formulas without a stored result that :meth:`rows` has met."""

    def text(self, element: Element) -> str:
        """The text of a paragraph, without its notes, comments and frames; ``~~`` stands around what is struck out."""
        return "".join(self._texts(element)).replace("~~~~", "")

    def _texts(self, element: Element) -> Iterator[str]:
        struck = element.tag == f"{TEXT}span" and element.get(f"{TEXT}style-name") in self.struck
        yield "~~" if struck else ""
        yield element.text or ""
        for child in element:
            if child.tag == f"{TEXT}s":
                yield " " * min(_count(child, f"{TEXT}c"), _MOST_SPACES)
            elif child.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
                yield "\t" if child.tag == f"{TEXT}tab" else "\n"
            elif child.tag not in _NO_TEXT:
                yield from self._texts(child)
            yield child.tail or ""
        yield "~~" if struck else ""

    def rows(self, table: Element) -> Iterator[TableRow]:
        """The rows of a table that show something; a merged cell is repeated in all that it covers, as far as there is
        an allowance."""
        number = 1
        below: dict[int, tuple[str, int]] = {}
        for row, heads in _rows(table):
            times = _count(row, f"{TABLE}number-rows-repeated")
            made = self._row(row, number, heads, below)
            if made is None:
                number += times
                continue
            size = sum(len(cell) + _BESIDE for cell in made.cells)
            for at in range(times):
                if at and not self.allowance.take(size, _REPEATED):
                    break
                yield TableRow(number + at, made.cells, heads, made.bold, made.spans, made.hidden)
            number += times

    def _row(
        self, row: Element, number: int, heads: bool, below: dict[int, tuple[str, int]]
    ) -> TableRow | None:
        texts: list[str] = []
        bold, spans, blank = [], False, 0
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            times = min(_count(cell, f"{TABLE}number-columns-repeated"), _MOST_COLUMNS)
            text = self._cell(cell)
            for _ in range(times):
                column = len(texts) + blank
                over = _over(below, column) if cell.tag == f"{TABLE}covered-table-cell" or not text else ""
                if not (text or over):
                    blank += 1
                    continue
                if not self.allowance.take(len(over) + (len(text) if texts else 0), _REPEATED):
                    break
                texts += [*[""] * blank, text or over]
                blank = 0
            if text:
                bold.append(cell.get(f"{TABLE}style-name") in self.bold)
                wide, high = (_count(cell, f"{TABLE}number-{way}-spanned") for way in ("columns", "rows"))
                spans |= wide > 1
                first = len(texts) - 1
                below.update(
                    {first + n: (text, high) for n in range(min(wide, _MOST_COLUMNS)) if n or high > 1}
                )
        _one_row_on(below)
        hidden = row.get(f"{TABLE}visibility") in ("collapse", "filter")
        return TableRow(number, texts, heads, all(bold) and bool(bold), spans, hidden) if any(texts) else None

    def _cell(self, cell: Element) -> str:
        """What a cell shows; a date as it is stored, since day and month may stand in any order."""
        stored = cell.get(f"{OFFICE}date-value")
        if stored:
            try:
                return shown(datetime.fromisoformat(stored))
            except ValueError:
                pass  # what it shows still tells
        text = " ".join(" ".join(self.text(part) for part in cell.iter(f"{TEXT}p")).split())
        self.unknown += not text and cell.get(f"{TABLE}formula") is not None
        return text


def open_odf(data: bytes, options: ReadOptions, kind: str, body: str) -> OdfFile:
    """The content of a file whose body is of this sort (``text``, ``spreadsheet``, ``presentation``).

    Raises:
        IngestError: it is none, broken, encrypted, or too large when unpacked.
    """
    archive = open_archive(data, options, kind, _NEEDS)
    with broken_as(kind), archive:
        names = [
            name for name in (_NEEDS, "content.xml", "styles.xml", "meta.xml") if name in archive.namelist()
        ]
        check_tags(archive, len(data), names)
        if any(element.tag.endswith("}encryption-data") for element in part(archive, _NEEDS).iter()):
            raise IngestError("encrypted; save it without a password")
        content = part(archive, "content.xml")
        found = content.find(f"{OFFICE}body/{OFFICE}{body}")
        if found is None:
            raise IngestError(f"broken, or not {kind} (it holds no {body})")
        file = OdfFile(found, _title(archive), Allowance(len(data)))
        _learn_styles(file, content)
        if "styles.xml" in names:
            _learn_styles(file, part(archive, "styles.xml"))
    return file


def _title(archive: zipfile.ZipFile) -> str:
    if "meta.xml" not in archive.namelist():
        return ""
    return next(
        (one.text or "" for one in part(archive, "meta.xml").iter() if one.tag.endswith("}title")), ""
    )


def _learn_styles(file: OdfFile, root: Element) -> None:
    for style in root.iter(f"{_STYLE}style"):
        name = style.get(f"{_STYLE}name", "")
        for about in style:
            if about.get(f"{_STYLE}text-line-through-style", "none") != "none":
                file.struck.add(name)
            if about.get(f"{_FORM}font-weight") == "bold":
                file.bold.add(name)
            if about.get(f"{TABLE}display") == "false" or about.get(f"{PRESENTATION}visibility") == "hidden":
                file.hiding.add(name)


def _rows(table: Element, heads: bool = False) -> Iterator[tuple[Element, bool]]:
    for child in table:
        if child.tag == f"{TABLE}table-row":
            yield child, heads
        elif child.tag in _GROUPS:
            yield from _rows(child, heads or child.tag == f"{TABLE}table-header-rows")


def _over(below: dict[int, tuple[str, int]], column: int) -> str:
    """What the merged cell says that covers a column of this row, or reaches into it from the left."""
    return below[column][0] if column in below else ""


def _one_row_on(below: dict[int, tuple[str, int]]) -> None:
    for column, (text, rows) in list(below.items()):
        if rows > 1:
            below[column] = (text, rows - 1)
        else:
            del below[column]


def _count(element: Element, name: str) -> int:
    """A count in an attribute, 1 where there is none that makes sense."""
    value = element.get(name, "1")
    return int(value) if value.isdecimal() and len(value) < 8 and int(value) else 1
