"""The score cache: each value is computed at most once while it is fresh.

The key covers everything that a value depends on, so that an edit of the knowledge base, of a threshold or of a
model asks for another key, and nothing ever has to be invalidated. Values are kept as text: a cached value is decoded
anew each time and cannot be changed through one that was handed out.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Literal, TypeVar

from verifier.core.cache.keeping import Keeper, opened
from verifier.core.cache.types import Cached, CacheKey, CacheStats, Codec
from verifier.core.errors import ConfigError

__all__ = ["ScoreCache"]

T = TypeVar("T")

_Found = tuple[str, Literal["memory", "file"]]

_computing: ContextVar[frozenset[bytes]] = ContextVar("computing", default=frozenset())
"""What the running thread or task is computing: it must not wait for itself."""


@dataclass
class _Entry:
    text: str
    stored: float


@dataclass
class _Flight:
    """One computation, and who waits for it.

    Its future holds a text, an error, or ``None`` where it was given up. It holds errors as values, since one who
    waits may have been cancelled, and nobody would look at an error that was set.
    """

    thread: int = field(default_factory=threading.get_ident)
    future: Future[str | Exception | None] = field(default_factory=Future)


def _always(_value: object) -> bool:
    return True


class ScoreCache(Generic[T]):
    """Least recently used out first, nothing older than ``ttl`` seconds, one computation for equal calls at a time.

    Thread-safe, and fit for event loops. With ``path``, values are also kept in an SQLite file or on a server,
    which several processes may share and which outlives them.

    Args:
        codec: makes text of values and values of text.
        max_size: entries kept; 0 keeps none, and equal calls at the same time still share one computation.
        ttl: seconds that an entry is fresh.
        path: the file, made where it is missing, or the address of a server that speaks the Redis protocol.
        clock: seconds since the epoch; replaced in tests. A clock that was set back makes entries stale, not eternal.

    Raises:
        ConfigError: a bound that makes no sense, or a ``path`` that holds something else.
    """

    def __init__(
        self,
        codec: Codec[T],
        *,
        max_size: int = 1024,
        ttl: float = 300.0,
        path: Path | str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if max_size < 0 or not ttl > 0:
            raise ConfigError(f"max_size = {max_size}, ttl = {ttl}: expected at least 0 and more than 0")
        self.codec, self.max_size, self.ttl = codec, max_size, ttl
        self._clock = clock
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._flights: dict[bytes, _Flight] = {}
        self._stats = CacheStats()
        self._lock = threading.Lock()
        self._file: Keeper | None = None
        if path is not None and max_size:
            self._file = opened(path, max_size=max_size, ttl=ttl)

    @property
    def stats(self) -> CacheStats:
        """Counts so far; ``size`` is that of the memory of this process."""
        with self._lock:
            return replace(self._stats, size=len(self._entries))

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened to the file that its owner should know: rebuilt, damaged entries, out of use."""
        return () if self._file is None else tuple(self._file.notes)

    def get(self, key: CacheKey) -> T | None:
        """The fresh value of ``key``, or ``None``."""
        with self._lock:
            text = self._fresh(key.digest)
        found: _Found | None = (text, "memory") if text is not None else self._in_file(key.digest)
        if found is None:
            self._count(misses=1)
            return None
        return self._hit(found).value

    def put(self, key: CacheKey, value: T) -> None:
        """Keep ``value``, in the place of an older one."""
        if self.max_size:
            entry = _Entry(self.codec.encode(value), self._clock())
            self._remember(key.digest, entry)
            self._write(key.digest, entry)

    def clear(self) -> None:
        """Forget every entry, in the file too."""
        with self._lock:
            self._entries.clear()
        if self._file is not None:
            self._file.clear()

    def close(self) -> None:
        """Close the file; what is in memory stays."""
        if self._file is not None:
            self._file.close()

    def get_or_compute(
        self, key: CacheKey, compute: Callable[[], T], *, keep: Callable[[T], bool] = _always
    ) -> Cached[T]:
        """The fresh value of ``key``, or what ``compute`` returns.

        Equal calls at the same time, in threads or tasks, wait for one computation. What it raises is raised in all
        of them and is forgotten: the next call computes again. A value that ``keep`` denies is not kept, such as one
        with an error in it that may pass, or one during whose computation the knowledge base changed.
        """
        digest = key.digest
        while True:
            flight, leads, found = self._join(digest)
            if found is not None:
                return self._hit(found)
            if leads:
                with self._leading(digest, flight):
                    if (found := self._in_file(digest)) is not None:
                        flight.future.set_result(found[0])
                        return self._hit(found)
                    value = compute()
                    text, entry = self._remembered(digest, value, keep)
                    self._write(digest, entry)
                    flight.future.set_result(text)
                    return Cached(value, "computed")
            if flight.thread == threading.get_ident() or digest in _computing.get():
                return self._alone(compute())
            if (shared := flight.future.result()) is not None:
                return self._shared(shared)

    async def aget_or_compute(
        self,
        key: CacheKey,
        compute: Callable[[], Awaitable[T]],
        *,
        keep: Callable[[T], bool] = _always,
    ) -> Cached[T]:
        """The same as :meth:`get_or_compute`, for an event loop. A cancelled computation is taken over by another
        call that waits for it."""
        digest = key.digest
        while True:
            flight, leads, found = self._join(digest)
            if found is not None:
                return self._hit(found)
            if leads:
                with self._leading(digest, flight):
                    if self._file and (found := await asyncio.to_thread(self._in_file, digest)):
                        flight.future.set_result(found[0])
                        return self._hit(found)
                    value = await compute()
                    text, entry = self._remembered(digest, value, keep)
                    if self._file:
                        await asyncio.to_thread(self._write, digest, entry)
                    flight.future.set_result(text)
                    return Cached(value, "computed")
            if digest in _computing.get():
                return self._alone(await compute())
            if (shared := await asyncio.shield(asyncio.wrap_future(flight.future))) is not None:
                return self._shared(shared)

    def _join(self, digest: bytes) -> tuple[_Flight, bool, _Found | None]:
        """The computation of ``digest`` that runs, or a new one to lead, unless the value is at hand."""
        with self._lock:
            if (text := self._fresh(digest)) is not None:
                return _Flight(), False, (text, "memory")
            flight = self._flights.get(digest)
            if flight is not None:
                return flight, False, None
            flight = self._flights[digest] = _Flight()
            return flight, True, None

    @contextmanager
    def _leading(self, digest: bytes, flight: _Flight) -> Iterator[None]:
        """Whatever ends the computation, those who wait are told, and the next call starts anew."""
        token = _computing.set(_computing.get() | {digest})
        try:
            yield
        except Exception as error:
            self._count(failed=1)
            flight.future.set_result(error)
            raise
        finally:
            _computing.reset(token)
            with self._lock:
                self._flights.pop(digest, None)
            if not flight.future.done():  # cancelled or interrupted: one of those who wait takes over
                flight.future.set_result(None)

    def _remembered(self, digest: bytes, value: T, keep: Callable[[T], bool]) -> tuple[str, _Entry | None]:
        """The text of a computed value, and what of it is to be kept."""
        text = self.codec.encode(value)
        entry = _Entry(text, self._clock()) if self.max_size and keep(value) else None
        if entry is not None:
            self._remember(digest, entry)
        self._count(misses=1, not_kept=int(entry is None))
        return text, entry

    def _hit(self, found: _Found) -> Cached[T]:
        self._count(hits=1)
        return Cached(self.codec.decode(found[0]), found[1])

    def _shared(self, outcome: str | Exception) -> Cached[T]:
        if isinstance(outcome, Exception):
            raise outcome
        self._count(shared=1)
        return Cached(self.codec.decode(outcome), "shared")

    def _alone(self, value: T) -> Cached[T]:
        """A call within the computation of its own key, which waiting would never end."""
        self._count(misses=1)
        return Cached(value, "computed")

    def _in_file(self, digest: bytes) -> _Found | None:
        """The fresh text in the file, from now on in memory too."""
        if self._file is None or (kept := self._file.get(digest, self._clock())) is None:
            return None
        self._remember(digest, _Entry(*kept))
        return kept[0], "file"

    def _write(self, digest: bytes, entry: _Entry | None) -> None:
        if entry is not None and self._file is not None:
            self._file.put(digest, entry.text, entry.stored)

    def _fresh(self, digest: bytes) -> str | None:
        """The text in memory, now the most recently used; the lock is held."""
        entry = self._entries.get(digest)
        if entry is None:
            return None
        if not 0 <= self._clock() - entry.stored < self.ttl:
            del self._entries[digest]
            self._stats = replace(self._stats, expired=self._stats.expired + 1)
            return None
        self._entries.move_to_end(digest)
        return entry.text

    def _remember(self, digest: bytes, entry: _Entry) -> None:
        with self._lock:
            self._entries[digest] = entry
            self._entries.move_to_end(digest)
            evicted = 0
            while len(self._entries) > self.max_size:
                self._entries.popitem(last=False)
                evicted += 1
            self._stats = replace(self._stats, evicted=self._stats.evicted + evicted)

    def _count(self, **more: int) -> None:
        with self._lock:
            self._stats = replace(
                self._stats, **{name: getattr(self._stats, name) + number for name, number in more.items()}
            )
