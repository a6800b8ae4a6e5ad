"""Read Excel workbooks: a document for each row below the heads of a sheet.

Read by ``openpyxl`` (its last release is of June 2024) in its streaming mode, which keeps a row at a time and gives
each cell with its number format. ``python-calamine`` is newer and faster, but holds whole sheets and knows no formats:
12.5% would be 0.125.
"""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as, check_tags, open_archive
from verifier.knowledge.formats.office.sheet import Sheet, SheetRow, first_told, sheet_documents
from verifier.knowledge.formats.office.shown import shown
from verifier.knowledge.formats.office.xlsx_layout import SheetLayout, layouts_of
from verifier.types import Document

__all__ = ["read_xlsx"]

_KIND = "an Excel workbook"
_LAST_ROW = 1_048_576
_CELLS_OF_BYTE = 1
"""Cells, most of them empty, that are gone through beside a million; each takes five microseconds."""
_TOO_WIDE = "cells far to the right of the others"


def read_xlsx(file: SourceFile, options: ReadOptions) -> Iterator[Document | IngestError]:
    """Read the visible sheets of a workbook, as they show their values.

    A merged cell is repeated in all that it covers. Hidden rows and columns are read, since a filter hides what is as
    true as the rest; hidden sheets are left out. These, and formulas whose results the file does not hold, are told.

    Raises:
        IngestError: it is no workbook, broken, encrypted, too large when unpacked, or shows nothing.
        MissingExtra: openpyxl is not installed (extra ``office``).
    """
    openpyxl = require("openpyxl", extra="office", package="openpyxl")
    data = read_bytes(file.path, options)
    archive = open_archive(data, options, _KIND, "[Content_Types].xml", old="an old .xls file")
    with broken_as(_KIND), archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl does not keep: styles, extensions, print settings
        check_tags(archive, len(data), _trees(archive))
        layouts = layouts_of(archive, Allowance(len(data)))
        book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
        try:
            yield from first_told(
                _documents(file, options, book, layouts, len(data)), _left_out(book, layouts)
            )
        finally:
            book.close()


def _trees(archive: zipfile.ZipFile) -> list[str]:
    """The parts that are read as a whole; sheets are read row by row."""
    return [
        name
        for name in archive.namelist()
        if name.endswith((".xml", ".rels")) and not name.startswith("xl/worksheets/sheet")
    ]


def _documents(
    file: SourceFile, options: ReadOptions, book: Any, layouts: dict[str, SheetLayout], size: int
) -> Iterator[Document | IngestError]:
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            layout = layouts.get(sheet.title, SheetLayout())
            rows = _rows(sheet, layout, Allowance(size, _CELLS_OF_BYTE))
            yield from sheet_documents(file, options, Sheet(sheet.title, rows), {"format": "xlsx"}, size)


def _rows(sheet: Any, layout: SheetLayout, allowance: Allowance) -> Iterator[SheetRow]:
    """The rows that show something. A row that reaches far to the right takes many cells, so they are counted."""
    sheet.reset_dimensions()
    above: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(sheet.iter_rows(), 1):
        if number > _LAST_ROW or not allowance.take(len(row), _TOO_WIDE):
            raise IngestError("its cells lie too far apart: rows or columns without end")
        texts = [shown(cell.value, _format(cell)) if cell.value is not None else "" for cell in row]
        spans = layout.repeat(number, texts, above)
        if any(texts):
            told = [cell for cell in row if cell.value is not None]
            yield SheetRow(number, _trimmed(texts), bool(told) and all(map(_is_bold, told)), spans)


def _format(cell: Any) -> str:
    return str(getattr(cell, "number_format", "") or "")


def _is_bold(cell: Any) -> bool:
    font = getattr(cell, "font", None)
    return font is not None and bool(font.b)


def _trimmed(texts: Sequence[str]) -> list[str]:
    last = max(at for at, text in enumerate(texts, 1) if text)
    return list(texts[:last])


def _left_out(book: Any, layouts: dict[str, SheetLayout]) -> str:
    """What is not read of a workbook, or read although it is hidden, in words."""
    hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
    told = [f"hidden sheet {title} is left out" for title in hidden]
    for title, layout in layouts.items():
        if title not in hidden:
            told += [f"sheet {title}: {said}" for said in layout.doubts]
    return "; ".join(told)
