"""What a knowledge base holds: records, passages, evidence and counts, read from its database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, NamedTuple

from verifier_backends.filters import matches
from verifier_backends.types import Item, Where

from verifier.core.errors import KnowledgeBaseError
from verifier.knowledge.connection import Connection
from verifier.knowledge.records import DocumentRecord, FailedSource, SourceRecord, index_text
from verifier.knowledge.uris import file_part, file_uri
from verifier.types import Document, Evidence, Page, Passage

__all__ = ["Catalog", "PassageRow", "State"]

_VARIABLES = 500
"""Values given to one statement; every build of SQLite takes 999."""

_LISTED = 10
"""Documents listed at most where a name is not clear."""

_FIRST_SOURCE = "(SELECT source FROM sources WHERE document = d.id ORDER BY source, uri LIMIT 1)"

_PASSAGE = f"""
    SELECT p.id, p.passage_id, n.name, d.doc_id, d.title, d.metadata, p.start_at, p.end_at, p.page,
        p.headings, p.context, p.text, p.revision, {_FIRST_SOURCE}
    FROM passages p JOIN documents d ON d.id = p.document JOIN namespaces n ON n.id = d.namespace
"""


class State(NamedTuple):
    """A state of a database: how many changes led to it, and a random name that only the last of them has.

    Two copies of a database that were changed differently have the same revisions under different epochs.
    """

    revision: int
    epoch: str


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A stored passage with what is needed to index it and to quote it."""

    number: int
    passage_id: str
    namespace: str
    doc_id: str
    title: str
    metadata: Mapping[str, str | int | float | bool | None]
    start: int
    end: int
    page: int | None
    headings: tuple[str, ...]
    context: str
    text: str
    revision: int
    source: str

    @classmethod
    def read(cls, row: tuple[Any, ...]) -> PassageRow:
        """From a row of the database."""
        columns = list(row)
        columns[5], columns[9] = json.loads(columns[5]), tuple(json.loads(columns[9]))
        return cls(*columns)

    @property
    def item(self) -> Item:
        """What the backend indexes: ``index_text``, and metadata with the namespace and document id."""
        text = index_text(self.title, self.headings, self.context, self.text)
        return Item(self.passage_id, text, self._filterable)

    @property
    def _filterable(self) -> dict[str, str | int | float | bool | None]:
        return {**self.metadata, "namespace": self.namespace, "doc_id": self.doc_id}

    def admitted(self, namespace: str, where: Where | None) -> bool:
        """Whether a search in ``namespace`` under the filter ``where`` may show this passage."""
        return self.namespace == namespace and (where is None or matches(self._filterable, where))

    def evidence(self, score: float, retrieved_by: str) -> Evidence:
        """The passage as it is quoted."""
        return Evidence(
            doc_id=self.doc_id,
            source=self.source,
            text=self.text,
            start=self.start,
            end=self.end,
            score=score,
            page=self.page,
            headings=self.headings,
            context=self.context,
            retrieved_by=retrieved_by,
            metadata=self.metadata,
        )


