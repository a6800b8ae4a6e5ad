"""The index that many processes fill: a backend that all of them see and a database that divides the work in."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from verifier_backends.base import VectorBackend

from verifier.knowledge.catalog import Catalog, State
from verifier.knowledge.index import Index
from verifier.knowledge.live import LiveIndex
from verifier.knowledge.places import KnowledgeDatabase
from verifier.knowledge.postgres.database import Claim, PostgresDatabase
from verifier.knowledge.records import Progress

__all__ = ["SharedIndex", "index_over"]

_BATCH = 256
"""Passages claimed at once: what another process does again where this one dies."""

_PAUSE = 0.05
"""Seconds between looks at whether the others are done."""


def index_over(
    backend: VectorBackend,
    database: KnowledgeDatabase,
    configuration: dict[str, object],
    remake: Callable[[], VectorBackend] | None,
) -> LiveIndex:
    """The index that keeps a backend in step with a database: shared, where both can be."""
    if isinstance(database, PostgresDatabase) and backend.divided:
        return SharedIndex(backend, database, configuration, remake)
    return LiveIndex(backend, database, configuration, remake)


class SharedIndex(LiveIndex):
    """Brings a backend that all processes see up to date together with the others, no passage twice.

    The first process makes the index, the others join it. What is not in it yet waits in the database; each process
    claims some of that, and none is done before nothing waits.
    """

    divided = True

    def __init__(
        self,
        backend: VectorBackend,
        database: PostgresDatabase,
        configuration: dict[str, object],
        remake: Callable[[], VectorBackend] | None = None,
    ) -> None:
        super().__init__(backend, database, configuration, remake)
        self._shared = database
        self._joined: Path | None = None

    def catch_up(
        self,
        progress: Progress | None,
        *,
        saving: bool,  # noqa: ARG002 - nothing is saved here
        searching: bool = True,  # noqa: ARG002 - and nothing left unread
    ) -> None:
        """Bring the backend to the revision of the database, with the help of all that do the same.

        A user who may only read searches what the others have brought in.
        """
        with self._shared.read() as connection:
            catalog = Catalog(connection)
            target, some = catalog.state, catalog.passage_count() > 0
        self._shared.refuse_other(self.name)
        joined = self._join()
        if not self._shared.read_only and (joined or (some and self._found())):
            self._bring_in(target, progress)
        self.state, self.ready = target, True
        self._look_around()

    def is_current_on_disk(self) -> bool:
        """Whether nothing waits to be brought in."""
        with self._shared.read() as connection:
            state = Catalog(connection).state
        if self._shared.read_only:
            return self.ready and self.state == state
        return self.ready and self.state == state and not self._shared.waiting(self.name, state.revision)

    def is_unsaved(self) -> bool:
        """What is brought in is where it stays."""
        return False

    def save(self, *, overwriting: bool = False) -> None:
        """Nothing, but for an index made anew, which takes the place of the one that there was."""
        if overwriting:
            super().save(overwriting=True)
            self._joined = self._rows.generation()

    @property
    def _rows(self) -> Index:
        return self._shared.index(self.name)

    def _join(self) -> bool:
        """Take the index in use, where there is one."""
        files = self._rows
        generation = files.generation()
        if generation is not None and generation != self._joined:
            stamp = files.stamp(generation)
            if stamp is None:
                return self._join()  # it was replaced just now
            files.load(self.backend, generation, stamp)
            self._joined = generation
        return generation is not None

    def _found(self) -> bool:
        """Make the index with the first passage in it, unless another process has just done so."""
        with self._shared.founding():
            if self._join():
                return True
            rows, _ = self._rows_after((0, 0), State(2**63 - 1, ""))
            if not rows:
                return False
            self.backend.add_many([rows[0].item])
            self.state = State(0, "")
            self.save(overwriting=True)
            self._shared.known(self.name, rows[0].revision, rows[0].passage_id)
            self.embedded += 1
            return True

    def _bring_in(self, target: State, progress: Progress | None) -> None:
        """Claim and bring in passages until none waits, not for another process either."""
        total, done = self._shared.waiting(self.name, target.revision), 0
        while True:
            with self._shared.claim(self.name, target.revision, _BATCH) as claim:
                self._bring(claim)
                done += len(claim.passage_ids)
            if claim.passage_ids:
                if progress is not None:
                    progress("index", min(done, total), total)
            elif self._shared.waiting(self.name, target.revision):
                time.sleep(_PAUSE)
            else:
                return

    def _bring(self, claim: Claim) -> None:
        catalog, ids = Catalog(claim.connection), claim.passage_ids
        rows = catalog.passage_rows(ids)
        self.embedded += len(rows)
        if rows:
            self.backend.add_many([row.item for row in rows.values()])
        # What went while it was embedded is taken out by whoever comes later: this process here, or its remover.
        there = set(catalog.passage_rows(ids))
        gone = [one for one in ids if one not in there]
        if gone and self.backend.capabilities.delete:
            self.backend.delete(gone)
