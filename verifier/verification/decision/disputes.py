"""Find two documents that disagree over a claim.

Two documents disagree where one confirms the claim and another says otherwise about the same thing; neither is
believed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier_signals.stems import content_words, word_key
from verifier_signals.types import Relation
from verifier_signals.values import Form, Value, values_of

from verifier.verification.decision.features import COMPARING, WindowScores
from verifier.verification.evidence.windows import is_prose

__all__ = ["Dispute", "dispute_in", "of_prose", "one_document", "spoken_of"]

Dispute = tuple[WindowScores, WindowScores]
"""A window that confirms a claim, and one of another document that says otherwise."""

_DISAGREEMENTS = ("number_conflict", "entity_conflict", "role_conflict", "polarity", "antonym")
"""Conflicts by which two sources exclude each other."""
_OPPOSITES = ("polarity", "antonym")
_WHOLE = 0.95
"""From this alignment on a window speaks of all of the claim."""
_SAME_EVENT = 0.75
"""From this alignment on a window without the claim's date speaks of the very event."""
_SAME_COUNT = 0.7
"""From this alignment on a window without the claim's figure counts the very thing."""
_LABEL = re.compile(r"(?:^|[.;] )([^.;:]+): ")
_COUNTED = re.compile(r" ([a-z]+)", re.I)


def dispute_in(readings: Sequence[WindowScores]) -> Dispute | None:
    """A window that confirms the claim, and one of another document that says otherwise: the two that speak of most
    of it.

    A window confirms when it is free of conflict and holds all values and names. A condition or quantity that
    only one of them states is no disagreement, nor is the row of a table that bears another name, nor are two
    rows, which tell of two things; nor is a window that says otherwise in a document that confirms the claim elsewhere,
    unless it says the very opposite and no more.
    """
    confirming = [reading for reading in readings if reading.barred is None and reading.bears_out(0.0)]
    # What a document says that is not so now is at odds with nothing. Other text that it may not assert is: a plan that
    # is none would else hide that two sources disagree.
    disputing = [reading for reading in readings if not reading.is_denied and _disputes(reading)]
    pairs = (
        (one, other)
        for other in disputing
        if is_opposite(other) or not _confirmed_beside(other, confirming)
        for one in confirming
        if (is_opposite(other) or not one_document(one, other)) and (of_prose(one) or of_prose(other))
    )
    return max(pairs, key=spoken_of, default=None)


def is_opposite(reading: WindowScores) -> bool:
    """Whether prose says the claim, all of it and nothing beside it, and denies it: ``The pool is not open``."""
    turned = [name for name in _OPPOSITES if reading.named(name) > 0]
    if not turned or reading.alignment < _WHOLE or not of_prose(reading) or not reading.window.segments:
        return False
    body = reading.window.premise[reading.window.segments[0][0] :]
    asked = {word_key(item.claim_value) for item in reading.findings("traceability")}
    more = {word.key for word in content_words(body)} - asked
    return len(more) <= len(turned) - ("polarity" in turned)


def spoken_of(dispute: Dispute) -> float:
    """How much of the claim both windows speak about, in [0, 1]."""
    return min(reading.alignment for reading in dispute)


def of_prose(reading: WindowScores) -> bool:
    """Whether a window is no row of a table."""
    return is_prose(reading.window.evidence.text)


def one_document(one: WindowScores, other: WindowScores) -> bool:
    """Whether two windows are of one document."""
    return one.window.evidence.doc_id == other.window.evidence.doc_id


def _disputes(reading: WindowScores) -> bool:
    """Whether a window says otherwise in a respect in which sources exclude each other; one that differs in two values
    or names tells of another thing, or another time."""
    denied = {
        item.claim_span
        for signal in COMPARING
        for item in reading.findings(signal)
        if item.relation is Relation.CONFLICT
    }
    if len(denied) > 1:
        return False
    if not of_prose(reading) and not _field_named(reading):
        return False
    named_otherwise = set[str]() if of_prose(reading) else {"entity_conflict"}
    otherwise = any(reading.named(name) > 0 for name in _DISAGREEMENTS if name not in named_otherwise)
    return otherwise or _dates_otherwise(reading) or _counts_otherwise(reading)


def _confirmed_beside(reading: WindowScores, confirming: Sequence[WindowScores]) -> bool:
    """Whether the document of a window that denies the claim bears it out elsewhere, and speaks of no less of it there:
    then the window tells of something else."""
    return any(one_document(reading, other) and other.alignment >= reading.alignment for other in confirming)


def _field_named(reading: WindowScores) -> bool:
    """Whether the claim has a word of the label of each field of a row whose value denies it: a flight time of 29
    minutes does not deny that charging takes 75."""
    words = {word_key(item.claim_value) for item in reading.findings("traceability")}
    labels = (
        _LABEL.findall(reading.window.premise[: item.evidence_span[0]])
        for item in reading.findings("number")
        if item.relation is Relation.CONFLICT and item.evidence_span is not None
    )
    return all(not words.isdisjoint(map(word_key, found[-1].split())) for found in labels if found)


def _dates_otherwise(reading: WindowScores) -> bool:
    """Whether prose tells nearly all of the claim, all its names among it, and gives it another year."""
    asked = [item for item in reading.findings("number") if item.kind == "date"]
    if not asked or not of_prose(reading) or reading.alignment < _SAME_EVENT:
        return False
    named = reading.feature("entity", "match") == 1.0
    if not named or any(item.relation is not Relation.ABSENT for item in reading.findings("number")):
        return False
    body = reading.window.premise[reading.window.segments[0][0] :] if reading.window.segments else ""
    years = {date.start.year for value in values_of(body).values for date in value.dates} - {None}
    told = {
        date.start.year
        for item in asked
        for value in values_of(item.claim_value).values
        for date in value.dates
    }
    return bool(years and told - {None})


def _counts_otherwise(reading: WindowScores) -> bool:
    """Whether prose tells most of the claim, all its names and dates among it, and has one other figure where the
    claim has its only one, for the same thing in other words: ``has 440 employees`` for ``employed 412 people``."""
    found = reading.findings("number")
    missing = [item for item in found if item.relation is Relation.ABSENT]
    if len(missing) != 1 or any(item.relation is Relation.CONFLICT for item in found):
        return False
    if missing[0].kind != "number" or not of_prose(reading) or reading.alignment < _SAME_COUNT:
        return False
    if reading.feature("entity", "match") < 1.0:
        return False
    body = reading.window.premise[reading.window.segments[0][0] :] if reading.window.segments else ""
    asked, told = _figures(missing[0].claim_value), _figures(body)
    if not (len(asked) == len(told) == 1 and asked[0].form is told[0].form is Form.POINT):
        return False
    apart = asked[0].quantities[0].low != told[0].quantities[0].low
    return apart and _one_counted(reading, missing[0].claim_span[1], body[told[0].end :])


def _figures(text: str) -> list[Value]:
    """The plain figures of a text."""
    return [value for value in values_of(text).values if value.kind == "number" and not value.weak]


def _one_counted(reading: WindowScores, end: int, behind: str) -> bool:
    """Whether what the claim counts, the word at ``end`` of it, is named in the window, or what the window counts, the
    first word ``behind`` its figure, in the claim."""
    words = reading.findings("traceability")
    counted = _COUNTED.match(behind)
    if counted and any(word_key(item.claim_value) == word_key(counted[1]) for item in words):
        return True
    return any(0 < item.claim_span[0] - end <= 1 and item.relation is Relation.MATCH for item in words)
