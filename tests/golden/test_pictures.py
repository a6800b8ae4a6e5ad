"""Pictures with text and scanned pages: read where the extra is installed, named with what mends it where it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from verifier.core.errors import IngestError, MissingExtra
from verifier.knowledge.ingest import discover, doubts_about, read_documents
from verifier.types import Document

Image = pytest.importorskip("PIL.Image")
ImageDraw = pytest.importorskip("PIL.ImageDraw")
ImageFont = pytest.importorskip("PIL.ImageFont")

LINES = ("Opening hours of the pool", "The fee for a lost card is EUR 5.20.")


def read(path: Path) -> list[Document]:
    return [document for file in discover([path]) for document in read_documents(file)]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    made = Image.new("RGBA", (800, 260))
    drawn = ImageDraw.Draw(made)
    for n, line in enumerate(LINES):
        drawn.text((40, 40 + n * 90), line, fill="black", font=ImageFont.load_default(34))
    made.save(tmp_path / "scan.png")
    return tmp_path / "scan.png"


def test_text_is_recognised_on_a_picture_and_on_a_scanned_page(picture: Path) -> None:
    pytest.importorskip("rapidocr")
    (document,) = read(picture)
    assert document.text.split("\n") == list(LINES)
    assert doubts_about(document) == [
        "scan.png: text recognised on a picture (all of it); figures may be misread"
    ]
    white = Image.new("RGB", (800, 260), "white")
    shown = Image.open(picture)
    white.paste(shown, mask=shown)
    white.save(picture.with_suffix(".pdf"))
    (scanned,) = read(picture.with_suffix(".pdf"))
    assert scanned.text.split("\n") == list(LINES)
    assert scanned.metadata["recognised"] == "page 1"


def test_a_picture_without_text_has_no_document_and_a_huge_one_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr")
    Image.new("RGB", (64, 64), "white").save(tmp_path / "logo.png")
    assert read(tmp_path / "logo.png") == []
    Image.new("1", (8000, 8000)).save(tmp_path / "huge.png")
    with pytest.raises(IngestError, match=r"huge\.png: 64 megapixels, over the limit of 30"):
        read(tmp_path / "huge.png")


def test_without_the_extra_a_picture_is_named_with_what_mends_it(
    picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingExtra, match=r"rag-claim-verifier\[ocr\]"):
        read(picture)
    Image.open(picture).convert("RGB").save(picture.with_suffix(".pdf"))
    with pytest.raises(IngestError, match=r"no text on any page \(scanned\?\); .*rag-claim-verifier\[ocr\]"):
        read(picture.with_suffix(".pdf"))
