"""Read PowerPoint files: titles, texts, tables, charts and notes of the slides, by page.

Read by ``python-pptx`` (its last release is of August 2024, like that of ``python-docx`` stable and without rival).
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import LEFT_OUT, Allowance
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as, check_tags, open_archive
from verifier.knowledge.formats.office.pages import paged
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["read_pptx"]

_KIND = "a PowerPoint file"
_DEEPEST = 50
"""Levels of groups within groups that are read."""
_MOST_SPAN = 100
_BESIDE = 3
"""Characters that a repeated cell takes beside its text."""
_SPANS = "merged cells are not repeated in all that they cover"
_LINE = 100_000
"""EMU (a tenth of an inch): shapes that begin within it stand beside each other."""


def read_pptx(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the slides of a presentation; a page is a slide. Hidden slides are left out and told.

    A slide is its title as a heading, what stands on it from the top and from the left, tables as rows between pipes,
    charts as the tables that they draw, and below that what its notes say.

    Raises:
        IngestError: it is no presentation, broken, encrypted, too large when unpacked, or has no text.
        MissingExtra: python-pptx is not installed (extra ``office``).
    """
    pptx = require("pptx", extra="office", package="python-pptx")
    data = read_bytes(file.path, options)
    with (
        open_archive(data, options, _KIND, "[Content_Types].xml", old="an old .ppt file") as archive,
        broken_as(_KIND),
    ):
        check_tags(
            archive, len(data), [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        )
    with broken_as(_KIND):  # python-pptx lets through whatever zipfile, zlib and lxml raise on damage
        show = pptx.Presentation(BytesIO(data))
        allowance = Allowance(len(data))
        slides = list(enumerate(show.slides, 1))
        shown = [(number, slide) for number, slide in slides if not _is_hidden(slide)]
        text, pages = paged((number, _Slide(allowance).read(slide)) for number, slide in shown)
        title = str(show.core_properties.title or "")
    hidden = len(slides) - len(shown)
    left_out = [f"{hidden} hidden slide{'s are' if hidden > 1 else ' is'} left out"] if hidden else []
    told = "; ".join((*left_out, *allowance.missed))
    if not text:
        raise IngestError(f"no text{f' ({told})' if told else ''}")
    metadata: Metadata = {"format": "pptx", **({LEFT_OUT: told} if told else {})}
    yield Document(file.source, file.uri, text, "text/markdown", title, pages, metadata)


def _is_hidden(slide: Any) -> bool:
    return slide.element.get("show") in ("0", "false")


class _Slide:
    """Writes what one slide says into an outline."""

    def __init__(self, allowance: Allowance) -> None:
        self.outline, self.allowance = Outline(), allowance

    def read(self, slide: Any) -> str:
        title = slide.shapes.title
        if title is not None and title.has_text_frame:
            self.outline.heading(2, title.text_frame.text.replace("\v", " "))
        self._shapes([shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id])
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
            for line in notes.text.replace("\v", "\n").splitlines():
                self.outline.paragraph(line)
        return self.outline.text()

    def _shapes(self, shapes: list[Any], depth: int = 0) -> None:
        for shape in sorted(shapes, key=_place):
            if hasattr(shape, "shapes"):
                if depth < _DEEPEST:
                    self._shapes(list(shape.shapes), depth + 1)
            elif getattr(shape, "has_table", False):
                self._table(shape.table)
            elif getattr(shape, "has_chart", False):
                self._chart(shape.chart)
            elif shape.has_text_frame:
                self._text(shape)

    def _text(self, shape: Any) -> None:
        """The paragraphs of a shape: those of the body of a slide, and of any level below the first, are items."""
        body = shape.is_placeholder and len(shape.text_frame.paragraphs) > 1
        for paragraph in shape.text_frame.paragraphs:
            text = paragraph.text.replace("\v", "\n")
            if body or paragraph.level:
                self.outline.item(text, paragraph.level)
            else:
                self.outline.paragraph(text)

    def _table(self, table: Any) -> None:
        """A table; what a merged cell says stands in all that it covers."""
        covered: dict[tuple[int, int], str] = {}
        rows: list[list[str]] = []
        for y, row in enumerate(table.rows):
            rows.append([])
            for x, cell in enumerate(row.cells):
                text = covered.get((y, x), cell.text_frame.text.replace("\v", " "))
                rows[-1].append(text)
                if cell.is_merge_origin:
                    covered.update(self._reach(cell, y, x, text))
        self.outline.table(rows, header=bool(table.first_row))

    def _reach(self, cell: Any, y: int, x: int, text: str) -> Iterator[tuple[tuple[int, int], str]]:
        """The cells that a merged one covers, as far as there is an allowance for repeating it."""
        for row in range(y, y + min(cell.span_height, _MOST_SPAN)):
            for column in range(x, x + min(cell.span_width, _MOST_SPAN)):
                if not self.allowance.take(len(text) + _BESIDE, _SPANS):
                    return
                yield (row, column), text

    def _chart(self, chart: Any) -> None:
        """The figures that a chart draws; none where it keeps them elsewhere."""
        if chart.has_title and chart.chart_title.has_text_frame:
            self.outline.paragraph(chart.chart_title.text_frame.text)
        for plot in chart.plots:
            names = [str(category) for category in plot.categories]
            series = [(str(one.name), list(one.values)) for one in plot.series]
            rows = [
                [name, *(_figure(values[at]) if at < len(values) else "" for _, values in series)]
                for at, name in enumerate(names)
            ]
            self.outline.table([["", *(name for name, _ in series)], *rows], header=True)


def _figure(value: object) -> str:
    return "" if value is None else f"{value:.15g}" if isinstance(value, float) else str(value)


def _place(shape: Any) -> tuple[int, int]:
    """Where a shape begins: its line from the top, and its distance from the left."""
    return (shape.top or 0) // _LINE, shape.left or 0
