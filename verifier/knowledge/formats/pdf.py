"""Read PDF files: the text of all pages in one document, with the span of each page."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.ocr import RECOGNISED, REMEDY, can_recognise
from verifier.knowledge.formats.pdf_layout import SENTENCE_END, laid_out
from verifier.knowledge.formats.pdf_plausible import implausible
from verifier.knowledge.formats.pdf_runs import runs_of
from verifier.knowledge.formats.pdf_scan import scanned_text
from verifier.knowledge.formats.pdf_words import Vocabulary, whole_words
from verifier.types import Document, Page

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

__all__ = ["read_pdf"]

_PAGE_NUMBER = re.compile(
    r"(\W*(?:page|p\.|seite|side|página)?\s*)(\d{1,5})(\W*(?:of\s+|von\s+|av\s+|de\s+)?\d*\W*)",
    re.IGNORECASE,
)
_MAX_PAGE_NUMBER = 40  # characters
_PER_CHARACTER = 2
"""Bytes that draw a character of text, about."""
_MANY_LINE_ENDS = re.compile(r"\n{3,}")
_MOST_RUNS = 20_000
"""Runs of a page that is laid out; one with more is read in the order in which it is drawn, so that none takes long."""
_RUNNING_LINES = 2  # lines looked at, at the top and at the foot of each page
_MIN_PAGES = 3


def read_pdf(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the text layer of a PDF.

    Columns are read one after the other, tables as rows between pipes, and words that a line end or spaces have
    torn are made whole. A line at the same place of most pages (a running head) is kept once. Pages whose text is
    hardly what stands on them are named in the metadata ``garbled_pages``, with the reason.

    Text is recognised on pages that draw none where the extra ``ocr`` is installed; the metadata ``recognised`` says
    which.

    Raises:
        IngestError: it is no PDF, broken, encrypted with a password, or has no text on any page.
    """
    data = read_bytes(file.path, options)
    logging.getLogger("pypdf").addHandler(logging.NullHandler())  # its notes are no news for a user
    from pypdf.errors import DependencyError

    try:
        reader = _open(data)
        allowance = Allowance(len(data))
        texts = [_clean(_text_within(page, allowance)) for page in reader.pages]
        recognised = _recognise(reader, texts)
        title = str((reader.metadata and reader.metadata.title) or "")
    except DependencyError as error:
        raise IngestError("encrypted with AES; reading it needs: pip install cryptography") from error
    except (IngestError, MemoryError):
        raise
    except Exception as error:  # a damaged file makes pypdf raise whatever it likes, beside its own errors
        raise IngestError(f"broken, or not a PDF ({type(error).__name__})") from error
    if not any(texts):
        raise IngestError(f"no text on any page (scanned?){'' if can_recognise() else f'; {REMEDY}'}")
    text, pages, metadata = _joined(texts)
    metadata |= allowance.metadata
    if recognised:
        metadata[RECOGNISED] = f"page {', '.join(map(str, recognised))}"
    yield Document(file.source, file.uri, text, title=title, pages=pages, metadata=metadata)


def _recognise(reader: PdfReader, texts: list[str]) -> list[int]:
    """Put the text that is recognised on pages without any in its place, where that is installed; returns which."""
    numbers = [number for number, text in enumerate(texts, 1) if not text]
    if not numbers or not can_recognise():
        return []
    for number in numbers:
        texts[number - 1] = _clean(scanned_text(reader.pages[number - 1]))
    return [number for number in numbers if texts[number - 1]]


def _open(data: bytes) -> PdfReader:
    from pypdf import PasswordType, PdfReader

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        raise IngestError("encrypted; it needs a password")
    return reader


def _text_within(page: PageObject, allowance: Allowance) -> str:
    """The text of a page, or none where all pages together draw too much for a file of its size."""
    content = page.get_contents()
    drawn = len(content.get_data()) // _PER_CHARACTER if content is not None else 0
    text = _text_of(page) if allowance.take(drawn, "pages that draw too much are not read") else ""
    page.pop("/Contents", None)  # a page that was read keeps all its operators
    return text


