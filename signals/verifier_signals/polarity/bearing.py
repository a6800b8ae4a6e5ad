"""A claim and a premise go in, whether their statements need comparing comes out: most have no word that matters."""

from __future__ import annotations

from functools import lru_cache

from verifier_signals.polarity.cues import cues_in
from verifier_signals.polarity.items import relations_of, without_prefix
from verifier_signals.polarity.statements import statements_in, stems_in
from verifier_signals.syntax import Reading, read

__all__ = ["may_bear"]


def may_bear(claim: Reading, premise: Reading) -> bool:
    """Whether any two statements of the texts can clash, or bear on each other by a cue.

    They must have a word in common, and either a cue or a denying prefix on one side, or opposites on the two.
    """
    if _is_prefixed(premise):
        return True
    if stems_in(claim.text).isdisjoint(premise.stems):
        return False
    return bool(cues_in(premise) or _is_marked(claim.text) or _has_opposite(claim.text, premise))


def _is_prefixed(reading: Reading) -> bool:
    return any(without_prefix(low) is not None for low in reading.places)


@lru_cache(maxsize=1024)
def _is_marked(claim: str) -> bool:
    """Whether a claim has a cue or a denying prefix."""
    reading = read(claim)
    return bool(cues_in(reading)) or _is_prefixed(reading)


def _has_opposite(claim: str, premise: Reading) -> bool:
    opposites = _opposites_in(claim)
    return bool(opposites) and any(
        not opposites.isdisjoint(relations_of(low).forms) for low in premise.places
    )


@lru_cache(maxsize=1024)
def _opposites_in(claim: str) -> frozenset[str]:
    """The opposites of the content words of a claim."""
    items = (item for statement in statements_in(claim) for item in statement.items.values())
    return frozenset[str]().union(*(relations_of(item.low).opposites for item in items))
