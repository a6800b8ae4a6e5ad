"""The texts of an index by slot; those of a saved index stay in their file until they are asked for."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Texts"]


class Texts:
    """One text a slot, in order. Slots are only ever added, so that successive states may share it.

    Texts in memory are kept in UTF-8: a dash or a quotation mark would double what a ``str`` takes.

    Args:
        file: JSON arrays, one a line, with the text in second place; none by default.
        starts: where each line of it begins, and behind them its length, shape [lines + 1].
    """

    def __init__(self, file: Path | None = None, starts: NDArray[np.int64] | None = None) -> None:
        self._starts = starts if starts is not None else np.zeros(1, dtype=np.int64)
        self._added: list[bytes] = []
        if file is not None and self._starts[-1]:
            with file.open("rb") as opened:
                self._mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)

    def extend(self, texts: Iterable[str]) -> None:
        """Add texts in the next slots; they stay in memory."""
        self._added.extend(text.encode("utf-8", "surrogatepass") for text in texts)

    def lines(self, slots: NDArray[np.intp]) -> Iterator[memoryview]:
        """The lines of the file with these slots, in ascending order, run by run; those of slots in memory are not."""
        own = slots[slots < len(self._starts) - 1]
        for run in np.split(own, np.flatnonzero(np.diff(own) != 1) + 1) if own.size else ():
            yield memoryview(self._mapped)[self._starts[run[0]] : self._starts[run[-1] + 1]]

    def in_memory(self, slots: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the slots whose texts are in no file."""
        return slots[slots >= len(self._starts) - 1]

    def __getitem__(self, slot: int) -> str:
        """The text of a slot."""
        in_file = len(self._starts) - 1
        if slot >= in_file:
            return self._added[slot - in_file].decode("utf-8", "surrogatepass")
        text: str = json.loads(self._mapped[self._starts[slot] : self._starts[slot + 1]])[1]
        return text
