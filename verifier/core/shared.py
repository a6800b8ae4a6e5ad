"""Share what was made of a file among all who ask for it, as long as one of them still has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

__all__ = ["SharedByFile"]

T = TypeVar("T")


class SharedByFile(Generic[T]):
    """Makes something dear of a file once, although several parts of a program ask for it; safe to share by threads.

    A file that has changed is another one. An error is raised to whoever asked, and the next one tries again.

    Args:
        make: gives the thing, which must allow weak references and be read only.
    """

    def __init__(self, make: Callable[[Path], T]) -> None:
        self._make = make
        self._made: WeakValueDictionary[tuple[Path, int, int], T] = WeakValueDictionary()
        self._locks: dict[Path, Lock] = {}

    def __call__(self, path: Path) -> T:
        """What was made of the file.

        Raises:
            OSError: there is no such file.
        """
        path = path.resolve()
        with self._locks.setdefault(path, Lock()):  # setdefault is atomic
            state = path.stat()
            key = (path, state.st_mtime_ns, state.st_size)
            found = self._made.get(key)
            if found is None:
                self._made[key] = found = self._make(path)
            return found
