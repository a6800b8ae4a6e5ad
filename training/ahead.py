"""Make the items of an iterator beforehand in a thread, so that whoever takes them waits less."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["ahead"]

_T = TypeVar("_T")
_PATIENCE = 0.05
"""Seconds after which the thread looks whether anyone still takes."""


def ahead(items: Iterator[_T], most: int) -> Iterator[_T]:
    """The same items in their order, up to ``most`` of them waiting; what the iterator raises is raised here.

    >>> list(ahead(iter("abc"), 2))
    ['a', 'b', 'c']
    """
    maker = _Maker(items, most)
    maker.start()
    try:
        while (item := maker.waiting.get()) is not maker.end:
            yield item  # type: ignore[misc]
        if maker.error is not None:
            raise maker.error
    finally:
        maker.gone.set()


class _Maker(threading.Thread, Generic[_T]):
    """Takes from an iterator until it ends, fails, or nobody wants any more."""

    def __init__(self, items: Iterator[_T], most: int) -> None:
        super().__init__(daemon=True)
        self.items = items
        self.waiting: queue.Queue[object] = queue.Queue(most)
        self.end = object()
        self.error: Exception | None = None
        self.gone = threading.Event()

    def run(self) -> None:
        """Put all items, then ``end``."""
        try:
            for item in self.items:
                self._put(item)
                if self.gone.is_set():
                    return
        except Exception as error:  # noqa: BLE001 - it is raised by whoever takes
            self.error = error
        self._put(self.end)

    def _put(self, item: object) -> None:
        while not self.gone.is_set():
            try:
                self.waiting.put(item, timeout=_PATIENCE)
            except queue.Full:
                continue
            return
