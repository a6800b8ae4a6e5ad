"""Whether a differing value of the evidence measures what the claim's does, so that it can contradict it."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace

from verifier.core.patterns import compiled_later
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.costs import counts_for, is_for_several
from verifier_signals.values.derivation import is_difference
from verifier_signals.values.modifiers import is_denied
from verifier_signals.values.types import Date, Fit, Form, Value

__all__ = ["meant_end", "measure_the_same", "opposite_edges", "within_hours"]

_RULED_OUT = compiled_later(r"\b(?:not|never|cannot|nobody|no one|none|\w+n['’]t)\b", re.IGNORECASE)
_AXES: Mapping[str, str] = {
    **dict.fromkeys(("deep", "below"), "depth"),
    **dict.fromkeys(("high", "tall", "above", "up"), "height"),
    **dict.fromkeys(("wide", "broad", "across", "diameter"), "width"),
    **dict.fromkeys(("off", "away", "from", "apart"), "distance"),
    "long": "length",
    "thick": "thickness",
}
_AXIS = compiled_later(rf"\s+(?:in\s+)?(?P<axis>{'|'.join(_AXES)})\b", re.IGNORECASE)
"""``31 m deep`` and ``115 m above the sea`` are no two figures of one thing."""
_BESIDE = compiled_later(
    r"\((?=[^()]*\Z)|\b(?:against|compared\s+(?:with|to)|versus|vs\.?)\s(?=(?:[^.;()]|\.(?=\d))*\Z)",
    re.IGNORECASE,
)
_BESIDE_END = compiled_later(r"[;)]|\.(?!\d)|\Z")
_PERIOD = compiled_later(r"\s*(?:[-–—]|\b(?:to|and|until|till)\b)\s*\Z", re.IGNORECASE)
_OPEN = r"(?:opens|opened|opening|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bbe )(?<!\bstill )(?<!\bstays )(?<!\bstay )open)"
"""``Is open at two`` speaks of a time within the hours; ``opens at two`` of their beginning."""
_EDGE = compiled_later(
    rf"\b(?:{_OPEN}|clos(?:e[sd]?|ing)|start(?:s|ed|ing)?|beg[iau]ns?|ends?|ended|ending|finish\w*|leaves?|depart\w*"
    r"|arriv\w+|shuts?|first|last|from|until|till|by|since)\b",
    re.IGNORECASE,
)
"""Words of a claim that speaks of the beginning or the end of a period, and of no time within it."""
_OPENS = compiled_later(
    rf"\b(?:{_OPEN}|starts?|started|beg[iau]ns?)\s+(?:[a-z]+\s+){{0,3}}?(?:at|from)\s+\Z", re.IGNORECASE
)
_CLOSES = compiled_later(
    r"\b(?:clos(?:e[sd]?|ing)|shuts?|ends?|ended|finish(?:es|ed)?)\s+(?:[a-z]+\s+){0,3}?at\s+\Z|\b(?:until|till)\s+\Z",
    re.IGNORECASE,
)
_ALL_BUT = compiled_later(r"\ball but (?:the |about )?\Z", re.IGNORECASE)
_SHORT = 16
"""Code points in front of a count, in which ``all but`` stands."""
_ASKS = compiled_later(r"\s*(?:is|are|was|were|will)\b", re.IGNORECASE)
_BEFORE_EDGE = 48


def measure_the_same(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether a difference of the two can be a conflict, as far as their own words tell.

    Not a difference (``10 more points than``) against a figure, nor a case or a figure that the claim itself rules out;
    not people against an age, nor what several pay, or are said to cost together, against the price of one; not a depth
    against a height; not a date that the evidence gives for comparison; not a time within the hours that the evidence
    tells.
    """
    if _is_all_but(claim, mine) != _is_all_but(evidence, theirs):
        return False
    if theirs.may_be_age and claim.head(mine) and not (mine.may_be_age or evidence.head(theirs)):
        return False
    if mine.may_be_age and not claim.head(mine) and not theirs.may_be_age:
        return False
    if counts_for(claim, mine) and not counts_for(evidence, theirs):
        return False
    if is_for_several(claim, mine) and not is_for_several(evidence, theirs):
        return False
    if is_difference(claim.text, mine) != is_difference(evidence.text, theirs):
        return False
    if mine.kind == theirs.kind == "unit" and _other_axis(claim, mine, evidence, theirs):
        return False
    if theirs.kind == "date" and _for_comparison(claim, mine, evidence, theirs):
        return False
    if theirs.kind == "time" and within_hours(claim, mine, evidence):
        return False
    limited = mine.form is Form.POINT and theirs.form is not Form.POINT
    if mine.form in (Form.POINT, Form.RANGE) and _only_denied(claim, mine, evidence, theirs):
        return False
    return not (limited and _RULED_OUT.search(claim.text, *claim.sentence(mine)))


def _is_all_but(text: ValueText, value: Value) -> bool:
    """Whether a count is of those of whom something does not hold (``all but two``)."""
    return _ALL_BUT.search(text.text, max(0, value.start - _SHORT), value.start) is not None


