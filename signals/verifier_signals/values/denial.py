"""Values under negation: the complement of a limit, the opposite side of a moment, denied figures, none and zero.

``Less than 48 hours before, nothing is paid back`` follows from ``paid back at least 48 hours before``. ``Accepted
after 30 days`` contradicts ``accepted within 30 days``. ``No members`` are ``0 members``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.stems import word_key
from verifier_signals.values.candidates import Candidate
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.modifiers import is_denied
from verifier_signals.values.types import Fit, Form, Value

__all__ = [
    "ZeroStatement",
    "complementary",
    "denies_figure",
    "on_opposite_sides",
    "range_ends",
    "zero_statement_for",
]

_COMPLEMENTS = ({Form.AT_LEAST, Form.BELOW}, {Form.AT_MOST, Form.ABOVE})
_NEGATION_BUT_OF_COMPARATIVES = re.compile(
    r"\b(?:not|never|cannot|nobody|none|nothing|without|no(?!\s+(?:more|less|fewer|later|earlier|longer)\b))\b|n['’]t\b",
    re.IGNORECASE,
)


def complementary(
    claim: ValueText, value: Value, evidence: ValueText, row: Sequence[Candidate]
) -> Candidate | None:
    """The limit or period that a value of the claim lies beyond, where the claim denies what the evidence affirms.

    ``Less than 48 hours before, nothing is paid back`` is the other side of ``paid back at least 48 hours before``.

    One of the two must deny what the other affirms: who pays half ``under 6`` does not pay half ``from 6 on``.
    """
    for one in row:
        other = one.value
        if _outside_period(claim, value, one) or _no_case_of(claim, value, evidence, one):
            return one
        sides = {value.form, other.form}
        if sides not in _COMPLEMENTS or one.comparison.fit is not Fit.DIFFERENT or one.tie < claim.ties.match:
            continue
        same = compare(replace(value, form=Form.POINT), replace(other, form=Form.POINT)).fit is Fit.EQUAL
        if same and _denies(claim, value) is not _denies(evidence, other):
            return one
    return None


def _outside_period(claim: ValueText, value: Value, other: Candidate) -> bool:
    """Whether a claim denies for a day or period what the evidence states for a period that has nothing of it."""
    dated = bool(value.dates) and value.form in (Form.POINT, Form.RANGE) and other.value.form is Form.RANGE
    if not dated or other.tie < claim.ties.conflict or not is_denied(claim.text, value.start):
        return False
    inner = [value] if value.form is Form.POINT else [*range_ends(value)]
    apart = all(compare(end, other.value).fit is Fit.DIFFERENT for end in inner)
    return apart and all(compare(end, value).fit is not Fit.COMPATIBLE for end in range_ends(other.value))


def _no_case_of(claim: ValueText, value: Value, evidence: ValueText, other: Candidate) -> bool:
    """Whether a claim denies for one case what the evidence affirms for others only, or the other way round.

    ``A child of twelve may not dive`` is the other side of ``people aged 16 and over may dive``.
    """
    limited = value.form is Form.POINT and other.value.form is not Form.POINT
    if (
        not (limited and value.may_be_age)
        or other.comparison.fit is not Fit.DIFFERENT
        or other.tie < claim.ties.conflict
    ):
        return False
    return _denies(claim, value) is not _denies(evidence, other.value)


def _denies(text: ValueText, value: Value) -> bool:
    """Whether the part of the sentence that a value stands in, up to a semicolon, denies something."""
    start, end = text.sentence(value)
    start = max(start, text.text.rfind(";", start, value.start) + 1)
    stop = text.text.find(";", value.end, end)
    return len(_NEGATION_BUT_OF_COMPARATIVES.findall(text.text[start : stop if stop >= 0 else end])) % 2 == 1


def range_ends(value: Value) -> tuple[Value, Value]:
    """The ends of a range as single values."""
    low = [replace(one, high=one.low) for one in value.quantities]
    high = [replace(one, low=one.high) for one in value.quantities]
    first = [replace(date, end=None) for date in value.dates]
    last = [replace(date, start=date.end or date.start, end=None) for date in value.dates]
    point = replace(value, form=Form.POINT)
    return (
        replace(point, quantities=tuple(low), dates=tuple(first)),
        replace(point, quantities=tuple(high), dates=tuple(last)),
    )


class _TimeSide(Enum):
    """On which side of a moment or a length of time something lies."""

    FROM = auto()
    """``From 3 May``: opposite to what lasts until then, not to what is done by then."""
    AFTER = auto()
    BY = auto()
    UNTIL = auto()


_OPPOSITE = frozenset(
    frozenset(pair)
    for pair in (
        (_TimeSide.FROM, _TimeSide.UNTIL),
        (_TimeSide.AFTER, _TimeSide.BY),
        (_TimeSide.AFTER, _TimeSide.UNTIL),
    )
)
_MOMENT: tuple[tuple[re.Pattern[str], _TimeSide], ...] = (
    (re.compile(r"\bafter\s+\Z", re.IGNORECASE), _TimeSide.AFTER),
    (re.compile(r"\b(?:from|since|no\s+(?:earlier|sooner)\s+than)\s+\Z", re.IGNORECASE), _TimeSide.FROM),
    (re.compile(r"\b(?:until|till|before)\s+\Z", re.IGNORECASE), _TimeSide.UNTIL),
    (re.compile(r"\b(?:by|no(?:t)?\s+later\s+than)\s+\Z", re.IGNORECASE), _TimeSide.BY),
)
_LENGTH_AFTER = re.compile(r"\bafter\s+\Z", re.IGNORECASE)
_LENGTH_LEAST = re.compile(r"\b(?:at\s+least|more\s+than)\s+\Z", re.IGNORECASE)
_LENGTH_WITHIN = re.compile(r"\b(?:within|less\s+than)\s+\Z", re.IGNORECASE)
_ANCHOR = re.compile(r"\s+(?:after|before|prior\s+to|of|from|following)\b", re.IGNORECASE)
"""What a length of time is counted from."""
_BEFORE_VALUE = 20
_LENGTHS = frozenset({"time", "workdays"})
_NEGATION_OR_EXCEPTION = re.compile(
    r"\b(?:no|not|never|nobody|none|nothing|cannot|nor|without|neither|only|unless|except|\w+n['’]t)\b",
    re.IGNORECASE,
)
_DENIES_FIGURE_BEHIND = re.compile(
    r"(?:\bnot|\bnever|n['’]t)\s+(?!only\b|just\b|merely\b|simply\b|all\b|every\b|always\b|necessarily\b|even\b)"
    r"(?:[\w'’-]+\s+){0,4}(?:[£$€]\s?)?\Z",
    re.IGNORECASE,
)
"""A denial that reaches to the figure behind it."""
_OVER = re.compile(
    r"\b(?:end(?:s|ed|ing)?|expir\w+|laps\w+|clos\w+|delet\w+|ceas\w+|finish\w*|stop\w*|terminat\w+|eras\w+"
    r"|remov\w+|destroy\w*)\b",
    re.IGNORECASE,
)
"""What ``ends after 14 days`` ends as they are over: hardly another thing than ``within 14 days``."""
_BOUNDS = re.compile(
    r",(?!\d)|[;:()|–—]|\b(?:and|or|but|while|whereas|if|when|which|who|that)\b", re.IGNORECASE
)
_SHARED = 2
"""The fewest content words by which a claim repeats what the evidence says."""


def on_opposite_sides(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether the claim says of the time after a figure what the evidence says of the time until it, or the reverse.

    Only where every content word of the claim's sentence stands in the part of a sentence that the evidence's figure
    stands in, and nothing is denied in either: ``refused after 30 days`` agrees with ``accepted within 30 days``.
    """
    if mine.form is Form.RANGE or theirs.form is Form.RANGE or not _same_figure(mine, theirs):
        return False
    sides = _side(claim, mine), _side(evidence, theirs)
    if None in sides or frozenset(sides) not in _OPPOSITE:
        return False
    stretch, part = claim.sentence(mine), _part_of_sentence(evidence, theirs)
    lasting = any(one.dimension in _LENGTHS for one in mine.quantities)
    if _has_negation(claim, mine, stretch) or _has_negation(evidence, theirs, evidence.sentence(theirs)):
        return False
    if lasting and _OVER.search(claim.text, *stretch):
        return False
    said, known = _stems_in(claim, mine, stretch), _stems_in(evidence, theirs, part)
    return len(said) >= _SHARED and said <= known