def _text_of(page: PageObject) -> str:
    """The text of a page in the order of reading; in pypdf's own where the places of its parts do not tell."""
    text, runs = runs_of(page)
    drawn = Counter(character for run in runs or () for character in run.text if not character.isspace())
    if (
        not runs
        or len(runs) > _MOST_RUNS
        or drawn != Counter(character for character in text if not character.isspace())
    ):
        return text
    return laid_out(runs)


def _clean(text: str) -> str:
    """Lines without space around them. Halves of characters, which some fonts map to, become U+FFFD."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    return "\n".join(line.strip() for line in whole.splitlines()).strip()


def _joined(texts: Sequence[str]) -> tuple[str, tuple[Page, ...], Metadata]:
    """One text, the pages in it, and what a reader should know about how it was made."""
    pages_of_lines, left_out = _without_running_lines([text.split("\n") for text in texts])
    vocabulary = Vocabulary(texts)
    garbled: list[str] = []
    parts: list[str] = []
    pages: list[Page] = []
    at, foot = 0, False
    for number, lines in enumerate(pages_of_lines, 1):
        text = _MANY_LINE_ENDS.sub("\n\n", whole_words("\n".join(lines).strip("\n"), vocabulary))
        if problem := implausible(text):
            garbled.append(f"{number}: {problem}")
        if parts and text:
            # a sentence may go on over the page, and then no blank line must end it
            ended = foot or parts[-1].endswith("|") or SENTENCE_END.search(parts[-1][-8:])
            gap = "\n\n" if ended else "\n"
            parts.append(gap)
            at += len(gap)
        pages.append(Page(number, at, at + len(text)))
        if text:
            parts.append(text)
            foot = lines[-1].endswith("\n")
        at += len(text)
    metadata: Metadata = {"format": "pdf", "pages": len(pages)}
    if empty := [str(number) for number, text in enumerate(texts, 1) if not text]:
        metadata["pages_without_text"] = ", ".join(empty)
    if garbled:
        metadata["garbled_pages"] = "; ".join(garbled)
    if left_out:
        metadata["running_lines_left_out"] = left_out
    return "".join(parts), tuple(pages), metadata


def _without_running_lines(pages: list[list[str]]) -> tuple[list[list[str]], int]:
    """Pages without the lines that most of them share at their top or foot, but for the first time.

    That first one stands apart from the text of its page. Numbers of pages are left out altogether.
    """
    drop: set[tuple[int, int]] = set()
    apart: set[tuple[int, int]] = set()
    for places in (range(_RUNNING_LINES), range(-1, -1 - _RUNNING_LINES, -1)):
        numbers = {n for n, lines in enumerate(pages, 1) if len(lines) > 2 * _RUNNING_LINES}
        for place in places:  # from the edge inwards, for as long as the lines are running ones
            keys = {number: _running_key(pages[number - 1][place], number) for number in sorted(numbers)}
            shared = Counter(keys.values())
            numbers = {n for n, key in keys.items() if shared[key] >= max(_MIN_PAGES, len(pages) / 2)}
            first = {keys[number]: number for number in sorted(numbers, reverse=True)}
            for number in numbers:
                at = number, place % len(pages[number - 1])
                (apart if first[keys[number]] == number and "\0" not in keys[number] else drop).add(at)
    kept = [
        [
            f"\n{line}\n" if (number, index) in apart else line
            for index, line in enumerate(lines)
            if (number, index) not in drop
        ]
        for number, lines in enumerate(pages, 1)
    ]
    return kept, len(drop)


def _running_key(line: str, number: int) -> str:
    """What running lines have in common: their words, or that they say no more than the number of the page."""
    found = _PAGE_NUMBER.fullmatch(line) if len(line) <= _MAX_PAGE_NUMBER else None
    return f"{found[1]}\0#{found[3]}" if found and found[2] == str(number) else line
