"""A value of the claim and one of the evidence in; how surely both measure the same thing out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier.core.deadline import checkpoint
from verifier_signals.values.ages import PEOPLE
from verifier_signals.values.context import ValueText
from verifier_signals.values.types import Value

__all__ = ["Beside", "Tie", "contrast", "tie"]

_ANCHOR_TEXT = re.compile(r"(?:1[4-9]|20)\d\d|\d*[A-Za-z]+\d\w*|[A-Z]\w*-?\d\w*")

_PREPOSITION = re.compile(r"\b(after|before|until|till|since|every)\s+(?:about\s+|the\s+)?\Z", re.IGNORECASE)
_NEAR = 20

Beside = Sequence[tuple[Value, Value]]
"""Other values of the claim, each with the only one of the evidence that equals it: they name the case."""


class Tie(NamedTuple):
    """``strength`` in [0, 1]: how surely two values measure the same thing; ``common``: without the names."""

    strength: float
    common: float


def tie(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value, beside: Beside = ()) -> Tie:
    """How surely two values measure the same thing: weighted overlap of what stands near them, in [0, 1].

    1 for the same sentence. A word of the claim counts by its nearness to the claim's value and to the
    evidence's; one that stands elsewhere in the evidence counts a little, a name more, as it tells the subject;
    one that stands nowhere in it weighs half, as the evidence may name the subject by a pronoun. Values ``beside``
    that both texts have count as words do.
    """
    checkpoint()
    ties = claim.ties
    near, other = claim.near(mine), evidence.near(theirs)
    tabled = evidence.in_field(theirs)
    aged = any(one.dimension == "age" for one in mine.quantities)
    total = got = common = shared = 0.0
    for key, weight in near.items():
        name = key in claim.names
        here = other.get(key, 0.0)
        if not here:
            known = key in evidence.keys
            if aged and not known and key in PEOPLE:
                continue
            weight *= 1.0 if known else ties.unknown
            here = (ties.name_elsewhere if name else ties.elsewhere) if known else 0.0
        anchor = _ANCHOR_TEXT.fullmatch(key) is not None
        weight *= ties.anchor if anchor else ties.name if name and not tabled else 1.0
        total += weight * near[key]
        got += weight * here
        if not name and not anchor:
            common += weight * near[key]
            shared += weight * here
    for weight, here in _beside(claim, mine, evidence, theirs, beside):
        total += ties.beside * weight * weight
        got += ties.beside * weight * here
    strength = min(1.0, got / total) if total else 0.0
    return Tie(strength, min(1.0, shared / common) if common else strength)


def _beside(
    claim: ValueText, mine: Value, evidence: ValueText, theirs: Value, beside: Beside
) -> Iterator[tuple[float, float]]:
    """The nearness of each of the values beside to the claim's value and to the evidence's."""
    for one, two in beside:
        if one is not mine and two is not theirs and (weight := claim.beside(mine, one)):
            yield weight, evidence.beside(theirs, two)


def _preposition(text: ValueText, value: Value) -> str:
    """The preposition in front of a value that says in which of a sentence's events it plays a part."""
    found = _PREPOSITION.search(text.text, max(0, value.core[0] - _NEAR), value.core[0])
    return found[1].lower() if found else ""


def contrast(
    claim: ValueText,
    mine: Value,
    evidence: ValueText,
    agreeing: Value,
    differing: Value,
    beside: Beside = (),
) -> float:
    """Of two values of the evidence, which one the claim speaks of, by what tells them apart, in (-1, 1).

    Positive where more of the claim's words, and of the values beside, stand nearer to the differing one. A word
    that stands nearer to one of them and is missing in the claim speaks for the other one.
    """
    ties = claim.ties
    near, one, two = claim.near(mine), evidence.near(agreeing), evidence.near(differing)
    gaps = [weight * (two.get(key, 0.0) - one.get(key, 0.0)) for key, weight in near.items()]
    gaps += [
        ties.missing * (one.get(key, 0.0) - two.get(key, 0.0))
        for key in {**one, **two}
        if key not in near and key not in claim.keys
    ]
    governs = _preposition(claim, mine)
    before = _preposition(evidence, agreeing), _preposition(evidence, differing)
    gaps.append(ties.preposition * ((governs == before[1]) - (governs == before[0])))
    for own, other in beside:
        if own is not mine and (weight := claim.beside(mine, own)):
            gaps.append(
                ties.beside * weight * (evidence.beside(differing, other) - evidence.beside(agreeing, other))
            )
    return sum(gaps) / (sum(map(abs, gaps)) + ties.shrink)