class Catalog:
    """Reads from one state of the database, that of ``connection``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def setting(self, name: str) -> Any:
        """A property of the whole knowledge base: ``id`` or ``revision``."""
        return self._one("SELECT value FROM properties WHERE name = ?", name)

    @property
    def revision(self) -> int:
        """Grows with every transaction that changed something."""
        return int(self.setting("revision"))

    @property
    def state(self) -> State:
        """Where the database stands."""
        return self.state_at(self.revision)

    def state_at(self, revision: int) -> State:
        """The state of that revision; its epoch is empty where it is older than the record of epochs."""
        return State(revision, str(self._one("SELECT epoch FROM epochs WHERE revision = ?", revision) or ""))

    def went_through(self, state: State) -> bool:
        """Whether the database is or was once in that state. In state 0 every one was."""
        return not state.revision or (bool(state.epoch) and self.state_at(state.revision) == state)

    def namespace_number(self, name: str) -> int | None:
        """The row id of a namespace, ``None`` when it holds nothing."""
        found = self._one("SELECT id FROM namespaces WHERE name = ?", name)
        return None if found is None else int(found)

    def namespaces(self) -> list[str]:
        """Names of the namespaces that hold something, sorted."""
        return [name for (name,) in self._connection.execute("SELECT name FROM namespaces ORDER BY name")]

    def counts(self, namespace: str | None = None) -> dict[str, int]:
        """How many documents, sources, passages and characters there are."""
        which, values = _within(namespace)
        documents, characters = self._connection.execute(
            f"SELECT count(*), coalesce(sum(d.characters), 0) FROM documents d {which}", values
        ).fetchone()
        return {
            "documents": documents,
            "sources": self._count_of("sources", namespace),
            "passages": self.passage_count(namespace),
            "characters": characters,
        }

    def unread(self, namespace: str) -> list[FailedSource]:
        """The files of a namespace that could not be read, ordered by name."""
        rows = self._connection.execute(
            "SELECT source, uri, reason FROM unread WHERE namespace = ? ORDER BY source, uri", (namespace,)
        )
        return [FailedSource(*row) for row in rows]

    def unread_namespaces(self) -> list[str]:
        """Names of the namespaces with files that could not be read, sorted."""
        return [
            name for (name,) in self._connection.execute("SELECT DISTINCT namespace FROM unread ORDER BY 1")
        ]

    def passage_count(self, namespace: str | None = None) -> int:
        """How many passages a namespace holds, or all do."""
        return self._count_of("passages", namespace)

    def content_hash(self, namespace: str | None = None) -> str:
        """SHA-256 over the sorted ids of the documents."""
        which, values = _within(namespace)
        digest = hashlib.sha256()
        for (doc_id,) in self._connection.execute(
            f"SELECT doc_id FROM documents d {which} ORDER BY doc_id", values
        ):
            digest.update(f"{doc_id}\n".encode())
        return digest.hexdigest()

    def fingerprint(self, namespace: str) -> str:
        """SHA-256 over the shown names of all sources with their documents and cuts, and over unread files of one
        namespace."""
        digest = hashlib.sha256()
        for row in self._connection.execute(
            "SELECT n.name, s.source, d.doc_id, d.chunking FROM sources s JOIN documents d ON d.id = s.document"
            " JOIN namespaces n ON n.id = s.namespace ORDER BY n.name, s.source, d.doc_id"
        ):
            digest.update(f"{json.dumps(row)}\n".encode())
        for failed in self.unread(namespace):
            digest.update(f"{json.dumps([failed.source, failed.reason])}\n".encode())
        return digest.hexdigest()

    def documents(self, namespace: str | None = None, doc_id: str | None = None) -> Iterator[DocumentRecord]:
        """Stored documents, ordered by namespace and first source."""
        return self._records(
            " WHERE (:space IS NULL OR n.name = :space) AND (:id IS NULL OR d.doc_id = :id)"
            f" ORDER BY n.name, {_FIRST_SOURCE}, d.doc_id",
            {"space": namespace, "id": doc_id},
        )

    def document_count(self, namespace: str) -> int:
        """How many documents a namespace holds."""
        which, values = _within(namespace)
        return int(self._one(f"SELECT count(*) FROM documents d {which}", *values))

    def document_page(self, namespace: str, limit: int, offset: int) -> Iterator[DocumentRecord]:
        """Some documents of a namespace, in the order in which they were stored, so that no others need be read."""
        return self._records(
            " WHERE n.name = :space ORDER BY d.id LIMIT :limit OFFSET :offset",
            {"space": namespace, "limit": limit, "offset": offset},
        )

    def _records(self, which: str, values: Mapping[str, object]) -> Iterator[DocumentRecord]:
        rows = self._connection.execute(
            "SELECT d.id, d.doc_id, n.name, d.title, d.media_type, d.content_hash, d.characters,"
            f" (SELECT count(*) FROM passages WHERE document = d.id), d.metadata"
            f" FROM documents d JOIN namespaces n ON n.id = d.namespace {which}",
            values,
        )
        for number, *about, metadata in rows:
            record = [*about, self.sources(number), json.loads(metadata)]
            yield DocumentRecord(*record)

    def sources(self, number: int) -> tuple[SourceRecord, ...]:
        """Where the document with this row id was found, by name."""
        rows = self._connection.execute(
            "SELECT source, uri FROM sources WHERE document = ? ORDER BY source, uri", (number,)
        )
        return tuple(SourceRecord(*row) for row in rows)

    def document(self, doc_id: str) -> Document | None:
        """A document with its text, under its first source."""
        row = self._connection.execute(
            "SELECT id, text, media_type, title, pages, metadata FROM documents WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        if row is None:
            return None
        number, text, media_type, title, pages, metadata = row
        first = self.sources(number)[0]
        return Document(
            source=first.source,
            uri=first.uri,
            text=text,
            media_type=media_type,
            title=title,
            pages=tuple(Page(*page) for page in json.loads(pages)),
            metadata=json.loads(metadata),
        )

    def text_of(self, doc_id: str) -> str | None:
        """The whole text of a document."""
        found = self._one("SELECT text FROM documents WHERE doc_id = ?", doc_id)
        return None if found is None else str(found)

    def document_head(self, doc_id: str, characters: int) -> str | None:
        """The beginning of a document's text."""
        found = self._connection.execute(
            "SELECT substr(text, 1, ?) FROM documents WHERE doc_id = ?", (characters, doc_id)
        ).fetchone()
        return None if found is None else str(found[0])

    def hash_at(self, namespace: str, uri: str, chunking: str) -> str | None:
        """The content hash of what is stored under a uri, if it is cut in this way."""
        found: str | None = self._one(
            "SELECT d.content_hash FROM sources s JOIN documents d ON d.id = s.document"
            " JOIN namespaces n ON n.id = s.namespace WHERE n.name = ? AND s.uri = ? AND d.chunking = ?",
            namespace,
            uri,
            chunking,
        )
        return found

    def cut_otherwise(self, chunking: str) -> list[tuple[int, str, str]]:
        """Row id, namespace and id of the documents whose passages were not cut as ``chunking`` says."""
        return self._connection.execute(
            "SELECT d.id, n.name, d.doc_id FROM documents d JOIN namespaces n ON n.id = d.namespace"
            " WHERE d.chunking <> ? ORDER BY d.id",
            (chunking,),
        ).fetchall()

    def passages(self, doc_id: str) -> list[Passage]:
        """The passages of a document in text order."""
        rows = self._connection.execute(
            "SELECT p.text, p.start_at, p.end_at, p.page, p.headings, p.context FROM passages p"
            " JOIN documents d ON d.id = p.document WHERE d.doc_id = ? ORDER BY p.start_at, p.id",
            (doc_id,),
        )
        return [
            Passage(text, start, end, page, tuple(json.loads(headings)), context)
            for text, start, end, page, headings, context in rows
        ]

    def passage_rows(self, passage_ids: Iterable[str]) -> dict[str, PassageRow]:
        """The stored passages among ``passage_ids``."""
        return {row.passage_id: row for row in self._rows("p.passage_id", passage_ids)}

    def rows_of(self, namespace: str, source: str, limit: int) -> list[PassageRow]:
        """The passages of the rows that are shown as ``source#1``, ``source#2`` ..., in the order of their numbers.

        None where there are more rows than ``limit``, or where two files are shown under that name: a part of a table,
        or two that are taken for one, would say what neither says.
        """
        found = self._connection.execute(
            "SELECT s.document, s.uri FROM sources s WHERE s.namespace = ? AND s.source > ? AND s.source < ? LIMIT ?",
            (self.namespace_number(namespace), f"{source}#", f"{source}$", limit + 1),
        ).fetchall()
        if len(found) > limit or len({file_part(uri) for _, uri in found}) != 1:
            return []
        rows = self._rows("p.document", (document for document, _ in found))
        own = [row for row in rows if row.source.startswith(f"{source}#")]
        return sorted(own, key=lambda row: (_row_number(row.source), row.start))

    def resolve(self, namespace: str, name: str) -> DocumentRecord | None:
        """The one document meant by a document id, else a uri, else the name of a source.

        Raises:
            KnowledgeBaseError: several documents are shown under that name.
        """
        named = list(dict.fromkeys(document for document, _ in self._named(namespace, name)))
        if len(named) > 1:
            raise KnowledgeBaseError(self._ambiguous(namespace, name))
        return next(self.documents(namespace, named[0]), None) if named else None

    def uris(self, namespace: str, name: str) -> list[str]:
        """The sources of one document that are meant by its id, else a uri, else the name of a source.

        Raises:
            KnowledgeBaseError: several documents are shown under that name.
        """
        named = self._named(namespace, name)
        if len({document for document, _ in named}) > 1:
            raise KnowledgeBaseError(self._ambiguous(namespace, name))
        return [uri for _, uri in named]

    def _named(self, namespace: str, name: str) -> list[tuple[str, str]]:
        """Document id and uri of each source meant: what identifies goes before what is only shown."""
        for column in ("d.doc_id", "s.uri", "s.source"):
            names = (name, file_uri(name)) if column == "s.uri" else (name, name)
            found = self._connection.execute(
                "SELECT d.doc_id, s.uri FROM sources s JOIN documents d ON d.id = s.document"
                f" WHERE s.namespace = ? AND {column} IN (?, ?) ORDER BY s.uri",
                (self.namespace_number(namespace), *names),
            ).fetchall()
            if found:
                return found
        return []

    def _ambiguous(self, namespace: str, name: str) -> str:
        found = self._named(namespace, name)
        listed = "; ".join(f"{doc_id} ({uri})" for doc_id, uri in found[:_LISTED])
        more = f"; and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        return f"{name!r} names several documents; give the id or the path of one: {listed}{more}"

    def all_uris(self, namespace: str) -> Iterator[str]:
        """Every source of a namespace."""
        rows = self._connection.execute(
            "SELECT uri FROM sources s JOIN namespaces n ON n.id = s.namespace WHERE n.name = ? ORDER BY uri",
            (namespace,),
        )
        return (uri for (uri,) in rows)

    def written_after(self, at: tuple[int, int], until: int, limit: int) -> list[PassageRow]:
        """Passages written after ``at`` (revision, row id) up to revision ``until``, in that order."""
        rows = self._connection.execute(
            f"{_PASSAGE} WHERE (p.revision, p.id) > (?, ?) AND p.revision <= ?"
            " ORDER BY p.revision, p.id LIMIT ?",
            (*at, until, limit),
        )
        return [PassageRow.read(row) for row in rows]

    def all_passage_ids(self) -> list[str]:
        """Ids of every stored passage, sorted."""
        return [
            passage for (passage,) in self._connection.execute("SELECT passage_id FROM passages ORDER BY 1")
        ]

    def count_written_after(self, revision: int) -> int:
        """How many stored passages were written after ``revision``."""
        return int(self._one("SELECT count(*) FROM passages WHERE revision > ?", revision))

    def removed_after(self, revision: int) -> list[str]:
        """Ids of passages that went after ``revision`` and did not come back."""
        rows = self._connection.execute(
            "SELECT DISTINCT passage_id FROM tombstones t WHERE revision > ?"
            " AND NOT EXISTS (SELECT 1 FROM passages WHERE passage_id = t.passage_id) ORDER BY passage_id",
            (revision,),
        )
        return [passage for (passage,) in rows]

    def keyword_search(self, namespace: str, query: str, top_k: int, where: Where | None) -> list[Evidence]:
        """Passages with any word of ``query`` that ``where`` admits, best first, ties at the end included."""
        number = self.namespace_number(namespace)
        if number is None:
            return []
        found: list[Evidence] = []
        ranked = self._connection.words.search(number, query)
        while batch := dict(islice(ranked, max(top_k, 32))):
            rows = {row.number: row for row in self._rows("p.id", batch)}
            for row_id, score in batch.items():
                if len(found) >= top_k and score < found[-1].score:
                    return found
                if rows[row_id].admitted(namespace, where):
                    found.append(rows[row_id].evidence(score, "keyword"))
        return found

    def frequencies(self, namespace: str, phrases: Iterable[str]) -> dict[str, int]:
        """In how many passages of ``namespace`` each phrase occurs."""
        number = self.namespace_number(namespace)
        if number is None:
            return dict.fromkeys(phrases, 0)
        return self._connection.words.frequencies(number, phrases)

    def occurring(self, namespace: str, phrases: Iterable[str]) -> set[str]:
        """Those phrases that occur in a passage of ``namespace``."""
        number = self.namespace_number(namespace)
        if number is None:
            return set()
        return self._connection.words.occurring(number, phrases)

    def export(self) -> Iterator[dict[str, Any]]:
        """Every document with its text, sources and passages, as JSON values."""
        for record in self.documents():
            document = self.document(record.doc_id)
            if document is not None:
                yield {
                    **asdict(record),
                    "text": document.text,
                    "pages": [asdict(page) for page in document.pages],
                    "passages": [asdict(passage) for passage in self.passages(record.doc_id)],
                }

    def _count_of(self, table: str, namespace: str | None) -> int:
        if namespace is None:
            return int(self._one(f"SELECT count(*) FROM {table}"))
        which, values = _within(namespace)
        linked = f"SELECT count(*) FROM {table} x JOIN documents d ON d.id = x.document {which}"
        return int(self._one(linked, *values))

    def _one(self, statement: str, *values: object) -> Any:
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def _rows(self, column: str, values: Iterable[str] | Iterable[int]) -> Iterator[PassageRow]:
        wanted = iter(dict.fromkeys(values))
        while some := list(islice(wanted, _VARIABLES)):
            marks = ",".join("?" * len(some))
            for row in self._connection.execute(f"{_PASSAGE} WHERE {column} IN ({marks})", some):
                yield PassageRow.read(row)


def _row_number(source: str) -> int:
    """The number behind ``#``."""
    number = source.rpartition("#")[2]
    return int(number) if number.isdecimal() else 0


def _within(namespace: str | None) -> tuple[str, Sequence[str]]:
    """The clause that selects the documents of a namespace, or of all."""
    if namespace is None:
        return "", ()
    return "WHERE d.namespace = (SELECT id FROM namespaces WHERE name = ?)", (namespace,)
