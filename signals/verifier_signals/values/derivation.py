"""Whether a value of the claim that the evidence does not state follows from values that it states.

Arithmetic is tried only where the claim's own words announce it: a comparison (``twice as many``, ``20 more than``), a
change (``rose by 20 %``), a sum (``altogether``), a portion (``each``), a share (``of the``), a period; or where the
evidence gives a figure by its distance from another (``five more than in the second quarter``).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier_signals.values import arithmetic
from verifier_signals.values.alignment import tie
from verifier_signals.values.arithmetic import Derived
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.costs import announces_sum, is_for_several
from verifier_signals.values.ellipsis import is_bare
from verifier_signals.values.modifiers import ChangePart
from verifier_signals.values.types import Fit, Form, Value

__all__ = ["Derivation", "derive", "goes_down", "is_difference", "speaks_of_remainder"]

_DIFFERENCE = re.compile(
    r"\s+(?:more|fewer|less|extra|additional)\s+\w|\s+(?!or\b)\w+\s+(?:more|fewer|less)\b(?!\s+(?:than|or)\b)|(?:\s+\w+){0,3}?\s+(?:more|fewer|less|extra|higher|lower|longer|shorter|older|younger"
    r"|earlier|later|faster|slower|larger|smaller|heavier|lighter|taller|cheaper|dearer|deeper|wider|apart|ahead|behind"
    r"|above|below)(?:\s+\w+){0,3}?\s+than\b|(?:\s+(?!or\b)\w+){0,2}?\s+(?:more|less|shorter|longer|cheaper|dearer|higher|lower)\s*(?:[.,;]|$)",
    re.IGNORECASE,
)
_SAVED = re.compile(
    r"\b(?:sav(?:es?|ed|ing)|difference\s+of|gap\s+of|margin\s+of)\s+(?:\w+\s+)?\Z", re.IGNORECASE
)
"""``Saves 25 euros``: by so much another price is higher."""
_NEAR = 30
_OF_STEP = 0.7
"""A date at a distance from another must be tied to the distance by this share of its tie to the other."""
_AGED = re.compile(r"\b(?:age|aged|old)\b", re.IGNORECASE)
_PORTION = re.compile(r"\b(?:each|every|per|apiece|a)\b", re.IGNORECASE)
_REST = re.compile(r"\b(?:not|other|others|remaining|rest|left|without)\b", re.IGNORECASE)
_SHARE = re.compile(r"\s+(?:of|as)\b|\s+(?:the|what|that|its|their)\b", re.IGNORECASE)
_DISTANCE = re.compile(
    r"(?:\s+\w+){0,3}?\s+(?:more|fewer|less|later|earlier|before|after|above|below|ahead|behind|higher|lower)\b"
    r"|\s+(?:as\s+(?:many|much|\w+)\s+as|of\s+(?:that|this|it))\b|\s+older\b|\s+younger\b",
    re.IGNORECASE,
)
_PORTION_OF = re.compile(r"\s+of\s+(?:that|this|it)\b", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:fewer|less|below|behind|lower|earlier|before|younger|shorter|cheaper|f[ae]ll|fallen|falling|drop\w*|decreas\w+"
    r"|reduc\w+|lower\w*|cut|declin\w+|slip\w*|shr[iau]nk\w*|slump\w*|plung\w+|shorten\w*|lost|down)\b",
    re.IGNORECASE,
)


class Derivation(NamedTuple):
    """What the claim's value was reckoned from, and whether the result is another one."""

    sources: tuple[Value, ...]
    denied: bool
    tie: float


def is_difference(text: str, value: Value) -> bool:
    """Whether a figure says how far two others lie apart (``10 more points than``), and is not one of them."""
    if value.dates:
        return False
    behind = _DIFFERENCE.match(text, value.core[1])
    return behind is not None or _SAVED.search(text, max(0, value.start - _NEAR), value.start) is not None


def speaks_of_remainder(text: ValueText, value: Value) -> bool:
    """Whether the sentence of a value speaks of what is left, or of those who are not: ``30 are not volunteers``."""
    return _REST.search(text.text[slice(*text.sentence(value))]) is not None


def goes_down(text: ValueText, value: Value) -> bool:
    """Whether the words around a step say that it leads downwards."""
    start, end = text.sentence(value)
    return (
        _DOWN.search(text.text, max(start, value.start - _NEAR), min(end, value.core[1] + _NEAR)) is not None
    )


