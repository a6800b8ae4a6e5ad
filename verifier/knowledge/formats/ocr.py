"""Recognise the text on the picture of a page, laid out as it stands there.

Recognised by ``rapidocr``, whose wheel holds its models (PP-OCR, 31 MB, Apache-2.0): it needs no network and no other
program, as Tesseract would. It runs on the ``onnxruntime`` that the base install has.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.registry import require
from verifier.knowledge.formats.pdf_layout import laid_out
from verifier.knowledge.formats.pdf_runs import Run

__all__ = ["MOST_PIXELS", "RECOGNISED", "REMEDY", "can_recognise", "recognised", "refuse_large"]

RECOGNISED = "recognised"
"""The metadata that says which part of a document's text was recognised on pictures."""
REMEDY = "text on pictures is read with: pip install 'rag-claim-verifier[ocr]'"
MOST_PIXELS = 30_000_000
"""Of a picture: a page of A4 at 550 dots an inch."""
_PIXELS = 1_300_000
"""Of what is looked at: memory goes with it, and print of ten points on a page of A4 is legible."""
_SIDE = 2000
"""Pixels of its longer side at most."""
_LETTER = 0.75
"""The size of letters over the height of the box around a line."""


def can_recognise() -> bool:
    """Whether the extra ``ocr`` is installed."""
    try:
        return find_spec("rapidocr") is not None
    except ValueError:  # it is there and was switched off
        return False


def refuse_large(width: int, height: int) -> None:
    """Nothing, for a picture of a size that is read.

    Raises:
        IngestError: it is larger than ``MOST_PIXELS``.
    """
    if width * height > MOST_PIXELS:
        raise IngestError(
            f"{width * height / 1e6:.0f} megapixels, over the limit of {MOST_PIXELS / 1e6:g}; make it smaller"
        )


def recognised(picture: Any) -> str:
    """The text on a picture that Pillow has opened; empty where none is recognised.

    Raises:
        IngestError: it is too large.
        MissingExtra: rapidocr is not installed (extra ``ocr``).
    """
    refuse_large(*picture.size)
    numpy = require("numpy", extra="ocr", package="numpy")
    found = _engine()(numpy.asarray(_small(picture)))
    if found.txts is None or found.boxes is None:
        return ""
    return laid_out(_runs(found.boxes, found.txts))


@cache
def _engine() -> Any:
    """The models, loaded once."""
    rapidocr = require("rapidocr", extra="ocr", package="rapidocr")
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": _SIDE,
            "Det.limit_type": "max",  # a narrow picture would be made larger until it is wide
            "Det.limit_side_len": _SIDE,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
            "Rec.rec_batch_num": 1,
        }
    )


def _small(picture: Any) -> Any:
    """The picture upright, on white where it is transparent, and no larger than it is looked at.

    Each step that copies has the copy before it let go: a large picture takes a hundred megabytes.
    """
    images = require("PIL.ImageOps", extra="ocr", package="Pillow")
    scale = min(1.0, math.sqrt(_PIXELS / (picture.width * picture.height)))
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    picture.draft("RGB", size)
    if picture.mode not in ("RGB", "L", "RGBA"):
        picture = picture.convert("RGBA" if _is_clear(picture) else "RGB" if picture.mode != "1" else "L")
    picture.thumbnail(size)
    images.exif_transpose(picture, in_place=True)
    if picture.mode == "RGBA":
        white = require("PIL.Image", extra="ocr", package="Pillow").new("RGBA", picture.size, "white")
        white.alpha_composite(picture)
        picture = white
    return picture.convert("RGB")


def _is_clear(picture: Any) -> bool:
    return picture.mode in ("LA", "PA", "La", "RGBa") or "transparency" in picture.info


def _runs(boxes: Iterable[Sequence[Sequence[float]]], texts: Iterable[str]) -> list[Run]:
    """Lines with the boxes around them as runs of a page, in the order of reading. All have one size: a box says too
    little of that of its letters, and none of them is raised."""
    lines = [
        (min(x for x, _ in box), max(x for x, _ in box), min(y for _, y in box), max(y for _, y in box), text)
        for box, text in zip(boxes, texts, strict=True)
        if text.strip()
    ]
    height = statistics.median([bottom - top for _, _, top, bottom, _ in lines]) if lines else 1.0
    lines.sort(key=lambda line: (round((line[2] + line[3]) / 2 / height), line[0]))
    return [
        Run(
            text.strip(),
            float(left),
            float(right),
            -float(top + bottom) / 2,
            _LETTER * float(height),
            False,
            n,
        )
        for n, (left, right, top, bottom, text) in enumerate(lines)
    ]
