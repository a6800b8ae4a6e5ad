"""Check the rows of a batch by processes of this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path

from verifier.config import Settings
from verifier.core.onnx import available_cores
from verifier.interfaces.batch.engine import Outcome, Outcomes, Pending, refusal, setup_of
from verifier.interfaces.batch.pool import Pool
from verifier.interfaces.batch.rows import Refused, Row
from verifier.interfaces.processes import threads_each

__all__ = ["LocalEngine", "in_order"]

_AHEAD = 8
"""Rows for each worker that may be under way or wait to be written behind a slow one."""

_WEIGHT = 40_000_000
"""Characters of all of these together."""


class LocalEngine:
    """Some processes, among which the cores are divided.

    Args:
        settings: the whole configuration.
        has_base: whether there is a knowledge base for rows that bring no contexts.
        workers: processes; as many as there are cores by default, at most 8.
        box: where the replies of a chat model are; ``None`` where it is asked directly.
        command: how a worker is started.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        has_base: bool,
        workers: int | None = None,
        box: Path | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._workers = workers or available_cores()
        sharing = self._workers if box is None else 1  # what a job may take is counted in the box
        self._setup, self._has_base, self._command = setup_of(settings, sharing), has_base, command
        self._box = box

    def outcomes(self, pending: Iterable[Pending]) -> Outcomes:
        """As :meth:`Engine.outcomes` has it."""
        with Pool(
            self._setup,
            workers=self._workers,
            threads=threads_each(self._workers),
            has_base=self._has_base,
            box=self._box,
            command=self._command,
        ) as pool:
            yield from in_order(pending, pool, most=_AHEAD * self._workers)


def in_order(rows: Iterable[Pending], pool: Pool, *, most: int) -> Outcomes:
    """The outcomes of the rows in order; only so many rows, and so many characters, are held at a time."""
    held: deque[tuple[Pending, Future[Outcome]]] = deque()
    weight = 0
    for pending in rows:
        held.append((pending, _begun(pending[0], pool)))
        weight += pending[0].weight
        while len(held) >= most or (weight > _WEIGHT and held):
            weight -= held[0][0][0].weight
            yield _finished(*held.popleft())
    while held:
        yield _finished(*held.popleft())


def _begun(row: Row | Refused, pool: Pool) -> Future[Outcome]:
    if isinstance(row, Row):
        return pool.submit(row)
    settled: Future[Outcome] = Future()
    settled.set_result(refusal(row))
    return settled


def _finished(pending: Pending, future: Future[Outcome]) -> tuple[Pending, Outcome]:
    return pending, future.result()
