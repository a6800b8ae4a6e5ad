"""The file of learnt constants goes in, from which likeness on two statements bear on each other comes out.

``python -m benchmarks.polarity --choose`` chooses every one of them on the tuning half of
``corpora/signals/negation.jsonl`` and writes ``ties.json``; none is set by hand.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Ties", "learnt_ties"]


class Ties(NamedTuple):
    """Shares of content words, in [0, 1] unless said otherwise."""

    same: float
    """Of the claim's statement that a statement of the premise must share before the two are compared."""
    firm: float
    """From which on their clash has its full strength."""
    beside: float
    """What a word counts that the premise has in the same sentence, but in another clause."""
    synonym: float
    """What a word counts that only a synonym meets."""
    implied: float
    """What a name counts that the claim adds behind its verb: a text need not repeat where it speaks of."""
    denied_covered: float
    """Of what one side denies that the other must affirm: not raising wages is not denied by raising prices."""
    denied_mutual: float
    """Of what the two statements have in common beside what each says alone, before a denial makes them clash."""
    antonym_mutual: float
    """The same for opposites."""
    modal_mutual: float
    """The same for modals."""
    quantity_same: float
    """Of the claim's statement, from which on two quantifiers count things of one kind."""
    quantity_noun: float
    """The same where both quantifiers stand before one noun."""
    quantity_mutual: float
    """Of what the statements have in common beside what each says alone, before their quantifiers clash."""
    condition_about: float
    """Of the claim that a condition's main statement must hold before the condition bears on the claim."""
    condition_whole: float
    """Of a condition's main statement that is enough instead."""
    condition_mentioned: float
    """Of a condition that makes a claim speak of it."""
    hedge_same: float
    """Of the claim's statement, from which on a reserve of the premise bears on it."""
    hedge_without_verb: float
    """The same where the two do not share a verb."""
    ahead: float
    """Sum of two coverages, in [0, 2], from which on two sides of a relation are the same two things."""
    clearly: float
    """By how much, in [0, 2], one way of pairing the sides must be better than the other."""

    @property
    def least(self) -> float:
        """The share of the claim's statement below which no comparison takes place."""
        return min(
            self.same, self.quantity_same, self.quantity_noun, self.hedge_same, self.hedge_without_verb
        )


@cache
def learnt_ties() -> Ties:
    """The constants that ship."""
    return Ties(**json.loads((files(__package__) / "ties.json").read_text("utf-8")))
