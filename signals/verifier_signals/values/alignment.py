"""Alignment: which values of the evidence a claim is compared with, and how surely two of them measure the same thing.

Of many values, only those nearest to each other are compared: otherwise a list of numbers against a list of numbers
would take time in proportion to the square of their length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from verifier.core.deadline import checkpoint
from verifier_signals.values.context import ValueText
from verifier_signals.values.modifiers import PEOPLE
from verifier_signals.values.types import Value

__all__ = [
    "MOST_OF_CLAIM",
    "MOST_PAIRS",
    "AgreeingPairs",
    "ComparedGroup",
    "Tie",
    "ValueIndex",
    "are_too_many",
    "contrast",
    "nearest_groups",
    "not_compared",
    "tie",
]

_BESIDE = 2
"""Figures on either side, by size, that are near."""

_DimensionAndSize = tuple[str, float]


class ValueIndex:
    """Values by what they say. A place is an index into them; of several that say the same, the first ``order`` counts.

    Args:
        values: the values.
        order: every place once, the best first; reading order by default.
    """

    def __init__(self, values: Sequence[Value], order: Sequence[int] | None = None) -> None:
        self._same: dict[object, list[int]] = {}
        best: dict[_DimensionAndSize, int] = {}
        for place in range(len(values)) if order is None else order:
            for sign in _equality_keys(values[place]):
                self._same.setdefault(sign, []).append(place)
            for one in values[place].quantities:
                best.setdefault((one.dimension, one.low), place)
        self._sizes = sorted(best.items())

    def same(self, value: Value) -> list[int]:
        """The places of the values with the same figure or date, in order."""
        found = [self._same[sign] for sign in _equality_keys(value) if sign in self._same]
        return found[0] if len(found) == 1 else list(dict.fromkeys(chain(*found)))

    def beside(self, value: Value) -> Iterator[int]:
        """The places of the figures next to it in size, of the same dimension, one for each figure."""
        for one in value.quantities:
            at = bisect_left(self._sizes, ((one.dimension, one.low), -1))
            around = self._sizes[max(0, at - _BESIDE) : at + _BESIDE]
            yield from (place for (dimension, _), place in around if dimension == one.dimension)


def _equality_keys(value: Value) -> list[object]:
    """What equal values share: each figure in its dimension, each code, each date."""
    figures = [
        (one.dimension, one.unit if one.dimension.startswith("code:") else one.low)
        for one in value.quantities
    ]
    return [*figures, *(date.start for date in value.dates)]


MOST_PAIRS = 2048
"""So many pairs of values are compared one by one, at 0.1 ms each: forty of a claim against fifty of a window."""
MOST_OF_CLAIM = 128
"""So many values of a claim are compared, its first ones; with all that is near to them that takes 0.3 s."""
_MOST_OF_EVIDENCE = 256
"""Of more values in the evidence, only the nearest are compared."""
_GROUP = 8
"""Values of a claim that are compared together."""
_NEAREST = 16, 64
"""Values of the evidence that a group is compared with: the fewest, of a claim with many, and the most."""


class ComparedGroup(NamedTuple):
    """Some values of a claim with those of the evidence that they are compared with."""

    claim: ValueText
    evidence: ValueText


def are_too_many(claim: ValueText, evidence: ValueText) -> bool:
    """Whether two texts have too many values to compare each with each."""
    mine, theirs = len(claim.values), len(evidence.values)
    return mine > MOST_OF_CLAIM or theirs > _MOST_OF_EVIDENCE or mine * theirs > MOST_PAIRS


def not_compared(claim: ValueText) -> Sequence[Value]:
    """The values of a claim that are in no group."""
    return claim.values[MOST_OF_CLAIM:]


def nearest_groups(claim: ValueText, evidence: ValueText) -> Iterator[ComparedGroup]:
    """The first values of a claim, a few at a time, each time with the nearest of the evidence.

    Nearest are those of the same figure or date, then those of the next larger and smaller figures, then those of the
    sentences and rows that share most words with the claim.
    """
    index = _NearestIndex(claim, evidence)
    for first in range(0, min(len(claim.values), MOST_OF_CLAIM), _GROUP):
        mine = claim.values[first : first + _GROUP]
        yield ComparedGroup(claim.narrowed(mine), evidence.narrowed(index.nearest(mine)))


class _NearestIndex:
    """The values of the evidence by their figures and dates, and by the words around them.

    What another value of the claim says is no rival of one, whichever group that one is in.
    """

    def __init__(self, claim: ValueText, evidence: ValueText) -> None:
        said = ValueIndex(claim.values)
        fewest, most = _NEAREST
        self._most = max(fewest, min(most, MOST_PAIRS // max(1, len(claim.values))))
        self.values = evidence.values
        self._taken = {place for place, value in enumerate(evidence.values) if said.same(value)}
        self._by_words = _by_words(claim, evidence)
        self._figures = ValueIndex(evidence.values, self._by_words)

    def nearest(self, mine: Sequence[Value]) -> list[Value]:
        """The values to compare a few of the claim with, in reading order."""
        places = dict.fromkeys(place for one in mine for place in self._figures.same(one)[:1])
        for place in chain(*map(self._figures.beside, mine), self._by_words):
            if len(places) >= self._most:
                break
            if place not in self._taken:
                places[place] = None
        return [self.values[place] for place in sorted(places)]


def _by_words(claim: ValueText, evidence: ValueText) -> list[int]:
    """The places of all values, those first whose sentence or row shares most words with the claim."""
    shared: dict[tuple[int, int], int] = {}
    stretches = [evidence.row_span(one) or evidence.sentence(one) for one in evidence.values]
    for stretch in stretches:
        if stretch not in shared:
            shared[stretch] = len(claim.keys & evidence.keys_in(stretch))
    return sorted(range(len(stretches)), key=lambda place: -shared[stretches[place]])


_ANCHOR_TEXT = re.compile(r"(?:1[4-9]|20)\d\d|\d*[A-Za-z]+\d\w*|[A-Z]\w*-?\d\w*")

_PREPOSITION = re.compile(r"\b(after|before|until|till|since|every)\s+(?:about\s+|the\s+)?\Z", re.IGNORECASE)
_PREPOSITION_REACH = 20

AgreeingPairs = Sequence[tuple[Value, Value]]
"""Other values of the claim, each with the only one of the evidence that equals it: they name the case."""


class Tie(NamedTuple):
    """``strength`` in [0, 1]: how surely two values measure the same thing; ``common``: without the names."""

    strength: float
    common: float


def tie(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value, beside: AgreeingPairs = ()) -> Tie:
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
    total = got = common = shared = 0.0
    for key, weight in near.items():
        name = key in claim.names
        here = other.get(key, 0.0)
        if not here:
            known = key in evidence.keys
            if mine.may_be_age and not known and key in PEOPLE:
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
    claim: ValueText, mine: Value, evidence: ValueText, theirs: Value, beside: AgreeingPairs
) -> Iterator[tuple[float, float]]:
    """The nearness of each of the values beside to the claim's value and to the evidence's."""
    for one, two in beside:
        if one is not mine and two is not theirs and (weight := claim.beside(mine, one)):
            yield weight, evidence.beside(theirs, two)


def _preposition(text: ValueText, value: Value) -> str:
    """The preposition in front of a value that says in which of a sentence's events it plays a part."""
    found = _PREPOSITION.search(text.text, max(0, value.core[0] - _PREPOSITION_REACH), value.core[0])
    return found[1].lower() if found else ""


def contrast(
    claim: ValueText,
    mine: Value,
    evidence: ValueText,
    agreeing: Value,
    differing: Value,
    beside: AgreeingPairs = (),
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
