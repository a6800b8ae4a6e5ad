"""MaxSim: late-interaction scores of a query's token vectors against those of texts, as pure functions.

``S(q, d) = sum over i of max over j of E_q[i] . E_d[j]`` (Khattab and Zaharia, SIGIR 2020, arXiv:2004.12832, equation
3): every token of the query looks for the token of the text that is nearest to it. ``E_q`` has shape [|q|, dim],
``E_d`` [|d|, dim]; rows of length 1 make each term a cosine, so that the score lies in [-|q|, |q|].

What pads a text to the length of another is no token of it: it is masked with ``-inf`` before the maximum. A row of
zeros that stayed in would have similarity 0 and win wherever all real tokens are unlike the query's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["maxsim", "maxsim_padded", "maxsim_ragged"]

_Floats = NDArray[np.float32]

_PRODUCTS = 1 << 23
"""Similarities that are kept at a time; bounds the memory where query and text are both long."""


def maxsim(E_q: _Floats, E_d: _Floats) -> float:  # noqa: N803 - the paper's symbols
    """The score of one text: ``-inf`` for a text without tokens, 0 for a query without any.

    >>> E_q = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> E_d = np.array([[0.6, 0.8], [-1.0, 0.0]], dtype=np.float32)
    >>> round(maxsim(E_q, E_d), 6)  # 0.6 + 0.8
    1.4
    >>> maxsim(E_q, -E_q)  # each token takes the one across it, whose similarity is 0
    0.0

    Args:
        E_q: token vectors of the query, [|q|, dim].
        E_d: token vectors of the text, [|d|, dim].
    """
    if not len(E_q):
        return 0.0
    return float((E_q @ E_d.T).max(axis=1, initial=-np.inf).sum())


def maxsim_padded(E_q: _Floats, E_d: _Floats, mask: NDArray[np.bool_]) -> _Floats:  # noqa: N803
    """The scores of texts that were padded to one length, shape [n].

    >>> E_q = np.array([[1.0, 0.0]], dtype=np.float32)
    >>> E_d = np.array([[[-0.6, 0.8], [0.0, 0.0]]], dtype=np.float32)  # one token, then padding
    >>> maxsim_padded(E_q, E_d, np.array([[True, False]])).round(6).tolist()
    [-0.6000000238418579]

    Args:
        E_q: token vectors of the query, [|q|, dim].
        E_d: token vectors of the texts, [n, tokens, dim].
        mask: which rows are tokens, [n, tokens]; the others are padding, whatever they hold.
    """
    similarity = E_d @ E_q.T  # [n, tokens, |q|]
    similarity[~mask] = -np.inf
    best: _Floats = similarity.max(axis=1, initial=-np.inf).sum(axis=1)
    return best


def maxsim_ragged(E_q: _Floats, E_d: _Floats, lengths: NDArray[np.int64]) -> _Floats:  # noqa: N803
    """The scores of texts that stand behind each other without padding, shape [n].

    >>> E_q = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> E_d = np.array([[0.6, 0.8], [-1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> maxsim_ragged(E_q, E_d, np.array([2, 0, 1])).round(6).tolist()
    [1.399999976158142, -inf, 1.0]

    Args:
        E_q: token vectors of the query, [|q|, dim].
        E_d: token vectors of all texts, [sum of lengths, dim].
        lengths: how many of them belong to each text, [n].
    """
    scores = np.full(len(lengths), -np.inf, dtype=np.float32)
    filled = np.flatnonzero(lengths)
    if len(filled):
        scores[filled] = 0
        starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
        step = max(1, _PRODUCTS // len(E_d))
        for first in range(0, len(E_q), step):
            similarity = E_d @ E_q[first : first + step].T  # [sum of lengths, step]
            scores[filled] += np.maximum.reduceat(similarity, starts, axis=0).sum(axis=1)
    return scores
