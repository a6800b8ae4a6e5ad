"""A claim and a premise go in, a condition of the premise that the claim drops or breaks comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from signals.polarity.clash import Clash, Span
from signals.syntax import Reading, read, stem
from signals.values.fields import field_at, fields_of
from verifier.core.lexicon import lexicon

__all__ = ["Condition", "condition_clashes", "conditions_in"]

_NEEDED = (
    r"only (?:if|when|after|where|with|for|on|in|from|until|at)|if|provided(?: that)?|providing|as long as|so long as"
    r"|on (?:the )?condition that|subject to|in the event"
)
_EXCEPTED = r"unless|except(?:ion)?(?: for| in| when| if| on)?|excluding|other than|apart from|but not"
_CONDITION = re.compile(rf"\b(?:(?P<needed>{_NEEDED})|(?P<excepted>{_EXCEPTED}))\b", re.IGNORECASE)
_END = re.compile(r"[.;:!?](?=\s|$)|\n")
_FRONT_END = re.compile(r",|\bthen\b")
_OVERRIDE = re.compile(
    r"\b(?:however (?!the\b|an?\b|it\b|this\b|that\b|they\b|he\b|she\b|we\b|i\b)[^\W\d_]+(?= )|always"
    r"|in (?:all|any|every) cases?|whatever|regardless|irrespective|whether or not|no matter|even (?:if|when"
    r"|though|where|after|before|without)|without exception|under any circumstances?|in any event|automatically"
    r"|unconditionally|at any time|\w+ or no \w+)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"(?<!\bof )\b(?:any|every|all|everyone|everybody|anyone|anybody)\b", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:not|no|never|without|nobody|none|cannot)\b|n['’]t\b)", re.IGNORECASE)
_ONLY_BEFORE = re.compile(
    r"\bonly ((?:[\w'’,-]+ ){1,8}?)(?:may|can|is|are|must|has|have|will|gets?|receives?)\b", re.IGNORECASE
)
_ONLY_BEHIND = re.compile(r"((?:[\w'’-]+ ){0,2}[\w'’-]+) only(?=[.,;)]|$)", re.IGNORECASE)
_GRANTING = frozenset(
    map(
        stem,
        lexicon("""
    allow permit possible available january february march april may june july august september october november
    december
    """),
    )
)
"""Stems that say no more of a rule than that it allows, and when: they do not tell what it is about."""
_SAME_STATEMENT = 0.5
_MOST_OF_STATEMENT = 0.6
_MENTIONED = 0.34
"""Share of a condition's content words from which on a claim speaks of the condition."""
_BROKEN, _OVERRIDDEN, _NEEDED_DROPPED, _EXCEPTION_DROPPED = 1.0, 0.9, 0.5, 0.3
"""Strengths: the claim denies that the condition matters; it claims all cases; it is silent on a condition that is
needed, or on an exception, which the general rule need not name."""


class Condition(NamedTuple):
    """A condition and the statement that it governs: its span, whether it is an exception, both contents, and
    whether it stands in a cell, for a claim need not repeat what a row remarks."""

    span: Span
    excepted: bool
    main: frozenset[str]
    content: frozenset[str]
    in_cell: bool = False


@lru_cache(maxsize=2048)
def conditions_in(text: str) -> tuple[Condition, ...]:
    """The conditions that a text states, in reading order."""
    reading = read(text)
    found: list[Condition] = []
    for match in _CONDITION.finditer(text):
        begin, end = _sentence(text, match.start())
        cell = field_at(fields_of(text), match.start())
        stop = (
            _FRONT_END.search(text, match.end(), end)
            if not text[begin : match.start()].strip(" -*")
            else None
        )
        last = stop.start() if stop else end
        content = _stems(reading, match.end(), last)
        around = (begin, end) if cell is None else cell.row
        main = _stems(reading, around[0], match.start()) | _stems(reading, last, around[1])
        if content and main:
            found.append(
                Condition(
                    (match.start(), last), match["excepted"] is not None, main, content, cell is not None
                )
            )
    return tuple(found)


def _sentence(text: str, at: int) -> Span:
    begin = max((match.end() for match in _END.finditer(text, 0, at)), default=0)
    end = _END.search(text, at)
    return begin, end.start() if end else len(text)


def _stems(reading: Reading, begin: int, end: int) -> frozenset[str]:
    return frozenset(
        token.word.stem
        for token in reading.tokens
        if begin <= token.start < end and not (token.word.punct or token.word.function)
    )


def condition_clashes(claim: str, premise: str) -> list[Clash]:
    """What the claim does to each condition of the premise that governs its own statement."""
    reading = read(claim)
    content = _stems(reading, 0, len(claim))
    if not content:
        return []
    found: list[Clash] = []
    override, own = _override(claim), _CONDITION.search(claim)
    for condition in conditions_in(premise):
        rest = content - condition.content
        if not _governs(condition, rest):
            continue
        mentioned = len(content & condition.content) / len(condition.content)
        strength = _strength(condition, override, own, mentioned)
        if strength:
            span = override.span() if override else _whole(claim)
            note = "the condition is denied" if strength == _BROKEN else "the condition is left out"
            found.append(Clash("condition", strength, span, condition.span, note))
    if override is not None:
        found.extend(_opened(content, premise, override.span()))
    return found


def _governs(condition: Condition, rest: frozenset[str]) -> bool:
    """Whether the condition's statement is the claim's: half of the claim is in it, or most of it in the claim."""
    common = len(rest & condition.main)
    return bool(rest) and (
        common >= _SAME_STATEMENT * len(rest) or common >= _MOST_OF_STATEMENT * len(condition.main)
    )


def _opened(content: frozenset[str], premise: str, span: Span) -> Iterator[Clash]:
    """``Anyone can``, where the evidence has ``only the owner can``."""
    reading = read(premise)
    for pattern in (_ONLY_BEFORE, _ONLY_BEHIND):
        for match in pattern.finditer(premise):
            begin, end = _sentence(premise, match.start())
            admitted = _stems(reading, *match.span(1))
            main = _stems(reading, begin, end) - admitted - _GRANTING
            if (
                admitted
                and not admitted <= content
                and main
                and len(main & content) >= _SAME_STATEMENT * len(main)
            ):
                yield Clash("condition", _OVERRIDDEN, span, match.span(), "the evidence admits only these")


def _override(claim: str) -> re.Match[str] | None:
    """What makes the claim hold in all cases; ``any`` after a negation does not."""
    found = _OVERRIDE.search(claim)
    return found if found or _DENIED.search(claim) else _ALL.search(claim)


def _whole(claim: str) -> Span:
    begin = len(claim) - len(claim.lstrip())
    return begin, len(claim.rstrip())


def _strength(
    condition: Condition, override: re.Match[str] | None, own: re.Match[str] | None, mentioned: float
) -> float:
    if override is not None:
        if mentioned >= _MENTIONED:
            return _BROKEN
        return 0.0 if own is not None else _OVERRIDDEN
    if own is not None or condition.in_cell or mentioned >= _MENTIONED:
        return 0.0
    return _EXCEPTION_DROPPED if condition.excepted else _NEEDED_DROPPED
