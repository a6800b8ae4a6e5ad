"""What self-consistency says, as frozen types: the chosen candidate, how far all agree, where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Agreement", "ConsistencyResult", "Disagreement", "Failure"]


class Agreement(StrEnum):
    """The bands of ``confidence_score``: from 0.8, from 0.5, below."""

    HIGH = "high"
    MODERATE = "moderate"
    LOW = "low"

    @classmethod
    def of(cls, confidence: float) -> Agreement:
        """The band of a confidence in [0, 1].

        >>> Agreement.of(0.8).value, Agreement.of(0.5).value, Agreement.of(0.49).value
        ('high', 'moderate', 'low')
        """
        return cls.HIGH if confidence >= 0.8 else cls.MODERATE if confidence >= 0.5 else cls.LOW


@dataclass(frozen=True, slots=True)
class Failure:
    """A sample that gave no candidate, and why; ``sample`` counts from 0 over all that were asked for."""

    sample: int
    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A claim of the chosen candidate that the others do not bear out: probably made up.

    ``best_candidate[start:end] == text``. Of the ``others`` other candidates, ``supported_by`` say the same and
    ``contradicted_by`` (indexes of candidates) say otherwise; ``unread`` could not be asked.
    """

    text: str
    start: int
    end: int
    others: int
    supported_by: int
    contradicted_by: tuple[int, ...]
    unread: int = 0


@dataclass(frozen=True, slots=True)
class ConsistencyResult:
    """Which of several candidates to take, and how far they agree.

    ``similarity_matrix`` is [n, n] in [0, 1]; ``average_similarities`` holds each candidate's mean similarity to the
    others. ``confidence_score`` is ``sqrt(max_mean * mean_pairwise)``, and ``None`` where there is one candidate
    only, with ``reason`` saying so. ``clusters`` holds indexes of candidates, the largest cluster first;
    ``semantic_entropy`` is in nats. ``disagreements`` is ``None`` where nobody looked for any.
    """

    best_candidate: str
    best_candidate_index: int
    confidence_score: float | None
    all_candidates: tuple[str, ...]
    similarity_matrix: tuple[tuple[float, ...], ...]
    average_similarities: tuple[float | None, ...]
    is_unanimous: bool
    similarity: str
    clusters: tuple[tuple[int, ...], ...]
    semantic_entropy: float
    reason: str = ""
    disagreements: tuple[Disagreement, ...] | None = None
    failures: tuple[Failure, ...] = ()

    @property
    def agreement(self) -> Agreement | None:
        """The band of the confidence; ``None`` without one."""
        return None if self.confidence_score is None else Agreement.of(self.confidence_score)

    def to_dict(self) -> Mapping[str, Any]:
        """JSON values only."""
        return {**asdict(self), "agreement": self.agreement and self.agreement.value}
