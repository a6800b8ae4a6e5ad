"""Settings go in; what every request shares comes out: the knowledge base, one set of signals, the lines of work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from verifier.config import Settings
from verifier.core.chat import PatientChat
from verifier.factory import (
    SharedSignals,
    build_chat,
    build_encoder,
    build_scorer,
    open_store,
    temporary_store,
)
from verifier.guard.coherence import CoherenceScorer
from verifier.guard.factory import build_coherence_scorer, build_streaming_kernel
from verifier.guard.relevance import ContextRelevance
from verifier.guard.streaming import StreamingKernel
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.work import Line
from verifier.types import Document, Report, Status
from verifier.verification.scorer import VerifiedScorer

__all__ = ["Engine", "Options"]

Result = TypeVar("Result")

_SCORERS = 256
"""Scorers kept, one for each namespace and set of options; each is small, for the models are shared."""


@dataclass(frozen=True)
class Options:
    """What a request may change of ``[retrieval]``, ``[verdict]`` and ``[decision]``; ``None`` keeps the setting."""

    top_k: int | None = None
    fail_on: tuple[str, ...] | None = None
    min_groundedness: float | None = None
    suggest_fixes: bool | None = None

    def applied(self, settings: Settings, namespace: str) -> Settings:
        """The settings for one request."""
        decision: dict[str, object] = {"fail_on": self.fail_on, "min_groundedness": self.min_groundedness}
        changes: dict[str, dict[str, object]] = {
            "kb": {"namespace": namespace},
            "retrieval": {"top_k": self.top_k},
            "verdict": {"suggest_fixes": self.suggest_fixes},
            "decision": decision,
        }
        return settings.model_copy(
            update={
                section: getattr(settings, section).model_copy(
                    update={key: value for key, value in values.items() if value is not None}
                )
                for section, values in changes.items()
            }
        )


@dataclass(frozen=True)
class _Check:
    """One response to be verified; the key of its line says against what and how."""

    response: str
    prompt: str | None


class Engine:
    """Everything behind the routes. Made before the first request, closed after the last.

    Args:
        settings: the whole configuration.
        create: make the knowledge base where there is none.
    """

    def __init__(self, settings: Settings, *, create: bool = False) -> None:
        self.settings = settings
        self.store = open_store(settings, create=create)
        self.shared = SharedSignals.of(settings)
        own = settings.server
        bounds = {"bound": own.queue, "bound_weight": own.queue_chars}
        self.checks: Line[_Check, Report] = Line(
            self._verify_batch, name="check", workers=own.workers, max_batch=own.max_batch, **bounds
        )
        self.large_checks: Line[_Check, Report] = Line(self._verify_batch, name="large", workers=1, **bounds)
        self.tasks: Line[Callable[[], Any], Any] = Line(
            _run_all, name="task", workers=max(2, own.workers), **bounds
        )
        self.writes: Line[Callable[[], Any], Any] = Line(_run_all, name="write", workers=1, **bounds)
        self.streams = asyncio.Semaphore(own.streams)
        self._scorer = lru_cache(_SCORERS)(self._make_scorer)
        self._coherence = lru_cache(_SCORERS)(self._make_coherence)
        self._ready = threading.Event()

    # Life cycle

    def warm_up(self) -> None:
        """Load models and index, so that no request waits for them."""
        self.store.open()
        self.store.retrieve(["ready"], top_k=1, namespace=self.settings.kb.namespace)
        scorer = build_scorer(self.settings, self.store, self.shared)
        with temporary_store(self.settings) as probe:
            probe.add("ready", "The server is ready.")
            scorer.verify("The server is ready.", source=probe)
        self._ready.set()

    @property
    def ready(self) -> bool:
        """Whether the models are loaded."""
        return self._ready.is_set()

    def close(self) -> None:
        """Finish what was accepted, as long as the settings allow, and close the knowledge base."""
        seconds = self.settings.server.drain_seconds
        for line in (self.checks, self.large_checks, self.tasks, self.writes):
            line.close(seconds)
        self.store.close()

    # Work

    async def verify(self, response: str, prompt: str | None, namespace: str, options: Options) -> Report:
        """A report against a namespace of the knowledge base."""
        large = len(response) > self.settings.server.large_chars
        line = self.large_checks if large else self.checks
        future = line.submit(_Check(response, prompt), key=(namespace, options), weight=len(response))
        return await self.within(asyncio.wrap_future(future))

    async def verify_against(
        self, response: str, prompt: str | None, sources: Sequence[str], options: Options
    ) -> Report:
        """A report against texts that came with the request, and nothing else."""
        settings = options.applied(self.settings, "default")

        def check() -> Report:
            with temporary_store(settings) as store:
                store.ingest(Document(f"source {n}", f"text:{n}", text) for n, text in enumerate(sources, 1))
                return build_scorer(settings, store, self.shared).verify(response, prompt=prompt)

        return await self.do(check, weight=len(response) + sum(map(len, sources)))

    async def do(self, task: Callable[[], Result], *, weight: int = 0) -> Result:
        """Run anything else in the line of tasks."""
        return await self.within(asyncio.wrap_future(self.tasks.submit(task, weight=weight)))

    async def write(self, task: Callable[[], Result], *, weight: int = 0) -> Result:
        """Run a change of the knowledge base, one at a time.

        A client that is gone, or told that time is up, does not undo it: what was acknowledged is stored, and what was
        not may be.
        """
        return await self.within(asyncio.wrap_future(self.writes.submit(task, weight=weight)))

    async def within(self, work: Awaitable[Result]) -> Result:
        """The result, or ``TimeoutError``; a job that nobody has begun by then is dropped."""
        return await asyncio.wait_for(work, self.settings.server.request_seconds)

    # What the routes need

    def known(self, namespace: str) -> None:
        """Nothing, for a namespace that holds something.

        Raises:
            Problem: it holds nothing, so that nothing could be checked against it.
        """
        if not self.store.passage_count(namespace):
            raise Problem(404, "unknown_namespace", f"the namespace {namespace!r} holds no documents")

    def scorer(self, namespace: str, options: Options = Options()) -> VerifiedScorer:
        """The scorer of a namespace, made once."""
        return self._scorer(namespace, options)

    def coherence(self, namespace: str) -> CoherenceScorer:
        """The coherence scorer of a namespace, with its cache, made once."""
        return self._coherence(namespace)

    def kernel(self, namespace: str, prompt: str) -> StreamingKernel:
        """A kernel for one stream."""
        settings = Options().applied(self.settings, namespace)
        return build_streaming_kernel(settings, self.store, prompt=prompt, shared=self.shared)

    @cached_property
    def relevance(self) -> ContextRelevance:
        """Relevance with the configured encoder."""
        return ContextRelevance(build_encoder(self.settings.relevance.encoder))

    @cached_property
    def chat(self) -> PatientChat:
        """The model of ``[llm]``, with one budget for all requests."""
        return build_chat(self.settings.llm)

    def _make_scorer(self, namespace: str, options: Options) -> VerifiedScorer:
        return build_scorer(options.applied(self.settings, namespace), self.store, self.shared)

    def _make_coherence(self, namespace: str) -> CoherenceScorer:
        settings = Options().applied(self.settings, namespace)
        return build_coherence_scorer(settings, self.store, shared=self.shared)

    def _verify_batch(self, key: Hashable, checks: Sequence[_Check]) -> Sequence[Report | Exception]:
        """One batch. Where a claim ends in an error, each response is checked alone: no error spreads to others."""
        assert isinstance(key, tuple)
        scorer = self.scorer(*key)
        reports = scorer.verify_many([(check.response, check.prompt) for check in checks])
        if len(checks) > 1 and any(_has_error(report) for report in reports):
            return [scorer.verify(check.response, prompt=check.prompt) for check in checks]
        return reports


def _has_error(report: Report) -> bool:
    return any(claim.status is Status.ERROR for claim in report.claims)


def _run_all(key: Hashable, tasks: Sequence[Callable[[], Any]]) -> Sequence[Any]:
    del key
    outcomes: list[Any] = []
    for task in tasks:
        try:
            outcomes.append(task())
        except Exception as error:  # noqa: BLE001 - raised again where the task was put in line
            outcomes.append(error)
    return outcomes
