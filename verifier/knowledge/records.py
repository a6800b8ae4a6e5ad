"""What a store takes and returns: failed sources, records of documents, summaries and ids."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from verifier.types import Document, Passage

__all__ = [
    "Chunker",
    "DocumentRecord",
    "FailedSource",
    "GcSummary",
    "IngestSummary",
    "Progress",
    "SourceRecord",
    "canonical_json",
    "content_hash",
    "counted",
    "document_id",
    "heading_text",
    "index_text",
    "passage_id",
]

Progress = Callable[[str, int, int | None], None]
"""``progress(stage, done, total)``: stage ``ingest`` counts sources (total unknown), ``index`` passages."""

T = TypeVar("T")


def counted(
    items: Iterable[T], stage: str, progress: Progress | None, total: int | None = None
) -> Iterator[T]:
    """The items; ``progress`` is told how many of them are done with, as the next is asked for.

    >>> list(counted("ab", "letters", lambda *told: print(told), 2))
    ('letters', 0, 2)
    ('letters', 1, 2)
    ('letters', 2, 2)
    ['a', 'b']
    """
    if progress is not None:
        progress(stage, 0, total)
    for done, item in enumerate(items, 1):
        yield item
        if progress is not None:
            progress(stage, done, total)


Chunker = Callable[..., Sequence[Passage]]
"""``chunk(document, **options)``: the passages of a document, in order, no two over the same span."""


@dataclass(frozen=True, slots=True)
class FailedSource:
    """A source that could not be read into a document, and why. ``uri`` names it as a document's would."""

    source: str
    uri: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One place where a document was found: its name for people and what identifies it on the machine."""

    source: str
    uri: str


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A stored document without its text. ``characters`` counts code points, ``passages`` stored passages."""

    doc_id: str
    namespace: str
    title: str
    media_type: str
    content_hash: str
    characters: int
    passages: int
    sources: tuple[SourceRecord, ...]
    metadata: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The name that stands for the document in evidence: the first of its sources."""
        return self.sources[0].source


@dataclass(frozen=True, slots=True)
class IngestSummary:
    """What one ingest did. ``added`` to ``pruned`` and ``failed`` count sources, the rest passages.

    ``duplicates`` are sources whose content was already there under another name; they share its document.
    ``passages_embedded`` counts the passages handed to the backend, including those that an earlier run had
    stored but not indexed when it was broken off.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    duplicates: int = 0
    pruned: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    passages_added: int = 0
    passages_embedded: int = 0

    @property
    def changed(self) -> bool:
        """Whether the knowledge base holds other sources than before."""
        return bool(self.added or self.replaced or self.duplicates or self.pruned)


@dataclass(frozen=True, slots=True)
class GcSummary:
    """What ``gc`` removed: paths in the knowledge base, bytes, and entries of the change log."""

    removed: tuple[str, ...]
    freed_bytes: int
    log_entries: int


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value that is hashed and stored.

    >>> canonical_json({"b": 1, "a": ["é"]})
    '{"a":["é"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def content_hash(document: Document) -> str:
    """SHA-256 over all that a document says, and nothing of where it was found.

    Raises:
        ValueError: the text cannot be stored (a lone surrogate), or a metadata value is not a scalar.
    """
    for name, value in document.metadata.items():
        if value is not None and not isinstance(value, str | int | float):
            raise ValueError(f"metadata {name!r} is a {type(value).__name__}; only scalars can be stored")
    pages = [(page.number, page.start, page.end) for page in document.pages]
    about = canonical_json([document.media_type, document.title, pages, dict(document.metadata)])
    try:
        return hashlib.sha256(f"{about}\0{document.text}".encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the text holds a lone surrogate at character {error.start - len(about) - 1}"
        ) from error


def document_id(namespace: str, content: str) -> str:
    """The id of a document: the same for the same content and namespace in every knowledge base."""
    return hashlib.sha256(f"{namespace}\0{content}".encode()).hexdigest()[:20]


def passage_id(doc_id: str, passage: Passage) -> str:
    """The id of a passage, under which it is indexed.

    >>> passage_id("d1", Passage("text", 10, 14))
    'd1:10-14'
    """
    return f"{doc_id}:{passage.start}-{passage.end}"


def heading_text(title: str, headings: Sequence[str], context: str) -> str:
    """What is searched with a passage and never quoted: title, heading path and context, a line each.

    >>> heading_text("Refunds", ("Refunds", "EU"), "Plan | Days")
    'Refunds > EU\\nPlan | Days'
    """
    path = headings if title in headings else (title, *headings)
    return "\n".join(line for line in (" > ".join(part for part in path if part), context) if line)


def index_text(title: str, headings: Sequence[str], context: str, text: str) -> str:
    """What is handed to the backend for a passage: ``heading_text`` above the passage's own text."""
    above = heading_text(title, headings, context)
    return f"{above}\n{text}" if above else text
