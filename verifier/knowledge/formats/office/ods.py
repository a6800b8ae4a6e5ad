"""Read OpenDocument spreadsheets: a document for each row below the heads of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as
from verifier.knowledge.formats.office.odf import TABLE, OdfFile, open_odf
from verifier.knowledge.formats.office.sheet import Sheet, SheetRow, first_told, sheet_documents
from verifier.types import Document

__all__ = ["read_ods"]

_KIND = "an OpenDocument spreadsheet"


def read_ods(file: SourceFile, options: ReadOptions) -> Iterator[Document | IngestError]:
    """Read the visible sheets of a spreadsheet, as they show their values; all else is as for an Excel workbook.

    Raises:
        IngestError: it is none, broken, encrypted, too large when unpacked, or shows nothing.
    """
    data = read_bytes(file.path, options)
    odf = open_odf(data, options, _KIND, "spreadsheet")
    with broken_as(_KIND):
        items = list(_documents(file, options, odf, len(data)))
        told = list(_told(odf))
    yield from first_told(items, "; ".join((*told, *odf.allowance.missed)))


def _documents(
    file: SourceFile, options: ReadOptions, odf: OdfFile, size: int
) -> Iterator[Document | IngestError]:
    for table in odf.body.iter(f"{TABLE}table"):
        if table.get(f"{TABLE}style-name") not in odf.hiding:
            rows = (SheetRow(row.number, row.cells, row.bold, row.spans) for row in odf.rows(table))
            yield from sheet_documents(file, options, Sheet(_name(table), rows), {"format": "ods"}, size)


def _told(odf: OdfFile) -> Iterator[str]:
    for table in odf.body.iter(f"{TABLE}table"):
        if table.get(f"{TABLE}style-name") in odf.hiding:
            yield f"hidden sheet {_name(table)} is left out"
        elif hidden := sum(
            row.get(f"{TABLE}visibility") is not None for row in table.iter(f"{TABLE}table-row")
        ):
            yield f"sheet {_name(table)}: {hidden} hidden row{'s are' if hidden > 1 else ' is'} read"
    if odf.unknown:
        formulas = "1 formula has" if odf.unknown == 1 else f"{odf.unknown} formulas have"
        yield f"{formulas} no stored result: open and save the file in a spreadsheet program"


def _name(table: Element) -> str:
    return table.get(f"{TABLE}name", "")
