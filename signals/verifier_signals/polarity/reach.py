"""A claim and a premise go in, superlatives, majorities and wider worlds that only the claim has come out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.clash import Clash, Span
from verifier_signals.syntax import Reading, Token, Word, read
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["reaches_beyond"]

_BEYOND = 0.9
_NO_RANKING = "the evidence ranks nothing so"
_NO_WORLD = "the evidence does not speak of so wide a world"
_NO_COUNT = "the evidence does not say of how many"
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

_MAJORITY = re.compile(
    r"\b(?:(?:(?<!the )(?<!at )most(?=\s+of\b)|^most(?=\s+(?!likely)\w+s\b))|(?:the|a)\s+majority(?=\s+of\b))",
    re.IGNORECASE,
)
"""What says of more than half of some things that something holds."""
_COUNTING = re.compile(
    r"\b(?:most(?:ly)?|majority|mainly|chiefly|largely|predominantly|primarily|usually|generally|normally|typically|all|every"
    r"|everyone|everybody|each|both|bulk|half|whole|always|none|nobody|never|without exception|as a rule|minority|few"
    r"|hardly|rarely|exclusively|entirely|only)\b|%|\bper ?cent\b",
    re.IGNORECASE,
)
"""What says of how many of some things a sentence holds."""
_STOPS = frozenset(".;!?")
_YEAR = re.compile(r"[12]\d{3}")
_FIGURES = 2
"""So many counts in the evidence may be a part and its whole."""
_NEAR = 0.5
"""A part of the evidence counts the same things where it has so many of the claim's words that the best part has."""


def reaches_beyond(claim: str, premise: str) -> list[Clash]:
    """One item for each superlative and each wider world of the claim that the premise lacks.

    That the premise has other words for it (figures of all that are compared) is not seen: what is found leaves the
    claim open, and does not deny it.

    >>> [clash.note for clash in reaches_beyond("It is the largest mill in the country.", "It is a large mill.")]
    ['the evidence ranks nothing so', 'the evidence does not speak of so wide a world']
    """
    found = _asserted(claim)
    majority = _MAJORITY.search(claim)
    if not (found or majority):
        return []
    told = premise.casefold()
    beyond = [
        Clash("negation.superlative-not-stated", "reach", _BEYOND, one.span, (0, 0), one.note)
        for one in found
        if one.word not in told
    ]
    if majority is not None and not _counts(read(claim), read(premise)):
        beyond.append(
            Clash("negation.majority-not-counted", "reach", _BEYOND, majority.span(), (0, 0), _NO_COUNT)
        )
    return beyond


def _counts(claim: Reading, premise: Reading) -> bool:
    """Whether the parts of a premise that speak of the claim say of how many, in words or by two counts."""
    wanted = _stems(claim.tokens)
    parts = _parts(premise)
    shared = [len(wanted & _stems(part)) for part in parts]
    near = _NEAR * max(shared, default=0)
    about = [part for part, number in zip(parts, shared, strict=True) if number and number >= near]
    figures = sum(_is_count(token.word) for part in about for token in part)
    return figures >= _FIGURES or any(
        _COUNTING.search(premise.text, part[0].start, part[-1].end) is not None for part in about
    )


def _parts(reading: Reading) -> list[list[Token]]:
    """The tokens between full stops and semicolons."""
    parts: list[list[Token]] = [[]]
    for token in reading.tokens:
        if token.word.low in _STOPS:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _stems(tokens: Iterable[Token]) -> frozenset[str]:
    words = (token.word for token in tokens)
    return frozenset(word.stem for word in words if not (word.punct or word.function or word.number))


def _is_count(word: Word) -> bool:
    """Whether a word is a number, and none that looks like a year."""
    return word.low in NUMBER_WORDS or (word.number and _YEAR.fullmatch(word.low) is None)


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
