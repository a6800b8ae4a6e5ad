"""A name of the claim goes in, the name that the evidence has in its place comes out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from signals.names.alias import comparable
from signals.names.find import names_in
from signals.names.types import Name
from signals.syntax import Reading, read
from verifier.core.lexicon import lexicon

__all__ = ["may_compete", "rival_of"]

_SAME_SUBJECT = 0.7
"""Share of the claim's other content words that the rival's sentence must have before the two compete."""
_NEAR = 5
"""Tokens looked through for a name's neighbour."""
_LINKS = lexicon("of in on at by for with about against to from under over as than into")

_Place = tuple[str, str]
"""The word that ties a name in (a preposition, or nothing) and the stem of the content word beyond it."""


def may_compete(claim: str, premise: str) -> bool:
    """Whether a premise has words enough for ``rival_of`` to find a rival of a name of the claim in it."""
    return _covers(read(premise).stems, _wanted(claim))


def rival_of(name: Name, claim: str, rivals: Sequence[Name], premise: str) -> Name | None:
    """The first of ``rivals`` that stands in the evidence where ``name`` stands in the claim.

    Same place: the same neighbouring content word over the same preposition, before or behind the name, or a name
    of the same kind (``MV Petrel``, ``MV Skua``), in a sentence that has most of the claim's other content words.
    """
    if not rivals:
        return None
    ours = read(claim)
    left, right = _places(ours, name)
    wanted = _wanted(claim)
    theirs = read(premise)
    for rival in rivals:
        if not comparable(name, rival) or not _covers(
            _content(premise)[theirs.sentences[rival.first]], wanted
        ):
            continue
        other_left, other_right = _places(theirs, rival)
        if (left[1] and left == other_left) or (right[1] and right == other_right) or _kin(name, rival):
            return rival
    return None


def _kin(name: Name, rival: Name) -> bool:
    """Whether two names say by a word of theirs what they name: ``Lindersund Museum``, ``Orlow Museum``."""
    if min(len(name.words), len(rival.words)) < 2:
        return False
    return name.words[0] == rival.words[0] or name.words[-1] == rival.words[-1]


def _covers(sentence: frozenset[str], wanted: frozenset[str]) -> bool:
    return bool(wanted) and len(wanted & sentence) >= _SAME_SUBJECT * len(wanted)


@lru_cache(maxsize=2048)
def _wanted(claim: str) -> frozenset[str]:
    return frozenset().union(*_content(claim))


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[frozenset[str], ...]:
    """The stems of the content words of each sentence, names left out."""
    reading = read(text)
    inside = {at for name in names_in(text) for at in range(name.first, name.last)}
    stems: list[set[str]] = [set() for _ in range((reading.sentences[-1] if reading.sentences else 0) + 1)]
    for at, token in enumerate(reading.tokens):
        if at not in inside and not (token.word.punct or token.word.function or token.word.number):
            stems[reading.sentences[at]].add(token.word.stem)
    return tuple(map(frozenset, stems))


@lru_cache(maxsize=8192)
def _places(reading: Reading, name: Name) -> tuple[_Place, _Place]:
    before = _place(reading, range(name.first - 1, max(name.first - 1 - _NEAR, -1), -1), name)
    behind = _place(reading, range(name.last, min(name.last + _NEAR, len(reading.tokens))), name)
    return before, (_tie(reading, name), behind[1])


def _tie(reading: Reading, name: Name) -> str:
    low = reading.tokens[name.first - 1].word.low if name.first else ""
    return low if low in _LINKS else ""


def _place(reading: Reading, tokens: range, name: Name) -> _Place:
    link = ""
    for at in tokens:
        word = reading.tokens[at].word
        if reading.sentences[at] != reading.sentences[name.first] or word.low in ";:.|":
            break
        if word.low in _LINKS and not link:
            link = word.low
        if not (word.function or word.punct or word.number):
            return link, word.stem
    return link, ""
