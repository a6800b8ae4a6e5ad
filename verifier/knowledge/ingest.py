"""Read the documents of a file with the reader of its format, or say why not."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from verifier.core.errors import IngestError, VerifierError
from verifier.knowledge.files import SUFFIXES, discover
from verifier.knowledge.formats.base import Reader, ReadOptions, SourceFile
from verifier.knowledge.formats.beir import read_beir
from verifier.knowledge.formats.bounds import LEFT_OUT, MOST_BAD_ROWS
from verifier.knowledge.formats.docx import read_docx
from verifier.knowledge.formats.html import read_html
from verifier.knowledge.formats.image import read_image
from verifier.knowledge.formats.markdown import read_markdown
from verifier.knowledge.formats.ocr import RECOGNISED, REMEDY, can_recognise
from verifier.knowledge.formats.office.epub import read_epub
from verifier.knowledge.formats.office.odp import read_odp
from verifier.knowledge.formats.office.ods import read_ods
from verifier.knowledge.formats.office.odt import read_odt
from verifier.knowledge.formats.office.pptx import read_pptx
from verifier.knowledge.formats.office.xlsx import read_xlsx
from verifier.knowledge.formats.pdf import read_pdf
from verifier.knowledge.formats.tabular import read_csv, read_jsonl
from verifier.knowledge.formats.text import read_plain_text
from verifier.types import Document

__all__ = ["READERS", "SUFFIXES", "ReadOptions", "SourceFile", "discover", "doubts_about", "read_documents"]

READERS: Mapping[str, Reader] = {
    "text": read_plain_text,
    "markdown": read_markdown,
    "html": read_html,
    "pdf": read_pdf,
    "docx": read_docx,
    "xlsx": read_xlsx,
    "pptx": read_pptx,
    "odt": read_odt,
    "ods": read_ods,
    "odp": read_odp,
    "epub": read_epub,
    "image": read_image,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "beir": read_beir,
}
"""Every format that can be read, and its reader."""


def read_documents(
    source: SourceFile,
    options: ReadOptions | None = None,
    *,
    on_bad_row: Callable[[IngestError], None] | None = None,
) -> Iterator[Document]:
    """Read the documents of one file: one, or one for each row of a table.

    Args:
        source: a file that ``discover`` found; an ignored one has no documents.
        options: how to read it.
        on_bad_row: called for each row that cannot be read, after which the others follow; of more than a hundred,
            once for all the rest. Without it the first bad row raises.

    Raises:
        IngestError: the file cannot be read; the message is its name and the reason. A defect of a reader counts as
            such: its reason is the exception's name.
        MissingExtra: the format needs an optional dependency.
    """
    if source.ignored:
        return
    if source.unreadable:
        raise IngestError(f"{source.source}: {source.unreadable}")
    bad = 0
    try:
        _check_regular(source.path)
        for item in READERS[source.format](source, options or ReadOptions()):
            if isinstance(item, Document):
                yield item
                continue
            problem = IngestError(f"{source.source}: {item}")
            if on_bad_row is None:
                raise problem
            bad += 1
            if bad <= MOST_BAD_ROWS:
                on_bad_row(problem)
        if bad > MOST_BAD_ROWS and on_bad_row is not None:
            more = f"{bad - MOST_BAD_ROWS} more rows that cannot be read"
            on_bad_row(IngestError(f"{source.source}: {more}"))
    except IngestError as error:
        if str(error).startswith(f"{source.source}: "):
            raise
        raise IngestError(f"{source.source}: {error}") from error
    except (VerifierError, MemoryError):
        raise
    except Exception as error:
        raise IngestError(f"{source.source}: cannot be read ({type(error).__name__})") from error


def _check_regular(path: Path) -> None:
    """A pipe would be waited for without end, and a device may have none.

    Raises:
        IngestError: it is no regular file, or cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise IngestError(f"cannot be read: {error.strerror or error}") from error
    if not stat.S_ISREG(mode):
        raise IngestError("not a regular file")


def doubts_about(document: Document) -> list[str]:
    """What a person should know of how a document could be read: what was left out of it, pages without text, and pages
    whose text is hardly what stands on them. One sentence for each, with its page."""
    doubts = []
    if left := document.metadata.get(LEFT_OUT):
        doubts.append(f"{document.source}: {left}")
    if empty := document.metadata.get("pages_without_text"):
        remedy = "" if can_recognise() else f"; {REMEDY}"
        doubts.append(f"{document.source}: no text on page {empty} (scanned?){remedy}")
    if part := document.metadata.get(RECOGNISED):
        doubts.append(f"{document.source}: text recognised on a picture ({part}); figures may be misread")
    if garbled := document.metadata.get("garbled_pages"):
        doubts += [f"{document.source}: garbled text on page {page}" for page in str(garbled).split("; ")]
    return doubts
