"""What every request shares: the knowledge base, one set of signals, the queues of work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, TypeVar

from verifier.config import Settings
from verifier.core.chat import PatientChat
from verifier.core.deadline import each
from verifier.core.errors import KnowledgeBaseNotFound, SignalError, VerifierError
from verifier.core.once import made_once
from verifier.factory import (
    SharedSignals,
    build_chat,
    build_encoder,
    build_scorer,
    open_store,
    temporary_store,
)
from verifier.guard.coherence import CoherenceScorer
from verifier.guard.factory import build_coherence_scorer, build_review_cache, build_streaming_kernel
from verifier.guard.rating import LLMCoherenceRater, rater_from_environment
from verifier.guard.relevance import ContextRelevance
from verifier.guard.streaming import StreamingKernel
from verifier.interfaces.server.fleet.board import Board, Place, WorkerState
from verifier.interfaces.server.giving_up import Dear, GivenUp, Ticket, spent_quickly
from verifier.interfaces.server.lines import Check, Lines
from verifier.interfaces.server.logs import log_failure
from verifier.interfaces.server.options import AS_CONFIGURED, Options
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.work import Apart, Line
from verifier.knowledge.creation import DATABASE_NAME
from verifier.knowledge.records import IngestSummary
from verifier.measure.ready import ReadySignals
from verifier.types import Document, Report, Status
from verifier.verification.progress import Watcher
from verifier.verification.scorer import VerifiedScorer

__all__ = ["GIVEN", "Engine"]

Result = TypeVar("Result")

GIVEN = "default"
"""The namespace of texts that come with a request."""

_SCORERS = 256
"""Scorers kept, one for each namespace and set of options; each is small, for the models are shared."""


class Engine:
    """Everything behind the routes. Made before the first request, closed after the last.

    Args:
        settings: the whole configuration.
        create: make the knowledge base where there is none.
        place: where it tells what it does; a board of its own by default.
        shared: the signals. Where nobody has learnt weights for their NLI model, that is done now: no request could
            wait so long.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        create: bool = False,
        shared: SharedSignals | None = None,
        place: Place | None = None,
    ) -> None:
        self.settings = settings
        self.place = place or Board(1).place(0)
        self.store = open_store(settings, create=create)
        self.store.open()
        self.shared = shared or ReadySignals.of(settings)
        _ = self.shared.fusion
        own = settings.server
        self.lines = Lines(own, self._verify_batch)
        self._scorer = lru_cache(_SCORERS)(self._make_scorer)
        self._coherence = lru_cache(_SCORERS)(self._make_coherence)
        self._reviews = build_review_cache(settings)
        self._ready = threading.Event()
        self.place.state = WorkerState.LOADING

    # Life cycle

    def warm_up(self) -> None:
        """Load models and index, so that no request waits for them. What fails is logged, and ``ready`` stays false.

        A reader is not asked: it costs, and its server may come later than this one.
        """
        try:
            self.store.retrieve(["ready"], top_k=1, namespace=self.settings.kb.namespace)
            with temporary_store(self.settings) as probe:
                probe.add("ready", "The server is ready.")
                scorer = build_scorer(self.settings, probe, self.shared).by_signals()
                [claim] = scorer.verify("The server is ready.").claims
            if claim.status is Status.ERROR:
                raise SignalError(claim.reason)
            self._ready.set()
            self.look()
        except Exception as error:  # noqa: BLE001 - it is told by the log and by /readyz
            log_failure(error, "not_ready")

    @property
    def ready(self) -> bool:
        """Whether the models are loaded."""
        return self._ready.is_set()

    def look(self) -> None:
        """Tell whether the knowledge base can be read; one that is about to stop has nothing more to tell of it."""
        state = WorkerState.READY
        try:
            where = self.store.directory
            if where is not None and not (where / DATABASE_NAME).exists():
                raise KnowledgeBaseNotFound(f"{where} is gone")
            self.store.namespaces()
        except VerifierError as error:
            state = WorkerState.UNREADABLE
            if self.place.state is not state:
                log_failure(error, "unreadable")
        if self.place.state is not WorkerState.DRAINING:
            self.place.state = state if self.ready else WorkerState.LOADING

    def tell(self) -> None:
        """What waits and runs, for whoever asks another worker."""
        lines = self.lines.by_name
        self.place.tell(
            full=self.lines.checks.full,
            counts={name: (line.waiting, line.running) for name, line in lines.items()},
        )

    def close(self) -> None:
        """Finish what was accepted, as long as the settings allow, and close the knowledge base.

        Where a job is still at work then, the files stay open for it: what it commits is whole or not there.
        """
        if self.lines.close(self.settings.server.drain_seconds):
            self.store.close()

    # Work

    async def verify(self, response: str, prompt: str | None, namespace: str, options: Options) -> Report:
        """A report against a namespace of the knowledge base."""
        ticket, size = self._ticket(), len(response)
        if size <= self.settings.server.large_chars:
            check, key = Check(response, prompt, ticket), (namespace, options)
            with suppress(Dear):
                return await self._awaited(self.lines.checks.submit(check, key=key, weight=size), ticket)
        scorer = self.scorer(namespace, options)
        return await self._result(
            self.lines.large, lambda: scorer.verify(response, prompt=prompt), size, ticket
        )

    async def verify_watched(
        self, response: str, prompt: str | None, namespace: str, options: Options, watcher: Watcher
    ) -> Report:
        """:meth:`verify`, which tells of each claim as it is judged. Where it proves dear it is begun anew."""
        scorer = self.scorer(namespace, options)
        return await self.do(
            lambda: scorer.verify(response, prompt=prompt, watcher=watcher), weight=len(response)
        )

    async def verify_against(
        self,
        response: str,
        prompt: str | None,
        sources: Sequence[Document],
        options: Options,
        watcher: Watcher | None = None,
    ) -> Report:
        """A report against texts that came with the request, and nothing else; watched as :meth:`verify_watched` is."""
        settings = options.applied(self.settings, GIVEN)

        def check() -> Report:
            with temporary_store(settings) as store:
                store.ingest(each(sources), namespace=GIVEN)
                scorer = build_scorer(settings, store, self.shared)
                return scorer.verify(response, prompt=prompt, watcher=watcher)

        return await self.do(check, weight=len(response) + sum(len(source.text) for source in sources))

    async def do(self, task: Callable[[], Result], *, weight: int = 0) -> Result:
        """Run anything else: what is large, or proves dear, behind what is large, so that the short passes.

        What proves dear is begun anew there: ``task`` must change nothing.
        """
        ticket, own = self._ticket(), self.settings.server
        if weight <= own.large_chars:
            line = self.lines.tasks
            quick = partial(spent_quickly, [ticket], own.quick_seconds, task, others=lambda: line.crowded)
            with suppress(Dear):
                return await self._awaited(line.submit(quick, weight=weight), ticket)
        return await self._result(self.lines.large, task, weight, ticket)

    async def ask(self, task: Callable[[], Result], *, weight: int = 0) -> Result:
        """Run what waits for a language model."""
        return await self._result(self.lines.asks, task, weight)

    async def read(self, task: Callable[[], Result], *, weight: int) -> Result:
        """Run the reading of an upload."""
        return await self._result(self.lines.uploads, task, weight)

    async def store_documents(
        self, documents: Sequence[Document], namespace: str, prune_under: Sequence[str] = ()
    ) -> IngestSummary:
        """Store documents, one request at a time.

        A client that is gone, or told that time is up, does not undo it: what was acknowledged is stored, and what was
        not may be, in part.
        """
        return await self._result(
            self.lines.writes,
            lambda: self.store.ingest(each(documents), namespace=namespace, prune_under=prune_under),
            sum(len(document.text) for document in documents),
        )

    async def write(self, task: Callable[[], Result]) -> Result:
        """Run another change of the knowledge base."""
        return await self._result(self.lines.writes, task, 0)

    async def _result(
        self, line: Line[Any, Any], task: Callable[[], Result], weight: int, ticket: Ticket | None = None
    ) -> Result:
        ticket = ticket or self._ticket()
        return await self._awaited(line.submit(partial(ticket.spent_on, task), weight=weight), ticket)

    def _ticket(self) -> Ticket:
        return Ticket(self.settings.server.request_seconds)

    async def _awaited(self, future: Future[Result], ticket: Ticket) -> Result:
        """The result, or ``TimeoutError``; a job that nobody has begun by then is dropped, one under way is told."""
        try:
            async with asyncio.timeout(ticket.left):
                return await asyncio.wrap_future(future)
        except GivenUp as error:  # its worker was first to see that time is up
            raise TimeoutError from error
        except (TimeoutError, asyncio.CancelledError):
            ticket.give_up()
            raise

    # What the routes need

    def known(self, namespace: str) -> None:
        """Nothing, for a namespace that holds something.

        Raises:
            Problem: it holds nothing, so that nothing could be checked against it.
        """
        if namespace not in self.store.namespaces():
            raise Problem(404, "unknown_namespace", f"the namespace {namespace!r} holds no documents")

    def scorer(self, namespace: str, options: Options = AS_CONFIGURED) -> VerifiedScorer:
        """The scorer of a namespace, made once."""
        return self._scorer(namespace, options)

    def coherence(self, namespace: str) -> CoherenceScorer:
        """The coherence scorer of a namespace, with its cache, made once."""
        return self._coherence(namespace)

    def kernel(self, namespace: str, prompt: str) -> StreamingKernel:
        """A kernel for one stream."""
        settings = AS_CONFIGURED.applied(self.settings, namespace)
        return build_streaming_kernel(settings, self.store, prompt=prompt, shared=self.shared)

    @made_once
    def relevance(self) -> ContextRelevance:
        """Relevance with the configured encoder, loaded once."""
        return ContextRelevance(build_encoder(self.settings.relevance.encoder))

    @made_once
    def chat(self) -> PatientChat:
        """The model of ``[llm]``, with one budget for all requests."""
        return build_chat(self.settings.llm)

    @made_once
    def rater(self) -> LLMCoherenceRater:
        """The rater of coherence that the environment names, if any."""
        return rater_from_environment()

    def _make_scorer(self, namespace: str, options: Options) -> VerifiedScorer:
        return build_scorer(options.applied(self.settings, namespace), self.store, self.shared)

    def _make_coherence(self, namespace: str) -> CoherenceScorer:
        settings = AS_CONFIGURED.applied(self.settings, namespace)
        # One cache for all: its keys name the namespace, its state and the settings.
        return build_coherence_scorer(settings, self.store, shared=self.shared, cache=self._reviews)

    def _verify_batch(self, key: Hashable, checks: Sequence[Check]) -> Sequence[Report | Exception]:
        """One batch. Where anything fails or takes too long, each response is checked alone: nothing spreads to others.

        What a reader failed on is no such error: it has asked about those claims alone already.
        """
        assert isinstance(key, tuple)
        check_all = partial(
            self.scorer(*key).verify_many, [(check.response, check.prompt) for check in checks]
        )
        tickets, quick = [check.ticket for check in checks], self.settings.server.quick_seconds
        try:
            reports = spent_quickly(tickets, quick, check_all, others=lambda: self.lines.checks.crowded)
        except Exception as error:
            if len(checks) == 1:
                raise
            raise Apart from error
        if len(checks) == 1:
            return reports
        if any(_has_error(report) for report in reports):
            raise Apart
        return reports


def _has_error(report: Report) -> bool:
    return any(claim.status is Status.ERROR and claim.reader is None for claim in report.claims)
