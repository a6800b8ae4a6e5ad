"""Pairs in, scores out: how much of the claim's content stands in the evidence, aligned to the character."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from signals.base import Signal
from signals.lexicon import common_words, senses_of
from signals.stems import LIGHT_WORDS, content_words, lemma
from signals.syntax import fold_word
from signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from signals.values import Fit, Value, compare, values_of
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


class _Unit(NamedTuple):
    """A word or a value of a text; ``value`` is ``None`` for words, ``word`` is ``""`` for values."""

    key: str
    word: str
    start: int
    end: int
    name: bool
    value: Value | None = None


class _Text:
    """A text as units in reading order, with indices of its words."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def units(self) -> list[_Unit]:
        values = [value for value in values_of(self.text).values if not value.weak]
        units = [_Unit("", "", *value.core, False, value) for value in values]
        at = 0
        for word in content_words(self.text):
            while at < len(values) and values[at].end <= word.start:
                at += 1
            if at < len(values) and values[at].start <= word.start:
                continue
            surface = self.text[word.start : word.end]
            units.append(
                _Unit(word.key, fold_word(surface), word.start, word.end, self._is_name(word.start, surface))
            )
        return sorted(units, key=lambda unit: unit.start)

    def _is_name(self, start: int, surface: str) -> bool:
        """A capital that the head of a sentence does not explain."""
        if not surface[0].isupper():
            return False
        before = self.text[:start].rstrip(" \"'“‘(*_")
        heads = not before or before[-1] in ".!?:\n|"
        return not heads or fold_word(surface) not in common_words()

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """Positions in ``units`` by key."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, unit in enumerate(self.units):
            if unit.value is None:
                found[unit.key].append(at)
        return found

    @cached_property
    def figures(self) -> Mapping[str, list[int]]:
        """Positions in ``units`` of values, as they are written."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, unit in enumerate(self.units):
            if unit.value is not None:
                found[self.text[unit.start : unit.end]].append(at)
        return found

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The key of each distinct folded word."""
        return {unit.word: unit.key for unit in self.units if unit.value is None}

    @cached_property
    def senses(self) -> Mapping[int, set[str]]:
        """The keys of the words that have a sense, by its number."""
        found: dict[int, set[str]] = defaultdict(set)
        for word, key in self.words.items():
            for sense in senses_of(lemma(word)):
                found[sense].add(key)
        return found

    @cached_property
    def initials(self) -> Mapping[str, list[str]]:
        """The distinct words of letters alone, by the first one."""
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if word.isalpha():
                found[word[0]].append(word)
        return found


@lru_cache(maxsize=512)
def _read(text: str) -> _Text:
    """The text, read once: claims meet the same windows, and windows the same claim."""
    return _Text(text)


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
        weights: dict[str, list[float]] = {}
        scores = []
        for premise, hypothesis in pairs:
            claim = _read(hypothesis)
            if hypothesis not in weights:
                weights[hypothesis] = self._weights(claim)
            scores.append(_score(claim, weights[hypothesis], _read(premise)))
        return scores

    def _weights(self, claim: _Text) -> list[float]:
        words = [unit.word for unit in claim.units if unit.value is None]
        rare = iter(
            _checked(self.rarity(words), words) if self.rarity and words else map(_plain_weight, words)
        )
        return [1.0 if unit.value else _weight(unit, next(rare)) for unit in claim.units]


def _weight(unit: _Unit, rarity: float) -> float:
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


def _score(claim: _Text, weights: list[float], evidence: _Text) -> SignalScore:
    found = _aligned(claim, evidence)
    if not found:
        return _answer(Outcome.NOT_APPLICABLE, None, (), (0.0, 0.0, 0.0))
    covered = [weight if at is not None else 0.0 for weight, at in zip(weights, found, strict=True)]
    # Exact sums: windows that hold other words of the same weight are equals, not ranked by rounding.
    coverage = fsum(covered) / total if (total := fsum(weights)) else 0.0
    particular = [at for at, weight in enumerate(weights) if weight >= _SPECIFIC]
    mass = fsum(weights[at] for at in particular)
    novel = 1.0 - fsum(covered[at] for at in particular) / mass if mass else 0.0
    whole = all(at is not None for at in found)
    findings = tuple(_finding(claim, unit, evidence, at) for unit, at in zip(claim.units, found, strict=True))
    features = (min(1.0, coverage), _order(found), min(1.0, max(0.0, novel)))
    return _answer(Outcome.CONSISTENT if whole else Outcome.ABSENT, features[0], findings, features)


def _answer(
    outcome: Outcome, support: float | None, findings: tuple[Finding, ...], features: tuple[float, ...]
) -> SignalScore:
    named = dict(zip(TraceabilitySignal.feature_names, features, strict=True))
    return SignalScore(TraceabilitySignal.name, outcome, support, findings, named)


def _aligned(claim: _Text, evidence: _Text) -> list[int | None]:
    """For each unit of the claim its place in the evidence, as near as can be to the place before."""
    found: list[int | None] = []
    last = -1
    for unit in claim.units:
        places = _value_places(unit.value, evidence) if unit.value else _word_places(unit, evidence)
        at = min(places, key=lambda place: (abs(place - last - 1), place), default=None)
        found.append(at)
        last = last if at is None else at
    return found


def _value_places(value: Value, evidence: _Text) -> list[int]:
    return [
        at
        for at, unit in enumerate(evidence.units)
        if unit.value is not None and compare(value, unit.value).fit is Fit.EQUAL
    ]


def _word_places(unit: _Unit, evidence: _Text) -> list[int]:
    """Places of the same key; failing that, of a synonym; failing that, of the same word with a slip in it."""
    if unit.key in evidence.places:
        return evidence.places[unit.key]
    if unit.word.isdecimal() and unit.word in evidence.figures:  # ``the Nimbus 5`` in a column of models
        return evidence.figures[unit.word]
    senses = frozenset() if unit.name else senses_of(lemma(unit.word))  # a name has no synonyms
    keys = {key for sense in senses for key in evidence.senses.get(sense, ())} or _slips(unit.word, evidence)
    return sorted(at for key in keys for at in evidence.places[key])


def _slips(word: str, evidence: _Text) -> set[str]:
    """The keys of words of the evidence that are the same word with a slip in it."""
    if not word.isalpha():
        return set()
    alike = evidence.initials.get(word[0], ())
    return {evidence.words[other] for other in alike if _same_but_for_a_slip(word, other)}


def _same_but_for_a_slip(one: str, two: str) -> bool:
    """``Lindqvist`` and ``Lindquist``; not where both are words of the language, which differ on purpose.

    Both are of letters alone, with the same first one.
    """
    if max(len(one), len(two)) < _TYPO_LENGTH:
        return False
    if Levenshtein.distance(one, two, score_cutoff=_TYPO_EDITS) > _TYPO_EDITS:
        return False
    return one not in common_words() or two not in common_words()


def _order(found: list[int | None]) -> float:
    """Share of neighbouring pairs that are found near each other and in order; of one unit: whether it is found."""
    if len(found) == 1:
        return float(found[0] is not None)
    kept = sum(one is not None and two is not None and 0 < two - one <= _NEAR for one, two in pairwise(found))
    return kept / (len(found) - 1)


def _finding(claim: _Text, unit: _Unit, evidence: _Text, at: int | None) -> Finding:
    span = (unit.start, unit.end)
    quoted = claim.text[unit.start : unit.end]
    if at is None:
        return Finding("content", Relation.ABSENT, quoted, span)
    other = evidence.units[at]
    return Finding(
        "content",
        Relation.MATCH,
        quoted,
        span,
        evidence.text[other.start : other.end],
        (other.start, other.end),
    )
