"""``GroundTruthStore``: documents, evidence, counts and records, over a database and any ``VectorBackend``."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from types import TracebackType
from typing import Any

from verifier_backends.base import VectorBackend
from verifier_backends.filters import plain_filter
from verifier_backends.types import MetadataValue, Where

from verifier.core.errors import (
    KnowledgeBaseFull,
    KnowledgeBaseLocked,
    KnowledgeBaseMismatch,
    KnowledgeBaseUnavailable,
)
from verifier.knowledge.catalog import Catalog
from verifier.knowledge.changes import Changes
from verifier.knowledge.cutting import CutDocument, default_chunker, passages_of
from verifier.knowledge.database import BUSY_SECONDS
from verifier.knowledge.intake import Intake, batches
from verifier.knowledge.placed import KnownLines
from verifier.knowledge.places import Place, database_at
from verifier.knowledge.reader import KnowledgeReader
from verifier.knowledge.readings import ReadingsFile
from verifier.knowledge.records import (
    Chunker,
    FailedSource,
    GcSummary,
    IngestSummary,
    Progress,
    canonical_json,
    content_hash,
    document_id,
)
from verifier.knowledge.shared import index_over
from verifier.knowledge.upkeep import Upkeep
from verifier.types import Document, Evidence, Passage

__all__ = ["GroundTruthStore", "VectorGroundTruthStore"]


class GroundTruthStore(KnowledgeReader):
    """The documents you trust, searchable.

    One SQLite file holds everything, or a PostgreSQL database; the backend's index beside it can be made again from
    that at any time. Opened on first use. Any number of threads and processes may read while one writes, or several
    do in PostgreSQL; a search sees the database as it is, also what another process has just written.

    Args:
        backend: ranks passages. The store fills it; what it held before is never shown.
        directory: the knowledge base, a folder or an address of PostgreSQL; ``None`` for one in memory.
        fingerprint_of: the backend's configuration, JSON values: with the backend's ``identity`` it names the
            index, so another configuration gets an index of its own.
        create: make the knowledge base if there is none.
        shared: whether one that is made may be read by others than its owner, as the umask has it.
        progress: told how far ingesting and indexing have come.
        chunker: cuts documents into passages; ``verifier.knowledge.chunk.chunk`` by default.
        chunk_options: keywords for ``chunker``, JSON values. Documents cut under other options are cut again
            when they are ingested again, and by ``reindex``.
        remake: makes an empty backend of the same configuration, so that ``reindex`` leaves this one in service.
        busy_seconds: how long to wait for another process that is writing.

    Raises (every method that reaches the disk):
        KnowledgeBaseNotFound: there is none, and ``create`` is false.
        KnowledgeBaseLocked: another process is writing to it.
        KnowledgeBaseMismatch: a newer release wrote it, or its index is not what it says it is.
        KnowledgeBaseError: it is damaged, read-only or something else altogether.
        BackendError: the backend failed. Nothing stored is lost, and the index catches up the next time.
    """

    def __init__(
        self,
        backend: VectorBackend,
        directory: Place | None = None,
        *,
        fingerprint_of: Mapping[str, object] | None = None,
        create: bool = False,
        shared: bool = False,
        progress: Progress | None = None,
        chunker: Chunker | None = None,
        chunk_options: Mapping[str, object] | None = None,
        remake: Callable[[], VectorBackend] | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        self.progress = progress
        self._chunker = chunker
        self._chunk_options = dict(chunk_options or {})
        super().__init__(database_at(directory, create=create, shared=shared, busy_seconds=busy_seconds))
        self.directory = self._database.directory
        self._index = index_over(backend, self._database, dict(fingerprint_of or {}), remake)
        self._shared = shared
        self._lines = KnownLines()
        self._one_writer = threading.RLock()
        self._in_step = threading.RLock()

    @property
    def backend(self) -> VectorBackend:
        """The backend in use; ``reindex`` puts a new one in its place."""
        return self._index.backend

    # Life cycle

    def open(self) -> None:
        """Open the knowledge base now rather than on first use; the index waits for the first search.

        A new one is made only if the backend is able to fill it.
        """
        if self._database.is_to_be_made():
            self._index.prove()
        self._database.open()

    def close(self) -> None:
        """Save what the index on disk lacks, if no other process is writing, and close the files, for good."""
        with self._one_writer, self._in_step:
            try:
                if self._index.is_unsaved():
                    with self._writing_if_free() as free:
                        if free:
                            self._index.save_if_possible()
            finally:
                if self.readings is not None:
                    self.readings.close()
                self._database.close()

    def __enter__(self) -> GroundTruthStore:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Documents in

    def ingest(
        self,
        documents: Iterable[Document | CutDocument | FailedSource],
        *,
        namespace: str = "default",
        prune_under: Sequence[str] = (),
        told_under: Sequence[str] = (),
    ) -> IngestSummary:
        """Store documents and index what is new about them.

        Content that is there already is neither cut nor embedded again; a source whose content changed is
        replaced; content known under another name is shared. Work is committed as it goes: whatever stops it,
        what ``progress`` has counted is stored, and the next run goes on from there. Nothing is stored before
        the backend has shown that it can work.

        Args:
            documents: as ``verifier.knowledge.ingest`` reads them, or cut already as this store would; a
                ``FailedSource`` is counted and skipped, and what was stored of it before stays.
            namespace: kept apart from every other in all searches and counts.
            prune_under: uris of folders or files. Sources at or below them that ``documents`` did not
                bring are removed at the end.
            told_under: uris of folders or files of which ``documents`` are all there is to read. Files at or below
                them that could not be read before, and of which it tells nothing now, are forgotten.

        Returns:
            What was done, with the reason for each source that was not stored.

        Raises:
            ValueError: the namespace is blank.
        """
        with self._writing(namespace):
            before = self._index.embedded
            intake = self._intake(namespace, pruning=bool(prune_under))
            for batch in batches(documents):
                with self._in_step:
                    if intake.store(batch):
                        self._index.catch_up(self.progress, saving=True, searching=False)
                if self.progress is not None:
                    self.progress("ingest", intake.taken, None)
            intake.prune(prune_under)
            intake.forget_unread((*told_under, *prune_under))
            self._settle()
            return intake.summary(self._index.embedded - before)

    def known_hash(self, uri: str, namespace: str = "default") -> str | None:
        """The content hash of what is stored under a uri and cut as this store cuts: what has it need not be cut."""
        with self._database.read() as connection:
            return Catalog(connection).hash_at(namespace, uri, self._chunking)

    def add(
        self,
        doc_id: str,
        text: str,
        metadata: Mapping[str, MetadataValue] | None = None,
        namespace: str = "default",
    ) -> str:
        """Store one text as a document whose source is ``doc_id``, replacing what was stored under it.

        Returns:
            The id of the stored document, which is made from its content.

        Raises:
            ValueError: the text or the namespace is blank, or the document cannot be stored.
        """
        document = Document(source=doc_id, uri=doc_id, text=text, metadata=dict(metadata or {}))
        with self._writing(namespace), self._in_step:
            with self._database.write() as connection:
                changes = Changes(connection, namespace)
                changes.put(document, self._chunk, self._chunking)
                if changes.passages_added:
                    self._index.prove()
            self._index.catch_up(self.progress, saving=True, searching=False)
            self._index.save_if_due()
        return document_id(namespace, content_hash(document))

    def delete(self, target: str, namespace: str = "default") -> int:
        """Remove the document of this id, or the sources of this name or uri.

        A document goes with the last of its sources; from then on no search shows it.

        Returns:
            How many sources were removed; 0 when nothing has that name.

        Raises:
            KnowledgeBaseError: several documents are shown under that name; their ids and uris are listed.
        """
        with self._writing(), self._database.write() as connection:
            uris = Catalog(connection).uris(namespace, target)
            if uris:
                Changes(connection, namespace).remove_sources(uris)
            return len(uris)

    def prune(self, under: Sequence[str], keep: Iterable[str], namespace: str = "default") -> int:
        """Remove the sources at or below the uris ``under`` that are not in ``keep``. Returns how many."""
        with self._writing():
            return self._intake(namespace, pruning=True).prune(under, keep)

    # Evidence out

    def retrieve(
        self,
        queries: Sequence[str],
        *,
        top_k: int = 5,
        namespace: str = "default",
        where: Where | None = None,
    ) -> list[list[Evidence]]:
        """The passages nearest to each query.

        Every hit is looked up in the database as it is now, so nothing deleted or replaced, and nothing of
        another namespace, is ever returned. A query for which the backend finds nothing is searched by
        keywords instead; that evidence has ``retrieved_by="keyword"`` and BM25 scores.

        Args:
            queries: any number; a blank one finds nothing.
            top_k: most passages for one query.
            namespace: where to look.
            where: metadata that passages must have; also ``doc_id``.

        Returns:
            A list for each query in order, best first; equal scores are ordered by source and offset.

        Raises:
            ValueError: ``top_k`` is negative, or ``where`` names a namespace or has an operator that is not known.
        """
        if top_k < 0:
            raise ValueError(f"top_k is {top_k}; it must not be negative")
        where = None if where is None else plain_filter(where)
        if where is not None and "namespace" in where:
            raise ValueError("give the namespace as an argument, not in the filter")
        self._refresh()
        asked = list(dict.fromkeys(query for query in queries if query.strip())) if top_k else []
        only = where is None and self._index.namespaces == [namespace]
        selection = None if only else {**(where or {}), "namespace": namespace}
        hits = self.backend.query_many(asked, top_k + self._index.stale, selection) if asked else []
        with self._database.read() as connection:
            catalog = Catalog(connection)
            rows = catalog.passage_rows(hit["id"] for found in hits for hit in found)
            answers = {}
            for query, found in zip(asked, hits, strict=True):
                answers[query] = [
                    rows[hit["id"]].evidence(float(hit["score"]), "vector")
                    for hit in found
                    if hit["id"] in rows and rows[hit["id"]].admitted(namespace, where)
                ] or catalog.keyword_search(namespace, query, top_k, where)
                best = sorted(answers[query], key=_rank)[:top_k]
                answers[query] = self._lines.placed(best, catalog.text_of)
        return [list(answers.get(query, ())) for query in queries]

    def retrieve_context(self, query: str, top_k: int = 3) -> list[Evidence]:
        """``retrieve`` for one query in the default namespace."""
        return self.retrieve([query], top_k=top_k)[0]

    @cached_property
    def readings(self) -> ReadingsFile | None:
        """What models have read of the texts, kept from process to process; ``None`` without a folder to keep it in."""
        if self.directory is None:
            return None
        return ReadingsFile(self.directory, read_only=self._database.read_only, shared=self._shared)

    # Upkeep

    def stats(self) -> dict[str, Any]:
        """Counts, sizes in bytes, versions, and the indexes on disk; JSON values."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            spaces = {name: catalog.counts(name) for name in catalog.namespaces()}
            described = {
                **catalog.counts(),
                "namespaces": spaces,
                "revision": catalog.revision,
                "content_hash": catalog.content_hash(),
                "unread": [
                    {"namespace": name, "source": failed.source, "reason": failed.reason}
                    for name in catalog.unread_namespaces()
                    for failed in catalog.unread(name)
                ],
            }
        return {**described, **self._upkeep.describe()}

    def reindex(self, progress: Progress | None = None) -> int:
        """Make the index anew from the stored passages, cutting again documents cut under other options.

        Until the new index is whole, searches of this and any other process are answered by the old one (with
        ``remake``, as :func:`verifier.factory.open_store` has it); if the work is broken off, it stays.

        Returns:
            How many passages were indexed.
        """
        with self._writing(alone=True):
            with self._in_step:
                self._upkeep.rechunk(self._chunk, self._chunking)
            before = self._index.embedded
            replace = self._index.rebuild(progress or self.progress)
            with self._in_step:
                replace()
            return self._index.embedded - before

    def gc(self) -> GcSummary:
        """Remove indexes of other configurations, what models have read, what crashes left behind, and free pages.

        What nobody can use any more goes first, which needs no room. Then the index of the present configuration is
        made if it is not there or cannot be used, so that one is always left.
        """
        with self._writing(alone=True), self._in_step:
            return self._upkeep.collect(self._make_sound)

    # How it is done

    @property
    def _upkeep(self) -> Upkeep:
        return Upkeep(self._database, self._index, self.readings)

    @cached_property
    def _chunking(self) -> str:
        return hashlib.sha256(canonical_json(self._chunk_options).encode()).hexdigest()[:16]

    def _chunk(self, document: Document) -> Sequence[Passage]:
        if self._chunker is None:
            self._chunker = default_chunker()
        return passages_of(document, self._chunker, self._chunk_options)

    def _intake(self, namespace: str, *, pruning: bool) -> Intake:
        return Intake(
            self._database, namespace, self._chunk, self._chunking, self._index.prove, pruning=pruning
        )

    @contextmanager
    def _writing(self, namespace: str = "default", *, alone: bool = False) -> Iterator[None]:
        """This thread is the only one that writes, and this process in a folder, or where it must be ``alone``."""
        if not namespace.strip():
            raise ValueError("a namespace needs a name")
        self.open()
        with self._one_writer, self._database.exclusive(alone=alone):
            yield

    def _make_sound(self) -> None:
        """See that there is an index on disk that can be used, and that it holds what the database holds."""
        try:
            if self._index.files is not None:
                self._index.catch_up(self.progress, saving=True)
            self._settle()
        except KnowledgeBaseMismatch:
            self._index.rebuild(self.progress)()

    def _settle(self) -> None:
        """See that the index on disk holds what the database holds."""
        with self._in_step:
            if self._index.files is not None and not self._index.is_current_on_disk():
                self._index.catch_up(self.progress, saving=True, searching=False)
                self._index.save()

    def _refresh(self) -> None:
        """Bring the index up to what any process has written, and save it if no other process writes."""
        if self._index.ready and self._index.searchable and self._index.state == self._state:
            return
        # Once there is a state to search, only one thread goes for the next one; the others search this one.
        if not self._in_step.acquire(blocking=not self._index.ready):
            return
        try:
            if self._index.divided or self._index.files is None or self._index.is_current_on_disk():
                self._index.catch_up(self.progress, saving=False)
                return
            with self._writing_if_free() as saving:
                self._index.catch_up(self.progress, saving=saving)
                if saving:
                    self._index.save_if_possible()
        finally:
            self._in_step.release()

    @contextmanager
    def _writing_if_free(self) -> Iterator[bool]:
        """Whether this process may write now; it does not wait for another one."""
        with ExitStack() as stack:
            free = not self._database.read_only
            try:
                if free:
                    stack.enter_context(self._database.exclusive(wait=False, alone=False))
            except (KnowledgeBaseLocked, KnowledgeBaseFull, KnowledgeBaseUnavailable):
                free = False
            yield free


VectorGroundTruthStore = GroundTruthStore


def _rank(evidence: Evidence) -> tuple[float, str, int, str]:
    return (-evidence.score, evidence.source, evidence.start, evidence.doc_id)
