"""Read OpenDocument presentations: texts, tables and notes of the slides, by page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import LEFT_OUT
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as
from verifier.knowledge.formats.office.odf import DRAW, PRESENTATION, TEXT, OdfFile, open_odf
from verifier.knowledge.formats.office.odt import OdfBlocks
from verifier.knowledge.formats.office.pages import paged
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["read_odp"]

_KIND = "an OpenDocument presentation"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt)?")
_MILLIMETRES = {"cm": 10.0, "mm": 1.0, "in": 25.4, "pt": 0.3528}
_LINE = 2.5
"""Millimetres within which frames begin that stand beside each other."""


def read_odp(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the slides of a presentation, each as ``pptx.py`` has it; hidden ones are left out and told.

    Raises:
        IngestError: it is none, broken, encrypted, too large when unpacked, or has no text.
    """
    data = read_bytes(file.path, options)
    odf = open_odf(data, options, _KIND, "presentation")
    with broken_as(_KIND):
        slides = list(enumerate(odf.body.iter(f"{DRAW}page"), 1))
        shown = [
            (number, slide) for number, slide in slides if slide.get(f"{DRAW}style-name") not in odf.hiding
        ]
        text, pages = paged((number, _read(odf, slide)) for number, slide in shown)
    hidden = len(slides) - len(shown)
    left_out = [f"{hidden} hidden slide{'s are' if hidden > 1 else ' is'} left out"] if hidden else []
    told = "; ".join((*left_out, *odf.allowance.missed))
    if not text:
        raise IngestError(f"no text{f' ({told})' if told else ''}")
    metadata: Metadata = {"format": "odp", **({LEFT_OUT: told} if told else {})}
    yield Document(file.source, file.uri, text, "text/markdown", odf.title, pages, metadata)


def _read(odf: OdfFile, slide: Element) -> str:
    blocks = OdfBlocks(odf, Outline())
    frames = sorted((one for one in slide if one.tag.startswith(DRAW)), key=_place)
    titles = [one for one in frames if one.get(f"{PRESENTATION}class") == "title"]
    for title in titles:
        blocks.outline.heading(2, " ".join(odf.text(line) for line in title.iter(f"{TEXT}p")))
    for frame in frames:
        if frame not in titles:
            blocks.add(frame)
    for notes in slide.iter(f"{PRESENTATION}notes"):
        blocks.add(notes)
    return blocks.outline.text()


def _place(frame: Element) -> tuple[float, float]:
    return _millimetres(frame.get(f"{_SVG}y", "")) // _LINE, _millimetres(frame.get(f"{_SVG}x", ""))


def _millimetres(length: str) -> float:
    """A length as drawings have it.

    >>> _millimetres("2.5cm"), _millimetres("1in"), _millimetres("")
    (25.0, 25.4, 0.0)
    """
    found = _LENGTH.fullmatch(length)
    return float(found[1]) * _MILLIMETRES.get(found[2], 1.0) if found else 0.0
