"""Pairs in, scores out: how much of the claim's content stands in the evidence, aligned to the character."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from signals.base import Signal
from signals.content import Content, content_of, senses_of_word
from signals.lexicon import common_words
from signals.stems import LIGHT_WORDS, lemma
from signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from signals.values import Fit, Value, compare
from verifier.core.errors import SignalError

__all__ = ["Rarity", "TraceabilitySignal"]

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""Folded words in, how rare each is in the knowledge base out, in [0, 1]: 1 for a word that is not in it."""

_NEAR = 4
"""Two words are near each other when at most this many content words lie from one to the other."""
_TYPO_LENGTH = 6
"""Shorter words are not compared by letters: one edit makes another word of them."""
_TYPO_EDITS = 1
_NAME_WEIGHT = 0.9
"""The least that a name weighs."""
_LIGHT_WEIGHT = 0.25
"""The most that a word weighs which any sentence may hold."""
_SPECIFIC = 0.75
"""Content of this weight is what a claim stands on: names, figures, rare words."""


class _Sought(NamedTuple):
    """A unit of a claim, what it is found by in an evidence, and what is said of an evidence that lacks it.

    ``senses`` are those of a word whose synonyms are as good; ``value`` is ``None`` for words.
    """

    key: str
    word: str
    name: bool
    senses: frozenset[int]
    value: Value | None
    absent: Finding


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
    for at, (key, start, end, word) in enumerate(claim.units):
        name = claim.is_name(at)
        senses = senses_of_word(word) if key and not name else frozenset()  # a name has no synonyms
        absent = Finding("content", Relation.ABSENT, text[start:end], (start, end))
        found.append(_Sought(key, word, name, senses, claim.values.get(at), absent))
    return found


class TraceabilitySignal(Signal):
    """Finds the claim's content words and values in the evidence, weighted by how rare they are.

    ``coverage`` is the found share of the weight; ``order`` the share of the claim's neighbouring pairs that
    stand near each other and in the same order in the evidence; ``novel`` the missing share of what is most
    particular (names, figures, rare words). ``support`` is the coverage. Never ``CONFLICTING``.

    Args:
        rarity: rarity of folded words in the knowledge base; without it, by the kind and length of a word.
    """

    name = "traceability"
    feature_names = ("coverage", "order", "novel")

    def __init__(self, rarity: Rarity | None = None) -> None:
        self.rarity = rarity

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair.

        Raises:
            SignalError: ``rarity`` gave another number of weights than words, or one outside [0, 1].
        """
        weights: dict[str, _Weights] = {}
        scores = []
        for premise, hypothesis in pairs:
            claim = _sought(hypothesis)
            if hypothesis not in weights:
                weights[hypothesis] = self._weights(claim)
            scores.append(_score(claim, weights[hypothesis], content_of(premise)))
        return scores

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


def _score(claim: Sequence[_Sought], weights: _Weights, evidence: Content) -> SignalScore:
    found = _aligned(claim, evidence)
    if not found:
        return _answer(Outcome.NOT_APPLICABLE, None, (), (0.0, 0.0, 0.0))
    covered = [weight if at is not None else 0.0 for weight, at in zip(weights.units, found, strict=True)]
    # Exact sums: windows that hold other words of the same weight are equals, not ranked by rounding.
    coverage = fsum(covered) / weights.total if weights.total else 0.0
    told = fsum([covered[at] for at in weights.particular])
    novel = 1.0 - told / weights.mass if weights.mass else 0.0
    findings = [
        unit.absent if at is None else _match(unit, evidence, at)
        for unit, at in zip(claim, found, strict=True)
    ]
    features = (min(1.0, coverage), _order(found), min(1.0, max(0.0, novel)))
    outcome = Outcome.ABSENT if None in found else Outcome.CONSISTENT
    return _answer(outcome, features[0], tuple(findings), features)


def _answer(
    outcome: Outcome, support: float | None, findings: tuple[Finding, ...], features: tuple[float, ...]
) -> SignalScore:
    named = dict(zip(TraceabilitySignal.feature_names, features, strict=True))
    return SignalScore(TraceabilitySignal.name, outcome, support, findings, named)


def _match(unit: _Sought, evidence: Content, at: int) -> Finding:
    _, start, end, _ = evidence.units[at]
    quoted = evidence.text[start:end]
    return Finding(
        "content", Relation.MATCH, unit.absent.claim_value, unit.absent.claim_span, quoted, (start, end)
    )


def _aligned(claim: Sequence[_Sought], evidence: Content) -> list[int | None]:
    """For each unit of the claim its place in the evidence, as near as can be to the place before."""
    found: list[int | None] = []
    following = 0
    for unit in claim:
        places = _word_places(unit, evidence) if unit.value is None else _value_places(unit.value, evidence)
        at = _nearest(places, following) if places else None
        found.append(at)
        following = following if at is None else at + 1
    return found


def _nearest(places: Sequence[int], place: int) -> int:
    """Of several places the one nearest to a place; of two, the earlier one."""
    if len(places) == 1:
        return places[0]
    return min(places, key=lambda at: (abs(at - place), at))


def _value_places(value: Value, evidence: Content) -> list[int]:
    return [at for at, other in evidence.values.items() if compare(value, other).fit is Fit.EQUAL]


def _word_places(unit: _Sought, evidence: Content) -> list[int]:
    """Places of the same key; failing that, of a synonym; failing that, of the same word with a slip in it."""
    if (same := evidence.places.get(unit.key)) is not None:
        return same
    if unit.word.isdecimal() and unit.word in evidence.figures:  # ``the Nimbus 5`` in a column of models
        return evidence.figures[unit.word]
    keys = _synonyms(unit.senses, evidence) or _slips(unit.word, evidence)
    return sorted([at for key in keys for at in evidence.places[key]]) if keys else []


def _synonyms(senses: frozenset[int], evidence: Content) -> set[str]:
    """The keys of words of the evidence that have one of these senses."""
    if senses.isdisjoint(evidence.senses):
        return set()
    return {key for word, key in evidence.words.items() if not senses.isdisjoint(senses_of_word(word))}


def _slips(word: str, evidence: Content) -> set[str]:
    """The keys of words of the evidence that are the same word with a slip in it."""
    if not word.isalpha() or len(word) < _TYPO_LENGTH - _TYPO_EDITS:
        return set()
    if (alike := evidence.initials.get(word[0])) is None:
        return set()
    return {evidence.words[other] for other in alike if _same_but_for_a_slip(word, other)}


def _same_but_for_a_slip(one: str, two: str) -> bool:
    """``Lindqvist`` and ``Lindquist``; not where both are words of the language, which differ on purpose.

    Both are of letters alone, with the same first one.
    """
    if max(len(one), len(two)) < _TYPO_LENGTH or abs(len(one) - len(two)) > _TYPO_EDITS:
        return False
    if one in common_words() and two in common_words():
        return False
    return Levenshtein.distance(one, two, score_cutoff=_TYPO_EDITS) <= _TYPO_EDITS


def _order(found: list[int | None]) -> float:
    """Share of neighbouring pairs that are found near each other and in order; of one unit: whether it is found."""
    if len(found) == 1:
        return float(found[0] is not None)
    kept = 0
    for one, two in pairwise(found):
        kept += one is not None and two is not None and 0 < two - one <= _NEAR
    return kept / (len(found) - 1)
