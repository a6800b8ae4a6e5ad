"""Which cells each sheet of a workbook merges, what it hides, and which results it lacks."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.office.archive import part

__all__ = ["SheetLayout", "layouts_of"]

_MAIN = re.compile(r"\{http://(?:schemas\.openxmlformats|purl\.oclc)\.org/[^}]*\}")
_MERGED = re.compile(rb'<(?:\w{1,9}:)?mergeCell ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_HIDDEN_ROW = re.compile(rb'<(?:\w{1,9}:)?row [^>]*\bhidden="(?:1|true)"[^>]*(?<!/)>')
_COLUMNS = re.compile(rb"<(?:\w{1,9}:)?col ([^>]*)>")
_UNKNOWN = re.compile(
    rb"<(?:\w{1,9}:)?c\b([^>]*)><(?:\w{1,9}:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w{1,9}:)?f>)"
    rb"(?:<(?:\w{1,9}:)?v\s*/>|<(?:\w{1,9}:)?v></(?:\w{1,9}:)?v>)?</(?:\w{1,9}:)?c>"
)
"""A cell with a formula and no result."""
_ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')
_BESIDE = 3
"""Characters that a repeated cell takes beside its text."""
_SPANS = "merged cells are not repeated in all that they cover"
_LAST_COLUMN = 16384
_MOST_COLUMNS = 100
"""Columns of a merged cell in which it is repeated."""


@dataclass(slots=True)
class SheetLayout:
    """What a sheet's rows do not tell: merged ranges by the row that they begin in, as first column, last column and
    last row; and counts of what is hidden or lacks a stored result."""

    merged: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    hidden_rows: int = 0
    hidden_columns: int = 0
    unknown: int = 0
    first_unknown: str = ""
    allowance: Allowance = field(default_factory=lambda: Allowance(0))

    @property
    def doubts(self) -> Iterator[str]:
        """What a person should know of the sheet."""
        for count, what in ((self.hidden_rows, "row"), (self.hidden_columns, "column")):
            if count:
                yield f"{count} hidden {what}{'s are' if count > 1 else ' is'} read"
        if self.unknown:
            formulas = "1 formula has" if self.unknown == 1 else f"{self.unknown} formulas have"
            where = f"(cell {self.first_unknown})"
            yield f"{formulas} no stored result {where}: open and save the file in a spreadsheet program"
        yield from self.allowance.missed

    def repeat(self, number: int, texts: list[str], open_: dict[int, tuple[str, int]]) -> bool:
        """Write what merged cells show into the cells of a row that they cover.

        Args:
            number: of the row.
            texts: what its cells show; made longer where a merged cell ends behind it.
            open_: by column, what reaches down into the rows below, and to which; kept from row to row.

        Returns:
            Whether a cell of this row spans several columns.
        """
        for first, last, until in self.merged.get(number, ()):
            text = texts[first - 1] if first <= len(texts) else ""
            if text:
                open_.update((column, (text, until)) for column in range(first, last + 1))
        for column, (text, until) in list(open_.items()):
            if number > until:
                del open_[column]
                continue
            if column <= len(texts) and texts[column - 1]:
                continue
            if not self.allowance.take(len(text) + _BESIDE, _SPANS):
                open_.clear()
                break
            texts.extend([""] * (column - len(texts)))
            texts[column - 1] = text
        return any(last > first for first, last, _ in self.merged.get(number, ()))


def layouts_of(archive: zipfile.ZipFile, allowance: Allowance) -> dict[str, SheetLayout]:
    """The layout of each sheet by its title; ``allowance`` is for what merged cells repeat in all of them."""
    return {
        title: _layout(archive, name, allowance)
        for title, name in _sheets(archive)
        if name in archive.namelist()
    }


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The title of each sheet, and the part that holds it."""
    book = "xl/workbook.xml"
    targets = {
        relation.get("Id", ""): posixpath.normpath(posixpath.join("xl", relation.get("Target", ""))).lstrip(
            "/"
        )
        for relation in part(archive, "xl/_rels/workbook.xml.rels")
    }
    for element in part(archive, book).iter():
        if _name(element) == "sheet":
            key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
            yield element.get("name", ""), targets.get(key, "")


def _layout(archive: zipfile.ZipFile, name: str, allowance: Allowance) -> SheetLayout:
    """Looked for in the bytes of a sheet: a parser takes many times as long, and what is not found costs a word."""
    layout = SheetLayout(allowance=allowance)
    sheet = archive.read(name)
    layout.hidden_rows = sum(1 for _ in _HIDDEN_ROW.finditer(sheet))
    for found in _COLUMNS.finditer(sheet):
        about = dict(_ATTRIBUTE.findall(found[1]))
        last = int(about.get(b"max", b"1"))
        if about.get(b"hidden") in (b"1", b"true") and last < _LAST_COLUMN:
            layout.hidden_columns += last - int(about.get(b"min", b"1")) + 1
    for found in _UNKNOWN.finditer(sheet):
        about = dict(_ATTRIBUTE.findall(found[1]))
        if about.get(b"t") != b"str":
            layout.unknown += 1
            layout.first_unknown = layout.first_unknown or about.get(b"r", b"").decode("utf-8", "replace")
    for found in _MERGED.finditer(sheet):
        if not allowance.take(len(found[0]), _SPANS):
            break
        first, last = _column(found[1].decode()), _column(found[3].decode())
        last = min(last, first + _MOST_COLUMNS - 1)
        layout.merged.setdefault(int(found[2]), []).append((first, last, int(found[4])))
    return layout


def _column(letters: str) -> int:
    """The number of a column from 1.

    >>> _column("A"), _column("XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _name(element: Element) -> str:
    return _MAIN.sub("", element.tag)
