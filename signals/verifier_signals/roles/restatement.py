"""Restatement: whether the premise tells the claim's one event with the same roles, in whatever verb or noun."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier_signals.lexicon.denials import DENYING_WORDS
from verifier_signals.names import Finder, Name, is_alias, names_in
from verifier_signals.roles.clashes import comparable_kinds, fills_alike, role_clashes
from verifier_signals.roles.events import events_in, possible_event_kinds, possible_keys
from verifier_signals.roles.fillers import Event
from verifier_signals.stems import content_words
from verifier_signals.types import Span

__all__ = ["restated_event"]

_NOT_FIRM = re.compile(
    r"\b(?!(?-i:May)\b)(?:not|no|never|neither|nor|none|nobody|without|cannot|if|unless|whether|may|might|could|would|should|must|only"
    r"|almost|nearly|planned|plans|wants?|wanted|hopes?|hoped|tried|tries|failed|refused|offered|intends?|intended"
    r"|expected|allegedly|perhaps|possibly|probably|later|first|last|all|every|always|most|some|still|already)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""Words by which a deed is no plain deed, or one of several: one text must not have what the other lacks."""
_LIGHT = lexicon("company firm organisation organization")
_DENYING = DENYING_WORDS | {"without", "n't", "n’t"}
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_FEWEST = 2


class _ClaimEvent(NamedTuple):
    """The one deed of a claim, its names, the keys of its other words, its figures, and what makes it no plain deed."""

    event: Event
    names: tuple[Name, ...]
    keys: frozenset[str]
    figures: frozenset[str]
    reserve: frozenset[str]


def restated_event(claim: str, premise: str, find: Finder = names_in) -> tuple[Span, Span] | None:
    """The spans of the one deed of a claim and of the same deed in the premise; ``None`` where it is not the same.

    All sides that the claim names are the same in the premise, whichever verb or noun tells of them (``A lost to B``,
    ``B defeated A``). The premise has every other word of the claim, and the sentence of the deed the same figures.
    """
    asked = _only_event(claim, find)
    if asked is None or not comparable_kinds(asked.event.kind) & possible_event_kinds(premise):
        return None
    if not asked.keys <= possible_keys(premise):
        return None
    for theirs in events_in(premise, find):
        if fills_alike(asked.event, theirs) and _says_all(asked, theirs, premise, find):
            same = not role_clashes(claim, premise, find)
            return ((asked.event.start, asked.event.end), (theirs.start, theirs.end)) if same else None
    return None


def _says_all(asked: _ClaimEvent, theirs: Event, premise: str, find: Finder) -> bool:
    """Whether the sentence of a deed has the names and figures of the claim, no others of these, and no reserve."""
    start, end = next(
        (first, last) for first, last in sentence_spans(premise) if first <= theirs.start < last
    )
    sentence = premise[start:end]
    if _reserve(sentence) != asked.reserve or _figures(sentence) != asked.figures:
        return False
    there = [name for name in find(premise) if start <= name.start < end]
    there += [one.name for fillers in theirs.roles.values() for one in fillers if one.name is not None]
    return all(any(is_alias(name, other) for other in there) for name in asked.names)


def _reserve(text: str) -> frozenset[str]:
    return frozenset(match[0].casefold() for match in _NOT_FIRM.finditer(text))


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(text))


@lru_cache(maxsize=512)
def _only_event(claim: str, find: Finder) -> _ClaimEvent | None:
    events = [event for event in events_in(claim, find) if len(event.roles) >= _FEWEST]
    if len(events) != 1 or not all(events[0].roles.values()) or len(sentence_spans(claim)) > 1:
        return None
    [event] = events
    names = tuple(find(claim))
    reserve = _reserve(claim)
    if not names or reserve & _DENYING:
        return None
    apart = [(event.start, event.end), *((name.start, name.end) for name in names)]
    keys = {
        word.key
        for word in content_words(claim)
        if not (word.low in _LIGHT or word.low.isdecimal() or any(a <= word.start < b for a, b in apart))
    }
    return _ClaimEvent(event, names, frozenset(keys), _figures(claim), reserve)
