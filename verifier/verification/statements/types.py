"""What a document states, sentence by sentence: the words that a reader is given, and whether it asserts them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Factuality", "FramedSentence", "Statement", "StatementPiece"]


class Factuality(StrEnum):
    """Whether a document asserts what a sentence of it says (the word is that of Saurí and Pustejovsky 2009)."""

    ASSERTED = "asserted"
    """The document says that it is so. Nothing else supports a claim."""
    DENIED = "denied"
    """It says, in the sentence or in what governs it, that this is not so: a myth, a mistake, a false rumour."""
    ATTRIBUTED = "attributed"
    """It says that somebody says so."""
    HYPOTHETICAL = "hypothetical"
    """It says what would be, could be, or nearly was."""
    ASKED = "asked"
    """It asks."""
    ENDED = "ended"
    """It was so, and is so no longer."""
    PLANNED = "planned"
    """It is to be so later: a plan, a task that is open."""

    @property
    def denies(self) -> bool:
        """Whether the document says that it is not so. What it says of the past tells less of now: it supports nothing,
        and contradicts only by what the document says elsewhere."""
        return self is Factuality.DENIED


class StatementPiece(NamedTuple):
    """Words of a statement; ``start`` is where they stand in the passage, ``None`` for words that are written in."""

    text: str
    start: int | None

    @classmethod
    def quoted(cls, text: str, start: int, end: int) -> StatementPiece:
        """``text[start:end]``, which stands there."""
        return cls(text[start:end], start)

    def moved(self, by: int) -> StatementPiece:
        """The same words in a text that this one stands in, so far from its start."""
        return self if self.start is None else self._replace(start=self.start + by)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a passage says.

    ``start`` and ``end`` are the span in the passage's text of all that it is taken from, a question with its answer,
    for instance. ``pieces`` are the words that signals and readers are given in its place, empty for the words as they
    stand.
    """

    start: int
    end: int
    pieces: tuple[StatementPiece, ...] = ()
    factuality: Factuality = Factuality.ASSERTED


@dataclass(frozen=True, slots=True)
class FramedSentence:
    """A sentence with all that may tell whether the document asserts it.

    ``above`` are the headings, stems of lists and column heads that govern it, outermost first; ``before`` and
    ``after`` are its neighbours, in the order of the document. ``unticked`` tells of a check box that is open.
    """

    text: str
    above: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    unticked: bool = False
