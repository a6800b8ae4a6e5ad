"""What the generators of variants take and give: a claim with what decides it, and variants with what they expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["Base", "Edit", "Form", "Given", "Variant", "as_it_stands", "whole"]


@dataclass(frozen=True, slots=True)
class Base:
    """A claim that variants are made of.

    ``outcome`` is what the verifier says of it as it stands: a verdict, ``skipped`` or ``error``; ``support``, in
    [0, 1], is what it gives it. ``deciding`` is the text of the documents that decide it, ``all_documents`` that of
    its whole knowledge base. ``is_true`` says that those documents are known to entail it: it is labelled so, or it
    is a sentence of theirs.
    """

    id: str
    text: str
    outcome: str
    support: float
    is_true: bool
    deciding: str
    all_documents: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A response in which the claim stands, changed, at ``response[start:end]``."""

    kind: str
    base: Base
    response: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Given:
    """What a generator may use: the claim, other claims of its corpus, names that its documents lack, chance."""

    base: Base
    others: Sequence[Base]
    names: Sequence[str]
    random: Random

    @property
    def text(self) -> str:
        """The claim as it stands."""
        return self.base.text


Form = Callable[[Given], Iterator[tuple[str, int, int]]]
"""Responses that say the same of the claim come out, each with the claim's span."""

Edit = Callable[[Given], Iterator[str]]
"""Claims that the documents do not entail come out."""


def whole(text: str) -> tuple[str, int, int]:
    """A response that is nothing but the claim."""
    return text, 0, len(text)


def as_it_stands(base: Base) -> Variant:
    """The claim alone, unchanged."""
    return Variant("", base, *whole(base.text))
