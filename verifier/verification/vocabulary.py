"""How rare a term is in the knowledge base, and whether it is mentioned at all."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from verifier_signals.base import Signal

from verifier.verification.background import passage_share
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["Vocabulary", "rarity_of", "words_of"]

BACKGROUND = 500
"""Passages of general English that a knowledge base is blended with: in smaller ones they outweigh its own counts."""


@dataclass
class _Lookup:
    source: KnowledgeSource
    namespace: str
    frequencies: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return self.source.passage_count(self.namespace)

    def ask(self, terms: Sequence[str]) -> dict[str, int]:
        new = [term for term in dict.fromkeys(terms) if term not in self.frequencies]
        if new:
            self.frequencies |= self.source.term_document_frequency(new, self.namespace)
        return self.frequencies


def words_of(name: str) -> list[str]:
    """The words that a name is looked up by.

    >>> words_of("Orr & Co")
    ['Orr', 'Co']
    """
    return [word for word in name.split() if any(map(str.isalnum, word))]


def rarity_of(term: str, passages: int, size: int) -> float:
    """How rare a term is that stands in so many of ``size`` passages (:meth:`Vocabulary.rarity`)."""
    expected = passages + BACKGROUND * passage_share(term)
    return 1.0 - math.log(max(expected, 1.0)) / math.log(size + BACKGROUND)


class Vocabulary:
    """The words of the knowledge base that a response is being checked against.

    Signals keep a reference to one of these for as long as they live; ``over`` says, for the current thread or
    task, which knowledge base it speaks for. Outside of ``over`` every term counts as rare and as mentioned,
    so that signals used alone do not invent rarity.
    """

    def __init__(self) -> None:
        self._current: ContextVar[_Lookup | None] = ContextVar("vocabulary", default=None)

    @contextmanager
    def over(self, source: KnowledgeSource, namespace: str) -> Iterator[None]:
        """Speak for one namespace of ``source``; what was asked is remembered until the block ends."""
        token = self._current.set(_Lookup(source, namespace))
        try:
            yield
        finally:
            self._current.reset(token)

    def arguments_of(self, signal: type[Signal]) -> dict[str, Callable[[Sequence[str]], Sequence[Any]]]:
        """The keywords of a signal's constructor that this vocabulary answers for."""
        answers: dict[str, Callable[[Sequence[str]], Sequence[Any]]] = {
            "rarity": self.rarity,
            "gazetteer": self.mentions,
        }
        wanted = inspect.signature(signal).parameters
        return {name: answer for name, answer in answers.items() if name in wanted}

    def rarity(self, terms: Sequence[str]) -> list[float]:
        """How rare each term is in the knowledge base, in [0, 1]: 1 for one that it never holds, near 0 for one in all.

        Inverse document frequency scaled to [0, 1], as if ``BACKGROUND`` passages of general English stood beside the
        knowledge base: ``log((N + B) / max(n + B p, 1)) / log(N + B)`` with N passages, n of which hold the term, and p
        its ``passage_share``. So a small knowledge base does not take its few words for common ones, and a few
        passages more or less weigh nothing anew; in a large one its own counts decide.
        """
        lookup = self._current.get()
        size = lookup.size if lookup else 0
        if lookup is None or size == 0:
            return [1.0] * len(terms)
        frequencies = lookup.ask(terms)
        return [rarity_of(term, frequencies[term], size) for term in terms]

    def counts(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each term stands; nothing outside of :meth:`over`."""
        lookup = self._current.get()
        if lookup is None:
            return {}
        found = lookup.ask(terms)
        return {term: found[term] for term in terms}

    def strangeness(self, terms: Sequence[str]) -> list[float]:
        """What it tells that the knowledge base holds no trace of each term, in [0, 1]; 0 for one that it mentions.

        ``(1 - p)^B``: how likely ``BACKGROUND`` passages of general English hold none either, with p the term's
        ``passage_share``. That a name or a figure is missing tells all; that ``followed`` is missing is chance.
        """
        known = self.mentions(terms)
        return [
            0.0 if mentioned else (1.0 - passage_share(term.casefold())) ** BACKGROUND
            for term, mentioned in zip(terms, known, strict=True)
        ]

    def mentions(self, names: Sequence[str]) -> list[bool]:
        """Whether the knowledge base mentions each name: all of its words occur in it, whatever marks stand between
        them (``Orr & Co``, ``Elm / Thane``)."""
        lookup = self._current.get()
        if lookup is None:
            return [True] * len(names)
        parts = {name: words_of(name) for name in names}
        frequencies = lookup.ask([word for words in parts.values() for word in words])
        return [bool(parts[name]) and all(frequencies[word] > 0 for word in parts[name]) for name in names]
