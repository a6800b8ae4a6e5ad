"""The late reranker against its formula, written out token by token over the encoder's own vectors."""

import numpy as np
import pytest
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.codecs import Int8Codec
from verifier_backends.rerankers import LateReranker

from verifier.core.text import sentence_spans

QUERY = "The old bridge in Oslo was opened to trams in 1932."
TEXTS = [
    "The bridge opened in 1932. It was closed to trams in 1961, and pulled down later.",
    "A museum of trams. Oslo has two of them.\n\nThe first was opened in May 1932 in an old depot.",
    "Cheese ripens in a cave for nine months.",
    "1932",
]


def mean_of_maxima(query: np.ndarray, tokens: np.ndarray) -> float:
    """The mean over the query's tokens of the cosine with their nearest one, weighed by the lengths of the former."""
    lengths = [float(np.sqrt((token**2).sum())) for token in query]
    terms = [max(float(token @ other) for other in tokens) for token in query]
    return sum(terms) / sum(lengths)


def expected(encoder: EmbeddedEncoder, query: str, text: str) -> float:
    codec = Int8Codec(encoder.dimension)
    [asked], [(tokens, spans)] = encoder.token_vectors([query]), encoder.tokens([text])
    kept = codec.unpack(codec.pack(tokens / np.linalg.norm(tokens, axis=1, keepdims=True)))
    inside = [
        [at for at, (first, last) in enumerate(spans) if first < end and last > start]
        for start, end in sentence_spans(text)
    ]
    best = max(mean_of_maxima(asked, kept[own]) for own in inside)
    return (1 + (mean_of_maxima(asked, kept) + best) / 2) / 2


def test_a_score_is_that_of_the_formula() -> None:
    encoder = EmbeddedEncoder(threads=1)
    scores = LateReranker(threads=1).score(QUERY, TEXTS)
    assert scores.tolist() == pytest.approx([expected(encoder, QUERY, text) for text in TEXTS], abs=1e-5)
    assert np.ptp(scores) > 0.1
