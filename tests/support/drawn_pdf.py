"""Make PDF files that draw texts at given places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

__all__ = ["Drawn", "columns", "draw", "rows"]


class Drawn(NamedTuple):
    """Text at ``x`` and ``y`` points from the lower left corner."""

    text: str
    x: float
    y: float
    size: float = 11
    bold: bool = False


def draw(path: Path, *pages: Iterable[Drawn]) -> Path:
    """Write the file; returns its path."""
    writer = PdfWriter()
    fonts = {name: _font(base) for name, base in (("/F1", "/Helvetica"), ("/F2", "/Helvetica-Bold"))}
    for drawn in pages:
        page = writer.add_blank_page(600, 800)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject(name): font for name, font in fonts.items()})}
        )
        stream = DecodedStreamObject()
        stream.set_data("\n".join(map(_shown, drawn)).encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    return path


def _font(base: str) -> DictionaryObject:
    named = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": base, "/Encoding": "/WinAnsiEncoding"}
    return DictionaryObject({NameObject(key): NameObject(value) for key, value in named.items()})


def _shown(one: Drawn) -> str:
    text = one.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F{2 if one.bold else 1} {one.size} Tf {one.x} {one.y} Td ({text}) Tj ET"


def rows(
    texts: Sequence[Sequence[str]], *, xs: Sequence[float], top: float = 700, step: float = 16
) -> list[Drawn]:
    """Rows drawn one after the other; an empty text is not drawn."""
    return [
        Drawn(text, x, top - n * step)
        for n, row in enumerate(texts)
        for text, x in zip(row, xs, strict=True)
        if text
    ]


def columns(
    texts: Sequence[Sequence[str]], *, xs: Sequence[float], top: float = 700, step: float = 16
) -> list[Drawn]:
    """The same rows drawn column by column."""
    drawn = rows(texts, xs=xs, top=top, step=step)
    return sorted(drawn, key=lambda one: (one.x, -one.y))
