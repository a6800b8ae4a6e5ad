"""Write a workbook, slides, an OpenDocument file or an electronic book, as its program writes it."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

__all__ = ["book", "odf", "slides", "workbook"]

_SPACE = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(
    f'xmlns:{short}="{_SPACE}:{name}:1.0"'
    for short, name in {
        **{name: name for name in ("office", "text", "table", "style", "presentation")},
        "draw": "drawing",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
    }.items()
)
_MANIFEST = '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">{}</manifest>'
_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/package.opf"/></rootfiles></container>'
)


def workbook(path: Path) -> Path:
    """Sheets with a title, number formats, a hidden row, two rows of heads, notes without heads, and a hidden one."""
    import openpyxl

    made = openpyxl.Workbook()
    fees = made.active
    fees.title = "Fees"
    fees.append(["Fees of the club 2024"])
    fees.merge_cells("A1:E1")
    fees.append([])
    fees.append(["Product", "Price", "VAT", "Valid from", "Total"])
    fees.append(["Rye bread", 3.2, 0.07, date(2024, 3, 5), "=B4*(1+C4)"])
    fees.append(["Rolls", 1234.5, 0.19, date(2024, 4, 1), "=B5*2"])
    for row in (4, 5):
        fees.cell(row, 2).number_format = '#,##0.00 "EUR"'
        fees.cell(row, 3).number_format = "0.0%"
        fees.cell(row, 4).number_format = "dd/mm/yyyy"
    fees.row_dimensions[5].hidden = True
    notes = made.create_sheet("Notes")
    for row in (["Library opens", "9:00"], ["Desks", 24], ["Lift", True]):
        notes.append(row)
    quarters = made.create_sheet("Quarters")
    for row in (
        ["Region", "2023", None, "2024", None],
        [None, "Q1", "Q2", "Q1", "Q2"],
        ["North", 1, 2, 3, 4],
        ["South", 5, 6, 7, 8],
    ):
        quarters.append(row)
    for cells in ("A1:A2", "B1:C1", "D1:E1"):
        quarters.merge_cells(cells)
    made.create_sheet("Old").append(["secret"])
    made["Old"].sheet_state = "hidden"
    made.save(path)
    return path


def slides(path: Path) -> Path:
    """A slide with items and notes, one with a table, a chart and texts beside each other, and a hidden one."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Opening hours"
    body = first.placeholders[1].text_frame
    body.text = "The library opens at nine."
    inner = body.add_paragraph()
    inner.text, inner.level = "On Sundays at eleven.", 1
    first.notes_slide.notes_text_frame.text = "The lift is closed on Mondays."
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "Fees"
    for left, text in ((5, "Right of it."), (1, "Left of it.")):
        box = second.shapes.add_textbox(Inches(left), Inches(5), Inches(2), Inches(1))
        box.text_frame.text = text
    table = second.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for at, text in enumerate(("Card", "Fee", "Adults", "EUR 5", "Children", "")):
        table.cell(at // 2, at % 2).text = text
    table.cell(1, 1).merge(table.cell(2, 1))
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Visitors", (1200.0, 1350.5))
    second.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3.5), Inches(3), Inches(1), data
    )
    hidden = made.slides.add_slide(made.slide_layouts[5])
    hidden.shapes.title.text = "Secret"
    hidden.element.set("show", "0")
    made.save(path)
    return path


def odf(path: Path, body: str, styles: str = "", manifest: str = "", before: str = "") -> Path:
    """An OpenDocument file around what stands in ``office:body``."""
    content = (
        f"{before}<office:document-content {_NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body>{body}</office:body></office:document-content>"
    )
    parts = {"META-INF/manifest.xml": _MANIFEST.format(manifest), "content.xml": content}
    return _packed(path, parts)


def book(path: Path, chapters: Mapping[str, str], *, encrypted: bool = False) -> Path:
    """A book of these pages; its table of contents calls each by its name without ending. The spine is turned round
    against the order in the archive."""
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters
    )
    links = "".join(f'<li><a href="{name}">{name.rpartition(".")[0]}</a></li>' for name in chapters)
    order = "".join(f'<itemref idref="{name}"/>' for name in reversed(list(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:title>The  club</dc:title></metadata><manifest>{items}<item id="nav" href="nav.xhtml" '
        f'properties="nav" media-type="application/xhtml+xml"/></manifest><spine>{order}</spine></package>'
    )
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/package.opf": package,
        "OEBPS/nav.xhtml": f"<html><body><nav><ol>{links}</ol></nav></body></html>",
        **{f"OEBPS/{name}": f"<html><body>{text}</body></html>" for name, text in chapters.items()},
    }
    if encrypted:
        hidden = "".join(f'<CipherReference URI="OEBPS/{name}"/>' for name in chapters)
        parts["META-INF/encryption.xml"] = f"<encryption>{hidden}</encryption>"
    return _packed(path, parts)


def _packed(path: Path, parts: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path
