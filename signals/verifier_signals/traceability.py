"""The traceability signal: how much of a claim's content stands in the evidence, aligned to the character."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from verifier.core.deadline import each
from verifier.core.errors import SignalError
from verifier_signals.base import Signal
from verifier_signals.content import Content, content_of, is_plain, senses_of_word
from verifier_signals.lexicon import common_words
from verifier_signals.likeness import Likeness, WordVectors
from verifier_signals.stems import LIGHT_WORDS, lemma
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from verifier_signals.values import MOST_PAIRS, Fit, Value, compare, may_be_equal

__all__ = ["Rarity", "TraceabilitySignal"]

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""Folded words in, how rare each is in the knowledge base out, in [0, 1]: 1 for a word that is not in it."""

_NO_SPAN = (0, 0)
_NEAR = 4
"""Two words are near each other when at most this many content words lie from one to the other."""
_TYPO_LENGTH = 6
"""Shorter words are not compared by letters: one edit makes another word of them."""
_TYPO_EDITS = 1
_MOST_ALIKE = 500
"""Words of an evidence with one first letter among which a slip is looked for: more would take a microsecond each."""
_MOST_PLACES = 64
"""Places of a word that is near in meaning, of which each is given to one word of the claim: its first ones."""
_NAME_WEIGHT = 0.9
"""The least that a name weighs."""
_LIGHT_WEIGHT = 0.25
"""The most that a word weighs which any sentence may hold."""
_SPECIFIC = 0.75
"""Content of this weight is what a claim stands on: names, figures, rare words."""


class _Sought(NamedTuple):
    """A unit of a claim, what it is found by in an evidence, and what is said of an evidence that lacks it.

    ``slips`` is the first letter of a word that may stand in the evidence with a slip in it. ``senses`` are those of
    a word whose synonyms are as good, ``replaceable`` is one that may stand in another word; ``value`` is ``None`` for
    words, and ``first`` the number of the first unit of the same value.
    """

    key: str
    word: str
    slips: str
    name: bool
    senses: frozenset[int]
    replaceable: bool
    value: Value | None
    first: int
    absent: Finding


class _Place(NamedTuple):
    """Where a unit of a claim stands in an evidence, and how likely that says the same, in [0, 1]."""

    at: int
    likelihood: float = 1.0


class _Likes(NamedTuple):
    """The words of evidence that say the same as one of a claim, and for each word of the claim how likely they do."""

    words: frozenset[str]
    of: Mapping[str, Mapping[str, float]]


class _Weights(NamedTuple):
    """What the units of a claim weigh, their sum, which of them are particular, and the sum of these."""

    units: list[float]
    total: float
    particular: list[int]
    mass: float


@lru_cache(maxsize=512)
def _sought(text: str) -> Sequence[_Sought]:
    """What is looked for of a claim, in reading order; worked out once for all its windows."""
    claim = content_of(text)
    found = []
    firsts: dict[Value, int] = {}
    for at, (key, start, end, word) in enumerate(claim.units):
        name = claim.is_name(at)
        senses = senses_of_word(word) if key and not name else frozenset()  # a name has no synonyms
        absent = Finding("content", Relation.ABSENT, text[start:end], (start, end))
        replaceable = bool(key) and not name and is_plain(word)
        slips = word[0] if word.isalpha() and len(word) >= _TYPO_LENGTH - _TYPO_EDITS else ""
        value = claim.values.get(at)
        first = firsts.setdefault(replace(value, start=0, end=0, core=_NO_SPAN), at) if value else at
        found.append(_Sought(key, word, slips, name, senses, replaceable, value, first, absent))
    return found