def denies_figure(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether a claim denies a figure that the evidence states (``does not have 64 beds``).

    Only where every content word of the claim's sentence stands in the evidence, so that nothing else can be what is
    denied (``no profit of 3 million`` of a loss), and nothing is denied around the evidence's figure. A date is none:
    it says when something did not happen.
    """
    start, end = claim.sentence(mine)
    if mine.kind == "date" or mine.form is not Form.POINT or theirs.form is not Form.POINT:
        return False
    if len(_NEGATION_OR_EXCEPTION.findall(claim.text[start:end])) != 1 or not _DENIES_FIGURE_BEHIND.search(
        claim.text[start : mine.start]
    ):
        return False
    if _has_negation(evidence, theirs, _part_of_sentence(evidence, theirs)):
        return False
    said = _stems_in(claim, mine, (start, end))
    return bool(said) and said <= {word.key for word in evidence.words}


def _same_figure(mine: Value, theirs: Value) -> bool:
    if mine.kind == theirs.kind == "date":
        return any(one.start == two.start for one in mine.dates for two in theirs.dates)
    if mine.approx or theirs.approx:
        return False
    return any(
        one.low == two.low and one.dimension == two.dimension and one.dimension in {*_LENGTHS, "clock"}
        for one in mine.quantities
        for two in theirs.quantities
    )


def _side(text: ValueText, value: Value) -> _TimeSide | None:
    """The side of a value that its words name; none where they name none, or where they could name either."""
    before = text.text[max(0, value.core[0] - _BEFORE_VALUE) : value.core[0]]
    if not any(one.dimension in _LENGTHS for one in value.quantities):
        return next((side for pattern, side in _MOMENT if pattern.search(before)), None)
    if _LENGTH_AFTER.search(before):
        return _TimeSide.AFTER
    if _LENGTH_WITHIN.search(before):
        return _TimeSide.UNTIL
    counted = _LENGTH_LEAST.search(before) and _ANCHOR.match(text.text, value.core[1])
    return _TimeSide.AFTER if counted else None


def _part_of_sentence(text: ValueText, value: Value) -> tuple[int, int]:
    """The part of its sentence, up to marks and conjunctions, that a value stands in."""
    start, end = text.sentence(value)
    begin = max((one.end() for one in _BOUNDS.finditer(text.text, start, value.start)), default=start)
    bound = _BOUNDS.search(text.text, value.core[1], end)
    return begin, bound.start() if bound else end


def _has_negation(text: ValueText, value: Value, stretch: tuple[int, int]) -> bool:
    start, end = stretch
    around = text.text[start : value.start], text.text[value.core[1] : end]
    return any(_NEGATION_OR_EXCEPTION.search(one) for one in around)


def _stems_in(text: ValueText, value: Value, stretch: tuple[int, int]) -> frozenset[str]:
    start, end = stretch
    return frozenset(
        word.key
        for word in text.words
        if start <= word.start < end and not value.start <= word.start < value.core[1]
    )


_NONE = re.compile(
    r"\b(?P<none>no|zero|not\s+(?:a\s+single|one|any|a)|(?:do|does|did|has|have|had|is|are|was|were)(?:n['’]t|\s+not)\s+(?:have\s+)?any"
    r"|without(?:\s+any)?|none\s+of\s+(?:the|its|their))\s+(?P<words>(?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)",
    re.IGNORECASE,
)


class ZeroStatement(NamedTuple):
    """Where a text says that there are none, and the stems of what there are none of."""

    span: tuple[int, int]
    counted: frozenset[str]


@lru_cache(maxsize=512)
def _zero_statements(text: str) -> tuple[ZeroStatement, ...]:
    """What a text says that there are none of.

    >>> _zero_statements("The club has no members.")[0].span
    (13, 23)
    """
    return tuple(
        ZeroStatement(match.span(), frozenset(map(word_key, match["words"].lower().split())))
        for match in _NONE.finditer(text)
    )


def zero_statement_for(value: Value, counts: ValueText, says: ValueText) -> ZeroStatement | None:
    """Where ``says`` has in words that there are none of what ``value`` of ``counts`` counts none of."""
    if value.kind != "number" or value.form is not Form.POINT or any(one.low for one in value.quantities):
        return None
    head = counts.head(value)
    return next((found for found in _zero_statements(says.text) if found.counted & head), None)
