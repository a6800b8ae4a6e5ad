"""A claim and the window that speaks best for it go in; what one of them says beyond the other comes out, as features.

A window that says much more than the claim has its words more often by chance, or says them of something
else. Each feature is in [0, 1] and may only lower support; what each is worth is learnt with the other weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from signals.polarity.concord import denies
from signals.polarity.statements import statements_in
from signals.syntax import read
from signals.values import parse
from verifier.core.lexicon import lexicon

__all__ = ["SURPLUS", "surplus"]

SURPLUS: Mapping[str, str] = {
    "longer": "traceability",
    "values_more": "number",
    "denies_more": "negation",
    "turns": "negation",
    "compares_alone": "negation",
}
"""Feature -> the signal that it belongs to: with it switched off, the feature is 0."""

_TURNING = lexicon("but however although though whereas while instead rather unlike")
_COMPARING = lexicon("than more less most least before after first last earlier later")
_LONGEST = 2.0
"""From e² (7.4) times as many words on, a window counts as no longer still."""
_MOST_VALUES = 3
"""From so many further values on, more of them count no more."""


def surplus(claim: str, premise: str) -> dict[str, float]:
    """The features of ``SURPLUS``.

    * ``longer``: the natural logarithm of how many times as many words the premise has, halved, at most 1.
    * ``values_more``: how many values more it has, of three.
    * ``denies_more``: it denies something, and the claim nothing.
    * ``turns``: it goes on to say otherwise (``but``, ``while``), and the claim does not.
    * ``compares_alone``: the claim compares or orders (``more``, ``before``), and the premise does not.

    >>> surplus("The mill has two wheels.", "The mill has two wheels, but the larger one no longer turns.")["turns"]
    1.0
    """
    mine, other = read(claim), read(premise)
    words = [sum(not token.word.punct for token in reading.tokens) + 1 for reading in (mine, other)]
    values = len(parse(premise)) - len(parse(claim))
    return {
        "longer": min(max(math.log(words[1] / words[0]), 0.0), _LONGEST) / _LONGEST,
        "values_more": min(max(values, 0), _MOST_VALUES) / _MOST_VALUES,
        "denies_more": float(_denies(premise) and not _denies(claim)),
        "turns": float(_has(premise, _TURNING) and not _has(claim, _TURNING)),
        "compares_alone": float(_has(claim, _COMPARING) and not _has(premise, _COMPARING)),
    }


def _denies(text: str) -> bool:
    return any(map(denies, statements_in(text)))


def _has(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(read(text).places)
