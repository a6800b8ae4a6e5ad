"""Try one backend: its rankings, its times and the verdicts over it. Nothing of it stays."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from verifier_backends.base import VectorBackend
from verifier_backends.types import Item

from verifier.config import Settings
from verifier.core.errors import BackendError, VerifierError
from verifier.factory import SharedSignals, backend_description, build_backend, build_scorer
from verifier.knowledge.index import INDEX_FOLDER, IndexFiles, folder_bytes, remove
from verifier.knowledge.records import Progress
from verifier.knowledge.store import GroundTruthStore
from verifier.measure.comparison import Measured, Outcome
from verifier.types import Claim, ClaimVerdict

__all__ = ["NDCG_DEPTH", "Asked", "Candidate", "Trial"]

NDCG_DEPTH = 10


@dataclass(frozen=True)
class Candidate:
    """A backend to be compared: its name in the table, how an empty one is made, and its whole configuration."""

    name: str
    make: Callable[[], VectorBackend]
    config: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, table: Mapping[str, Any]) -> Candidate:
        """From a table as ``[backend]`` has it. Nothing is built yet, but every key is checked.

        Raises:
            UnknownPlugin, ConfigError: the table is wrong.
        """
        return cls(name, partial(build_backend, table), backend_description(table))


@dataclass(frozen=True)
class Asked:
    """What one backend was found to do; ``measured`` still lacks what depends on the other backends."""

    candidate: Candidate
    measured: Measured
    rankings: Sequence[Sequence[str]] = ()
    outcomes: Sequence[Outcome] = ()


@dataclass(frozen=True)
class Trial:
    """What every backend of a comparison is asked, over one copy of a knowledge base."""

    settings: Settings
    copy: Path
    texts: Sequence[str]
    claims: Sequence[Claim]
    k: int
    progress: Progress | None
    shared: SharedSignals

    def ask(self, candidate: Candidate) -> Asked:
        """Build, ask and remove one backend; an error of it becomes its row."""
        try:
            with ExitStack() as afterwards:
                backend = candidate.make()
                afterwards.callback(self._take_away, candidate, backend)
                return self._ask(candidate, backend)
        except VerifierError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a backend of a third party may raise anything: its row says so
            reason = f"{type(error).__name__}: {error}"
        return Asked(candidate, Measured(candidate.name, candidate.config, error=reason))

    def _ask(self, candidate: Candidate, backend: VectorBackend) -> Asked:
        backend.stage([Item("probe", "probe")])  # loads the encoder, whose time is not that of the build
        configuration = {"compared": candidate.name, **candidate.config}
        tell = partial(self._tell, candidate.name)
        with GroundTruthStore(backend, self.copy, fingerprint_of=configuration, progress=tell) as store:
            started = time.perf_counter()
            store.retrieve([])
            build_seconds = time.perf_counter() - started
            rankings, seconds = self._search(store, tell)
            outcomes = self._judge(store) if self.claims else []
            size = _index_bytes(store)
        p50, p95 = np.percentile(seconds, [50, 95]) * 1000
        errors = [outcome for outcome in outcomes if outcome.verdict == "error"]
        measured = Measured(
            candidate.name,
            candidate.config,
            error=errors[0].reason if errors else None,
            build_seconds=build_seconds,
            p50_ms=float(p50),
            p95_ms=float(p95),
            index_bytes=size,
            verdicts=dict(sorted(Counter(outcome.verdict for outcome in outcomes).items())),
            keyword=sum(outcome.keyword for outcome in outcomes),
        )
        return Asked(candidate, measured, rankings, outcomes)

    def _search(self, store: GroundTruthStore, tell: Progress) -> tuple[list[list[str]], list[float]]:
        """Ids of the passages found for each query, and the seconds that each took, asked one at a time."""
        space = self.settings.kb.namespace
        where = None if store.namespaces() == [space] else {"namespace": space}
        depth = max(self.k, NDCG_DEPTH)
        rankings, seconds = [], []
        store.backend.query_many(["warm up"], depth, where)
        for done, text in enumerate(self.texts, 1):
            started = time.perf_counter()
            [hits] = store.backend.query_many([text], depth, where)
            seconds.append(time.perf_counter() - started)
            rankings.append([hit["id"] for hit in hits])
            tell("queries", done, len(self.texts))
        return rankings, seconds

    def _judge(self, store: GroundTruthStore) -> list[Outcome]:
        scorer = build_scorer(self.settings, store, self.shared)
        return [_outcome(verdict) for verdict in scorer.judge(self.claims, store)]

    def _tell(self, name: str, stage: str, done: int, total: int | None) -> None:
        if self.progress is not None:
            self.progress(f"{name}: {stage}", done, total)

    def _take_away(self, candidate: Candidate, backend: VectorBackend) -> None:
        """Remove the index, also what it holds on a server."""
        remove(self.copy / INDEX_FOLDER)
        if not backend.resident:
            return
        left = self.copy.parent / "left"
        try:
            if backend.count():
                backend.save(left)
                candidate.make().discard(left)
        except VerifierError as error:
            raise BackendError(
                f"{error}; what it stored on the server for this comparison is left there"
            ) from error
        finally:
            remove(left)


def _index_bytes(store: GroundTruthStore) -> int | None:
    """Size on disk of the generation in use; ``None`` for an index that cannot be saved, or lies on a server."""
    names = [index["fingerprint"] for index in store.stats()["indexes"] if index["in_use"]]
    if store.backend.resident or store.directory is None or not names:
        return None
    generation = IndexFiles(
        store.directory, names[0]
    ).generation()  # a long build leaves an older one beside it
    return folder_bytes(generation) if generation is not None else None


def _outcome(verdict: ClaimVerdict) -> Outcome:
    return Outcome(
        verdict=verdict.verdict.value if verdict.verdict is not None else verdict.status.value,
        support=verdict.support,
        confidence=verdict.confidence,
        reason=verdict.reason,
        decided_by=verdict.decided_by,
        keyword=any(item.retrieved_by == "keyword" for item in verdict.evidence),
    )
