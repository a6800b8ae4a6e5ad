"""Which words of an evidence say the same as a word of a claim, and how likely.

An encoder says how near two words are in meaning. It does not tell ``silver`` from ``bronze`` or ``rise`` from
``fall``, which are near, too; the word tables do. Both are weighed together by weights that are learnt from labelled
pairs: ``python -m training.likeness`` writes ``lexicon/likeness.tsv`` and says how it did. Opposites are never alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import SignalError
from verifier.core.lexicon import table_rows
from verifier_signals.lexicon import antonyms_of, scales_of, verb_of
from verifier_signals.lexicon.kinds import derived_from, kinship
from verifier_signals.stems import lemma, word_key

__all__ = [
    "CUES",
    "LEAST_NEAR",
    "Likeness",
    "Weights",
    "WordVectors",
    "are_opposed",
    "cues_of",
    "shipped_weights",
]

WordVectors = Callable[[Sequence[str]], NDArray[np.float32]]
"""Words in, one row each out, of length 1 or, for a word that is not known, 0."""

CUES = ("near", "alike", "kind", "far_kind", "wider", "sibling", "cousin", "derived")
"""What two words are compared by: the cosine of their vectors, and what the word tables know of them."""

LEAST_NEAR = 0.2
"""Cosine of two words below which nothing more is asked of them."""
_ROUNDING = 1e-3
"""What a product of matrices may be off by."""
_NEAR_STEPS = 2
_SIBLING_STEPS = 2
_KEPT_ROWS = 1 << 14


class Weights(NamedTuple):
    """The weight of each of ``CUES``, the log odds of a claim whose word has no like, and the least likelihood."""

    cues: tuple[float, ...]
    bias: float
    least: float

    def likelihood(self, cues: Sequence[float]) -> float:
        """How likely two words say the same, in [0, 1].

        A claim can be borne out though one of its words is not found (``bias``). The rest is the word's:
        ``1 - (1 - p) / (1 - p0)`` with p the probability that a claim with such a pair of words is borne out and p0
        that of one without (Pearl 1988, noisy or).
        """
        odds = self.bias + math.fsum(weight * cue for weight, cue in zip(self.cues, cues, strict=True))
        return max(0.0, 1.0 - (1.0 + math.exp(self.bias)) / (1.0 + math.exp(odds)))


@cache
def shipped_weights() -> Weights:
    """Those of ``lexicon/likeness.tsv``."""
    found = {name: float(value) for name, value in table_rows("verifier_signals.lexicon", "likeness.tsv")}
    return Weights(tuple(found[name] for name in CUES), found["bias"], found["least"])


@lru_cache(maxsize=1 << 15)
def _told(word: str, other: str) -> tuple[float, ...]:
    """All of ``CUES`` but the first."""
    one, two = lemma(word), lemma(other)
    kin = kinship(one, two)
    cues = (
        kin.alike,
        0 < kin.up <= _NEAR_STEPS,
        kin.up > _NEAR_STEPS,
        kin.down > 0 == kin.up,
        kin.across == _SIBLING_STEPS,
        kin.across > _SIBLING_STEPS,
        two in derived_from(one),
    )
    return tuple(map(float, cues))


def cues_of(word: str, other: str, near: float) -> tuple[float, ...]:
    """``CUES`` for a folded word of a claim, one of its evidence, and the cosine of their vectors.

    >>> dict(zip(CUES, cues_of("vehicle", "scooter", 0.4)))["kind"]
    1.0
    """
    return (near, *_told(word, other))


def are_opposed(word: str, other: str) -> bool:
    """Whether two folded words are opposites, or words of the families of two that are: near, but never the same.

    >>> are_opposed("rises", "falls"), are_opposed("alive", "dying"), are_opposed("rises", "grows")
    (True, True, False)
    """
    turned = {(scale, -sign) for scale, sign in scales_of(lemma(word))}
    listed = word_key(other) in _opposites(word) or word_key(word) in _opposites(other)
    return listed or not turned.isdisjoint(scales_of(lemma(other)))


@lru_cache(maxsize=1 << 13)
def _opposites(word: str) -> frozenset[str]:
    """The keys of the opposites of a folded word and of its family."""
    base = lemma(word)
    reading = verb_of(word)
    family = {word, base, *derived_from(base)} | ({reading.lemma} if reading is not None else set())
    return frozenset(word_key(opposite) for one in family for opposite in antonyms_of(one))


class Likeness:
    """Which words of an evidence say the same as a word of a claim; safe to share by threads.

    Args:
        vectors: the encoder; asked about single words, once about each as long as it is remembered.
        weights: by default those that are shipped, which are learnt with the encoder ``static``.
    """

    def __init__(self, vectors: WordVectors, weights: Weights | None = None) -> None:
        self._vectors, self._given = vectors, weights
        self._rows: dict[str, NDArray[np.float32]] = {}
        self._lock = Lock()

    def of(self, words: Sequence[str], others: frozenset[str]) -> list[Mapping[str, float]]:
        """For each word those of the others that say the same, with how likely each does; all folded.

        Raises:
            SignalError: the encoder failed, or gave no row for a word.
        """
        beside = sorted(others)
        if not words or not beside:
            return [{} for _ in words]
        own, rest = self._vectors_of(words), self._vectors_of(beside)
        near = own @ rest.T
        likes: list[dict[str, float]] = [{} for _ in words]
        for row, column in np.argwhere(near >= LEAST_NEAR - _ROUNDING).tolist():
            # In this order and precision whatever words are beside it.
            cosine = float(np.dot(own[row].astype(np.float64), rest[column].astype(np.float64)))
            likelihood = self._likelihood(words[row], beside[column], cosine)
            if likelihood is not None:
                likes[row][beside[column]] = likelihood
        return list(likes)

    def _likelihood(self, word: str, other: str, cosine: float) -> float | None:
        """How likely two words say the same; ``None`` where they are no match."""
        weights = self._given or shipped_weights()
        if cosine < LEAST_NEAR:
            return None
        likelihood = weights.likelihood(cues_of(word, other, cosine))
        return likelihood if likelihood >= weights.least and not are_opposed(word, other) else None

    def _vectors_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of words, [words, dimension]."""
        with self._lock:
            if len(self._rows) > _KEPT_ROWS:
                self._rows.clear()
            if new := [word for word in words if word not in self._rows]:
                rows = np.asarray(self._vectors(new), dtype=np.float32)
                if rows.ndim != 2 or len(rows) != len(new) or not np.isfinite(rows).all():
                    raise SignalError(f"the encoder must give one finite vector for each of {len(new)} words")
                self._rows.update(zip(new, rows, strict=True))
            return np.stack([self._rows[word] for word in words])
