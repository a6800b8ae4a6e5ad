"""What the server did, counted: requests, times, verdicts and what waits, in the words of Prometheus."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from verifier.guard.gate.history import GateHistory
from verifier.guard.gate.stats import GateStats, gate_stats
from verifier.types import Report

if TYPE_CHECKING:
    from verifier.interfaces.server.engine import Engine

__all__ = ["Metrics"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The counters of one server; each has its own registry, so that several can live in one process.

    Args:
        engine: asked for what waits.
    """

    def __init__(self, engine: Engine) -> None:
        self.registry = CollectorRegistry()
        known: dict[str, Any] = {"registry": self.registry}
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
        self.streams = Gauge("verifier_streams", "Streams under way.", **known)
        waiting = Gauge("verifier_waiting", "Jobs that nobody has begun.", ["line"], **known)
        running = Gauge("verifier_running", "Workers that are at work.", ["line"], **known)
        for name, line in engine.lines.by_name.items():
            running.labels(name).set_function(lambda line=line: line.running)  # type: ignore[misc]
            waiting.labels(name).set_function(lambda line=line: line.waiting)  # type: ignore[misc]
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
