"""The contract of a reader: one reading for each claim with its evidence, whatever becomes of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from verifier.core.chat.counts import tokens_of
from verifier.readers.types import Case, Foretold, Reading

__all__ = ["Reader", "Traits"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a reader can do, for whoever asks it.

    Args:
        quotes: whether a settled reading names the words that decide. Where it does, *supported* and *contradicted*
            without a quotation that is found in the evidence do not count.
        probabilities: whether a settled reading has the model's own probabilities.
        multilingual: whether it may be asked about texts in other languages than English.
        kind: whose weights its answers are given until it has some of its own: ``chat``, ``decision``, ``classifier``.
    """

    quotes: bool
    probabilities: bool
    multilingual: bool
    kind: str


class Reader(ABC):
    """Reads claims against pieces of evidence. ``verifier.readers.testing`` executes this contract.

    * One reading a case, in order; ``read([])`` is ``[]``.
    * A failure of the model or its server is a reading in the state ``failed`` with its reason: never an exception,
      never an answer. What is wrong with the configuration (``ConfigError``, ``MissingExtra``) is raised.
    * ``answer`` stands exactly where the state is ``settled``; probabilities are finite, in [0, 1], and sum to 1.
    * Numbers of pieces and quotations are those of the case, from 1.
    * A case without pieces, or with a blank claim, is never *supported* or *contradicted*.
    * The constructor only stores its arguments; models load and servers are asked on first use.
    * Safe to call from several threads and tasks at once.
    """

    traits: Traits
    needs_one_of: ClassVar[tuple[str, ...]] = ()
    """Modules of which one must be installed for it to work; none where it needs no more than the base install."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Names the model, where it is and how it is asked, so that equal identities mean equal answers; no key."""

    @abstractmethod
    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """A reading of every case.

        Raises:
            ConfigError, MissingExtra: what is configured cannot work at all.
        """

    async def aread(self, cases: Sequence[Case]) -> list[Reading]:
        """The same as :meth:`read`, for an event loop; by default in a thread."""
        import asyncio  # brings sockets, and a check without one has no use for them

        return await asyncio.to_thread(self.read, cases)

    def foretell(self, cases: Sequence[Case]) -> Foretold:
        """What :meth:`read` would take; nothing is asked. By default one request with each piece and claim once."""
        texts = {text for case in cases for piece in case.pieces for text in (piece.text, piece.label)}
        texts |= {case.claim for case in cases}
        return Foretold(len(cases), min(1, len(cases)), sum(map(tokens_of, texts)))
