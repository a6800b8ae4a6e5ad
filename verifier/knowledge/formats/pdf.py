"""A PDF goes in, one Document with the text of all its pages and the span of each comes out."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_bytes
from verifier.types import Document, Page

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["read_pdf"]

_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""What pypdf lets through, beside its own errors, when a file is damaged."""

_BROKEN_WORD = re.compile(r"(?<!\w)(\w++)[-\u2010\u00ad][ \t]*\n[ \t]*(?=([a-zà-öø-ÿ]\w*))")
_WORD = re.compile(r"[\w-]+")
_PAGE_NUMBER = re.compile(
    r"(\W*(?:page|p\.|seite|side|página)?\s*)(\d{1,5})(\W*(?:of\s+|von\s+|av\s+|de\s+)?\d*\W*)",
    re.IGNORECASE,
)
_MAX_PAGE_NUMBER = 40  # characters
_SENTENCE_END = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_RUNNING_LINES = 2  # lines looked at, at the top and at the foot of each page
_MIN_PAGES = 3


def read_pdf(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the text layer of a PDF.

    Words that were broken at the end of a line are made whole where the document spells them so elsewhere,
    else they keep their hyphen. A line at the same place of most pages (a running head) is kept once.

    Raises:
        IngestError: it is no PDF, broken, encrypted with a password, or has no text on any page.
    """
    data = read_bytes(file.path, options)
    logging.getLogger("pypdf").addHandler(logging.NullHandler())  # its notes are no news for a user
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = _open(data)
        texts = [_clean(page.extract_text()) for page in reader.pages]
        title = str((reader.metadata and reader.metadata.title) or "")
    except DependencyError as error:
        raise IngestError("encrypted with AES; reading it needs: pip install cryptography") from error
    except (PyPdfError, *_DAMAGE) as error:
        raise IngestError("broken, or not a PDF") from error
    if not any(texts):
        raise IngestError("no text on any page (scanned?)")
    text, pages, metadata = _joined(texts)
    yield Document(file.source, file.uri, text, title=title, pages=pages, metadata=metadata)


def _open(data: bytes) -> PdfReader:
    from pypdf import PasswordType, PdfReader

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        raise IngestError("encrypted; it needs a password")
    return reader


def _clean(text: str) -> str:
    """Lines without space around them. Halves of characters, which some fonts map to, become U+FFFD."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    return "\n".join(line.strip() for line in whole.splitlines()).strip()


def _joined(texts: Sequence[str]) -> tuple[str, tuple[Page, ...], Metadata]:
    """One text, the pages in it, and what a reader should know about how it was made."""
    pages_of_lines, left_out = _without_running_lines([text.split("\n") for text in texts])
    words = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    parts: list[str] = []
    pages: list[Page] = []
    at = 0
    for number, lines in enumerate(pages_of_lines, 1):
        text = _mended("\n".join(lines).strip("\n"), words)
        if parts and text:
            # a sentence may go on over the page, and then no blank line must end it
            gap = "\n\n" if _SENTENCE_END.search(parts[-1][-8:]) else "\n"
            parts.append(gap)
            at += len(gap)
        pages.append(Page(number, at, at + len(text)))
        if text:
            parts.append(text)
        at += len(text)
    metadata: Metadata = {"format": "pdf", "pages": len(pages)}
    if empty := [str(number) for number, text in enumerate(texts, 1) if not text]:
        metadata["pages_without_text"] = ", ".join(empty)
    if left_out:
        metadata["running_lines_left_out"] = left_out
    return "".join(parts), tuple(pages), metadata


def _mended(text: str, words: Counter[str]) -> str:
    def join(match: re.Match[str]) -> str:
        whole = match[1] + match[2]
        soft = "\u00ad" in match[0]
        return match[1] if soft or words[whole.lower()] else f"{match[1]}-"

    return _BROKEN_WORD.sub(join, text).replace("\u00ad", "")


def _without_running_lines(pages: list[list[str]]) -> tuple[list[list[str]], int]:
    """Pages without the lines that most of them share at their top or foot, but for the first time."""
    drop: set[tuple[int, int]] = set()
    for places in (range(_RUNNING_LINES), range(-1, -1 - _RUNNING_LINES, -1)):
        numbers = {n for n, lines in enumerate(pages, 1) if len(lines) > 2 * _RUNNING_LINES}
        for place in places:  # from the edge inwards, for as long as the lines are running ones
            keys = {number: _running_key(pages[number - 1][place], number) for number in sorted(numbers)}
            shared = Counter(keys.values())
            numbers = {n for n, key in keys.items() if shared[key] >= max(_MIN_PAGES, len(pages) / 2)}
            first = {keys[number]: number for number in sorted(numbers, reverse=True)}
            again = numbers - set(first.values())
            drop |= {(number, place % len(pages[number - 1])) for number in again}
    kept = [
        [line for index, line in enumerate(lines) if (number, index) not in drop]
        for number, lines in enumerate(pages, 1)
    ]
    return kept, len(drop)


def _running_key(line: str, number: int) -> str:
    """What running lines have in common: their words, or that they say no more than the number of the page."""
    found = _PAGE_NUMBER.fullmatch(line) if len(line) <= _MAX_PAGE_NUMBER else None
    return f"{found[1]}#{found[3]}" if found and found[2] == str(number) else line
