"""An encoder by hashed words and character n-grams, which needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from verifier_backends.index.tokens import STOP_WORDS, Analyzer, words

__all__ = ["HashingEncoder"]

_BLOCK = 512
"""Texts encoded at a time; bounds the memory of the intermediate arrays."""


class HashingEncoder:
    """Words, stems and character n-grams hashed into a vector: deterministic, without a model.

    The feature hashing of Weinberger et al. 2009 (arXiv:0902.2206): each feature adds its weight, with a
    sign, at a place of the vector, both taken from a hash, so that the dot product of two vectors estimates
    that of their feature counts without bias. Nothing is fitted to a corpus: equal texts give
    equal vectors anywhere. It finds shared words, word forms and misspellings, not shared meaning.

    Args:
        dimension: length of the vectors; more means fewer collisions.
        language: Snowball stemmer for the stems, ``None`` for none.
        ngrams: lengths of the character n-grams, taken inside ``<word>``.
        ngram_weight: weight of all n-grams of a word together, against 1 for the word and 1 for its stem.
        stop_weight: weight of an English word without content, against 1 for any other.
    """

    def __init__(
        self,
        dimension: int = 1024,
        *,
        language: str | None = "english",
        ngrams: Sequence[int] = (3, 4),
        ngram_weight: float = 1.0,
        stop_weight: float = 0.3,
    ) -> None:
        self._dimension = dimension
        self._analyzer = Analyzer(language, stop_words=False)
        self._ngrams, self._ngram_weight, self._stop_weight = tuple(ngrams), ngram_weight, stop_weight

    @property
    def identity(self) -> str:
        """All parameters: each of them changes the vectors."""
        grams = ",".join(map(str, self._ngrams))
        return (
            f"hashing-1:dimension={self._dimension}:language={self._analyzer.language}:ngrams={grams}"
            f":ngram_weight={self._ngram_weight}:stop_weight={self._stop_weight}"
        )

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension]; a zero row for a text without a letter or digit."""
        out = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for start in range(0, len(texts), _BLOCK):
            block = texts[start : start + _BLOCK]
            out[start : start + len(block)] = self._encode_block(block)
        return out

    def _encode_block(self, texts: Sequence[str]) -> NDArray[np.float64]:
        vocabulary: dict[str, int] = {}
        tokens = [[vocabulary.setdefault(word, len(vocabulary)) for word in words(text)] for text in texts]
        if not vocabulary:
            return np.zeros((len(texts), self._dimension))
        rows = np.repeat(np.arange(len(texts)), [len(ids) for ids in tokens])
        pairs = rows * len(vocabulary) + np.concatenate([np.array(ids, dtype=np.intp) for ids in tokens])
        pairs, counts = np.unique(pairs, return_counts=True)
        rows, ids = np.divmod(pairs, len(vocabulary))
        # A word that occurs often says less with each occurrence: 1 + ln(count), the usual sublinear weight.
        weights = 1 + np.log(counts)

        places, values, starts = self._features(list(vocabulary))
        lengths = np.diff(starts)[ids]
        ends = np.cumsum(lengths)
        picked = np.arange(ends[-1]) + np.repeat(starts[ids] - (ends - lengths), lengths)
        flat = np.repeat(rows, lengths) * self._dimension + places[picked]
        summed = np.bincount(
            flat, values[picked] * np.repeat(weights, lengths), minlength=len(texts) * self._dimension
        ).reshape(len(texts), self._dimension)
        norms = np.linalg.norm(summed, axis=1, keepdims=True)
        return summed / np.where(norms > 0, norms, 1)

    def _features(
        self, vocabulary: list[str]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
        """Place and signed weight of every feature of every word, and where each word's features start."""
        stems = self._analyzer.stems(vocabulary)
        hashed = [
            _hashed_word(word, stem, self._ngrams, self._ngram_weight)
            for word, stem in zip(vocabulary, stems, strict=True)
        ]
        scale = [self._stop_weight if word in STOP_WORDS else 1.0 for word in vocabulary]
        codes = np.concatenate([code for code, _ in hashed])
        lengths = np.array([len(code) for code, _ in hashed])
        values = np.concatenate([weight for _, weight in hashed]) * np.repeat(scale, lengths)
        signs = np.where(codes & np.uint64(1), 1.0, -1.0)
        places = ((codes >> np.uint64(1)) % np.uint64(self._dimension)).astype(np.intp)
        return places, values * signs, np.concatenate([[0], np.cumsum(lengths)])


_LONGEST = 40
"""Characters of a word that give n-grams; beyond it stands data, not language."""


@lru_cache(maxsize=1 << 16)
def _hashed_word(
    word: str, stem: str, ngrams: tuple[int, ...], ngram_weight: float
) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """A 64-bit hash and a weight for each feature of one word."""
    marked = f"<{word[:_LONGEST]}>"
    grams = [marked[i : i + n] for n in ngrams for i in range(len(marked) - n + 1)]
    features = [f"w {word}", f"s {stem}", *(f"g {gram}" for gram in grams)]
    weights = np.ones(len(features))
    if grams:
        # Spread evenly in the square, so that long words do not outweigh short ones.
        weights[2:] = ngram_weight / np.sqrt(len(grams))
    codes = [
        int.from_bytes(hashlib.blake2b(f.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        for f in features
    ]
    return np.array(codes, dtype=np.uint64), weights
