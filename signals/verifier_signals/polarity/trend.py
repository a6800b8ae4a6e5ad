"""Trends: whether something went up or down, by words (``grew``, ``cheaper``) or by two figures of a sentence.

``Profit was £214 million (2023: £231 million)`` says that profit fell, and so does ``from £231 to £214 million``. A
claim clashes where it tells the contrary change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.core.text import sentence_spans
from verifier_signals.lexicon import verb_of
from verifier_signals.polarity.alignment import PolarityClash, Thresholds, span_of
from verifier_signals.polarity.comparison import is_denied
from verifier_signals.polarity.terms import terms_in
from verifier_signals.syntax import BE, Reading, read
from verifier_signals.types import Span
from verifier_signals.values import parse
from verifier_signals.values.modifiers import ChangePart, change_part
from verifier_signals.values.types import Form, Value

__all__ = ["direction_of", "trend_clashes"]

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


class ChangeDirection(NamedTuple):
    """``kind``: ``change`` of one thing, or ``size`` of one beside another. ``up``: towards the larger figure."""

    kind: str
    up: bool


@lru_cache(maxsize=8192)
def direction_of(low: str) -> ChangeDirection | None:
    """Which way a folded word points, if it does."""
    if low in _MORE or low in _LESS:
        return ChangeDirection("size", low in _MORE)
    verb = verb_of(low)
    lemma = low if verb is None else verb.lemma
    if lemma in _UP or lemma in _DOWN:
        return ChangeDirection("change", lemma in _UP)
    return None


_YEAR = compiled_later(r"\b(?:1[5-9]|20)\d\d\b")
_BEFORE = compiled_later(
    r"\b(?:compared (?:with|to)|against|versus|vs\.?|(?:up|down) from|year (?:before|earlier)|previous(?:ly)?|prior)\b",
    re.IGNORECASE,
)
"""Words between a figure and an earlier one."""
_BEHIND = compiled_later(
    r"\A\W*(?:(?:an?|the|one) (?:year|month|quarter|season) (?:before|earlier|ago)|previously)\b"
)
"""What follows the earlier one of two figures."""
_AGO = compiled_later(r"\s+(?:ago|earlier|before)\b", re.IGNORECASE)
_STANDS_TO = lexicon("on from compared against")
_THAN_BEFORE = compiled_later(
    r"\bthan (?:[\w'’]+ ){0,3}?(?:before|previous(?:ly)?|predecessor|earlier|last|ago|(?:1[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)
"""What makes a comparison one of a thing with itself at another time."""
_GOES_ON = compiled_later(r";[^;]*\b(?:it|they|this|that) (?:was|were|had|stood|came)\b", re.IGNORECASE)
"""Behind a semicolon, what takes up the thing that the figure before it measures."""
_NO_FIGURE = compiled_later(
    r"\b(?:target|goal|limit|plan|planned|forecast|budget\w*|expected|estimate\w*|guidance|average|median|industry)\b",
    re.IGNORECASE,
)
"""Words by which one of the figures is none that was reached."""


class _Trend(NamedTuple):
    """What a sentence measures, by the stems in front of its first figure; whether it went up; the years; where."""

    stems: frozenset[str]
    up: bool
    years: frozenset[str]
    span: Span


@lru_cache(maxsize=2048)
def _trends_in(text: str) -> tuple[_Trend, ...]:
    """The changes that pairs of figures show, one a sentence at most."""
    values = [value for value in parse(text) if value.quantities and not value.dates and not value.weak]
    if len(values) < 2 and not any(value.form is Form.RANGE for value in values):
        return ()
    reading = read(text)
    found = []
    for begin, end in sentence_spans(text):
        trend = _trend(reading, [value for value in values if begin <= value.start < end], (begin, end))
        if trend is not None:
            found.append(trend)
    return tuple(found)


def _trend(reading: Reading, values: Sequence[Value], sentence: Span) -> _Trend | None:
    """The first change in a sentence of which it is plain where it began and where it ended."""
    text = reading.text
    if not values or _NO_FIGURE.search(text, *sentence):
        return None
    figures = _change_range(reading, values[0], sentence[0]) or _figure_pair(text, values, sentence)
    if figures is None or figures[0] == figures[1]:
        return None
    stems = _measured_stems(reading, sentence[0], values[0].start)
    years = frozenset(_YEAR.findall(text[slice(*sentence)]))
    return _Trend(stems, figures[0] < figures[1], years, (values[0].start, values[-1].end)) if stems else None


def _change_range(reading: Reading, value: Value, begin: int) -> tuple[float, float] | None:
    """The ends of ``warmed from 24 °C to 31 °C`` as they are written; ``None`` where a span is no change."""
    text = reading.text
    if value.form is not Form.RANGE or not text[begin : value.start].casefold().rstrip().endswith("from"):
        return None
    ahead = (token.word.low for token in reading.tokens if begin <= token.start < value.start)
    halves = [parse(half) for half in text[value.start : value.end].split(" to ")]
    ends = [half[0].quantities[0] for half in halves if half and half[0].quantities]
    if len(ends) != 2 or not any(
        (way := direction_of(low)) is not None and way.kind == "change" for low in ahead
    ):
        return None
    return ends[0].written or ends[0].low, ends[1].written or ends[1].low


def _figure_pair(text: str, values: Sequence[Value], sentence: Span) -> tuple[float, float] | None:
    """The earlier and the later one of two figures of one dimension, in the base unit."""
    for one, two in pairwise(values):
        here, there = one.quantities[0], two.quantities[0]
        if here.dimension != there.dimension or here.low != here.high or there.low != there.high:
            continue
        first = _earlier_first(text, one, two, sentence)
        if first is not None:
            return (here.low, there.low) if first else (there.low, here.low)
    return None


def _earlier_first(text: str, one: Value, two: Value, sentence: Span) -> bool | None:
    """Whether the first of two figures is the earlier one; ``None`` where the text does not say."""
    parts = change_part(text, one, sentence), change_part(text, two, sentence)
    if set(parts) == {ChangePart.START, ChangePart.END}:
        return parts[0] is ChangePart.START
    between, behind = text[one.end : two.start], text[two.end : sentence[1]]
    if (";" in between and not _GOES_ON.search(between)) or ChangePart.STEP in parts:
        return None
    ahead, later = _YEAR.findall(text[sentence[0] : one.start]), _YEAR.findall(between)
    if len(later) == len(ahead) == 1 and later != ahead:
        return ahead < later
    if (len(later) == 1 and "(" in between) or _BEFORE.search(between) or _BEHIND.search(behind):
        return False
    return None


def _measured_stems(reading: Reading, begin: int, end: int) -> frozenset[str]:
    """The stems of what a sentence measures: those in front of its verb, or of its first figure."""
    places = [at for at, token in enumerate(reading.tokens) if begin <= token.start < end]
    if not places:
        return frozenset()
    verbs = (group.first for clause in reading.clauses for group in clause.verbs)
    last = next((at for at in verbs if places[0] < at <= places[-1]), places[-1] + 1)
    terms = terms_in(reading, places[0], last)
    return frozenset(term.stem for term in terms if direction_of(term.low) is None)


def trend_clashes(claim: str, premise: str, thresholds: Thresholds) -> list[PolarityClash]:
    """Where the claim says that something rose, and the figures of the premise say that it fell, or the other way."""
    own = _claimed_trend(claim)
    if own is None:
        return []
    known = frozenset(_YEAR.findall(premise))
    known |= frozenset(str(int(year) + 1) for year in known)
    return [
        PolarityClash(
            "negation.trend-contrary", "antonym", 1.0, own.span, trend.span, "the figures say otherwise"
        )
        for trend in _trends_in(premise)
        if own.up is not trend.up
        and own.years <= known
        and len(own.stems & trend.stems) >= thresholds.condition_whole * len(trend.stems)
    ]


@lru_cache(maxsize=1024)
def _claimed_trend(claim: str) -> _Trend | None:
    """The one change that a claim without figures, but those of a version, tells of, and the word that does."""
    reading = read(claim)
    ways = [(at, way) for at in range(len(reading.tokens)) if (way := _direction_at(reading, at)) is not None]
    if len({way.up for _, way in ways}) != 1 or is_denied(reading, range(len(reading.tokens))):
        return None
    if any(way.kind == "size" for _, way in ways) and not _THAN_BEFORE.search(claim):
        return None
    if any(
        value.quantities
        and not (value.dates or value.weak or value.kind == "code" or _AGO.match(claim, value.end))
        for value in parse(claim)
    ):
        return None
    at, way = ways[0]
    stems = frozenset(term.stem for term in terms_in(reading, 0, len(reading.tokens), {at}))
    return _Trend(stems, way.up, frozenset(_YEAR.findall(claim)), span_of(reading, at, at + 1))


def _direction_at(reading: Reading, at: int) -> ChangeDirection | None:
    """Which way a word of the claim points; ``up`` and ``down`` do behind ``go``, or in ``was down on last year``."""
    word = reading.tokens[at].word
    if word.low in ("up", "down") and at:
        verb = reading.tokens[at - 1].word.verb
        went = verb is not None and verb.lemma == "go"
        stood = (
            reading.lows[at - 1] in BE and at + 1 < len(reading.lows) and reading.lows[at + 1] in _STANDS_TO
        )
        return ChangeDirection("change", word.low == "up") if went or stood else None
    return direction_of(word.low)
