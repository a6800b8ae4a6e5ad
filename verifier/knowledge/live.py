"""The index in memory: a backend and the database in, a backend that holds what the database holds out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from backends.base import VectorBackend
from backends.types import Item
from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseMismatch
from verifier.knowledge.catalog import Catalog, PassageRow
from verifier.knowledge.database import Database
from verifier.knowledge.index import IndexFiles, Stamp, fingerprint
from verifier.knowledge.records import Progress

__all__ = ["LiveIndex"]

_BATCH = 512
"""Passages handed to the backend at once."""

_SAVE_EVERY = 10.0
"""Seconds after which a build is saved on the way."""

_SAVE_SHARE = 10
"""The same as a multiple of the time that saving takes: a large index spends a tenth of it on being saved."""

_LAST = 2**63 - 1
"""The largest row id."""


class LiveIndex:
    """Keeps a backend in step with the database, embedding only what it lacks.

    The order of revisions is the order of work: an index stamped ``revision`` holds everything that was
    written up to it, so a first build, a catch-up and going on after a crash are one and the same.

    Args:
        backend: filled and queried; what it held before is never shown.
        database: the source of truth.
        configuration: what, with the backend's identity, names the index on disk.
        remake: makes an empty backend of the same configuration, in which a rebuild takes place.
    """

    def __init__(
        self,
        backend: VectorBackend,
        database: Database,
        configuration: Mapping[str, object],
        remake: Callable[[], VectorBackend] | None = None,
    ) -> None:
        self.backend = backend
        self.revision = 0
        self.ready = False
        self.embedded = 0
        """Passages handed to the backend since the start."""
        self.stale = 0
        """At least how many texts of the backend are no longer in the knowledge base."""
        self.namespaces: list[str] = []
        """The namespaces that hold something."""
        self._database = database
        self._configuration = dict(configuration)
        self._remake = remake
        self._proven = False
        self._saved_revision = -1
        self._saved_at = time.monotonic()
        self._save_seconds = 0.0

    @property
    def files(self) -> IndexFiles | None:
        """Where the index is kept; ``None`` for a backend that cannot be saved and for a base in memory."""
        directory = self._database.directory
        if directory is None or not self.backend.capabilities.persist:
            return None
        return IndexFiles(directory, fingerprint(self._configuration, self.backend.identity))

    def prove(self) -> None:
        """See, once, that the backend can work, before anything is stored that only it can make searchable.

        Its identity is fetched, the index on disk looked at, and a text staged and dropped, for which the
        backend loads its encoder. A backend of another make may do all its work when it stores; then only the
        storing shows.

        Raises:
            KnowledgeBaseMismatch: the index on disk is not what its fingerprint promises.
            BackendError, ConfigError, MissingExtra: the backend cannot work.
        """
        if self._proven:
            return
        files = self.files
        generation = files.generation() if files is not None else None
        if files is not None and generation is not None:
            files.stamp(generation)
        self.backend.stage([Item("probe", "probe")])
        self._proven = True

    def catch_up(self, progress: Progress | None, *, saving: bool) -> None:
        """Bring the backend to the revision of the database.

        Args:
            progress: told of each batch, stage ``index``.
            saving: whether this process holds the writer's lock, so that a long build is saved on the way.

        Raises:
            KnowledgeBaseMismatch: the index on disk is not what its fingerprint promises.
            BackendError: the backend failed; what it took so far is kept.
        """
        with self._database.read() as connection:
            catalog = Catalog(connection)
            target, owner = catalog.revision, str(catalog.setting("id"))
            pending = catalog.count_written_after(self.revision)
        if not self.ready or pending:
            self._load_newer(owner, target)
        if self.revision < target:
            self._forget_removed()
            for reached in self._embed(self.backend, self.revision, target, progress):
                self.revision = reached
                if saving:
                    self.save_if_due()
        self.revision, self.ready = target, True
        self._look_around()

    def rebuild(self, progress: Progress | None) -> Callable[[], None]:
        """Fill a backend anew from the stored passages, whatever is on disk. Needs the writer's lock.

        Nothing that a search sees changes before the result is called, which puts the new index in the place
        of the old one, in memory and on disk. Without a way to make another backend, the one there is is
        emptied and filled, and that only when the result is called.
        """
        with self._database.read() as connection:
            target = Catalog(connection).revision
        if self._remake is None:
            return lambda: self._refill(target, progress)
        fresh = self._remake()
        for _ in self._embed(fresh, 0, target, progress):
            pass
        return lambda: self._replace(fresh, target)

    def _replace(self, fresh: VectorBackend, target: int) -> None:
        self.backend, self.revision, self.ready = fresh, target, True
        self._look_around()
        self.save(overwriting=True)

    def _refill(self, target: int, progress: Progress | None) -> None:
        if self.backend.capabilities.delete and self.backend.count():
            with self._database.read() as connection:
                catalog = Catalog(connection)
                stored = [*catalog.removed_after(0), *catalog.all_passage_ids()]
            self.backend.delete(stored)
        self.revision = 0
        for reached in self._embed(self.backend, 0, target, progress):
            self.revision = reached
        self._replace(self.backend, target)

    def save(self, *, overwriting: bool = False) -> None:
        """Write the index to disk if it is ahead of what is there, or in any case. Needs the writer's lock.

        Raises:
            KnowledgeBaseError: the disk does not take it.
        """
        files = self.files
        if files is None or (self.revision == self._saved_revision and not overwriting):
            return
        started = time.monotonic()
        with self._database.read() as connection:
            owner = str(Catalog(connection).setting("id"))
        if not overwriting and self._on_disk(files, owner) >= self.revision:
            return  # another process has saved more than this one knows
        stamp = Stamp(
            fingerprint=files.root.name,
            identity=self.backend.identity,
            configuration=self._configuration,
            database=owner,
            revision=self.revision,
            count=self.backend.count(),
        )
        try:
            files.save(self.backend, stamp)
        except OSError as error:
            raise KnowledgeBaseError(f"cannot write the index at {files.root}: {error}") from error
        self._saved_revision, self._saved_at = self.revision, time.monotonic()
        self._save_seconds = self._saved_at - started

    def save_if_due(self) -> None:
        """``save``, unless the last one is so recent that saving would take most of the time."""
        if time.monotonic() - self._saved_at > max(_SAVE_EVERY, _SAVE_SHARE * self._save_seconds):
            self.save()

    def is_unsaved(self) -> bool:
        """Whether this process holds an index that it has neither read from disk nor written there."""
        return self.ready and self.revision != self._saved_revision and self.files is not None

    def is_current_on_disk(self) -> bool:
        """Whether the index on disk holds all that the database holds, as far as its stamp says."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            revision, owner = catalog.revision, str(catalog.setting("id"))
        return self.files is not None and self._on_disk(self.files, owner) == revision

    def _on_disk(self, files: IndexFiles, owner: str) -> int:
        """The revision of the generation in use; -1 when there is none, or one of another database."""
        generation = files.generation()
        stamp = files.stamp(generation) if generation is not None else None
        return stamp.revision if stamp is not None and stamp.database == owner else -1

    def _load_newer(self, owner: str, target: int) -> None:
        """Take the generation on disk if it knows more than this process does."""
        files = self.files
        generation = files.generation() if files is not None else None
        while files is not None and generation is not None:
            stamp = files.stamp(generation)
            if stamp is None or stamp.database != owner or not self.revision < stamp.revision <= target:
                return
            try:
                files.load(self.backend, generation, stamp)
            except KnowledgeBaseMismatch:
                before, generation = generation, files.generation()
                if generation == before:
                    raise
                continue  # a writer swapped it away while it was being read
            self.revision = self._saved_revision = stamp.revision
            return

    def _forget_removed(self) -> None:
        """Take out what went since; a backend that cannot keeps it, and ``stale`` grows."""
        if not self.backend.capabilities.delete or not self.revision:
            return
        with self._database.read() as connection:
            removed = Catalog(connection).removed_after(self.revision)
        if removed:
            self.backend.delete(removed)

    def _embed(
        self, backend: VectorBackend, after: int, target: int, progress: Progress | None
    ) -> Iterator[int]:
        """Add what was written after revision ``after`` in batches; yields the revision reached by each."""
        with self._database.read() as connection:
            total = Catalog(connection).count_written_after(after)
        done, reached, at = 0, after, (after, _LAST)
        while rows := self._rows_after(at, target):
            backend.add_many([row.item for row in rows])
            at = (rows[-1].revision, rows[-1].number)
            self.embedded += len(rows)
            done += len(rows)
            reached = max(reached, rows[-1].revision - 1)  # its own revision may go on
            yield reached
            if progress is not None:
                progress("index", done, total)

    def _rows_after(self, at: tuple[int, int], target: int) -> list[PassageRow]:
        with self._database.read() as connection:
            return Catalog(connection).written_after(at, target, _BATCH)

    def _look_around(self) -> None:
        """Remember what a search must know of the state just reached."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            self.stale = max(0, self.backend.count() - catalog.passage_count())
            self.namespaces = catalog.namespaces()
