"""Read the text on pictures (PNG, JPEG, TIFF, WebP, BMP) by optical character recognition."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.ocr import RECOGNISED, recognised, refuse_large
from verifier.knowledge.formats.office.archive import broken_as
from verifier.knowledge.formats.office.pages import paged
from verifier.types import Document

__all__ = ["read_image"]

_KIND = "a picture"
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP")
_MOST_PAGES = 500


def read_image(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Recognise the text on a picture; the pictures of a TIFF are its pages. One without text has no document.

    Raises:
        IngestError: it is no picture, broken, or too large.
        MissingExtra: rapidocr is not installed (extra ``ocr``).
    """
    require("rapidocr", extra="ocr", package="rapidocr")
    images = require("PIL.Image", extra="ocr", package="Pillow")
    data = read_bytes(file.path, options)
    with broken_as(_KIND), images.open(BytesIO(data), formats=_FORMATS) as picture:
        text, pages = paged(_pages(picture))
    if text:
        several = len(pages) > 1 or (pages and pages[0].number > 1)
        metadata = {"format": "image", RECOGNISED: "all of it"}
        yield Document(file.source, file.uri, text, pages=pages if several else (), metadata=metadata)


def _pages(picture: Any) -> Iterator[tuple[int, str]]:
    count = getattr(picture, "n_frames", 1)
    if count > _MOST_PAGES:
        raise IngestError(f"{count} pictures, over the limit of {_MOST_PAGES}")
    for at in range(count):
        picture.seek(at)
        refuse_large(*picture.size)
        yield at + 1, recognised(picture if count == 1 else picture.copy())
