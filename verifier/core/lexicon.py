"""Words written out in a string, or a table beside a module, go in; a set of words or the rows come out."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

__all__ = ["lexicon", "table_rows"]


def lexicon(words: str) -> frozenset[str]:
    """The words of a list separated by white space.

    >>> sorted(lexicon("km  mi\\nm"))
    ['km', 'm', 'mi']
    """
    return frozenset(words.split())


def table_rows(package: str, name: str) -> Iterator[list[str]]:
    """The cells of the rows of a tab-separated table in a package, without blank lines and those that begin with ``#``.

    Raises:
        FileNotFoundError: the package has no such table.
    """
    for line in (files(package) / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
