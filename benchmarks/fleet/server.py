"""Options -> rows of ``verifier serve`` with one worker and two: processor time a request, rate and memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.fleet.rows import Options, Row
from benchmarks.node import node

__all__ = ["FIGURES", "rows"]

FIGURES: Mapping[str, tuple[str, str]] = {
    "cpu_ms_a_request": ("server, processor time of a request", "ms"),
    "answers_a_second": ("server, answers a second", "a second"),
    "own_mb_a_worker": ("server, memory of each worker of its own", "MB"),
    "shared_mb_a_worker": ("server, memory that workers share", "MB"),
}
"""Figure of ``benchmarks.node`` -> what it is, and its unit."""

CLIENTS = 8


def rows(options: Options) -> Iterator[Row]:
    """The figures of each number of workers."""
    conditions = (
        f"{options.requests} short answers of corpora/streams, {CLIENTS} clients, all signals, hybrid"
    )
    for workers in (1, 2):
        told = node(workers, requests=options.requests, clients=CLIENTS, nli=True)
        name = f"ours, {workers} worker{'s' * (workers > 1)}"
        for key, (what, unit) in FIGURES.items():
            yield Row(what, name, float(told[key]), unit, conditions)
