"""Word lists: sets of words written out in a string, and tables in files beside a module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files

__all__ = ["by_word", "lexicon", "table_rows"]


def lexicon(words: str) -> frozenset[str]:
    """The words of a list separated by white space.

    >>> sorted(lexicon("km  mi\\nm"))
    ['km', 'm', 'mi']
    """
    return frozenset(words.split())


def by_word(lists: Mapping[str, str]) -> dict[str, str]:
    """The key of the list that each word is in; of a word in several, the last.

    >>> by_word({"most": "most mostly", "few": "few"})["mostly"]
    'most'
    """
    return {word: key for key, words in lists.items() for word in lexicon(words)}


def table_rows(package: str, name: str) -> Iterator[list[str]]:
    """The cells of the rows of a tab-separated table in a package, without blank lines and those that begin with ``#``.

    Raises:
        FileNotFoundError: the package has no such table.
    """
    for line in (files(package) / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
