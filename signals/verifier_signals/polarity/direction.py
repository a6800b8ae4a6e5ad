"""A word goes in, which way it points comes out: ``grew`` up, ``shrank`` down; ``heavier`` up, ``cheaper`` down."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import verb_of

__all__ = ["Direction", "direction_of"]

_UP = lexicon("""
    increase rise grow climb expand gain raise soar jump surge double triple swell widen lengthen improve growth advance
    rebound recover warm accelerate
    """)
_DOWN = lexicon("""
    decrease fall decline drop shrink reduce lose diminish dwindle plunge halve narrow sink slump contract shorten
    cut reduction slip slide tumble plummet dip cool
    lower
    """)
_MORE = lexicon("""
    more higher larger bigger greater longer heavier taller deeper wider thicker older dearer costlier
    """)
_LESS = lexicon("""
    less fewer lower smaller shorter lighter shallower narrower thinner younger cheaper
    """)


class Direction(NamedTuple):
    """``kind``: ``change`` of one thing, or ``size`` of one beside another. ``up``: towards the larger figure."""

    kind: str
    up: bool


@lru_cache(maxsize=8192)
def direction_of(low: str) -> Direction | None:
    """Which way a folded word points, if it does."""
    if low in _MORE or low in _LESS:
        return Direction("size", low in _MORE)
    verb = verb_of(low)
    lemma = low if verb is None else verb.lemma
    if lemma in _UP or lemma in _DOWN:
        return Direction("change", lemma in _UP)
    return None
