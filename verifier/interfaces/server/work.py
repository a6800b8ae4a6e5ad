"""Bounded queues of jobs, and workers that take similar jobs together."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

__all__ = ["Apart", "Busy", "Line"]

Item = TypeVar("Item")
Out = TypeVar("Out")


class Busy(Exception):
    """The line is full. ``retry_after`` is about when there will be room, in seconds."""

    def __init__(self, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__("the server has as much to do as it can hold; try again")


class Apart(Exception):
    """Jobs that were taken together are to be done one by one, by whichever worker is free."""


@dataclass
class _Job(Generic[Item, Out]):
    key: Hashable
    item: Item
    weight: int
    future: Future[Out] = field(default_factory=Future)
    begun: bool = False
    parted: bool = False

    def begin(self) -> bool:
        """Whether anybody still waits for it."""
        self.begun = self.begun or self.future.set_running_or_notify_cancel()
        return self.begun

    def goes_with(self, other: _Job[Item, Out]) -> bool:
        """Whether both may be done together; one that was parted from others is done alone."""
        return self.key == other.key and not (self.parted or other.parted)


class Line(Generic[Item, Out]):
    """A line of jobs and its workers.

    A free worker takes the job that has waited longest, and with it the other waiting jobs of the same key: under load
    they are done together, and a lone job never waits for company.

    Args:
        handle: does the jobs of one key; gives a result, or an error to be raised, for each. Raises ``Apart`` where
            several cannot be done together.
        name: of its threads.
        workers: threads.
        max_batch: jobs done together.
        bound, bound_weight: jobs that may wait, and their weights together.
        patience: seconds that a job may have to wait, as the jobs before it took; beyond it the line counts as full.
    """

    def __init__(
        self,
        handle: Callable[[Hashable, Sequence[Item]], Sequence[Out | Exception]],
        *,
        name: str,
        workers: int,
        max_batch: int = 1,
        bound: int,
        bound_weight: int,
        patience: float = float("inf"),
    ) -> None:
        self._handle, self._max_batch, self._patience = handle, max_batch, patience
        self._bound, self._bound_weight = bound, bound_weight
        self._waiting: deque[_Job[Item, Out]] = deque()
        self._weight = 0
        self._running = 0
        self._closed = False
        self._seconds = 0.0  # of a worker for a job, smoothed
        self._changed = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{n}", daemon=True) for n in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Jobs that nobody has begun."""
        return len(self._waiting)

    @property
    def crowded(self) -> bool:
        """Whether jobs wait that could be begun, if a worker were free; none counts in a line that is closed."""
        return bool(self._waiting) and not self._closed

    @property
    def full(self) -> bool:
        """Whether a job that comes now is refused."""
        with self._changed:
            return self._closed or self._is_full(0)

    @property
    def running(self) -> int:
        """Workers that are at work."""
        return self._running

    def submit(self, item: Item, *, key: Hashable = None, weight: int = 0) -> Future[Out]:
        """Put a job into the line. Cancelling its future takes it out, if nobody has begun it.

        Raises:
            Busy: the line is full or closed.
        """
        job: _Job[Item, Out] = _Job(key, item, weight)
        with self._changed:
            if self._is_full(weight):
                self._forget_cancelled()
            if self._closed or self._is_full(weight):
                raise Busy(self._until_room())
            self._waiting.append(job)
            self._weight += weight
            self._changed.notify()
        return job.future

    def close(self, seconds: float) -> None:
        """Take no more, finish what waits, and give up after ``seconds``: what is left raises ``Busy``."""
        end = time.monotonic() + seconds
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            while (self._waiting or self._running) and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
            given_up = list(self._waiting)
            self._waiting.clear()
            self._weight = 0
            self._changed.notify_all()
        for job in given_up:
            if job.begin():
                job.future.set_exception(Busy(1))

    def _is_full(self, weight: int) -> bool:
        heavy = self._weight + weight > self._bound_weight
        if not self._waiting:
            return False
        return len(self._waiting) >= self._bound or heavy or self._wait() > self._patience

    def _wait(self) -> float:
        """Seconds until a job that comes now is begun, as the last ones took."""
        return len(self._waiting) * self._seconds / len(self._threads)

    def _forget_cancelled(self) -> None:
        """Jobs whose client is gone hold no place that another could have."""
        self._waiting = deque(job for job in self._waiting if not job.future.cancelled())
        self._weight = sum(job.weight for job in self._waiting)

    def _until_room(self) -> int:
        return max(1, min(60, round(self._wait() / 2)))

    def _work(self) -> None:
        while True:
            batch = self._next_batch()
            if not batch:
                return
            started = time.monotonic()
            try:
                _settle(batch, self._handle(batch[0].key, [job.item for job in batch]))
            except Apart:
                self._part(batch)
            except Exception as error:  # noqa: BLE001 - the worker lives on; the error is the jobs'
                _settle(batch, [error] * len(batch))
            with self._changed:
                self._running -= 1
                took = (time.monotonic() - started) / len(batch)
                self._seconds = 0.8 * self._seconds + 0.2 * took if self._seconds else took
                self._changed.notify_all()

    def _part(self, batch: Sequence[_Job[Item, Out]]) -> None:
        """Put jobs back, before all others, each by itself."""
        with self._changed:
            for job in reversed(batch):
                job.parted = True
                self._waiting.appendleft(job)
                self._weight += job.weight

    def _next_batch(self) -> list[_Job[Item, Out]]:
        """The next jobs to do; none where the line is closed and empty."""
        with self._changed:
            while True:
                batch = self._taken()
                if batch:
                    self._running += 1
                    return batch
                if self._closed:
                    return []
                self._changed.wait()

    def _taken(self) -> list[_Job[Item, Out]]:
        taken: list[_Job[Item, Out]] = []
        left: deque[_Job[Item, Out]] = deque()
        while self._waiting:
            job = self._waiting.popleft()
            if taken and (len(taken) >= self._max_batch or not job.goes_with(taken[0])):
                left.append(job)
                continue
            self._weight -= job.weight
            if job.begin():
                taken.append(job)
        self._waiting = left
        return taken


def _settle(jobs: Sequence[_Job[Item, Out]], outcomes: Sequence[Out | Exception]) -> None:
    """Give each job what came of it."""
    for job, outcome in zip(jobs, outcomes, strict=True):
        if isinstance(outcome, Exception):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)
