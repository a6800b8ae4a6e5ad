"""What a claim asks to be compared, the pieces of evidence it is looked up in, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ComparisonQuery", "EvidencePiece", "Keys", "LookupResult", "ShownValue"]

Keys = frozenset[str]
"""Keys of content words (``verifier_signals.stems``), figures as they are written, single capitals that name a thing
(``Trench C``)."""


class EvidencePiece(NamedTuple):
    """A sentence or a row that evidence consists of; rows of one ``group`` are those of one table.

    ``number`` is the place of a row in its table, from 1, where the source tells it, else 0. What stands before
    ``start`` in ``text`` are headings.
    """

    text: str
    group: str
    number: int = 0
    start: int = 0


class ComparisonQuery(NamedTuple):
    """A claim that ``left`` has more (``way`` 1) or less (-1) on one of the ``scales`` than ``right`` has.

    Without ``right`` it is the highest, or number ``rank``, of all that the evidence lists. ``measured`` are the words
    that say what is counted (``more seats``); ``about`` is every word of the claim; ``span`` is its comparing words.
    A ``vague`` one says how much more (``twice as long``): the order of two figures denies it, or leaves it open.
    ``denied``: the claim says that all this is not so (``not the longest``). ``plain`` are those words of both sides
    that are no names.
    """

    scales: tuple[tuple[str, int], ...]
    left: Keys
    right: Keys
    measured: Keys
    about: Keys
    span: tuple[int, int]
    rank: int = 1
    vague: bool = False
    denied: bool = False
    plain: Keys = frozenset()

    @property
    def way(self) -> int:
        """Towards the larger figure (1) or the smaller one, where a label and not the scale says what is measured."""
        return self.scales[0][1]


class ShownValue(NamedTuple):
    """A value that settles a comparison: ``start:end`` of the text of a piece."""

    piece: int
    start: int
    end: int


class LookupResult(NamedTuple):
    """Whether the evidence bears out what stands at ``span`` of the claim, and the two values that show it.

    ``None``: it leaves empty what would tell.
    """

    holds: bool | None
    span: tuple[int, int]
    ours: ShownValue
    theirs: ShownValue
