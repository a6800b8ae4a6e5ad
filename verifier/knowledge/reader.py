"""What can be asked of a knowledge base without its index: records, texts, counts and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from verifier.core.errors import KnowledgeBaseError
from verifier.knowledge.called import called
from verifier.knowledge.catalog import Catalog, State
from verifier.knowledge.creation import DATABASE_NAME
from verifier.knowledge.places import KnowledgeDatabase
from verifier.knowledge.records import DocumentRecord, FailedSource
from verifier.knowledge.snapshot import write_snapshot
from verifier.types import Document, Evidence, Passage

__all__ = ["KnowledgeReader"]

_MOST_KEPT = 2000
"""Counts and hashes kept; a client may ask after any number of namespaces."""


class KnowledgeReader:
    """Reads what is stored. Every call sees one state of the database, the latest.

    Args:
        database: opened on first use.
    """

    def __init__(self, database: KnowledgeDatabase) -> None:
        self._database = database
        self._kept: dict[tuple[str, str | None], tuple[State, Any]] = {}

    # Words

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """In how many passages of ``namespace`` (their headings and context included) each term occurs.

        Case and accents do not matter. A term of several words, also ``60-day`` or ``2.5``, counts where they
        stand one after the other; one without a letter or digit counts 0.
        """
        with self._database.read() as connection:
            return Catalog(connection).frequencies(namespace, terms)

    def known_terms(self, terms: Iterable[str], namespace: str = "default") -> set[str]:
        """Those of ``terms`` that occur in ``namespace`` at all; cheaper than their frequency.

        The words of a term stand one after the other in some passage.
        """
        with self._database.read() as connection:
            return Catalog(connection).occurring(namespace, terms)

    def known_names(self, stems: Iterable[str], namespace: str = "default") -> set[str]:
        """Those of ``stems`` (:func:`stem_of`) that a source or a document of ``namespace`` is called by."""
        with self._database.read() as connection:
            number = Catalog(connection).namespace_number(namespace)
            return set() if number is None else called(connection, number, stems)

    def passage_count(self, namespace: str = "default") -> int:
        """Number of passages in ``namespace``, the whole to which term frequencies are parts."""
        count: int = self._at_revision("passages", namespace, Catalog.passage_count)
        return count

    def _at_revision(
        self, what: str, namespace: str | None, compute: Callable[[Catalog, str | None], Any]
    ) -> Any:
        """What every report states, and what reads the whole namespace, is computed once for each revision."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            if self._database.in_memory:  # its readers also see what is not committed yet
                return compute(catalog, namespace)
            state = catalog.state
            kept = self._kept.get((what, namespace))
            if kept is None or kept[0] != state:
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.clear()
                kept = self._kept[what, namespace] = (state, compute(catalog, namespace))
            return kept[1]

    # Records

    @property
    def revision(self) -> int:
        """A number that grows with every change of the knowledge base."""
        with self._database.read() as connection:
            return Catalog(connection).revision

    @property
    def _state(self) -> State:
        with self._database.read() as connection:
            return Catalog(connection).state

    def content_hash(self, namespace: str | None = None) -> str:
        """Names what the knowledge base or a namespace says: equal for equal documents, wherever found."""
        name: str = self._at_revision("hash", namespace, Catalog.content_hash)
        return name

    def fingerprint(self, namespace: str) -> str:
        """Names what a search in a namespace may depend on: all that is stored, under which names and cut how (also in
        others, for how rare a word is may count over all), and which of its files could not be read.

        Empty for a knowledge base in memory, which is gone before anybody could ask whether it has changed.
        """
        if self._database.directory is None:
            return ""
        name: str = self._at_revision(
            "fingerprint", namespace, lambda catalog, _: catalog.fingerprint(namespace)
        )
        return name

    def namespaces(self) -> list[str]:
        """Names of the namespaces that hold something, sorted."""
        with self._database.read() as connection:
            return Catalog(connection).namespaces()

    def unread(self, namespace: str = "default") -> list[FailedSource]:
        """The files that an ingest into a namespace could not read, and why, ordered by name."""
        with self._database.read() as connection:
            return Catalog(connection).unread(namespace)

    def refuse_empty(self, namespace: str) -> None:
        """Nothing, for a namespace that holds something.

        Raises:
            KnowledgeBaseError: it holds nothing; the message names those that do.
        """
        known = self.namespaces()
        if namespace not in known:
            raise KnowledgeBaseError(
                f"namespace {namespace!r} of the knowledge base holds nothing; "
                f"namespaces that do: {', '.join(known) or 'none'}"
            )

    def documents(self, namespace: str | None = None) -> list[DocumentRecord]:
        """What is stored in a namespace, or in all, ordered by namespace and source."""
        with self._database.read() as connection:
            return list(Catalog(connection).documents(namespace))

    def source_uris(self, namespace: str = "default") -> list[str]:
        """What identifies the sources of a namespace, sorted."""
        with self._database.read() as connection:
            return list(Catalog(connection).all_uris(namespace))

    def document_page(
        self, namespace: str, *, limit: int, offset: int = 0
    ) -> tuple[int, list[DocumentRecord]]:
        """How many documents a namespace holds, and some of them, in the order in which they were stored."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            return catalog.document_count(namespace), list(catalog.document_page(namespace, limit, offset))

    def document(self, doc_id: str) -> DocumentRecord | None:
        """What is known of one document."""
        with self._database.read() as connection:
            return next(Catalog(connection).documents(doc_id=doc_id), None)

    def resolve(self, name: str, namespace: str = "default") -> DocumentRecord | None:
        """The document of this id, else the one found at this uri, else the one shown under this name.

        Raises:
            KnowledgeBaseError: several documents are shown under that name; their ids and uris are listed.
        """
        with self._database.read() as connection:
            return Catalog(connection).resolve(namespace, name)

    def document_text(self, doc_id: str) -> str | None:
        """The whole text that the offsets of a document's passages point into."""
        with self._database.read() as connection:
            found = Catalog(connection).document(doc_id)
        return None if found is None else found.text

    def whole_document(self, doc_id: str) -> Document | None:
        """A document as it was read, under the first of its sources."""
        with self._database.read() as connection:
            return Catalog(connection).document(doc_id)

    def document_head(self, doc_id: str, characters: int) -> str | None:
        """So many code points from the beginning of a document's text."""
        with self._database.read() as connection:
            return Catalog(connection).document_head(doc_id, characters)

    def passages(self, doc_id: str) -> list[Passage]:
        """The passages of a document in text order; none for an unknown id."""
        with self._database.read() as connection:
            return Catalog(connection).passages(doc_id)

    def rows_of(self, source: str, namespace: str = "default", *, limit: int = 500) -> list[Evidence]:
        """All rows of the CSV or JSONL file that is shown as ``source``, in its order, as evidence with a score of 0.

        None where no file or several are shown under that name, or where it has more rows than ``limit``.
        """
        with self._database.read() as connection:
            rows = Catalog(connection).rows_of(namespace, source, limit)
        return [row.evidence(0.0, "table") for row in rows]

    def export(self) -> Iterator[dict[str, Any]]:
        """Everything stored, one row of JSON values a document, in the order of ``documents``."""
        with self._database.read() as connection:
            yield from Catalog(connection).export()

    def snapshot(self, directory: Path) -> None:
        """Write the present state, without any index, as a knowledge base into a new directory.

        Raises:
            KnowledgeBaseError: the disk does not take it.
        """
        directory.mkdir(parents=True)
        with self._database.read() as connection:
            write_snapshot(connection, directory / DATABASE_NAME)
