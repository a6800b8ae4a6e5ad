"""Recognise the text of a PDF page that only shows a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.errors import VerifierError
from verifier.knowledge.formats.ocr import MOST_PIXELS, recognised

if TYPE_CHECKING:
    from pypdf import PageObject

__all__ = ["scanned_text"]

_LEAST_PIXELS = 200_000
"""Of the picture of a page; what is smaller is an ornament."""


def scanned_text(page: PageObject) -> str:
    """The text on the largest picture of a page; empty where there is none that can be read.

    Raises:
        MissingExtra: rapidocr is not installed (extra ``ocr``).
    """
    try:
        name = _largest(page)
        picture = page.images[name].image if name else None
        return "" if picture is None else recognised(picture)
    except (VerifierError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - a damaged picture is as good as none: its page is told as one without text
        return ""


def _largest(page: PageObject) -> str:
    """The name of the picture with the most pixels, of those that are neither too small nor too large."""
    resources = page.get("/Resources", {}).get_object()
    objects = resources.get("/XObject", {}).get_object()
    pixels: dict[str, int] = {}
    for name, reference in objects.items():
        about = reference.get_object()
        if about.get("/Subtype") == "/Image":
            pixels[name] = int(about.get("/Width", 0)) * int(about.get("/Height", 0))
    fitting = {name: count for name, count in pixels.items() if _LEAST_PIXELS <= count <= MOST_PIXELS}
    return max(fitting, key=lambda name: fitting[name], default="")
