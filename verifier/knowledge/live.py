"""The live index: keeps a backend at the state of the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping

from verifier_backends.base import VectorBackend
from verifier_backends.types import Item

from verifier.core.errors import BackendRejected, KnowledgeBaseError, KnowledgeBaseFull, KnowledgeBaseMismatch
from verifier.knowledge.catalog import Catalog, PassageRow, State
from verifier.knowledge.faults import is_full
from verifier.knowledge.index import Index, IndexFiles, Stamp, fingerprint
from verifier.knowledge.places import KnowledgeDatabase
from verifier.knowledge.records import Progress

__all__ = ["LiveIndex", "is_of"]

_LOG = logging.getLogger(__name__)

_BATCH = 512
"""Passages handed to the backend at once."""

_SAVE_EVERY = 10.0
"""Seconds after which a build is saved on the way."""

_SAVE_SHARE = 10
"""The same as a multiple of the time that saving takes: a large index spends a tenth of it on being saved."""

_SAVE_PASSAGES = 1 << 16
"""Passages after which it is saved in any case: what is not saved is in memory, some 8 kB a passage."""

_NOTHING = State(0, "")

_LAST = 2**63 - 1
"""The largest row id."""


class LiveIndex:
    """Keeps a backend in step with the database, embedding only what it lacks.

    The order of revisions is the order of work: an index stamped ``revision`` holds everything that was
    written up to it, so a first build, a catch-up and going on after a crash are one and the same. That holds within
    one history: an index of a state that the database never went through, since the database or the index was put
    back or exchanged for a copy, counts as none.

    Args:
        backend: filled and queried; what it held before is never shown.
        database: the source of truth.
        configuration: what, with the backend's identity, names the index on disk.
        remake: makes an empty backend of the same configuration, in which a rebuild takes place.
    """

    divided = False
    """Whether other processes bring in what this one then finds."""

    def __init__(
        self,
        backend: VectorBackend,
        database: KnowledgeDatabase,
        configuration: Mapping[str, object],
        remake: Callable[[], VectorBackend] | None = None,
    ) -> None:
        self.backend = backend
        self.state = _NOTHING
        """The state of the database that the backend holds."""
        self.ready = False
        self.searchable = True
        """Whether nothing of the index on disk was left unread that a search reads."""
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
        self._saved: State | None = None
        self._refused: State | None = None
        self._saved_at = time.monotonic()
        self._save_seconds = 0.0
        self._tried = 0

    @property
    def name(self) -> str:
        """The fingerprint of the backend and its configuration."""
        return fingerprint(self._configuration, self.backend.identity)

    @property
    def files(self) -> Index | None:
        """Where the index is kept; ``None`` for a backend that cannot be saved and for a base in memory."""
        if self._database.in_memory or not self.backend.capabilities.persist:
            return None
        return self._database.index(self.name)

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
        name = self.name
        if not self._database.is_to_be_made():
            self._database.refuse_other(name)
            files = self.files
            generation = files.generation() if files is not None else None
            if files is not None and generation is not None:
                files.stamp(generation)
        self.backend.stage([Item("probe", "probe")])
        self._proven = True

    def catch_up(self, progress: Progress | None, *, saving: bool, searching: bool = True) -> None:
        """Bring the backend to the revision of the database.

        Args:
            progress: told of each batch, stage ``index``.
            saving: whether this process holds the writer's lock, so that a long build is saved on the way.
            searching: whether a search follows; else what only a search reads of the index on disk may stay unread.

        Raises:
            KnowledgeBaseMismatch: the index on disk is not what its fingerprint promises.
            BackendError: the backend failed; what it took so far is kept.
        """
        self._database.refuse_other(self.name)
        with self._database.read() as connection:
            catalog = Catalog(connection)
            target = catalog.state
            if not catalog.went_through(self.state) or (searching and self.ready and not self.searchable):
                # What the backend holds beyond is overwritten, or stale; what was left unread is read now.
                self.state, self.ready = _NOTHING, False
            pending = catalog.count_written_after(self.state.revision)
        if not self.ready or pending:
            self._load_newer(target, searching)
        if self.state.revision < target.revision:
            self._forget_removed()
            for reached in self._embed(self.backend, self.state, target, progress):
                self.state = reached
                if saving:
                    self.save_if_due()
        self.state, self.ready = target, True
        self._look_around()

    def rebuild(self, progress: Progress | None) -> Callable[[], None]:
        """Fill a backend anew from the stored passages, whatever is on disk. Needs the writer's lock.

        What it holds is set aside on the way, where it can go on from there. Nothing that a search sees changes
        before the result is called, which puts the new index in the place of the old one, in memory and on disk.
        Without a way to make another backend, the one there is is emptied and filled, and that only when the result
        is called.
        """
        with self._database.read() as connection:
            target = Catalog(connection).state
        if self._remake is None:
            return lambda: self._refill(target, progress)
        fresh, since = self._remake(), self.embedded
        for _ in self._embed(fresh, _NOTHING, target, progress):
            if self._has_taken_much(fresh, since):
                self._set_aside(fresh)
                since = self.embedded
        return lambda: self._replace(fresh, target)

    def _set_aside(self, fresh: VectorBackend) -> None:
        """Have a backend that is being filled go on from files, if the index lies in a folder."""
        files = self._database.index(fingerprint(self._configuration, fresh.identity))
        if isinstance(files, IndexFiles):
            try:
                files.set_aside(fresh)
            except (OSError, BackendRejected) as error:
                raise _unsaved(files, error) from error

    def _replace(self, fresh: VectorBackend, target: State) -> None:
        self.backend, self.state, self.ready, self.searchable = fresh, target, True, True
        self._look_around()
        self.save(overwriting=True)
        if isinstance(self.files, IndexFiles):
            self.files.remove_aside()

    def _refill(self, target: State, progress: Progress | None) -> None:
        if self.backend.capabilities.delete and self.backend.count():
            with self._database.read() as connection:
                catalog = Catalog(connection)
                stored = [*catalog.removed_after(0), *catalog.all_passage_ids()]
            self.backend.delete(stored)
        self.state = _NOTHING
        for reached in self._embed(self.backend, _NOTHING, target, progress):
            self.state = reached
        self._replace(self.backend, target)

    def save(self, *, overwriting: bool = False) -> None:
        """Write the index to disk if it is ahead of what is there, or in any case. Needs the writer's lock.

        Raises:
            KnowledgeBaseFull, KnowledgeBaseError: the disk does not take it.
        """
        files = self.files
        if files is None or (self.state == self._saved and not overwriting):
            return
        started = time.monotonic()
        with self._database.read() as connection:
            owner = str(Catalog(connection).setting("id"))
            on_disk = None if overwriting else self._on_disk(files, Catalog(connection))
        if on_disk is not None and on_disk.epoch and on_disk.revision >= self.state.revision:
            return  # another process has saved more than this one knows
        stamp = Stamp(
            fingerprint=files.name,
            identity=self.backend.identity,
            configuration=self._configuration,
            database=owner,
            revision=self.state.revision,
            epoch=self.state.epoch,
            count=self.backend.count(),
        )
        try:
            files.save(self.backend, stamp)
        except (OSError, BackendRejected) as error:
            raise _unsaved(files, error) from error
        self._saved, self._saved_at = self.state, time.monotonic()
        self._save_seconds = self._saved_at - started

    def save_if_due(self) -> None:
        """``save_if_possible``, unless the last try is so recent that saving would take most of the time.

        With many passages since, it is done all the same, if that frees their memory.
        """
        rested = time.monotonic() - self._saved_at > max(_SAVE_EVERY, _SAVE_SHARE * self._save_seconds)
        if rested or self._has_taken_much(self.backend, self._tried):
            self._tried = self.embedded
            self.save_if_possible()

    def _has_taken_much(self, backend: VectorBackend, since: int) -> bool:
        """Whether many passages were embedded since that count, and to save them would free memory."""
        return self.embedded - since >= _SAVE_PASSAGES and backend.goes_on_from_files

    def save_if_possible(self) -> None:
        """``save``, or go on without: the index in memory is whole, and another process can make it again."""
        if self.state == self._refused:
            return
        try:
            self.save()
        except KnowledgeBaseError as error:
            self._refused, self._saved_at = self.state, time.monotonic()
            _LOG.warning("%s", error)

    def is_unsaved(self) -> bool:
        """Whether this process holds an index that it has neither read from disk nor written there."""
        return self.ready and self.state != self._saved and self.files is not None

    def is_current_on_disk(self) -> bool:
        """Whether the index on disk holds all that the database holds, as far as its stamp says."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            return self.files is not None and self._on_disk(self.files, catalog) == catalog.state

    @staticmethod
    def _on_disk(files: Index, catalog: Catalog) -> State | None:
        """The state of the generation in use; ``None`` when there is none, or one of another history."""
        generation = files.generation()
        stamp = files.stamp(generation) if generation is not None else None
        return State(stamp.revision, stamp.epoch) if stamp is not None and is_of(stamp, catalog) else None

    def _load_newer(self, target: State, searching: bool) -> None:
        """Take the generation on disk if it knows more than this process does."""
        searching = searching or (self.ready and self.searchable)
        files = self.files
        generation = files.generation() if files is not None else None
        while files is not None and generation is not None:
            stamp = files.stamp(generation)
            if stamp is None or not self._is_newer(stamp, target):
                return
            try:
                files.load(self.backend, generation, stamp, searching=searching)
            except KnowledgeBaseMismatch:
                before, generation = generation, files.generation()
                if generation == before:
                    raise
                continue  # a writer swapped it away while it was being read
            self.searchable = searching
            self._take(stamp)
            return

    def _lacks_something(self, stamp: Stamp) -> bool:
        """Whether a server has lost some of what it was given, as when a copy of this knowledge base deletes there."""
        if not self.backend.resident:
            return False
        with self._database.read() as connection:
            catalog = Catalog(connection)
            wanted = catalog.passage_count() - catalog.count_written_after(stamp.revision)
        return self.backend.count() < wanted

    def _is_newer(self, stamp: Stamp, target: State) -> bool:
        with self._database.read() as connection:
            of_this_history = is_of(stamp, Catalog(connection))
        return of_this_history and self.state.revision < stamp.revision <= target.revision

    def _take(self, stamp: Stamp) -> None:
        """The backend holds what is stamped so; where the stamp has no epoch, only if that can be seen."""
        if self._lacks_something(stamp):
            return
        if stamp.epoch:
            self.state = self._saved = State(stamp.revision, stamp.epoch)
        elif self._holds_all_until(stamp.revision):
            with self._database.read() as connection:
                self.state = Catalog(connection).state_at(stamp.revision)

    def _holds_all_until(self, revision: int) -> bool:
        """Whether the backend has every passage that was written up to ``revision``, asking for each of them."""
        at, target = (0, _LAST), State(revision, "")
        while rows := self._rows_after(at, target)[0]:
            if not self.backend.capabilities.get:
                return False
            if None in self.backend.get([row.passage_id for row in rows]):
                return False
            at = (rows[-1].revision, rows[-1].number)
        return True

    def _forget_removed(self) -> None:
        """Take out what went since; a backend that cannot keeps it, and ``stale`` grows."""
        if not self.backend.capabilities.delete or not self.state.revision:
            return
        with self._database.read() as connection:
            removed = Catalog(connection).removed_after(self.state.revision)
        if removed:
            self.backend.delete(removed)

    def _embed(
        self, backend: VectorBackend, after: State, target: State, progress: Progress | None
    ) -> Iterator[State]:
        """Add what was written after the state ``after`` in batches; yields the state reached by each."""
        with self._database.read() as connection:
            total = Catalog(connection).count_written_after(after.revision)
        done, at = 0, (after.revision, _LAST)
        while True:
            rows, reached = self._rows_after(at, target)
            if not rows:
                return
            backend.add_many([row.item for row in rows])
            at = (rows[-1].revision, rows[-1].number)
            self.embedded += len(rows)
            done += len(rows)
            yield max(after, reached, key=lambda state: state.revision)
            if progress is not None:
                progress("index", done, total)

    def _rows_after(self, at: tuple[int, int], target: State) -> tuple[list[PassageRow], State]:
        """The next passages, and the state that holds all before the revision of the last: that may go on."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            rows = catalog.written_after(at, target.revision, _BATCH)
            return rows, catalog.state_at(rows[-1].revision - 1) if rows else target

    def _look_around(self) -> None:
        """Remember what a search must know of the state just reached."""
        with self._database.read() as connection:
            catalog = Catalog(connection)
            self.stale = max(0, self.backend.count() - catalog.passage_count())
            self.namespaces = catalog.namespaces()


def is_of(stamp: Stamp, catalog: Catalog) -> bool:
    """Whether an index was made of a state that this database is or was in; one without an epoch may have been."""
    own = stamp.database == str(catalog.setting("id"))
    return own and (not stamp.epoch or catalog.went_through(State(stamp.revision, stamp.epoch)))


def _unsaved(files: Index, error: OSError | BackendRejected) -> KnowledgeBaseError:
    """What is said of an index that the disk does not take."""
    cause = error if isinstance(error, OSError) else error.__cause__
    cut_short = isinstance(cause, OSError) and cause.errno is None  # how NumPy says it of an array
    return (KnowledgeBaseFull if cut_short or is_full(error) else KnowledgeBaseError)(
        f"cannot write the index at {files.place}: {error}; what was stored is in the database and is found: "
        f"make room, and run: {files.remedy}"
    )
