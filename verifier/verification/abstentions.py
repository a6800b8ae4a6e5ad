"""When an answer says that something is not stated: find the sentence of the sources that states it after all.

Sure rather than complete: a sentence tells it where it has every word of what is asked for, no other word stands before
the last of them, and the answer to such a question is there: a date for ``when``, a figure in a unit of mass for
``how heavy``, a name for ``who``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.content import content_of
from verifier_signals.lexicon import scales_of
from verifier_signals.names import names_in
from verifier_signals.names.types import ROLES
from verifier_signals.stems import content_words, lemma
from verifier_signals.values import Value, values_of

from verifier.core.errors import BackendError, VerifierError, failing_as
from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier.types import Claim, ClaimVerdict, Evidence, SkippedSpan
from verifier.verification.claims.abstention import ABSTENTION, abstention_in
from verifier.verification.evidence.windows import Window, windows_of
from verifier.verification.retrieve import KnowledgeSource, gather
from verifier.verification.statements import Factuality
from verifier.verification.unchecked import abstained, errored, skipped

__all__ = ["Asked", "Sought", "asked_by", "set_aside", "told"]


class Sought(Enum):
    """The kind of answer that a question wants."""

    STATEMENT = auto()
    MEASURE = auto()
    TIME = auto()
    COUNT = auto()
    NAME = auto()
    PLACE = auto()
    REASON = auto()
    UNSURE = auto()
    """Nothing tells; it is not looked for."""


class Asked(NamedTuple):
    """A question: the keys of its words, which a sentence must have, and the answer that it wants.

    ``dimensions`` are those of the figure that is wanted, ``scale`` the words one of which must be there with it.
    """

    keys: frozenset[str]
    sought: Sought
    dimensions: frozenset[str] = frozenset()
    scale: frozenset[str] = frozenset()


class _Measure(NamedTuple):
    nouns: frozenset[str]
    words: frozenset[str]
    dimensions: frozenset[str]


_LENGTH = frozenset({"length"})
_MONEY = frozenset({"money"})
_MEASURES = (
    _Measure(lexicon("weight mass"), lexicon("heavy weigh weight mass"), frozenset({"mass"})),
    _Measure(
        lexicon("height altitude elevation"),
        lexicon("tall high height altitude rise elevation"),
        _LENGTH,
    ),
    _Measure(lexicon("depth"), lexicon("deep depth"), _LENGTH),
    _Measure(lexicon("width breadth"), lexicon("wide width broad breadth"), _LENGTH),
    _Measure(lexicon("length"), lexicon("long length"), _LENGTH),
    _Measure(lexicon("duration"), lexicon("long last take run duration"), frozenset({"time"})),
    _Measure(lexicon("distance"), lexicon("far away distance from"), _LENGTH),
    _Measure(lexicon("age"), lexicon("old age aged"), frozenset({"time", "age"})),
    _Measure(lexicon("area"), lexicon("area cover"), frozenset({"area"})),
    _Measure(lexicon("speed"), lexicon("fast speed"), frozenset({"speed"})),
    _Measure(lexicon("temperature"), lexicon("hot cold warm temperature"), frozenset({"temperature"})),
    _Measure(
        lexicon("price cost fee fare salary rent charge toll budget wage"),
        lexicon("cost price fee fare pay charge salary rent toll budget wage earn"),
        _MONEY,
    ),
)
"""Nouns that ask for a figure, the words that a sentence states it with, and the dimensions of its unit."""
_TIMES = lexicon("date year day time deadline month birthday hour hours")
_COUNTS = lexicon("number count total quantity")
_NAMED = (
    lexicon("name identity")
    | ROLES
    | lexicon("designer winner painter inventor sponsor builder donor witness")
)
_PLACES = lexicon("location address place site whereabouts")
_AUXILIARIES = lexicon("is are was were do does did can could will would has have had should must")
_REASONS = lexicon("reason reasons cause causes why")
_IDLE = lexicon("""
    exact precise current own specific total average overall exactly currently today now information detail details
    anything mention figure figures answer question document source text context happen do be have
    """)
_WHO, _WHETHER = lexicon("who whom whose"), lexicon("whether if is are was were do does did can has have")
_BECAUSE = re.compile(r"\b(?:because|due\sto|owing\sto|since|as\sa\sresult|the\sreason)\b", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|at|near|on|off|outside|beside)\s(?:the\s)?[A-Z]")
_NOT_KNOWN = re.compile(
    r"\b(?:unknown|unclear|uncertain|undecided)\b|\bnot\s(?:yet\s)?(?:\w+\s)?(?:known|recorded|stated|clear|decided|certain|given|fixed|set)\b",
    re.IGNORECASE,
)
_TELLING = (Factuality.ASSERTED, Factuality.ENDED, Factuality.PLANNED)
_CONDITION = re.compile(r"(?:if|unless|whether|should|once)\b", re.IGNORECASE)
_PLACING = re.compile(r"\b(?:in|at|near|from|to|on|with|for|than)\s+(?:the\s)?$", re.IGNORECASE)
"""What stands before the name of a place, or of somebody else."""
_WORD = re.compile(r"[^\W\d_]+")
_CURRENCY = re.compile(r"[A-Z]{3}")


def told(
    topics: Sequence[str], source: KnowledgeSource, *, top_k: int, namespace: str
) -> list[Evidence | None]:
    """For each topic the sentence of the source that tells it; ``None`` where none surely does.

    Raises:
        BackendError: retrieval failed.
    """
    asked = [asked_by(topic) for topic in topics]
    sought = [at for at, one in enumerate(asked) if one.keys and one.sought is not Sought.UNSURE]
    claims = [Claim(topics[at], 0, len(topics[at])) for at in sought]
    found: list[Evidence | None] = [None] * len(topics)
    if not claims:
        return found
    for at, evidence in zip(sought, gather(source, claims, top_k=top_k, namespace=namespace), strict=True):
        windows = (window for item in evidence for window in windows_of(item))
        found[at] = next((one.as_evidence() for one in _single(windows) if _tells(one, asked[at])), None)
    return found


def set_aside(
    spans: Sequence[SkippedSpan], source: KnowledgeSource, *, top_k: int, namespace: str
) -> list[ClaimVerdict]:
    """What is said of spans that are no claims: of those that abstain also whether the source tells it after all.

    An error of the source is an error of the spans that were to be looked up.
    """
    open_ = [span for span in spans if span.reason == ABSTENTION]
    try:
        with failing_as(BackendError, "retrieval"):
            found = told([span.topic for span in open_], source, top_k=top_k, namespace=namespace)
    except VerifierError as error:
        failed = {
            (span.start, span.end): errored(Claim(span.text, span.start, span.end), error) for span in open_
        }
        return [failed.get((span.start, span.end)) or skipped(span) for span in spans]
    answers = iter(found)
    return [abstained(span, next(answers)) if span.reason == ABSTENTION else skipped(span) for span in spans]


def _single(windows: Iterable[Window]) -> Iterable[Window]:
    """The windows of one sentence, those that say how it is, was or will be."""
    return (
        one
        for one in windows
        if one.factuality in _TELLING and len(sentence_spans(one.as_evidence().text)) == 1
    )


@lru_cache(maxsize=256)
def asked_by(topic: str) -> Asked:
    """What a topic asks for: ``how heavy a heron is``, ``the weight of the heron``, ``Who built the mill?``.

    >>> asked = asked_by("the weight of the heron")
    >>> sorted(asked.keys), asked.sought.name
    (['heron'], 'MEASURE')
    >>> asked_by("when the mill opened").sought.name, asked_by("how to get there").sought.name
    ('TIME', 'UNSURE')
    """
    words = [word.strip(".,;:!?\"'“”").lower() for word in topic.split()]
    words = [word for word in words if word]
    if not words:
        return Asked(frozenset(), Sought.UNSURE)
    sought, dropped, measure = _read_wh(words) if _is_question(words[0]) else _read_noun(words)
    keys = frozenset(
        unit.key
        for unit in content_of(topic).units
        if unit.key and unit.low not in dropped | _IDLE and lemma(unit.low) not in _IDLE
    )
    figures = frozenset(content_of(topic).figures)
    keys |= figures if sought is Sought.STATEMENT else frozenset()
    if figures and sought is not Sought.STATEMENT:
        sought = Sought.UNSURE
    if measure is None:
        return Asked(keys, sought)
    return Asked(keys, sought, measure.dimensions, measure.words)


def _is_question(word: str) -> bool:
    return word in lexicon("how when where why what which") | _WHO | _WHETHER


_Read = tuple[Sought, frozenset[str], _Measure | None]


def _read_wh(words: list[str]) -> _Read:
    first, second = words[0], words[1] if len(words) > 1 else ""
    dropped = frozenset({first})
    if first in _WHETHER:
        return Sought.STATEMENT, dropped, None
    if first in ("when", "where", "why") or first in _WHO:
        kinds = {"when": Sought.TIME, "where": Sought.PLACE, "why": Sought.REASON}
        return kinds.get(first, Sought.NAME), dropped, None
    if first == "how" and second == "many":
        return Sought.COUNT, dropped | {second}, None
    if first == "how":
        return _read_how(second, words)
    if second and second not in _AUXILIARIES:
        sought, more, measure = _read_noun(words[1:])
        return (Sought.UNSURE if sought is Sought.STATEMENT else sought), dropped | more, measure
    rest = words[2:]
    sought, more, measure = _read_noun(rest)
    return (Sought.UNSURE if sought is Sought.STATEMENT else sought), dropped | more | {second}, measure


def _read_how(second: str, words: list[str]) -> _Read:
    dropped = frozenset({"how", second})
    if second == "much" and any(lemma(word) in _MEASURES[-1].words for word in words):
        return Sought.MEASURE, dropped | _MEASURES[-1].words | {"costs"}, _MEASURES[-1]
    scales = {name for name, _ in scales_of(second)}
    for measure in _MEASURES:
        if second in measure.words and second != "long" and scales:
            return Sought.MEASURE, dropped | measure.words, measure
    if second == "long":
        both = _MEASURES[4].dimensions | _MEASURES[5].dimensions
        words_ = _MEASURES[4].words | _MEASURES[5].words
        return Sought.MEASURE, dropped | words_, _Measure(frozenset(), words_, both)
    return Sought.UNSURE, dropped, None


def _read_noun(words: list[str]) -> _Read:
    """What a noun phrase asks for, by its head."""
    end = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    head = words[end - 1].removesuffix("'s") if words else ""
    head = lemma(head) if lemma(head) else head
    dropped = frozenset({words[end - 1]}) if words else frozenset()
    for measure in _MEASURES:
        if head in measure.nouns:
            return Sought.MEASURE, dropped | measure.nouns, measure
    for nouns, sought in ((_TIMES, Sought.TIME), (_COUNTS, Sought.COUNT), (_PLACES, Sought.PLACE)):
        if head in nouns:
            return sought, dropped, None
    if head in _REASONS:
        return Sought.REASON, dropped, None
    if head in _NAMED:
        return Sought.NAME, dropped if head in ("name", "identity") else frozenset(), None
    return Sought.STATEMENT, frozenset(), None


_PREPOSITIONS = lexicon("of for in at on to from with by about between during that who which")


def _tells(window: Window, asked: Asked) -> bool:
    """Whether a window surely answers the question."""
    premise = window.premise
    first = window.begin
    if (
        premise.rstrip().endswith("?")
        or _CONDITION.match(premise, first)
        or abstention_in(premise)
        or _NOT_KNOWN.search(premise)
    ):
        return False
    content = content_of(premise)
    keys = [unit.key for unit in content.units]
    figures = [content.quote(at) if at in content.values else "" for at in range(len(keys))]
    places = [at for at in range(len(keys)) if keys[at] in asked.keys or figures[at] in asked.keys]
    if not asked.keys or asked.keys - {keys[at] for at in places} - {figures[at] for at in places}:
        return False
    answer = _answer(window, asked)
    if answer is None:
        return False
    last = max(places)
    return all(
        at in places
        or content.units[at].start < first
        or any(start <= content.units[at].start < end for start, end in answer)
        or lemma(content.units[at].low) in asked.scale | _IDLE
        for at in range(last)
    )


def _answer(window: Window, asked: Asked) -> list[tuple[int, int]] | None:
    """The spans of what answers in a premise, none for a statement; ``None`` where no answer is there."""
    premise = window.premise
    values = values_of(premise).values
    if asked.sought is Sought.STATEMENT:
        return [] if len(premise.split()) > 2 else None
    if asked.sought is Sought.TIME:
        return [value.core for value in values if value.dates or _has(value, frozenset({"clock"}))] or None
    if asked.sought is Sought.MEASURE:
        stated = any(
            word in asked.scale or lemma(word) in asked.scale for word in _WORD.findall(premise.lower())
        )
        return [value.core for value in values if stated and _has(value, asked.dimensions)] or None
    if asked.sought is Sought.COUNT:
        return [value.core for value in values if _counts(value, premise, asked.keys)] or None
    if asked.sought is Sought.NAME:
        others = [
            name
            for name in names_in(premise)
            if not _is_asked(premise[name.start : name.end], asked)
            and not _PLACING.search(premise[: name.start])
        ]
        return [(name.start, name.end) for name in others] or None
    pattern = _BECAUSE if asked.sought is Sought.REASON else _PLACED
    found = pattern.search(premise)
    return [found.span()] if found else None


def _has(value: Value, dimensions: frozenset[str]) -> bool:
    return any(
        one.dimension in dimensions or (dimensions == _MONEY and _CURRENCY.fullmatch(one.dimension))
        for one in value.quantities
    )


def _counts(value: Value, premise: str, keys: frozenset[str]) -> bool:
    """Whether a plain number stands right before a word that is asked for (``900 clocks``)."""
    if not any(one.dimension == "" for one in value.quantities):
        return False
    number = premise[value.core[0] : value.core[1]].split()[0]
    at = value.core[0] + len(number)
    following = [word for word in content_words(premise) if word.start >= at]
    between = premise[at : following[0].start] if following else "."
    return bool(following) and following[0].key in keys and not between.strip()


def _is_asked(name: str, asked: Asked) -> bool:
    return bool({unit.key for unit in content_of(name).units} & asked.keys)
