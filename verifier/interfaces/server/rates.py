"""Rates of requests: whether an owner has another one in this minute, counted here or in the shared state."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from verifier.core.errors import StateUnavailable
from verifier.core.state import Bucket, State

__all__ = ["Allowance", "Rates"]

_REMEMBERED = 10_000
"""Owners whose allowance is remembered; the one that asked longest ago is forgotten first."""


class Allowance:
    """Requests a minute for each owner, in this process: a bucket that holds them, refilled all the time.

    Args:
        per_minute: requests.
        clock: seconds; replaced in tests.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._clock = per_minute, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, owner: str) -> float:
        """0 and one request less, or the seconds until there is one."""
        now, bucket = self._clock(), Bucket(owner, self._size)
        with self._lock:
            left, then = self._left.pop(owner, (float(self._size), now))
            left, wait = bucket.taken(bucket.refilled(left, now - then))
            self._left[owner] = (left, now)
            if len(self._left) > _REMEMBERED:
                self._left.popitem(last=False)
        return wait

    def charge(self, owner: str, requests: int) -> None:
        """So many requests less, for one that is as much as several and was let in; the next waits for a debt."""
        with self._lock:
            left, then = self._left.get(owner, (float(self._size), self._clock()))
            self._left[owner] = (left - requests, then)


class Rates:
    """Requests a minute for each owner, over all processes that share a state; without one, in this process.

    Where the state cannot be reached, this process counts by itself and allows its share.

    Args:
        per_minute: requests of each owner.
        state: shared by several processes.
        processes: how many of this machine share it.
        failed: told each time that the state could not be reached.
    """

    def __init__(
        self,
        per_minute: int,
        state: State | None = None,
        *,
        processes: int = 1,
        failed: Callable[[StateUnavailable], None] = lambda _: None,
    ) -> None:
        self._per_minute, self._state, self._failed = per_minute, state, failed
        self._own = Allowance(max(1, per_minute // processes))

    async def take(self, owner: str) -> float:
        """0 and one request less, or the seconds until there is one."""
        if self._state is not None:
            try:
                return await asyncio.to_thread(self._state.take, self._bucket(owner))
            except StateUnavailable as error:
                self._failed(error)
        return self._own.take(owner)

    async def charge(self, owner: str, requests: int) -> None:
        """So many requests less, for one that is as much as several and was let in; the next waits for a debt."""
        if self._state is not None:
            try:
                return await asyncio.to_thread(self._state.charge, self._bucket(owner), requests)
            except StateUnavailable as error:
                self._failed(error)
        self._own.charge(owner, requests)
        return None

    def _bucket(self, owner: str) -> Bucket:
        return Bucket(owner, self._per_minute)
