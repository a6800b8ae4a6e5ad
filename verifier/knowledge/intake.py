"""One ingest: documents and failed sources, committed in batches, with a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from verifier.core.errors import IngestError
from verifier.knowledge.catalog import Catalog
from verifier.knowledge.changes import Changes, Outcome
from verifier.knowledge.cutting import CutDocument
from verifier.knowledge.places import KnowledgeDatabase
from verifier.knowledge.records import FailedSource, IngestSummary
from verifier.knowledge.uris import file_part, former_uri, is_under
from verifier.types import Document, Passage

__all__ = ["Intake", "Source", "batches"]

Source = Document | CutDocument | FailedSource
"""What one source was read into."""

_BATCH_DOCUMENTS = 256
_BATCH_CHARACTERS = 2_000_000
_VALUE = 100
"""What a value of a document's metadata counts, in characters."""


def batches(items: Iterable[Source]) -> Iterator[list[Source]]:
    """Cut a stream into what is committed at once: some hundred documents, or some million characters."""
    batch: list[Source] = []
    characters = 0
    for item in items:
        batch.append(item)
        characters += _weight(item)
        if len(batch) >= _BATCH_DOCUMENTS or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _weight(item: Source) -> int:
    """Characters of a document, its metadata included."""
    if isinstance(item, FailedSource):
        return 0
    document = item.document if isinstance(item, CutDocument) else item
    return len(document.text) + _VALUE * len(document.metadata)


class Intake:
    """Counts what becomes of the sources of one run.

    Args:
        database: where they go; the caller holds the writer's lock.
        namespace: into which.
        chunk: cuts a document into passages.
        chunking: names how it cuts.
        prove: called before the first new passages are committed; what it raises rolls them back.
        pruning: whether ``prune`` follows, for which the sources of the run are remembered.
    """

    def __init__(
        self,
        database: KnowledgeDatabase,
        namespace: str,
        chunk: Callable[[Document], Sequence[Passage]],
        chunking: str,
        prove: Callable[[], None],
        *,
        pruning: bool,
    ) -> None:
        self.taken = 0
        """Sources stored or refused so far."""
        self._database = database
        self._namespace = namespace
        self._chunk = chunk
        self._chunking = chunking
        self._prove = prove
        self._pruning = pruning
        self._outcomes: Counter[Outcome] = Counter()
        self._failed: list[tuple[str, str]] = []
        self._passages_added = 0
        self._pruned = 0
        self._seen: set[str] = set()
        self._unreadable: list[str] = []

    def store(self, batch: Sequence[Source]) -> bool:
        """Commit one batch. Returns whether it changed which passages there are."""
        with self._database.write() as connection:
            changes = Changes(connection, self._namespace)
            for item in batch:
                if isinstance(item, FailedSource):
                    self._refuse(changes, item)
                else:
                    self._store_one(changes, item)
            if changes.passages_added:
                self._prove()
        self._passages_added += changes.passages_added
        self.taken += len(batch)
        return changes.passages_changed

    def prune(self, under: Sequence[str], keep: Iterable[str] = ()) -> int:
        """Remove the sources at or below ``under`` that this run did not see and ``keep`` does not name.

        What could not be read is kept, with all its rows. Returns how many sources went.
        """
        if not under:
            return 0
        kept = self._seen.union(keep)
        with self._database.write() as connection:
            gone = [
                uri
                for uri in Catalog(connection).all_uris(self._namespace)
                if uri not in kept
                and any(is_under(uri, root) for root in under)
                and not any(is_under(uri, failed) for failed in self._unreadable)
            ]
            if gone:
                Changes(connection, self._namespace).remove_sources(gone)
        self._pruned += len(gone)
        return len(gone)

    def forget_unread(self, under: Sequence[str]) -> None:
        """Forget the files at or below ``under`` that could not be read before, and of which this run told nothing."""
        with self._database.read() as connection:
            known = [failed.uri for failed in Catalog(connection).unread(self._namespace)]
        gone = [
            uri for uri in known if uri not in self._unreadable and any(is_under(uri, root) for root in under)
        ]
        if gone:
            with self._database.write() as connection:
                Changes(connection, self._namespace).forget_unread(gone)

    def summary(self, passages_embedded: int) -> IngestSummary:
        """What was done."""
        return IngestSummary(
            added=self._outcomes[Outcome.ADDED],
            replaced=self._outcomes[Outcome.REPLACED],
            unchanged=self._outcomes[Outcome.UNCHANGED],
            duplicates=self._outcomes[Outcome.DUPLICATE],
            pruned=self._pruned,
            failed=tuple(self._failed),
            passages_added=self._passages_added,
            passages_embedded=passages_embedded,
        )

    def _store_one(self, changes: Changes, item: Document | CutDocument) -> None:
        cut = item if isinstance(item, CutDocument) else CutDocument(item, None)
        document = cut.document
        try:
            outcome = changes.put(document, lambda _: cut.cut_by(self._chunk), self._chunking)
        except (ValueError, IngestError) as error:
            self._refuse(changes, FailedSource(document.source, document.uri, str(error)))
            return
        if self._pruning:
            self._seen.add(document.uri)
        changes.forget_unread([file_part(document.uri)])
        self._outcomes[outcome] += 1

    def _refuse(self, changes: Changes, failed: FailedSource) -> None:
        file = failed.uri.removesuffix("#")  # a bad row may be any, so its file's rows all stay
        self._unreadable += dict.fromkeys([failed.uri, file, former_uri(file)])
        self._failed.append((failed.source, failed.reason))
        if file_part(failed.uri) == failed.uri:
            changes.note_unread(failed)
