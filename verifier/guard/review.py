"""What a review of a response says: its decision, the divergences behind it, the claims, what failed; as JSON too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from verifier.core.errors import ConfigError
from verifier.guard.judge import Judgement
from verifier.types import ClaimVerdict, Evidence

__all__ = ["Judged", "LogicalReading", "PartError", "Review", "ReviewDecision"]


class ReviewDecision(StrEnum):
    """What the gate says of a response. Only ``approved`` is a pass."""

    APPROVED = "approved"
    REJECTED = "rejected"
    ABSTAINED = "abstained"
    """The facts are unknown, and the configuration asks for no decision then."""
    NOTHING_TO_CHECK = "nothing_to_check"


@dataclass(frozen=True, slots=True)
class PartError:
    """A part of the review that failed, and why: ``input``, ``logical``, ``factual`` or ``judge``."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogicalReading:
    """What was compared for H_logical, and what came of it.

    ``prompt`` is the highest probability that a claim contradicts a statement of the prompt, ``inner`` that it
    contradicts another claim of the response; 0 where there was nothing to compare. ``pairs_read`` of the
    ``pairs`` of the response's own claims were read: those that share most words. ``reason`` quotes the worst.
    """

    prompt: float = 0.0
    inner: float = 0.0
    statements: int = 0
    pairs_read: int = 0
    pairs: int = 0
    reason: str = ""

    @property
    def divergence(self) -> float:
        """H_logical."""
        return max(self.prompt, self.inner)

    @property
    def compared(self) -> bool:
        """Whether there was anything to compare."""
        return bool(self.statements or self.pairs_read)


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim (by its number in ``Review.claims``) that a judge was asked about; its divergence before and after."""

    claim: int
    before: float
    after: float
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Review:
    """The answer of ``CoherenceScorer`` for one response.

    ``coherence`` is ``1 - (w_logic * h_logical + w_fact * h_factual)``, or ``1 - h_logical`` under the policy
    ``logical_only``; ``None`` where a part of it is not known. ``h_factual`` is ``None`` where there was nothing to
    check against, ``h_logical`` where it could not be computed. ``claims`` holds every claim and every skipped span in
    text order, ``evidence`` what they were checked against, the worst claim's first. ``reason`` says in plain words
    why the decision is what it is, ``notes`` what a reader must know of how it was made.
    """

    decision: ReviewDecision
    coherence: float | None
    h_logical: float | None
    h_factual: float | None
    threshold: float
    reason: str
    claims: tuple[ClaimVerdict, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    logical: LogicalReading | None = None
    judge: tuple[Judged, ...] = ()
    errors: tuple[PartError, ...] = ()
    notes: tuple[str, ...] = ()
    kb: Mapping[str, object] = field(default_factory=dict)
    cached: bool = False
    """Whether another call computed it; nothing else differs then."""

    @property
    def approved(self) -> bool:
        """Whether the gate lets the response through."""
        return self.decision is ReviewDecision.APPROVED

    def as_cached(self) -> Review:
        """The same review, said to come from a cache."""
        return replace(self, cached=True)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; ``from_dict`` makes an equal review of them."""
        raw: dict[str, Any] = _adapter().dump_python(self, mode="json")
        return {**raw, "approved": self.approved}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Review:
        """The review that ``to_dict`` wrote.

        Raises:
            ConfigError: these values are no review.
        """
        try:
            return _adapter().validate_python({k: v for k, v in raw.items() if k != "approved"})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the whole"
            raise ConfigError(f"not a review: {where}: {first['msg']}") from error


@cache
def _adapter() -> TypeAdapter[Review]:
    return TypeAdapter(Review)