def _only_denied(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether the claim denies its value (``does not cost 49 euros``), and the evidence affirms its own."""
    return is_denied(claim.text, mine.start) and not is_denied(evidence.text, theirs.start)


def _other_axis(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether the words behind two lengths name different ways to measure a thing."""
    one, two = _AXIS.match(claim.text, mine.core[1]), _AXIS.match(evidence.text, theirs.core[1])
    if one is None or two is None:
        return False
    return _AXES[one["axis"].lower()] != _AXES[two["axis"].lower()]


def _for_comparison(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether a date stands with another figure that is given for comparison only (``(2023: 231)``, ``against 14 in
    2023``), and that the claim does not give."""
    start, end = evidence.sentence(theirs)
    opened = _BESIDE.search(evidence.text, start, theirs.start)
    if opened is None:
        return False
    closed = _BESIDE_END.search(evidence.text, theirs.core[1], end)
    last = closed.start() if closed else end
    beside = [
        one
        for one in evidence.values
        if opened.end() <= one.start < last and one is not theirs and not one.dates
    ]
    return bool(beside) and not any(
        compare(own, one).fit is Fit.EQUAL for own in claim.values if own is not mine for one in beside
    )


_LASTING = compiled_later(
    r"\b(?:(?P<begins>beg[aiu]ns?|start(?:s|ed)|opens|opened|bec[ao]mes?|born|founded|established|launched|broke out"
    r"|took office)|(?P<ends>end(?:s|ed)|closes|closed|die[ds]?|finish(?:es|ed)|concluded|abolished|dissolved))\b",
    re.IGNORECASE,
)
"""Verbs of the beginning or the end of what lasts."""
_VERB = 4
"""Letters that the forms of such a verb share."""


def opposite_edges(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> bool:
    """Whether one of two times is where hours begin, and the other where they end."""
    if mine.kind != "time" or theirs.kind != "time":
        return False
    return {_edge_of_hours(claim, mine), _edge_of_hours(evidence, theirs)} == {_OPENS, _CLOSES}


def meant_end(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> Value:
    """A period of dates, or of its ends the one that the claim's verb asks for: what lasted from 1914 to 1918 did not
    end in 1914."""
    if mine.form is not Form.POINT or not mine.dates or theirs.form is not Form.RANGE:
        return theirs
    begin = max(
        [claim.sentence(mine)[0], *(one.core[1] for one in claim.values if one.core[1] <= mine.start)]
    )
    verbs = list(_LASTING.finditer(claim.text, begin, mine.start))
    if not verbs:
        return theirs
    if re.search(
        rf"\b{verbs[-1][0][:_VERB]}", evidence.text[slice(*evidence.sentence(theirs))], re.IGNORECASE
    ):
        return theirs  # it was closed from one day to another, and closed on the first
    ends = []
    for period in theirs.dates:
        last = period.end or period.start
        day, other = (period.start, last) if verbs[-1].lastgroup == "begins" else (last, period.start)
        ends.append(Date(replace(day, year=day.year or other.year, month=day.month or other.month)))
    return replace(theirs, form=Form.POINT, dates=tuple(ends))


def _edge_of_hours(text: ValueText, value: Value) -> re.Pattern[str] | None:
    """The words of the beginning or of the end, where the period or the verb around a time tells which it is."""
    at = bisect_left(text.values, value.core[0], key=lambda one: one.core[0])
    for other, edge in ((at - 1, _CLOSES), (at + 1, _OPENS)):
        if 0 <= other < len(text.values) and text.values[other].kind == "time":
            first, last = sorted((at, other))
            gap = text.values[first].core[1], text.values[last].start
            if _PERIOD.fullmatch(text.text, *gap):
                return edge
    start = max(0, value.start - _BEFORE_EDGE)
    found = (edge for edge in (_OPENS, _CLOSES) if edge.search(text.text, start, value.core[0]))
    return next(found, None)


def _tells_edge(claim: ValueText, mine: Value) -> bool:
    """Whether the sentence of a time speaks of a beginning or an end; ``is the shop open at 9`` does not."""
    start, end = claim.sentence(mine)
    asked = _ASKS.match(claim.text, start)
    found = _EDGE.finditer(claim.text, start, end)
    return any(not (asked and edge[0].lower() == "open") for edge in found)


def within_hours(claim: ValueText, mine: Value, evidence: ValueText) -> Value | None:
    """Where the hours of the evidence begin that a time lies in, if the claim speaks of no beginning or end."""
    if mine.kind != "time" or mine.form is not Form.POINT or _tells_edge(claim, mine):
        return None
    for one, two in itertools.pairwise(evidence.values):
        if one.kind == two.kind == "time" and _PERIOD.fullmatch(evidence.text, one.core[1], two.start):
            ends = [end.low for end in two.quantities]
            for begin, time in itertools.product(one.quantities, mine.quantities):
                if begin.low <= time.low <= min((end for end in ends if end > begin.low), default=-1.0):
                    return one
    return None
