"""What a signal takes and gives: pairs of texts, and scores with their findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

__all__ = [
    "NEAREST_ONLY",
    "NOT_COMPARED",
    "Finding",
    "Outcome",
    "Relation",
    "SignalScore",
    "Span",
    "TextPair",
]

Span = tuple[int, int]
"""Where a stretch of a text begins and ends: half-open, in characters."""

NOT_COMPARED = "not compared: the claim has too many of these"
"""Of what counts as absent since it is beyond the bound of a claim."""
NEAREST_ONLY = "compared only with the closest ones"
"""Of what was held against the nearest of the evidence, since there are too many for all of them."""


class TextPair(NamedTuple):
    """One question to a signal: does ``premise`` (evidence) bear out ``hypothesis`` (claim)?"""

    premise: str
    hypothesis: str


class Outcome(StrEnum):
    """What a signal concludes from one pair, in its own field."""

    CONSISTENT = "consistent"
    """The premise confirms everything in the hypothesis that this signal looks at."""
    CONFLICTING = "conflicting"
    """The premise speaks of the same thing and says otherwise."""
    ABSENT = "absent"
    """The hypothesis asserts something in this field of which the premise has no trace."""
    NOT_APPLICABLE = "not_applicable"
    """The hypothesis has nothing in this field (no number, no name ...)."""


class Relation(StrEnum):
    """How one value of the hypothesis stands to the premise."""

    MATCH = "match"
    CONFLICT = "conflict"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Finding:
    """One value of the hypothesis, what the premise says of it, and where both stand.

    Spans are half-open code-point offsets: ``claim_span`` into ``TextPair.hypothesis``, ``evidence_span`` into
    ``TextPair.premise``. ``text[start:end]`` is the quoted value on either side.
    """

    kind: str
    """What sort of value: ``number``, ``unit``, ``date``, ``name``, ``role``, ``negation``, ``content`` ..."""
    relation: Relation
    claim_value: str
    claim_span: Span
    evidence_value: str | None = None
    evidence_span: Span | None = None
    note: str = ""
    """In plain words, only what the two values do not say by themselves ("the units differ")."""
    check: str = ""
    """The id of the check that found it (``number.unit-mismatch``); empty where no check did."""


@dataclass(frozen=True, slots=True)
class SignalScore:
    """The answer of one signal to one pair.

    ``support`` is in [0, 1], higher speaks for the hypothesis; ``None`` when ``outcome`` is ``NOT_APPLICABLE``.
    ``features`` are the named inputs of the fusion, each in [0, 1]; the same names for every pair of a signal.
    """

    signal: str
    outcome: Outcome
    support: float | None
    findings: tuple[Finding, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)