def derive(claim: ValueText, value: Value, evidence: ValueText) -> Derivation | None:
    """The values of the evidence from which the claim's value follows, or by which it is excluded.

    It is excluded only where there is one way to reckon it: the two ends of a change, or the only two amounts of their
    kind.
    """
    if claim.keys.isdisjoint(evidence.keys):
        return None
    for found in itertools.chain.from_iterable(_derived_figures(claim, value, evidence)):
        if compare(value, found.value).fit is Fit.EQUAL and (
            sure := _tie_of_sources(claim, value, evidence, found)
        ):
            return Derivation(found.sources, False, sure)
    return _derived_otherwise(claim, value, evidence)


def _tie_of_sources(claim: ValueText, value: Value, evidence: ValueText, found: Derived) -> float:
    """The best tie of the sources, 0 where none of them measures what the claim speaks of.

    Figures of several sentences must all measure it: the sales of one and the profit of the next make no change. A date
    that is told by its distance from another is that of the distance, not of the other.
    """
    ties = [tie(claim, value, evidence, source).strength for source in found.sources]
    if found.value.dates and ties[1] < _OF_STEP * ties[0]:
        return 0.0
    if _is_of_several_sentences(evidence, found) and min(ties) < claim.ties.reckoned:
        return 0.0
    return max(ties) if max(ties) >= claim.ties.reckoned else 0.0


def _in_order_of_change(evidence: ValueText) -> list[Value]:
    """The values with the beginning of a change before its end: ``fell to 31 from 36`` is told the other way round."""
    values = list(evidence.values)
    ends = [(at, evidence.part(value)) for at, value in enumerate(values)]
    for (at, first), (then, second) in itertools.pairwise(
        (at, part) for at, part in ends if part in (ChangePart.START, ChangePart.END)
    ):
        together = evidence.sentence(values[at]) == evidence.sentence(values[then])
        if together and (first, second) == (ChangePart.END, ChangePart.START):
            values[at], values[then] = values[then], values[at]
    return values


def _is_of_several_sentences(evidence: ValueText, found: Derived) -> bool:
    """Whether amounts of several sentences were put together; a portion, or a distance, may be told apart from its
    whole (``half the adult price``)."""
    told = found.value.dates or any(
        one.dimension in ("share", "times") for source in found.sources for one in source.quantities
    )
    return not told and len({evidence.sentence(source) for source in found.sources}) > 1


def _derived_figures(claim: ValueText, value: Value, evidence: ValueText) -> Iterator[Iterator[Derived]]:
    """The figures that the claim's words ask for."""
    values = evidence.values
    dimensions = [one.dimension for one in value.quantities]
    behind = claim.text[value.core[1] : claim.sentence(value)[1]]
    sentence = claim.text[slice(*claim.sentence(value))]
    step = claim.part(value) is ChangePart.STEP or is_difference(claim.text, value)
    steps = list(_steps(evidence))
    if steps and any(compare(value, one).fit is Fit.EQUAL for one in values):
        steps = []  # it is stated: where it stands decides, and not what else it might follow from
    for dimension in dimensions:
        if dimension == "times":
            yield arithmetic.ratios(values, "times", large=value.quantities[0].low >= 1)
        elif dimension == "share" and step:
            yield arithmetic.changes(_in_order_of_change(evidence))
        elif dimension == "share" and _SHARE.match(behind):
            yield arithmetic.shares_of(values)
        if step or dimension == "points" or _REST.search(sentence):
            yield arithmetic.differences(values, dimension)
        if dimension == "share" and _REST.search(sentence):
            yield arithmetic.remainders(values)
        if announces_sum(claim, value):
            yield arithmetic.sums(values, dimension)
            yield arithmetic.products(values, dimension) if dimension else iter(())
        if _PORTION.search(sentence) and dimension:
            yield arithmetic.quotients(values, dimension)
        if dimension in ("time", "age") or (dimension == "" and _AGED.search(sentence)):
            yield (
                found
                for found in arithmetic.periods(values)
                if found.value.quantities[0].dimension == dimension
            )
        for told in steps:
            yield arithmetic.step_ends(*told, dimension)
        if dimension == "":
            yield _portions(evidence)
    if value.dates and value.form not in (Form.ABOVE, Form.BELOW):  # any date may lie before another
        bare = [one for one in values if is_bare(evidence.text, one) and not evidence.label(one)]
        yield arithmetic.dates_apart(values, bare)


