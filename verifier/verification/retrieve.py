"""Retrieve the evidence that bears on each claim, and what the knowledge base knows of its words."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from verifier.core.errors import BackendError, VerifierError, failing_as
from verifier.core.lexicon import lexicon
from verifier.core.lines import Lines
from verifier.core.text import sentence_spans
from verifier.knowledge.called import names_of
from verifier.knowledge.chunk import chunk
from verifier.knowledge.files import has_lines
from verifier.knowledge.records import FailedSource
from verifier.types import Claim, Document, Evidence
from verifier.verification.truecasing import closed

__all__ = ["GivenTexts", "KnowledgeSource", "gather", "tables_of", "unread_note", "unread_of"]

_MOST_NAMED = 20
"""Files that were not read which a report names."""


class KnowledgeSource(Protocol):
    """What verification asks of a knowledge base. ``GroundTruthStore`` is one, ``GivenTexts`` another."""

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """For each query its evidence, best first."""

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """In how many passages each term occurs."""

    def passage_count(self, namespace: str = "default") -> int:
        """Number of passages of the namespace."""

    def content_hash(self, namespace: str | None = None) -> str:
        """Names what the namespace says, whatever machine it lies on."""


def tables_of(source: KnowledgeSource, namespace: str) -> Callable[[str], Sequence[Evidence]]:
    """What gives all rows of a file by its shown name, each asked for once; nothing where the source keeps no rows."""
    rows_of = getattr(source, "rows_of", None)

    @cache
    def rows(name: str) -> tuple[Evidence, ...]:
        return tuple(rows_of(name, namespace)) if rows_of is not None else ()

    return rows


def unread_of(source: KnowledgeSource, namespace: str) -> Sequence[FailedSource]:
    """The files that should be in a source and could not be read; none where it does not tell.

    One that fails to tell is left to what is asked of it next.
    """
    unread: Callable[[str], Sequence[FailedSource]] | None = getattr(source, "unread", None)
    try:
        with failing_as(BackendError, "the knowledge source"):
            return unread(namespace) if unread is not None else ()
    except VerifierError:
        return ()


def unread_note(files: Sequence[FailedSource]) -> Iterator[str]:
    """What a report says of files that were not read, if there are any."""
    if files:
        named = [f"{one.source} ({one.reason})" for one in files[:_MOST_NAMED]]
        more = [f"{len(files) - _MOST_NAMED} more"] if len(files) > _MOST_NAMED else []
        counted = "1 file was" if len(files) == 1 else f"{len(files)} files were"
        yield f"{counted} not read: {'; '.join((*named, *more))}"


def gather(
    source: KnowledgeSource, claims: Sequence[Claim], *, top_k: int, namespace: str
) -> list[list[Evidence]]:
    """The evidence of each claim, retrieved by the claim itself, whatever mark it ends with, and never by the prompt.

    Evidence of another edition of a document than the one the claim names is left out where the named one is there.
    """
    queries = [closed(claim.hypothesis) for claim in claims]
    found = source.retrieve(queries, top_k=top_k, namespace=namespace) if queries else []
    return [_same_version(query, evidence) for query, evidence in zip(queries, found, strict=True)]


_ANCHOR = re.compile(
    r"\b(?:v\.? ?|version |release |edition )(\d+(?:\.\d+)*)|(?<![\d.,])((?:19|20)\d\d)(?!\d)", re.I
)

_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"\w+")
_OF_EDITIONS = lexicon("""
    version release edition v final draft new old january february march april may june july august september october
    november december spring summer autumn winter
    """)
_SAME_WORK = 0.6
"""Share of their words that the titles of two editions have in common."""


def _anchors(text: str) -> set[str]:
    """Versions and years that name an edition: ``2.1``, ``2024``."""
    return {version or year for version, year in _ANCHOR.findall(text)}


def _same_version(query: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Without other editions of a document that the query names by version or year; other documents stay."""
    wanted = _anchors(query)
    if not wanted:
        return list(evidence)
    editions = [_anchors(" ".join((item.source, *item.headings))) for item in evidence]
    named = {item.doc_id: item for item, own in zip(evidence, editions, strict=True) if wanted & own}
    works = [_work(item) for item in named.values()]
    return [
        item
        for item, own in zip(evidence, editions, strict=True)
        if item.doc_id in named or not own or not any(_one_work(_work(item), other) for other in works)
    ]


