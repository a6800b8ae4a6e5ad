"""Two equal times in; whether their texts say the same thing of the time before and of the time after out."""

from __future__ import annotations

import re
from enum import Enum, auto

from verifier_signals.values.context import ValueText
from verifier_signals.values.types import Form, Value

__all__ = ["denied_here", "on_opposite_sides"]


class _Side(Enum):
    """On which side of a moment or a length of time something lies."""

    FROM = auto()
    """``From 3 May``: opposite to what lasts until then, not to what is done by then."""
    AFTER = auto()
    BY = auto()
    UNTIL = auto()


_OPPOSITE = frozenset(
    frozenset(pair)
    for pair in ((_Side.FROM, _Side.UNTIL), (_Side.AFTER, _Side.BY), (_Side.AFTER, _Side.UNTIL))
)
_MOMENT: tuple[tuple[re.Pattern[str], _Side], ...] = (
    (re.compile(r"\bafter\s+\Z", re.IGNORECASE), _Side.AFTER),
    (re.compile(r"\b(?:from|since|no\s+(?:earlier|sooner)\s+than)\s+\Z", re.IGNORECASE), _Side.FROM),
    (re.compile(r"\b(?:until|till|before)\s+\Z", re.IGNORECASE), _Side.UNTIL),
    (re.compile(r"\b(?:by|no(?:t)?\s+later\s+than)\s+\Z", re.IGNORECASE), _Side.BY),
)
_LENGTH_AFTER = re.compile(r"\bafter\s+\Z", re.IGNORECASE)
_LENGTH_LEAST = re.compile(r"\b(?:at\s+least|more\s+than)\s+\Z", re.IGNORECASE)
_LENGTH_WITHIN = re.compile(r"\b(?:within|less\s+than)\s+\Z", re.IGNORECASE)
_ANCHOR = re.compile(r"\s+(?:after|before|prior\s+to|of|from|following)\b", re.IGNORECASE)
"""What a length of time is counted from."""
_BEFORE_VALUE = 20
_LENGTHS = frozenset({"time", "workdays"})
_NEGATIVE = re.compile(
    r"\b(?:no|not|never|nobody|none|nothing|cannot|nor|without|neither|only|unless|except|\w+n['’]t)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
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
    stretch, part = claim.sentence(mine), _part(evidence, theirs)
    lasting = any(one.dimension in _LENGTHS for one in mine.quantities)
    if _is_denied(claim, mine, stretch) or _is_denied(evidence, theirs, evidence.sentence(theirs)):
        return False
    if lasting and _OVER.search(claim.text, *stretch):
        return False
    said, known = _words(claim, mine, stretch), _words(evidence, theirs, part)
    return len(said) >= _SHARED and said <= known


def denied_here(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether a claim denies a figure that the evidence states (``does not have 64 beds``).

    Only where every content word of the claim's sentence stands in the evidence, so that nothing else can be what is
    denied (``no profit of 3 million`` of a loss), and nothing is denied around the evidence's figure. A date is none:
    it says when something did not happen.
    """
    start, end = claim.sentence(mine)
    if mine.kind == "date" or mine.form is not Form.POINT or theirs.form is not Form.POINT:
        return False
    if len(_NEGATIVE.findall(claim.text[start:end])) != 1 or not _DENIES.search(
        claim.text[start : mine.start]
    ):
        return False
    if _is_denied(evidence, theirs, _part(evidence, theirs)):
        return False
    said = _words(claim, mine, (start, end))
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


def _side(text: ValueText, value: Value) -> _Side | None:
    """The side of a value that its words name; none where they name none, or where they could name either."""
    before = text.text[max(0, value.core[0] - _BEFORE_VALUE) : value.core[0]]
    if not any(one.dimension in _LENGTHS for one in value.quantities):
        return next((side for pattern, side in _MOMENT if pattern.search(before)), None)
    if _LENGTH_AFTER.search(before):
        return _Side.AFTER
    if _LENGTH_WITHIN.search(before):
        return _Side.UNTIL
    counted = _LENGTH_LEAST.search(before) and _ANCHOR.match(text.text, value.core[1])
    return _Side.AFTER if counted else None


def _part(text: ValueText, value: Value) -> tuple[int, int]:
    """The part of its sentence, up to marks and conjunctions, that a value stands in."""
    start, end = text.sentence(value)
    begin = max((one.end() for one in _BOUNDS.finditer(text.text, start, value.start)), default=start)
    bound = _BOUNDS.search(text.text, value.core[1], end)
    return begin, bound.start() if bound else end


def _is_denied(text: ValueText, value: Value, stretch: tuple[int, int]) -> bool:
    start, end = stretch
    around = text.text[start : value.start], text.text[value.core[1] : end]
    return any(_NEGATIVE.search(one) for one in around)


def _words(text: ValueText, value: Value, stretch: tuple[int, int]) -> frozenset[str]:
    start, end = stretch
    return frozenset(
        word.key
        for word in text.words
        if start <= word.start < end and not value.start <= word.start < value.core[1]
    )