def _steps(evidence: ValueText) -> Iterator[tuple[Value, int, Value, bool]]:
    """Each value that tells how far, or how many times, another lies off: with its sign (0 for a portion of the other),
    the value that it is told of, and whether that one is where the change begins."""
    for at, value in enumerate(evidence.values):
        if not value.quantities or not _is_step(evidence, value):
            continue
        start, end = evidence.sentence(value)
        parts = {evidence.part(one): one for one in evidence.values if start <= one.start < end}
        if ChangePart.START in parts and ChangePart.END in parts:
            continue
        known = (
            parts.get(ChangePart.START)
            or parts.get(ChangePart.END)
            or (evidence.values[at - 1] if at else None)
        )
        if known is None:
            continue
        portion = _PORTION_OF.match(evidence.text, value.core[1])
        yield (
            value,
            0 if portion else -1 if goes_down(evidence, value) else 1,
            known,
            ChangePart.START in parts,
        )


def _is_step(evidence: ValueText, value: Value) -> bool:
    return (
        evidence.part(value) is ChangePart.STEP
        or any(one.dimension == "times" for one in value.quantities)
        or _DISTANCE.match(evidence.text, value.core[1]) is not None
    )


def _portions(evidence: ValueText) -> Iterator[Derived]:
    """``Half of the 36 flats``: a share and a count that stand together, in one sentence."""
    shares = [value for value in evidence.values if any(one.dimension == "share" for one in value.quantities)]
    counts = [value for value in evidence.values if value.kind == "number" and value not in shares]
    for share in shares:
        start, end = evidence.sentence(share)
        for count in counts:
            if start <= count.start < end:
                yield from arithmetic.products([share, count], "")


def _derived_otherwise(claim: ValueText, value: Value, evidence: ValueText) -> Derivation | None:
    """A change or multiple other than the evidence's two ends give."""
    if is_for_several(claim, value):
        return None
    dimension = value.quantities[0].dimension if value.quantities else ""
    step = claim.part(value) is ChangePart.STEP or is_difference(claim.text, value)
    if dimension not in ("times", "share", "points") and not step:
        return None
    parts = {evidence.part(one): one for one in evidence.values}
    pair = [parts[one] for one in (ChangePart.START, ChangePart.END) if one in parts]
    if len(pair) < 2 and dimension == "times":
        pair = [one for one in evidence.values if one.quantities and not one.weak]
        pair = pair if len({one.quantities[0].dimension for one in pair}) == 1 else []
    if dimension == "share" and not step and _SHARE.match(claim.text, value.core[1]):
        return _other_share(claim, value, evidence)
    if len(pair) != 2 or not _comparable(evidence, pair):
        return None
    if dimension == "times":
        found = list(arithmetic.ratios(pair, "times", large=value.quantities[0].low >= 1))
    elif dimension == "share" and step:
        found = list(arithmetic.changes(pair))
    else:
        found = list(arithmetic.differences(pair, dimension))
    if not found or any(compare(value, one.value).fit is not Fit.DIFFERENT for one in found):
        return None
    sure = max(_tie_of_sources(claim, value, evidence, one) for one in found)
    return Derivation(tuple(pair), True, sure) if sure >= claim.ties.conflict else None


def _comparable(evidence: ValueText, pair: Sequence[Value]) -> bool:
    """Not the figures of two columns, which count different things."""
    return evidence.label(pair[0]) == evidence.label(pair[1])


def _other_share(claim: ValueText, value: Value, evidence: ValueText) -> Derivation | None:
    """A share other than that of the evidence's part in its whole (``of 640 adults, 16 had``)."""
    counts = [one for one in evidence.values if one.kind == "number" and not one.weak]
    if len(counts) != 2 or not is_bare(evidence.text, counts[1]) or not _comparable(evidence, counts):
        return None
    found = next(iter(arithmetic.shares_of(counts)), None)
    if found is None:  # a whole of 0 has no shares
        return None
    sure = _tie_of_sources(claim, value, evidence, found)
    if compare(value, found.value).fit is not Fit.DIFFERENT or sure < claim.ties.conflict:
        return None
    return Derivation(found.sources, True, sure)
