"""Check one row: its record is a report or an error of this row; what is wrong with more than it is raised."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.config import Settings
from verifier.core.errors import BackendError, IngestError, KnowledgeBaseError, VerifierError
from verifier.factory import build_batched_reader, open_store
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.library import shared_scorer
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Report, Status
from verifier.verification.contexts import GivenContexts, documents_of
from verifier.verification.report import to_json

if TYPE_CHECKING:
    from verifier.readers.batched import BatchedReader

__all__ = ["Checker", "claims_in_error", "error_record"]

_PAUSES = (0.0, 1.0, 4.0)
"""Seconds before each look at whether a backend that failed answers again."""

_Outcome = dict[str, Any]


def error_record(kind: str, message: str) -> _Outcome:
    """What a record says of an error."""
    return {"error": {"kind": kind, "message": message}}


class Checker:
    """Checks rows with models that are loaded once. The knowledge base is opened by the first row that needs it.

    Args:
        settings: the whole configuration.
        has_base: whether there is a knowledge base.
        box: where the replies of a chat model are, and what waits for one is left.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        has_base: bool,
        box: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings, self._has_base, self._sleep = settings, has_base, sleep
        self._scorer = shared_scorer(settings)
        self._batched: BatchedReader | None = None
        if box is not None:
            self._batched, reader = build_batched_reader(settings, box)
            self._scorer = self._scorer.asking(reader)
        self._store: GroundTruthStore | None = None

    def record(self, row: Row) -> _Outcome:
        """The report of a row, the error that is its own, or ``waits_for``: the requests that wait for a batch.

        Raises:
            VerifierError: the configuration or the knowledge base cannot be used: no other row would fare better.
        """
        try:
            report = self._against_contexts(row) if row.contexts is not None else self._against_base(row)
        except (IngestError, TypeError, _NotThere) as error:
            return error_record("row", str(error))
        except VerifierError:
            raise
        except MemoryError:
            return error_record("memory", "there was not enough memory to check it")
        except Exception as error:  # noqa: BLE001 - a defect that one row shows must not stop the others
            return error_record("internal", f"{type(error).__name__}: {error}")
        if self._batched is not None and (keys := self._batched.waits_for()) is not None:
            return {"waits_for": keys}
        told = {"decision": report.decision.value, "report": to_json(report)}
        return {**told, **claims_in_error(report)}

    def _against_contexts(self, row: Row) -> Report:
        source = GivenContexts(documents_of(row.contexts or ()), self._settings.chunking.max_chars)
        return self._scorer.verify(row.response, prompt=row.prompt, source=source)

    def _against_base(self, row: Row) -> Report:
        store, namespace = self._opened(), row.namespace or self._settings.kb.namespace
        if namespace not in store.namespaces():
            known = ", ".join(store.namespaces()) or "none"
            raise _NotThere(
                f"namespace {namespace!r} of the knowledge base holds nothing; those that do: {known}"
            )
        scorer = self._scorer.within(namespace)
        report = scorer.verify(row.response, prompt=row.prompt, source=store)
        waits = self._batched is not None and self._batched.is_waiting
        if claims_in_error(report) and not waits:
            self._wait_for_base(store, namespace)
            return scorer.verify(row.response, prompt=row.prompt, source=store)
        return report

    def _opened(self) -> GroundTruthStore:
        if not self._has_base:
            raise _NotThere("the row brings no contexts, and there is no knowledge base: name it with --kb")
        if self._store is None:
            self._store = open_store(self._settings)
            self._store.open()
        return self._store

    def _wait_for_base(self, store: GroundTruthStore, namespace: str) -> None:
        """See that the knowledge base answers; where it does, a failure was the row's own, or has passed.

        Raises:
            BackendError, KnowledgeBaseError: it does not.
        """
        for last, pause in ((pause == _PAUSES[-1], pause) for pause in _PAUSES):
            self._sleep(pause)
            try:
                store.retrieve(["ready"], top_k=1, namespace=namespace)
                return
            except (BackendError, KnowledgeBaseError):
                if last:
                    raise

    def close(self) -> None:
        """Close the knowledge base, and the box."""
        if self._store is not None:
            self._store.close()
        if self._batched is not None:
            self._batched.close()


class _NotThere(Exception):
    """What a row is to be checked against is not there."""


def claims_in_error(report: Report) -> _Outcome:
    """The error of a report some of whose claims could not be checked; nothing where all were."""
    failed = [claim for claim in report.claims if claim.status is Status.ERROR]
    if not failed:
        return {}
    return error_record("claims", f"{len(failed)} of {len(report.claims)} claims: {failed[0].reason}")
