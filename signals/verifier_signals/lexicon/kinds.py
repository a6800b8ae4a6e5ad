"""How the meanings of two words stand to each other: one a kind of the other, or both kinds of one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from verifier.core.sorted_table import SortedTable

__all__ = ["Kinship", "derived_from", "kinship"]

_PACKAGE = "verifier_signals.lexicon"
_HIGHEST = 6
"""Steps from a sense up to the ones above it that are looked at."""


class Kinship(NamedTuple):
    """How the usual senses of two words lie: the fewest steps between them, 0 where no such way leads."""

    alike: bool
    """Whether both have one sense, or are adjectives like the same one; there are no steps then."""
    up: int
    """From the second word up to the first: a ``dog`` is an ``animal``."""
    down: int
    """From the first word up to the second."""
    across: int
    """From both up to one sense above them, together, where neither stands above the other."""


_ALIKE = Kinship(True, 0, 0, 0)
_NONE = Kinship(False, 0, 0, 0)


@cache
def _senses() -> SortedTable:
    """The numbers of the usual senses of each word, as written."""
    return SortedTable(_PACKAGE, "senses.tsv")


@cache
def _above() -> Sequence[str]:
    """The numbers of the senses right above each sense, as written."""
    return (files(_PACKAGE) / "above.txt").read_text("utf-8").split("\n")


@lru_cache(maxsize=16384)
def _heights(word: str) -> Mapping[int, int]:
    """The senses of a word and those above them, each with the steps that lead up to it."""
    heights = dict.fromkeys(map(int, _senses()[word].split()), 0)
    last = list(heights)
    for steps in range(1, _HIGHEST + 1):
        heads = (int(head) for sense in last for head in _above()[sense].split())
        last = [head for head in dict.fromkeys(heads) if head not in heights]
        heights.update(dict.fromkeys(last, steps))
    return heights


def kinship(one: str, two: str) -> Kinship:
    """How the usual senses of two lower-case base forms stand to each other in WordNet.

    >>> kinship("animal", "dog").up > 0, kinship("dog", "animal").down > 0, kinship("silver", "bronze").across
    (True, True, 7)
    """
    first, second = _heights(one), _heights(two)
    shared = first.keys() & second.keys()
    if not shared:
        return _NONE
    if any(first[head] == second[head] == 0 for head in shared):
        return _ALIKE
    up = min((second[head] for head in shared if not first[head]), default=0)
    down = min((first[head] for head in shared if not second[head]), default=0)
    across = 0 if up or down else min(first[head] + second[head] for head in shared)
    return Kinship(False, up, down, across)


@cache
def _families() -> SortedTable:
    return SortedTable(_PACKAGE, "families.tsv")


@lru_cache(maxsize=16384)
def derived_from(word: str) -> frozenset[str]:
    """The words that WordNet derives from a lower-case base form, or it from them.

    >>> "absence" in derived_from("absent"), "absent" in derived_from("absence"), derived_from("of")
    (True, True, frozenset())
    """
    return frozenset(_families()[word].split())
