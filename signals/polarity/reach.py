"""A claim and a premise go in, superlatives and wider worlds of the claim that the premise has no word of come out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from signals.polarity.clash import Clash, Span

__all__ = ["reaches_beyond"]

_BEYOND = 0.9
_NO_RANKING = "the evidence ranks nothing so"
_NO_WORLD = "the evidence does not speak of so wide a world"
_NO_RANK = (
    "rest|test|west|east|forest|interest|request|harvest|guest|honest|latest|protest|invest|suggest|contest|chest|nest"
    "|priest|quest|crest|fest|vest|arrest|digest|earnest|modest|manifest"
)
_RANK = re.compile(
    rf"\b(?:(?:the|its|their|his|her|our|all)|\w+['’]s?)\s+(?:\w+[- ])?"
    rf"(?P<one>(?!(?:{_NO_RANK})\b)[a-z]{{3,}}est\b|best\b|worst\b|top\b|(?:most|least)\s+[a-z]+)",
    re.IGNORECASE,
)
"""``The largest``, ``its most important``; not ``most of`` and not ``at least``."""
_NO_ADJECTIVE = re.compile(r"(?:most|least)\s+(?:of|\w+s)\b", re.IGNORECASE)
_WORLD = re.compile(
    r"\b(?:in (?:the|this|all the) (?:country|world|region|city|county|state|nation|industry|area|sector|market)"
    r"|in all of"
    r"|of all time|worldwide|nationwide|anywhere else)\b",
    re.IGNORECASE,
)
"""A world about which a document on one thing in it rarely speaks."""


def reaches_beyond(claim: str, premise: str) -> list[Clash]:
    """One item for each superlative and each wider world of the claim that the premise lacks.

    That the premise has other words for it (figures of all that are compared) is not seen: what is found leaves the
    claim open, and does not deny it.

    >>> [clash.note for clash in reaches_beyond("It is the largest mill in the country.", "It is a large mill.")]
    ['the evidence ranks nothing so', 'the evidence does not speak of so wide a world']
    """
    found = _asserted(claim)
    if not found:
        return []
    told = premise.casefold()
    return [Clash("reach", _BEYOND, one.span, (0, 0), one.note) for one in found if one.word not in told]


class _Asserted(NamedTuple):
    """A word of the claim that only evidence with the same word bears out."""

    word: str
    span: Span
    note: str


@lru_cache(maxsize=512)
def _asserted(claim: str) -> tuple[_Asserted, ...]:
    ranks = [match for match in _RANK.finditer(claim) if not _NO_ADJECTIVE.match(match["one"])]
    return (
        *(_Asserted(match["one"].casefold(), match.span("one"), _NO_RANKING) for match in ranks),
        *(_Asserted(match[0].casefold(), match.span(), _NO_WORLD) for match in _WORLD.finditer(claim)),
    )
