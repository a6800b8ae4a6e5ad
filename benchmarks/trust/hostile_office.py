"""Workbooks, slides, OpenDocument files and books of a limited size that are large to read."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Mapping

__all__ = [
    "book_of_pages",
    "empty_cells",
    "far_cells",
    "merged_cells",
    "nested_spans",
    "repeated_rows",
    "shared_strings",
    "short_rows",
    "slide_texts",
]

_SPACE = "http://schemas.openxmlformats.org"
_SHEET = f"{_SPACE}/spreadsheetml/2006/main"
_RELATED = f"{_SPACE}/officeDocument/2006/relationships"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_LARGEST = 9_900_000
"""Characters of the largest part: an archive that unpacks to ten megabytes is taken whatever its size."""
_FIRST = 1 << 21


def _packed(parts: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def _largest(size: int, parts: Callable[[int], Mapping[str, str]], count: int = _FIRST) -> bytes:
    """The file with the most of something that is within ``size`` and unpacks to what is always taken."""
    while sum(map(len, (made := parts(count)).values())) > _LARGEST or len(data := _packed(made)) > size:
        count = count * 3 // 4
    return data


def _workbook(rows: str, after: str = "", strings: str = "") -> dict[str, str]:
    types = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{_KIND}{kind}+xml"/>'
        for name, kind in (
            *(("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet")),
            ("sharedStrings", "sharedStrings"),
        )
    )
    relation = '<Relationship Id="r{}" Type="{}/{}" Target="{}"/>'
    relations = f'<Relationships xmlns="{_SPACE}/package/2006/relationships">{{}}</Relationships>'
    return {
        "[Content_Types].xml": f'<Types xmlns="{_SPACE}/package/2006/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        "_rels/.rels": relations.format(relation.format(1, _RELATED, "officeDocument", "xl/workbook.xml")),
        "xl/_rels/workbook.xml.rels": relations.format(
            relation.format(1, _RELATED, "worksheet", "worksheets/sheet1.xml")
            + relation.format(2, _RELATED, "sharedStrings", "sharedStrings.xml")
        ),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_RELATED}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData>{after}</worksheet>',
    }


_HEAD = "<row>" + "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in "abc") + "</row>"


def empty_cells(size: int) -> bytes:
    """A million cells that hold nothing, and one that does."""
    return _largest(size, lambda count: _workbook(_HEAD + f"<row>{'<c/>' * 1000}</row>" * (count // 1000)))


def short_rows(size: int) -> bytes:
    """As many rows as go into it, each with a number."""
    return _largest(size, lambda count: _workbook(_HEAD + "<row><c><v>1</v></c></row>" * count))


def far_cells(size: int) -> bytes:
    """Rows whose only cell stands in the last column there is."""
    cell = '<row r="{0}"><c r="XFD{0}"><v>1</v></c></row>'
    return _largest(
        size, lambda count: _workbook(_HEAD + "".join(cell.format(n) for n in range(2, count))), 1 << 18
    )


def merged_cells(size: int) -> bytes:
    """Cells over all columns and rows, one upon the other."""
    text = "The fee is five euros. " * 1000
    rows = (
        _HEAD
        + f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>'
        + "<row><c><v>1</v></c></row>" * 9000
    )
    merge = '<mergeCell ref="A{}:XFD1048576"/>'
    return _largest(
        size,
        lambda count: _workbook(
            rows, f"<mergeCells>{''.join(merge.format(n % 9000 + 1) for n in range(count))}</mergeCells>"
        ),
    )


def shared_strings(size: int) -> bytes:
    """Strings that no cell shows."""
    return _largest(size, lambda count: _workbook(_HEAD, strings="<si><t>a</t></si>" * count))


def slide_texts(size: int) -> bytes:
    """A slide of as many short texts as have no more tags than are taken."""
    from pptx import Presentation

    buffer = io.BytesIO()
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[5])
    made.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        whole = {name: archive.read(name).decode("utf-8", "surrogateescape") for name in archive.namelist()}
    texts = {name: text for name, text in whole.items() if name.endswith((".xml", ".rels"))}
    slide = "ppt/slides/slide1.xml"
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="9" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
        "<a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    return _largest(
        size,
        lambda count: {**texts, slide: texts[slide].replace("</p:spTree>", shape * count + "</p:spTree>")},
        10_000,
    )


def _odf(body: str) -> dict[str, str]:
    names = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table"))
    return {
        "META-INF/manifest.xml": f'<manifest xmlns="{_ODF}:manifest:1.0"/>',
        "content.xml": f"<office:document-content {names}><office:body>{body}</office:body></office:document-content>",
    }


def nested_spans(size: int) -> bytes:
    """Spans within spans, as many as have no more tags than are taken."""
    return _largest(
        size,
        lambda count: _odf(
            f"<office:text><text:p>{'<text:span>' * count}a{'</text:span>' * count}</text:p></office:text>"
        ),
        100_000,
    )


def repeated_rows(size: int) -> bytes:
    """Rows of repeated cells that are repeated a million times."""
    row = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        'table:number-columns-repeated="16000"><text:p>a{}</text:p></table:table-cell></table:table-row>'
    )
    rows = "".join(row.format(n) for n in range(20_000))
    del size
    return _packed(_odf(f"<office:spreadsheet><table:table>{rows}</table:table></office:spreadsheet>"))


def book_of_pages(size: int) -> bytes:
    """A book of many short pages that all differ."""
    source = random.Random(1)

    def parts(count: int) -> dict[str, str]:
        names = [f"{n}.xhtml" for n in range(count)]
        items = "".join(f'<item id="{n}" href="{n}" media-type="text/html"/>' for n in names)
        order = "".join(f'<itemref idref="{n}"/>' for n in names)
        return {
            "META-INF/container.xml": '<container><rootfile full-path="p.opf"/></container>',
            "p.opf": f"<package><manifest>{items}</manifest><spine>{order}</spine></package>",
            **{name: f"<table><tr><td colspan=99>{source.random()}<td>a</table>" for name in names},
        }

    return _largest(size, parts, 6000)
