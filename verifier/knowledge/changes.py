"""Write documents to a knowledge base: the rows of one transaction and its revision."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from verifier.knowledge.connection import Connection
from verifier.knowledge.records import (
    FailedSource,
    canonical_json,
    content_hash,
    document_id,
    heading_text,
    passage_id,
)
from verifier.knowledge.uris import former_uri
from verifier.types import Document, Passage

__all__ = ["Changes", "Outcome", "checked"]


class Outcome(Enum):
    """What became of one source."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"


class Changes:
    """The writes of one transaction to one namespace.

    All rows written carry one new revision, which is taken when the first of them is written, so that a
    transaction that changes nothing leaves the revision as it is.

    Args:
        connection: in a write transaction.
        namespace: its name; made when the first document is put, removed with the last.
    """

    def __init__(self, connection: Connection, namespace: str) -> None:
        self.passages_added = 0
        self.passages_changed = False
        self._connection = connection
        self._name = namespace
        self._revision: int | None = None

    def put(
        self, document: Document, chunk: Callable[[Document], Sequence[Passage]], chunking: str
    ) -> Outcome:
        """Store a document under its source, sharing it with other sources of the same content.

        Args:
            document: what a source says now.
            chunk: gives its passages; called only for content that is not there yet.
            chunking: names how ``chunk`` cuts; a document cut in another way is cut again.

        Raises:
            ValueError: the document cannot be stored, or has no text. Nothing was written.
        """
        digest = content_hash(document)
        self._connection.refuse_unstorable(document.text, document.title, document.source, document.uri)
        doc_id = document_id(self._name, digest)
        stored = self._one("SELECT id, chunking FROM documents WHERE doc_id = ?", doc_id)
        known = stored is not None and stored[1] == chunking
        passages = None if known else checked(document, chunk(document))
        space = self._namespace()
        before = self._known(space, document)
        if stored is None:
            row = self._insert(space, doc_id, digest, chunking, document)
            outcome = Outcome.ADDED
        else:
            row = stored[0]
            outcome = Outcome.DUPLICATE
        if passages is not None:
            self._replace_passages(space, row, chunking, passages)
        if before is None or before != (row, document.source):
            self._point(space, document, row)
        if before is None:
            return outcome
        if before[0] != row:
            self._drop_orphans(space, [before[0]])
            return Outcome.REPLACED
        return Outcome.UNCHANGED if passages is None else Outcome.REPLACED

    def remove_sources(self, uris: Sequence[str]) -> None:
        """Forget sources, and the documents that no other source holds; unknown ones are no error."""
        space = self._namespace()
        documents = []
        for uri in uris:
            found = self._one("SELECT document FROM sources WHERE namespace = ? AND uri = ?", space, uri)
            if found is not None:
                self._connection.execute("DELETE FROM sources WHERE namespace = ? AND uri = ?", (space, uri))
                documents.append(found[0])
        if documents:
            self.revision()
            self._drop_orphans(space, documents)
        self._drop_namespace_if_empty(space)

    def note_unread(self, failed: FailedSource) -> None:
        """Remember that a file could not be read, and why."""
        before = self._one(
            "SELECT reason FROM unread WHERE namespace = ? AND uri = ?", self._name, failed.uri
        )
        if before != (failed.reason,):
            self.revision()
            self._connection.execute(
                "INSERT INTO unread (namespace, uri, source, reason) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (namespace, uri) DO UPDATE SET source = excluded.source, reason = excluded.reason",
                (self._name, failed.uri, failed.source, failed.reason),
            )

    def forget_unread(self, uris: Sequence[str]) -> None:
        """These files were read, or are not to be; unknown ones are no error."""
        for uri in uris:
            where = "FROM unread WHERE namespace = ? AND uri = ?"
            if self._one(f"SELECT 1 {where}", self._name, uri) is not None:
                self.revision()
                self._connection.execute(f"DELETE {where}", (self._name, uri))

    def rechunk(self, row: int, passages: Sequence[Passage], chunking: str) -> None:
        """Replace the passages of the stored document with row id ``row``."""
        self._replace_passages(self._namespace(), row, chunking, passages)

    def revision(self) -> int:
        """The revision of this transaction."""
        if self._revision is None:
            self._revision = self._connection.advance()
            # From the operating system: SQLite's own random numbers are the same on both sides of a fork.
            named = (self._revision, uuid.uuid4().hex)
            self._connection.execute("INSERT INTO epochs (revision, epoch) VALUES (?, ?)", named)
        return self._revision

    def _one(self, statement: str, *values: object) -> Any:
        return self._connection.execute(statement, values).fetchone()

    def _known(self, space: int, document: Document) -> tuple[int, str] | None:
        """What is stored under a document's uri, also the one that it had in older knowledge bases."""
        where = "FROM sources s JOIN documents d ON d.id = s.document WHERE s.namespace = ? AND s.uri = ?"
        found: tuple[int, str] | None = self._one(f"SELECT s.document, s.source {where}", space, document.uri)
        former = former_uri(document.uri)
        if found is not None or former == document.uri:
            return found
        stored = self._one(f"SELECT s.document, s.source, d.metadata {where}", space, former)
        if stored is None or not _read_alike(document.metadata, json.loads(stored[2])):
            return None
        self._connection.execute(
            "UPDATE sources SET uri = ? WHERE namespace = ? AND uri = ?", (document.uri, space, former)
        )
        return stored[0], stored[1]

    def _namespace(self) -> int:
        found = self._one("SELECT id FROM namespaces WHERE name = ?", self._name)
        if found is not None:
            return int(found[0])
        space = self._connection.insert("INSERT INTO namespaces (name) VALUES (?)", (self._name,))
        self._connection.words.create(space)
        return space

    def _drop_namespace_if_empty(self, space: int) -> None:
        if self._one("SELECT 1 FROM documents WHERE namespace = ? LIMIT 1", space) is None:
            self._connection.words.drop(space)
            self._connection.execute("DELETE FROM namespaces WHERE id = ?", (space,))

    def _insert(self, space: int, doc_id: str, digest: str, chunking: str, document: Document) -> int:
        pages = canonical_json([(page.number, page.start, page.end) for page in document.pages])
        return self._connection.insert(
            "INSERT INTO documents (doc_id, namespace, content_hash, chunking, media_type, title, pages,"
            " metadata, characters, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                doc_id,
                space,
                digest,
                chunking,
                document.media_type,
                document.title,
                pages,
                canonical_json(dict(document.metadata)),
                len(document.text),
                document.text,
            ),
        )

    def _point(self, space: int, document: Document, row: int) -> None:
        self.revision()
        self._connection.execute(
            "INSERT INTO sources (namespace, uri, source, document) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (namespace, uri) DO UPDATE SET source = excluded.source, document = excluded.document",
            (space, document.uri, document.source, row),
        )

    def _replace_passages(self, space: int, row: int, chunking: str, passages: Sequence[Passage]) -> None:
        self._remove_passages(space, row)
        self.passages_changed = True
        self._connection.execute("UPDATE documents SET chunking = ? WHERE id = ?", (chunking, row))
        doc_id, title = self._one("SELECT doc_id, title FROM documents WHERE id = ?", row)
        revision = self.revision()
        self._connection.executemany(
            "INSERT INTO passages (passage_id, document, revision, start_at, end_at, page, headings, context,"
            " text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    passage_id(doc_id, passage),
                    row,
                    revision,
                    passage.start,
                    passage.end,
                    passage.page,
                    canonical_json(list(passage.headings)),
                    passage.context,
                    passage.text,
                )
                for passage in passages
            ],
        )
        ids = self._connection.execute(
            "SELECT id FROM passages WHERE document = ? ORDER BY start_at, id", (row,)
        )
        rows = [
            (number, heading_text(title, passage.headings, passage.context), passage.text)
            for (number,), passage in zip(ids.fetchall(), passages, strict=True)
        ]
        self._connection.words.add(space, rows)
        self.passages_added += len(passages)

    def _remove_passages(self, space: int, row: int) -> None:
        stored = self._connection.execute(
            "SELECT p.id, p.passage_id, d.title, p.headings, p.context, p.text"
            " FROM passages p JOIN documents d ON d.id = p.document WHERE d.id = ?",
            (row,),
        ).fetchall()
        if not stored:
            return
        self.passages_changed = True
        revision = self.revision()
        self._connection.executemany(
            "INSERT INTO tombstones (revision, passage_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(revision, passage[1]) for passage in stored],
        )
        rows = [
            (number, heading_text(title, json.loads(headings), context), text)
            for number, _, title, headings, context, text in stored
        ]
        self._connection.words.remove(space, rows)
        self._connection.execute("DELETE FROM passages WHERE document = ?", (row,))

    def _drop_orphans(self, space: int, documents: Sequence[int]) -> None:
        for row in documents:
            if self._one("SELECT 1 FROM sources WHERE document = ? LIMIT 1", row) is None:
                self._remove_passages(space, row)
                self._connection.execute("DELETE FROM documents WHERE id = ?", (row,))


def _read_alike(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether both are of files, or both of rows of a file."""
    return "format" in one and "format" in other and ("row" in one) == ("row" in other)


def checked(document: Document, passages: Sequence[Passage]) -> list[Passage]:
    """The passages in text order, if there are any and each quotes the document to the character.

    Raises:
        ValueError: there is none, one is not what stands at its offsets, or two have the same ones.
    """
    if not passages:
        raise ValueError("it holds no text")
    for passage in passages:
        if document.text[passage.start : passage.end] != passage.text or not passage.text.strip():
            raise ValueError(f"no passage stands at characters {passage.start}-{passage.end}")
    if len({(passage.start, passage.end) for passage in passages}) < len(passages):
        raise ValueError("two passages have the same offsets")
    return sorted(passages, key=lambda passage: passage.start)
