"""What is said between the process that stores documents and one that reads files: JSON objects, a line each.

First a setup, ``{"options": ..., "chunking": ...}``, answered by ``{"ready": true}``. Then files, ``{"path", "source",
"format", "ignored", "unreadable", "known"}``, the last the content hash of what is stored of it, each answered by::

    {"text": ..., "cut": [[start, end, page, headings, context], ...]}      the next part of a document
    {..., "document": {"source", "uri", "media_type", "title", "pages", "metadata"},
          "known": ..., "uncut": ...}                                       its end
    {"failed": [source, uri, reason]}
    {"note": ...}                                                           for people
    {"stop": {"kind": ..., "message": ...}}                                 no other file would fare better
    {"read": true}                                                          the end of the file

A long document comes in several parts, so that neither side holds more than one in a line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

from verifier.core.errors import VerifierError
from verifier.interfaces.processes import error_of, stop_of
from verifier.knowledge.cutting import CutDocument
from verifier.knowledge.formats.base import SourceFile
from verifier.knowledge.records import FailedSource
from verifier.types import Document, Page, Passage

__all__ = ["READ", "READY", "file_line", "file_of", "items_of", "lines_of", "note_line", "stop_line"]

READY = json.dumps({"ready": True})
"""What a setup is answered by."""

READ = json.dumps({"read": True})
"""The end of a file."""

_CHARACTERS = 500_000
_PASSAGES = 2_000
"""Of a document, at most in one line."""


def file_line(file: SourceFile, known: str | None = None) -> str:
    """The line that has a file read, of which a document with the content hash ``known`` is stored."""
    return json.dumps({**asdict(file), "path": os.fspath(file.path), "known": known})


def file_of(line: str) -> tuple[SourceFile, str | None]:
    """The file that the line names, and the content hash of what is stored of it."""
    told = json.loads(line)
    known: str | None = told.pop("known")
    return SourceFile(**{**told, "path": Path(told["path"])}), known


def lines_of(item: CutDocument | FailedSource) -> Iterator[str]:
    """The lines that tell of a document, or of a source that could not be read."""
    if isinstance(item, FailedSource):
        yield json.dumps({"failed": [item.source, item.uri, item.reason]})
        return
    text, passages = item.document.text, item.passages or ()
    texts = [text[at : at + _CHARACTERS] for at in range(0, len(text), _CHARACTERS)]
    cuts = [passages[at : at + _PASSAGES] for at in range(0, len(passages), _PASSAGES)]
    parts = [
        {"text": text or "", "cut": [_span(one) for one in cut or ()]}
        for text, cut in zip_longest(texts, cuts)
    ] or [{}]
    parts[-1] |= {"document": _described(item.document), "known": item.passages is None, "uncut": item.uncut}
    yield from map(json.dumps, parts)


def note_line(text: str) -> str:
    """The line that tells people something of a file."""
    return json.dumps({"note": text})


def stop_line(error: VerifierError) -> str:
    """The line that tells of what stops the whole run."""
    return json.dumps(stop_of(error))


def items_of(lines: Iterable[str], told: Callable[[str], None]) -> Iterator[CutDocument | FailedSource]:
    """What the lines of one file tell of; ``told`` is given what is for people, when its turn comes.

    Raises:
        VerifierError: what stops the whole run.
    """
    texts: list[str] = []
    spans: list[list[Any]] = []
    for message in map(json.loads, lines):
        if "note" in message:
            told(message["note"])
        if "stop" in message:
            raise error_of(**message["stop"])
        if "failed" in message:
            yield FailedSource(*message["failed"])
        texts.append(message.get("text", ""))
        spans += message.get("cut", ())
        if "document" in message:
            text = "".join(texts)
            cut = None if message["known"] else [_passage(text, span) for span in spans]
            yield CutDocument(_document(message["document"], text), cut, message["uncut"])
            texts, spans = [], []


def _span(passage: Passage) -> list[Any]:
    return [passage.start, passage.end, passage.page, passage.headings, passage.context]


def _passage(text: str, span: list[Any]) -> Passage:
    start, end, page, headings, context = span
    return Passage(text[start:end], start, end, page=page, headings=tuple(headings), context=context)


def _described(document: Document) -> dict[str, Any]:
    return {
        "source": document.source,
        "uri": document.uri,
        "media_type": document.media_type,
        "title": document.title,
        "pages": [[page.number, page.start, page.end] for page in document.pages],
        "metadata": dict(document.metadata),
    }


def _document(described: dict[str, Any], text: str) -> Document:
    pages = tuple(Page(*page) for page in described.pop("pages"))
    return Document(text=text, pages=pages, **described)