class TraceabilitySignal(Signal):
    """Finds the claim's content words and values in the evidence, weighted by how rare they are.

    ``coverage`` is the found share of the weight; ``order`` the share of the claim's neighbouring pairs that
    stand near each other and in the same order in the evidence; ``novel`` the missing share of what is most
    particular (names, figures, rare words). ``support`` is the coverage. Never ``CONFLICTING``.

    A word that the evidence does not hold may stand there in another one: of those that are left over and near it in
    meaning, the likeliest counts as much as it is likely (:mod:`verifier_signals.likeness`). Names and values have no
    such likes.

    Args:
        rarity: rarity of folded words in the knowledge base; without it, by the kind and length of a word.
        vectors: the encoder of single words that says which are near in meaning; without it none is.
    """

    name = "traceability"
    feature_names = ("coverage", "order", "novel")

    def __init__(self, rarity: Rarity | None = None, vectors: WordVectors | None = None) -> None:
        self.rarity = rarity
        self._likeness = Likeness(vectors) if vectors is not None else None

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair.

        Raises:
            SignalError: ``rarity`` gave another number of weights than words, or one outside [0, 1]; ``vectors`` gave
                no vector for a word.
        """
        weights: dict[str, _Weights] = {}
        likes = self._likes(pairs)
        scores = []
        for premise, hypothesis in each(pairs):
            claim = _sought(hypothesis)
            if hypothesis not in weights:
                weights[hypothesis] = self._weights(claim)
            evidence = content_of(premise)
            found = _aligned(claim, evidence)
            if (
                None in found
                and (like := likes.get(hypothesis))
                and not like.words.isdisjoint(evidence.vocabulary)
            ):
                _add_likes(found, claim, evidence, like.of)
            scores.append(_score(claim, weights[hypothesis], evidence, found))
        return scores

    def _likes(self, pairs: Sequence[TextPair]) -> Mapping[str, _Likes]:
        """For each hypothesis what of all its premises says the same as its words."""
        if self._likeness is None:
            return {}
        premises: dict[str, list[frozenset[str]]] = {}
        for premise, hypothesis in pairs:
            premises.setdefault(hypothesis, []).append(content_of(premise).vocabulary)
        found = {}
        for hypothesis, vocabularies in premises.items():
            words = list(dict.fromkeys(unit.word for unit in _sought(hypothesis) if unit.replaceable))
            likes = self._likeness.of(words, frozenset().union(*vocabularies))
            found[hypothesis] = _Likes(frozenset().union(*likes), dict(zip(words, likes, strict=True)))
        return found

    def _weights(self, claim: Sequence[_Sought]) -> _Weights:
        words = [unit.word for unit in claim if unit.value is None]
        rare = iter(
            _checked(self.rarity(words), words) if self.rarity and words else map(_plain_weight, words)
        )
        units = [1.0 if unit.value else _weight(unit, next(rare)) for unit in claim]
        particular = [at for at, weight in enumerate(units) if weight >= _SPECIFIC]
        return _Weights(units, fsum(units), particular, fsum([units[at] for at in particular]))


def _weight(unit: _Sought, rarity: float) -> float:
    if unit.name:
        return max(rarity, _NAME_WEIGHT)
    light = unit.word in LIGHT_WORDS or lemma(unit.word) in LIGHT_WORDS
    return min(rarity, _LIGHT_WEIGHT) if light else rarity


def _checked(weights: Sequence[float], words: Sequence[str]) -> list[float]:
    found = [float(weight) for weight in weights]
    if len(found) != len(words) or not all(math.isfinite(weight) and 0 <= weight <= 1 for weight in found):
        raise SignalError(f"rarity must give one weight in [0, 1] for each of {len(words)} words")
    return found


def _plain_weight(word: str) -> float:
    """Without a knowledge base: long words and those that no dictionary lists say more.

    >>> _plain_weight("turbine") > _plain_weight("use")
    True
    """
    if any(map(str.isdigit, word)) or word not in common_words():
        return 0.9
    return 0.3 + 0.04 * min(len(word), 10)


def _score(
    claim: Sequence[_Sought], weights: _Weights, evidence: Content, found: Sequence[_Place | None]
) -> SignalScore:
    if not found:
        return _answer(Outcome.NOT_APPLICABLE, None, (), (0.0, 0.0, 0.0))
    covered = [
        weight * place.likelihood if place is not None else 0.0
        for weight, place in zip(weights.units, found, strict=True)
    ]
    # Exact sums: windows that hold other words of the same weight are equals, not ranked by rounding.
    coverage = fsum(covered) / weights.total if weights.total else 0.0
    told = fsum([covered[at] for at in weights.particular])
    novel = 1.0 - told / weights.mass if weights.mass else 0.0
    findings = [
        unit.absent if place is None else _match(unit, evidence, place)
        for unit, place in zip(claim, found, strict=True)
    ]
    features = (min(1.0, coverage), _order(found), min(1.0, max(0.0, novel)))
    outcome = Outcome.ABSENT if None in found else Outcome.CONSISTENT
    return _answer(outcome, features[0], tuple(findings), features)


def _answer(
    outcome: Outcome, support: float | None, findings: tuple[Finding, ...], features: tuple[float, ...]
) -> SignalScore:
    named = dict(zip(TraceabilitySignal.feature_names, features, strict=True))
    return SignalScore(TraceabilitySignal.name, outcome, support, findings, named)


def _match(unit: _Sought, evidence: Content, place: _Place) -> Finding:
    _, start, end, _ = evidence.units[place.at]
    said, span = unit.absent.claim_value, unit.absent.claim_span
    note = "near in meaning" if place.likelihood < 1 else ""
    return Finding("content", Relation.MATCH, said, span, evidence.text[start:end], (start, end), note)


def _aligned(claim: Sequence[_Sought], evidence: Content) -> list[_Place | None]:
    """For each unit of the claim its place in the evidence, as near as can be to the place before."""
    found: list[_Place | None] = []
    following = 0
    many = len(evidence.values) * sum(unit.value is not None for unit in claim) > MOST_PAIRS
    look = _near_value_places if many else _value_places
    of_values: dict[int, Sequence[int]] = {}
    for unit in claim:
        if unit.value is None:
            places = evidence.places.get(unit.key) or _other_places(unit, evidence)
        else:
            if unit.first not in of_values:
                of_values[unit.first] = look(unit.value, evidence)
            places = of_values[unit.first]
        if not places:
            found.append(None)
            continue
        at = places[0] if len(places) == 1 else _nearest(places, following)
        found.append(_Place(at))
        following = at + 1
    return found


def _add_likes(
    found: list[_Place | None],
    claim: Sequence[_Sought],
    evidence: Content,
    likes: Mapping[str, Mapping[str, float]],
) -> None:
    """Give units that were not found the place of a word that says the same: the likeliest first, each word once."""
    taken = {place.at for place in found if place is not None}
    open_places = [
        (-like[other], number, at)
        for number, (unit, place) in enumerate(zip(claim, found, strict=True))
        if place is None and unit.replaceable and (like := likes.get(unit.word))
        for other in like.keys() & evidence.vocabulary
        for at in evidence.plain[other][:_MOST_PLACES]
        if at not in taken
    ]
    for likelihood, number, at in sorted(open_places):
        if found[number] is None and at not in taken:
            found[number] = _Place(at, -likelihood)
            taken.add(at)


def _nearest(places: Sequence[int], place: int) -> int:
    """Of several places in order the one nearest to a place; of two, the earlier one."""
    at = bisect_left(places, place)
    return min(places[max(0, at - 1) : at + 1], key=lambda at: (abs(at - place), at))


def _value_places(value: Value, evidence: Content) -> list[int]:
    return [
        at
        for at, other in evidence.values.items()
        if may_be_equal(value, other) and compare(value, other).fit is Fit.EQUAL
    ]


def _near_value_places(value: Value, evidence: Content) -> list[int]:
    """The same, looked for among the values with the same figure or date and those next to it in size."""
    same, beside = evidence.by_figure.same(value), evidence.by_figure.beside(value)
    positions = evidence.positions
    if same and compare(value, evidence.values[positions[same[0]]]).fit is Fit.EQUAL:
        return [positions[place] for place in same]
    found = (positions[place] for place in {*beside})
    return sorted(at for at in found if compare(value, evidence.values[at]).fit is Fit.EQUAL)


def _other_places(unit: _Sought, evidence: Content) -> Sequence[int]:
    """Places of a synonym of a word that the evidence does not have; failing that, of that word with a slip in it."""
    if unit.word.isdecimal() and unit.word in evidence.figures:  # ``the Nimbus 5`` in a column of models
        return evidence.figures[unit.word]
    keys = _synonyms(unit.senses, evidence) or (_slips(unit, evidence) if unit.slips else ())
    return sorted([at for key in keys for at in evidence.places[key]]) if keys else ()


def _synonyms(senses: frozenset[int], evidence: Content) -> set[str]:
    """The keys of words of the evidence that have one of these senses."""
    if senses.isdisjoint(evidence.senses):
        return set()
    return {key for sense in senses for key in evidence.by_sense.get(sense, ())}


def _slips(unit: _Sought, evidence: Content) -> set[str]:
    """The keys of words of the evidence that are the same word with a slip in it; not where both are words of the
    language, which differ on purpose."""
    others = evidence.strange if unit.word in common_words() else evidence.initials
    if (alike := others.get(unit.slips)) is None:
        return set()
    return {evidence.words[other] for other in alike[:_MOST_ALIKE] if _same_but_for_a_slip(unit.word, other)}


def _same_but_for_a_slip(one: str, two: str) -> bool:
    """``Lindqvist`` and ``Lindquist``: both of letters alone, with the same first one."""
    if max(len(one), len(two)) < _TYPO_LENGTH or abs(len(one) - len(two)) > _TYPO_EDITS:
        return False
    return Levenshtein.distance(one, two, score_cutoff=_TYPO_EDITS) <= _TYPO_EDITS


def _order(found: Sequence[_Place | None]) -> float:
    """Share of neighbouring pairs that are found near each other and in order; of one unit: whether it is found."""
    if len(found) == 1:
        return float(found[0] is not None)
    kept = 0
    for one, two in pairwise(found):
        kept += one is not None and two is not None and 0 < two.at - one.at <= _NEAR
    return kept / (len(found) - 1)
