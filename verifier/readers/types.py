"""What a reader takes and gives: claims with their pieces of evidence, and readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Answer", "Call", "Case", "Foretold", "Piece", "Quotation", "Reading", "State"]


class Answer(StrEnum):
    """What a reader may say of a claim and its pieces."""

    SUPPORTED = "supported"
    """Every part of the claim is stated by the pieces, or follows from them."""
    CONTRADICTED = "contradicted"
    """The pieces speak of the same thing and say otherwise."""
    NOT_FOUND = "not_found"
    """The pieces do neither. Whether the claim is then fabricated or unverifiable is not the reader's to say."""


class State(StrEnum):
    """What became of a question to a reader."""

    SETTLED = "settled"
    """It gave an answer."""
    ABSTAINED = "abstained"
    """It was asked and declined: the claim is left to the signals, and the report says so."""
    FAILED = "failed"
    """It gave no usable reply: the claim is in error, never a pass."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence.

    ``text`` stands in a document, character for character, so that a quotation can be found there. ``label`` says
    where it stands (``refunds.md / Annual plans``) and what must be known to understand it (a table's header row);
    nothing is quoted from it.
    """

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, and the pieces of evidence that it is to be read against, numbered from 1 in their order.

    ``objection`` is empty but for a claim that is asked about a second time: it then says what other signals hold
    against the first answer.
    """

    claim: str
    pieces: tuple[Piece, ...]
    objection: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of piece number ``piece`` (from 1), as the reader gave them; nobody has looked for them there yet."""

    piece: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model that led to a reading; readings of one request share it, and ``key`` tells them so.

    Token counts are the server's, ``None`` where it names none; ``cost`` is ``None`` where no prices are known.
    """

    key: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class Foretold(NamedTuple):
    """What asking about some cases would take, as far as it can be known before.

    ``input_tokens`` is an estimate (four bytes a token), ``output_tokens`` the bound of all replies, 0 for a model
    that writes none. ``cost`` is that of the input and of the longest replies, ``None`` without prices. ``claims``
    are all claims of the response, where one is checked.
    """

    cases: int
    requests: int
    input_tokens: int
    output_tokens: int = 0
    cost: float | None = None
    claims: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader says of one case.

    ``answer`` is ``None`` unless ``state`` is ``settled``. ``probabilities`` are of all three answers and sum to 1,
    where the model gives some (never a confidence that it states in words), else ``None``. ``pieces`` are the numbers
    of those that decide, ``quotations`` the words that do. ``note`` is one sentence: why, or for a failure what failed.
    ``disputed`` says that one document states the claim and another denies it, ``unheard`` that what is missing are
    names, figures or events of which no piece has a trace; both go with ``not_found`` only.
    """

    state: State
    answer: Answer | None = None
    probabilities: Mapping[Answer, float] | None = None
    quotations: tuple[Quotation, ...] = ()
    pieces: tuple[int, ...] = ()
    note: str = ""
    disputed: bool = False
    unheard: bool = False
    calls: tuple[Call, ...] = field(default=())

    @classmethod
    def failed(cls, note: str, calls: Sequence[Call] = ()) -> Reading:
        """A reading that could not be had, and why."""
        return cls(State.FAILED, note=note, calls=tuple(calls))
