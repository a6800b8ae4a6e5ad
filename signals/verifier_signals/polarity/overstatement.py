"""Overstatement: the claim says more than the premise does, which leaves it open and does not deny it.

It is firm where the premise hedges, or has a superlative, a majority or a wider world that the premise lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from verifier.core.patterns import compiled_later
from verifier_signals.polarity.alignment import (
    Alignment,
    PolarityClash,
    Thresholds,
    align,
    main_span,
    span_of,
)
from verifier_signals.polarity.cues import Cue
from verifier_signals.polarity.statements import Statement, contexts_in
from verifier_signals.syntax import Reading, Token, VerbGroup, Word, read
from verifier_signals.types import Span
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["hedge_clashes", "overreach_clashes"]

_SURE_HEDGE, _POSSIBILITY = 0.9, 0.8
_ANY_RESERVE = compiled_later(
    r"\b(?:may|might|could|can|possib\w+|perhaps|maybe|probabl\w+|(?:un)?likely|apparent\w*|seem\w*|appear\w*"
    r"|suggest\w*|potential\w*|presumabl\w+|reported\w*|alleged\w*|believ\w+|thought|consider\w*|plan\w*|propos\w+"
    r"|expect\w*|inten[dt]\w*|hop(?:es?|ed|ing)|aim(?:s|ed|ing)?|wants?|wanted|seek\w*|sought|unclear|uncertain|disput\w+|disagree\w*|permi(?:t|ss)\w*|allow\w*|entitled|welcome"
    r"|not (?:been )?(?:studied|known|tested|shown|proven|established))\b",
    re.IGNORECASE,
)
_BARE = frozenset({"be", "have", "do"})
"""Verbs that say nothing of their own."""


def hedge_clashes(
    claim: Reading,
    ours: Sequence[Statement],
    premise: Reading,
    theirs: Sequence[Statement],
    whole: frozenset[str],
    thresholds: Thresholds,
) -> list[PolarityClash]:
    """One item for each firm statement that the premise makes with reserve."""
    found: list[PolarityClash] = []
    reserved = {other: cue for other in theirs if (cue := _hedge_of(premise, other)) is not None}
    if not reserved or _has_reserve(claim.text):
        return found
    around = contexts_in(premise.text)
    said = {group.lemma for clause in claim.clauses for group in clause.verbs}
    for mine in ours:
        aligned = [(align(mine, other, around[other.sentence], whole, thresholds), other) for other in theirs]
        firm = max((one.score for one, other in aligned if other not in reserved), default=0.0)
        for alignment, other in aligned:
            cue = reserved.get(other)
            if cue is None or mine.denied != other.denied or alignment.score <= firm:
                continue
            verb = _verb_of(premise, cue)
            if verb is not None and said and not _is_said(premise, verb, alignment, said):
                continue
            about = alignment.shared & (other.predicates | mine.predicates) or (
                verb is not None and verb.lemma in said - _BARE
            )
            if alignment.score >= (thresholds.hedge_same if about else thresholds.hedge_without_verb):
                strength = _POSSIBILITY if premise.lows[cue.first] == "may" else _SURE_HEDGE
                here = main_span(claim, mine, alignment.shared)
                found.append(
                    PolarityClash(
                        "negation.reserve-lost",
                        "hedge",
                        strength,
                        here,
                        span_of(premise, cue.first, cue.last),
                    )
                )
    return found


@lru_cache(maxsize=1024)
def _has_reserve(claim: str) -> bool:
    return _ANY_RESERVE.search(claim) is not None


def _hedge_of(reading: Reading, statement: Statement) -> Cue | None:
    """The first hedge; ``may`` and ``could`` are none beside a denial, for then they forbid or tell."""
    if statement.cue("hedge") is None:
        return None
    denied = statement.cue("negation") is not None
    return next(
        (
            cue
            for cue in statement.cues
            if cue.kind == "hedge" and not (denied and reading.tokens[cue.first].word.low in ("may", "could"))
        ),
        None,
    )


def _verb_of(reading: Reading, cue: Cue) -> VerbGroup | None:
    """The verbs that a modal belongs to."""
    groups = (group for clause in reading.clauses for group in clause.verbs)
    return next((group for group in groups if group.first <= cue.first < group.main), None)


def _is_said(reading: Reading, verb: VerbGroup, alignment: Alignment, said: Set[str]) -> bool:
    """Whether a modal's own verb is among what the claim says too: ``may appeal`` leaves nothing else open.

    Args:
        said: the lemmas of the claim's verbs, those too light to count as shared words among them; not empty.
    """
    stem = reading.tokens[verb.main].word.stem
    return verb.lemma in _BARE | said or stem in alignment.shared | alignment.matched


_OVERREACH = 0.9
_NO_RANKING = "the evidence ranks nothing so"
_NO_WORLD = "the evidence does not speak of so wide a world"
_NO_COUNT = "the evidence does not say of how many"
_NO_RANK = (
    "rest|test|west|east|forest|interest|request|harvest|guest|honest|latest|protest|invest|suggest|contest|chest|nest"
    "|priest|quest|crest|fest|vest|arrest|digest|earnest|modest|manifest"
)
_RANK = compiled_later(
    rf"\b(?:(?:the|its|their|his|her|our|all)|\w+['’]s?)\s+(?:\w+[- ])?"
    rf"(?P<one>(?!(?:{_NO_RANK})\b)[a-z]{{3,}}est\b|best\b|worst\b|top\b|(?:most|least)\s+[a-z]+)",
    re.IGNORECASE,
)
"""``The largest``, ``its most important``; not ``most of`` and not ``at least``."""
_NO_ADJECTIVE = compiled_later(r"(?:most|least)\s+(?:of|\w+s)\b", re.IGNORECASE)
_WORLD = compiled_later(
    r"\b(?:in (?:the|this|all the) (?:country|world|region|city|county|state|nation|industry|area|sector|market)"
    r"|in all of"
    r"|of all time|worldwide|nationwide|anywhere else)\b",
    re.IGNORECASE,
)
"""A world about which a document on one thing in it rarely speaks."""

_MAJORITY = compiled_later(
    r"\b(?:(?:(?<!the )(?<!at )most(?=\s+of\b)|^most(?=\s+(?!likely)\w+s\b))|(?:the|a)\s+majority(?=\s+of\b))",
    re.IGNORECASE,
)
"""What says of more than half of some things that something holds."""
_COUNTING = compiled_later(
    r"\b(?:most(?:ly)?|majority|mainly|chiefly|largely|predominantly|primarily|usually|generally|normally|typically|all|every"
    r"|everyone|everybody|each|both|bulk|half|whole|always|none|nobody|never|without exception|as a rule|minority|few"
    r"|hardly|rarely|exclusively|entirely|only)\b|%|\bper ?cent\b",
    re.IGNORECASE,
)
"""What says of how many of some things a sentence holds."""
_STOPS = frozenset(".;!?")
_YEAR = compiled_later(r"[12]\d{3}")
_FIGURES = 2
"""So many counts in the evidence may be a part and its whole."""
_NEAR = 0.5
"""A part of the evidence counts the same things where it has so many of the claim's words that the best part has."""


def overreach_clashes(claim: str, premise: str) -> list[PolarityClash]:
    """One item for each superlative and each wider world of the claim that the premise lacks.

    That the premise has other words for it (figures of all that are compared) is not seen: what is found leaves the
    claim open, and does not deny it.

    >>> [clash.note for clash in overreach_clashes("It is the largest mill in the country.", "It is a large mill.")]
    ['the evidence ranks nothing so', 'the evidence does not speak of so wide a world']
    """
    found = _asserted(claim)
    majority = _MAJORITY.search(claim)
    if not (found or majority):
        return []
    told = premise.casefold()
    beyond = [
        PolarityClash("negation.superlative-not-stated", "reach", _OVERREACH, one.span, (0, 0), one.note)
        for one in found
        if one.word not in told
    ]
    if majority is not None and not _states_share(read(claim), read(premise)):
        beyond.append(
            PolarityClash(
                "negation.majority-not-counted", "reach", _OVERREACH, majority.span(), (0, 0), _NO_COUNT
            )
        )
    return beyond


def _states_share(claim: Reading, premise: Reading) -> bool:
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
