"""A reranker by late interaction over the embedded encoder's token vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.recent import RecentlyUsed, digest
from verifier.core.text import sentence_spans
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.codecs import Int8Codec
from verifier_backends.late.embedded import unit
from verifier_backends.maxsim import maxsim_ragged
from verifier_backends.rerankers.protocol import Reranker

__all__ = ["LateReranker"]

_BLOCK = 64
"""Texts whose token vectors are held as floats at a time; bounds the memory where many are read."""


class LateReranker(Reranker):
    """How well each token of a query finds its like in a text, and in the one sentence of it that suits best.

    ``score = (1 + (S(q, d) + max over sentences s of d of S(q, s)) / 2) / 2``, with ``S`` MaxSim over the token
    vectors (``verifier_backends.maxsim``), each of the query's tokens weighed by the length of its vector: the encoder
    gives short vectors to words that say little. ``S`` is divided by the sum of the weights and lies in [-1, 1]. A text
    without a token scores 0, and so does every text for a query without one.

    The encoder reads a long text, or a long query, in windows of which all tokens are kept. Texts' vectors are packed
    (``Int8Codec``) before they are compared; those used last are remembered, since the claims of a response share
    their candidates.

    Args:
        model: folder of an encoder, as for ``EmbeddedEncoder``; the embedded ``minilm`` by default.
        threads: cores to use; by default those this process may use, at most 8.
        kept_tokens: token vectors that are remembered, 386 bytes each with the default encoder; 0 for none.

    Raises:
        ConfigError: ``kept_tokens`` is below 0; there is no such model, or ``threads`` is out of its range (on use).
        BackendRejected: the model failed on a text (on use).
    """

    def __init__(
        self, model: str | None = None, *, threads: int | None = None, kept_tokens: int = 65_536
    ) -> None:
        if kept_tokens < 0:
            raise ConfigError(f"kept_tokens must be at least 0, got {kept_tokens}")
        self._encoder = EmbeddedEncoder(model, threads=threads)
        self._kept: RecentlyUsed[_Read] = RecentlyUsed(kept_tokens, cost=lambda read: len(read.rows))

    @property
    def identity(self) -> str:
        """The encoder's, and what is made of its vectors."""
        return f"late:{self._encoder.identity}:int8:text+sentence"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape [texts], each in [0, 1]."""
        [asked] = self._encoder.token_vectors([query])
        weights = float(np.linalg.norm(asked, axis=1).sum())
        scores = np.zeros(len(texts))
        if weights == 0:
            return scores
        codec = Int8Codec(self._encoder.dimension)
        for place, read in enumerate(self._all_read(texts)):
            if len(read.rows):
                vectors = codec.unpack(read.rows)
                whole = maxsim_ragged(asked, vectors, read.sentences.sum(keepdims=True))[0]
                best = maxsim_ragged(asked, vectors, read.sentences).max()
                scores[place] = 0.5 + float(whole + best) / weights / 4
        return np.clip(scores, 0.0, 1.0)

    def _all_read(self, texts: Sequence[str]) -> Iterator[_Read]:
        for start in range(0, len(texts), _BLOCK):
            keys = [digest(text) for text in texts[start : start + _BLOCK]]
            block = dict(zip(keys, texts[start : start + _BLOCK], strict=True))
            known = {key: read for key in block if (read := self._kept.get(key)) is not None}
            unread = [key for key in block if key not in known]
            fresh = dict(zip(unread, self._read([block[key] for key in unread]), strict=True))
            self._kept.update(fresh.items())
            known |= fresh
            yield from (known[key] for key in keys)

    def _read(self, texts: Sequence[str]) -> list[_Read]:
        codec = Int8Codec(self._encoder.dimension)
        return [
            _Read(codec.pack(unit(own.vectors)), _tokens_a_sentence(text, own.spans[:, 0]))
            for text, own in zip(texts, self._encoder.tokens(texts), strict=True)
        ]


@dataclass(frozen=True)
class _Read:
    """What is kept of a text: its packed token vectors, and how many of them each sentence has."""

    rows: NDArray[np.uint8]
    sentences: NDArray[np.int64]


def _tokens_a_sentence(text: str, starts: NDArray[np.intp]) -> NDArray[np.int64]:
    """How many of the tokens that begin at ``starts`` [tokens] each sentence with a token has, in order."""
    begins = [start for start, _ in sentence_spans(text)]
    counts = np.bincount(np.searchsorted(begins, starts, side="right"))
    return counts[counts > 0].astype(np.int64)
