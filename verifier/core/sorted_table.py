"""Look up words in a sorted table on disk without reading the rest of it."""

from __future__ import annotations

from bisect import bisect_left
from importlib.resources import files

__all__ = ["SortedTable"]


class SortedTable:
    """A tab-separated table of two columns, one row for each word, in the order of their code points.

    A dictionary of sixty thousand words takes thirty milliseconds to make, most of which a short text never asks for;
    the lines of the file take three.

    Args:
        package: where the table lies.
        name: of its file.

    Raises:
        FileNotFoundError: the package has no such table.
    """

    def __init__(self, package: str, name: str) -> None:
        self._lines = (files(package) / name).read_text("utf-8").split("\n")

    def __getitem__(self, word: str) -> str:
        """What stands beside the word; nothing beside one that the table lacks."""
        key = f"{word}\t"
        at = bisect_left(self._lines, key, hi=len(self._lines) - 1)
        line = self._lines[at]
        return line[len(key) :] if line.startswith(key) else ""
