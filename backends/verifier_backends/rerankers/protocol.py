"""The contract of a reranker: how relevant each text is to a query, independent of the texts beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from verifier_backends.fusion import min_max

__all__ = ["Reranker", "stretched"]

_DECIMALS = 5
"""A reranker promises no more of its scores."""


class Reranker(ABC):
    """Reads a query and a text together; slower and closer than a search. ``identity`` and ``score`` are enough.

    * **Scores** are in [0, 1], higher is better, one for each text and in the order of the texts.
    * **Purity.** A text's score depends on the query and that text alone, to within 1e-5.
    * **Whole texts.** Nothing is cut off unread: what is longer than a model's input is read in parts.
    * **Errors.** ``BackendUnavailable``, ``BackendRejected``, ``ConfigError``, ``MissingExtra``; never a vendor's.
    """

    @property
    @abstractmethod
    def identity(self) -> str:
        """Names the function computed: equal identities give equal scores, on any machine."""

    @abstractmethod
    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """How well each text answers the query, shape [texts], each in [0, 1]."""

    def score_many(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[NDArray[np.float64]]:
        """``score`` of several queries, each with texts of its own; one batch where a reranker can."""
        return [self.score(query, texts) for query, texts in asked]


def stretched(scores: Sequence[float]) -> list[float]:
    """A reranker's scores of one query's candidates, min-max normalised to [0, 1]; all 1 where they are equal.

    They are rounded first to what :class:`Reranker` promises of them, so that equal texts tie.

    >>> stretched([0.25, 0.75, 0.5000001, 0.5]), stretched([0.3, 0.3000001])
    ([0.0, 1.0, 0.5, 0.5], [1.0, 1.0])
    """
    return list(min_max({str(at): round(score, _DECIMALS) for at, score in enumerate(scores)}).values())