def _work(item: Evidence) -> tuple[frozenset[str], frozenset[str]]:
    """What a document is called apart from numbers: the words of its file name, and those of its title."""
    name = item.source.replace("\\", "/").rpartition("/")[2].partition("#")[0].rpartition(".")[0]
    return _words(name), _words(" ".join(item.headings[:1]))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _OF_EDITIONS


def _one_work(one: tuple[frozenset[str], frozenset[str]], two: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Whether two documents are editions of one: their names or their titles are nearly the same words."""
    return any(len(a & b) >= _SAME_WORK * len(a | b) > 0 for a, b in zip(one, two, strict=True))


@dataclass(frozen=True)
class GivenTexts:
    """A knowledge source over a few texts given on the spot: everything is evidence, nothing is ranked away.

    For one claim against one premise, as evaluation rows have it. Long texts go through a store instead.
    """

    documents: tuple[Document, ...]
    max_chars: int = 900

    @classmethod
    def of(cls, *texts: str, max_chars: int = 900) -> GivenTexts:
        """Plain texts, named ``source 1``, ``source 2`` ..."""
        documents = (
            Document(source=f"source {n}", uri=f"text:{n}", text=text) for n, text in enumerate(texts, 1)
        )
        return cls(tuple(documents), max_chars)

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """All passages for every query, in document order; ``top_k`` and ``namespace`` are not needed here."""
        del top_k, namespace
        return [list(self._passages) for _ in queries]

    @cached_property
    def _passages(self) -> list[Evidence]:
        return [
            Evidence(
                doc_id=document.uri,
                source=document.source,
                text=passage.text,
                start=passage.start,
                end=passage.end,
                score=0.0,
                page=passage.page,
                headings=passage.headings,
                context=passage.context,
                retrieved_by="source",
                line=lines.place(passage.start).line if passage.page is None and lines else None,
            )
            for document in self.documents
            for lines in [Lines(document.text) if has_lines(document.source) else None]
            for passage in chunk(document, max_chars=self.max_chars)
        ]

    def document_head(self, doc_id: str, characters: int) -> str | None:
        """So many code points from the beginning of a text."""
        return next((one.text[:characters] for one in self.documents if one.uri == doc_id), None)

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """In how many sentences each term occurs, ignoring case."""
        del namespace
        return {term: self._frequency(term.casefold()) for term in terms}

    def _frequency(self, term: str) -> int:
        if _RUN.fullmatch(term):
            return self._runs[term]
        found = re.compile(rf"(?<!\w){re.escape(term)}(?!\w)")
        return sum(found.search(sentence) is not None for sentence in self._sentences)

    @cached_property
    def _runs(self) -> Counter[str]:
        """In how many sentences each run of letters and digits occurs."""
        return Counter(run for sentence in self._sentences for run in set(_RUN.findall(sentence)))

    def known_names(self, stems: Iterable[str], namespace: str = "default") -> set[str]:
        """Those of ``stems`` that a text is called by."""
        del namespace
        return names_of(self.documents) & set(stems)

    def passage_count(self, namespace: str = "default") -> int:
        """Number of sentences, the unit of ``term_document_frequency`` here."""
        del namespace
        return len(self._sentences)

    def content_hash(self, namespace: str | None = None) -> str:
        """SHA-256 over the texts in order."""
        del namespace
        texts = "\0".join(document.text for document in self.documents)
        return hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def _sentences(self) -> list[str]:
        return [
            document.text[start:end].casefold()
            for document in self.documents
            for start, end in sentence_spans(document.text)
        ]
