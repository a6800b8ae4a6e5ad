"""Look after a knowledge base: sizes, passages cut anew, space freed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from verifier.core.errors import KnowledgeBaseFull, KnowledgeBaseMismatch
from verifier.knowledge.catalog import Catalog
from verifier.knowledge.changes import Changes, checked
from verifier.knowledge.index import Index
from verifier.knowledge.live import LiveIndex, is_of
from verifier.knowledge.places import KnowledgeDatabase
from verifier.knowledge.readings import ReadingsFile
from verifier.knowledge.records import GcSummary
from verifier.types import Document, Passage

__all__ = ["Upkeep"]


class Upkeep:
    """What ``stats``, ``reindex`` and ``gc`` of a store do; the caller holds the locks that they need."""

    def __init__(
        self, database: KnowledgeDatabase, index: LiveIndex, readings: ReadingsFile | None = None
    ) -> None:
        self._database, self._index, self._readings = database, index, readings

    def describe(self) -> dict[str, Any]:
        """The schema version, the size of the database, and each index on disk.

        What an index says of itself is said of its generation in use; what older ones and broken-off writes still
        hold stands beside it (``old_generations``, ``old_bytes``).
        """
        current = self._index.files
        with self._database.read() as connection:
            described = [_described(files, Catalog(connection)) for files in self._database.indexes()]
        return {
            "schema_version": self._database.schema_version,
            "database_bytes": self._database.size(),
            "indexes": [
                {**one, "in_use": current is not None and one["fingerprint"] == current.name}
                for one in described
            ],
        }

    def rechunk(self, chunk: Callable[[Document], Sequence[Passage]], chunking: str) -> None:
        """Cut again, from the stored texts, the documents that were cut in another way than ``chunking``."""
        with self._database.read() as connection:
            stale = Catalog(connection).cut_otherwise(chunking)
        for row, namespace, doc_id in stale:
            with self._database.write() as connection:
                document = Catalog(connection).document(doc_id)
                if document is not None:
                    Changes(connection, namespace).rechunk(row, checked(document, chunk(document)), chunking)

    def collect(self, make_sound: Callable[[], None]) -> GcSummary:
        """Remove every index but that of the present configuration, what models have read, and the change log.

        Args:
            make_sound: makes the index of the present configuration, for which the room is first made that can be.
        """
        kept, before = self._index.files, self._size()
        if self._readings is not None:
            self._readings.remove()
        removed = kept.sweep(self._index.backend) if kept is not None else []
        try:
            make_sound()
            removed += self._remove_others(kept)
        except KnowledgeBaseFull:
            removed += self._remove_others(kept)
            make_sound()
        removed += kept.sweep(self._index.backend) if kept is not None else []
        entries = self._shrink()
        return GcSummary(
            removed=tuple(dict.fromkeys(removed)),
            freed_bytes=max(0, before - self._size()),
            log_entries=entries,
        )

    def _remove_others(self, kept: Index | None) -> list[str]:
        others = [index for index in self._database.indexes() if kept is None or index.name != kept.name]
        return [gone for index in others for gone in index.remove()]

    def _shrink(self) -> int:
        """Drop the change log and free pages of the database, as far as there is room to do so."""
        entries = 0
        with suppress(KnowledgeBaseFull):
            with self._database.write() as connection:
                entries = connection.execute("DELETE FROM tombstones").rowcount
            self._database.vacuum()
        return entries

    def _size(self) -> int:
        readings = self._readings.size() if self._readings is not None else 0
        return self._database.size() + readings + sum(_whole(index) for index in self._database.indexes())


def _whole(index: Index) -> int:
    own, _, old = index.sizes(None)
    return own + old


def _described(files: Index, catalog: Catalog) -> dict[str, Any]:
    problem, stamp = None, None
    generation = None
    try:
        generation = files.generation()
        stamp = files.stamp(generation) if generation is not None else None
        if stamp is not None and not is_of(stamp, catalog):
            problem = str(files.mismatch("it is of another state of the database than this one was ever in"))
    except KnowledgeBaseMismatch as error:
        problem = str(error)
    own, old, old_bytes = files.sizes(generation)
    return {
        "fingerprint": files.name,
        "identity": dict(stamp.identity) if stamp is not None else None,
        "revision": stamp.revision if stamp is not None else None,
        "passages": stamp.count if stamp is not None else None,
        "problem": problem,
        "bytes": own,
        "old_generations": old,
        "old_bytes": old_bytes,
    }
