"""What the server did, counted: requests, times, verdicts and what waits, in the words of Prometheus."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from verifier.core.errors import StateUnavailable
from verifier.guard.gate.history import GateHistory
from verifier.guard.gate.stats import GateStats, gate_stats
from verifier.interfaces.server.fleet.board import LINES, WorkerState
from verifier.interfaces.server.logs import log_failure
from verifier.types import Report

if TYPE_CHECKING:
    from verifier.interfaces.server.engine import Engine

__all__ = ["Metrics", "StateFailures"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The counters of one server; each has its own registry, so that several can live in one process.

    Args:
        engine: asked for its board.
    """

    def __init__(self, engine: Engine) -> None:
        # What is counted lies in files that all workers share, where there are several; the folder is theirs to name.
        self._shared = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        self.registry = CollectorRegistry()
        known: dict[str, Any] = {"registry": None if self._shared else self.registry}
        self.requests = Counter(
            "verifier_requests", "Requests by route and status.", ["method", "route", "status"], **known
        )
        self.seconds = Histogram(
            "verifier_request_seconds", "Time to the end of the answer.", ["route"], buckets=_SECONDS, **known
        )
        self.claims = Counter(
            "verifier_claims", "Pieces of responses by what became of them.", ["verdict"], **known
        )
        self.reports = Counter("verifier_reports", "Reports by decision.", ["decision"], **known)
        self.state_failures = Counter(
            "verifier_state_failures", "Times that the shared state could not be reached.", **known
        )
        if self._shared:
            MultiProcessCollector(self.registry, path=self._shared)  # type: ignore[no-untyped-call]
        self.registry.register(_BoardCollector(engine))
        if engine.settings.gate.history:
            self.registry.register(_GateCollector(GateHistory(Path(engine.settings.gate.history))))

    def count(self, report: Report) -> None:
        """Count what a report says."""
        self.reports.labels(report.decision.value).inc()
        for claim in report.claims:
            self.claims.labels(claim.verdict.value if claim.verdict else claim.status.value).inc()

    def exposition(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


class StateFailures:
    """Counts each time that the shared state could not be reached, and tells the log at most once a minute.

    Args:
        metrics: where it is counted.
        clock: seconds; replaced in tests.
    """

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._metrics, self._clock = metrics, clock
        self._silent_until = 0.0

    def __call__(self, error: StateUnavailable) -> None:
        """One more."""
        self._metrics.state_failures.inc()
        if self._clock() >= self._silent_until:
            self._silent_until = self._clock() + 60
            log_failure(error, "state_unavailable")


class _BoardCollector:
    """What waits, runs and streams in all workers, read off the board."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def collect(self) -> Iterable[Metric]:
        """The families of metrics."""
        self._engine.tell()
        board = self._engine.place.board
        waiting = GaugeMetricFamily("verifier_waiting", "Jobs that nobody has begun.", labels=["line"])
        running = GaugeMetricFamily("verifier_running", "Threads that are at work.", labels=["line"])
        for name in LINES:
            waits, runs = board.counts(name)
            waiting.add_metric([name], waits)
            running.add_metric([name], runs)
        workers = GaugeMetricFamily("verifier_workers", "Worker processes by state.", labels=["state"])
        states = board.states()
        for state in WorkerState:
            workers.add_metric([state.name.lower()], states.count(state))
        restarts = CounterMetricFamily("verifier_worker_restarts", "Workers that were started anew.")
        restarts.add_metric([], board.restarts)
        streams = GaugeMetricFamily("verifier_streams", "Streams under way.", value=board.streams())
        return [waiting, running, workers, restarts, streams]


class _GateCollector:
    """The gate's statistics, counted from its record whenever they are asked for."""

    def __init__(self, history: GateHistory) -> None:
        self._history = history

    def collect(self) -> Iterable[Metric]:
        """The families of metrics."""
        if not self._history.path.is_file():
            return []
        return _families(gate_stats(self._history.decisions()))


def _families(stats: GateStats) -> list[Metric]:
    decisions = CounterMetricFamily("verifier_gate_decisions", "Decisions of the gate.", labels=["kind"])
    rates = {
        name: GaugeMetricFamily(f"verifier_gate_{name}", f"Share: {text}.", labels=["kind"])
        for name, text in (
            ("retry_rate", "decisions that took more than one attempt"),
            ("accepted_after_retry", "of those, the accepted"),
            ("fallback_rate", "decisions that ended in the fallback text"),
            ("average_confidence", "mean confidence of the best attempts"),
        )
    }
    for kind, one in (("all", stats), *stats.by_kind.items()):
        decisions.add_metric([kind], one.decisions)
        for name, family in rates.items():
            value = getattr(one, name)
            if value is not None:
                family.add_metric([kind], value)
    total, buckets = 0, []
    for at, count in enumerate(stats.histogram, 1):
        total += count
        buckets.append((str(at / len(stats.histogram)), float(total)))
    mean = stats.average_confidence or 0.0
    histogram = HistogramMetricFamily("verifier_gate_confidence", "Confidence of the best attempts.")
    histogram.add_metric([], [*buckets, ("+Inf", float(total))], sum_value=mean * total)
    return [decisions, *rates.values(), histogram]
