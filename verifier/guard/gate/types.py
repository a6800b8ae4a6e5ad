"""What the gate takes and gives, as frozen types: generated texts, attempts, and the result with its metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Protocol

from verifier.guard.gate.confidence import Band, Part

__all__ = ["Attempt", "GateResult", "Generated", "Generator", "Rated", "Shadow", "Status"]


@dataclass(frozen=True, slots=True)
class Generated:
    """One answer of a generator; where it was chosen among several, how far these agreed and how many there were."""

    content: str
    sc_confidence: float | None = None
    sc_num_samples: int | None = None
    notes: tuple[str, ...] = ()


class Generator(Protocol):
    """Writes answers."""

    def generate(self, prompt: str, instructions: str) -> Generated:
        """An answer to ``prompt``.

        Raises:
            LLMUnavailable: another attempt may succeed.
            LLMRejected: none will.
        """


@dataclass(frozen=True, slots=True)
class Rated:
    """The confidence in one answer, and what it is made of.

    ``confidence`` is ``None`` where a component failed; ``errors`` tells which. ``feedback`` is what a retry should
    mend.
    """

    confidence: float | None
    parts: tuple[Part, ...]
    feedback: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def band(self) -> Band | None:
        """The band of the confidence."""
        return None if self.confidence is None else Band.of(self.confidence)

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """The components for which the neutral value stands."""
        return tuple(part.name for part in self.parts if not part.measured)

    def to_dict(self) -> dict[str, Any]:
        """JSON values only."""
        return {
            "confidence": self.confidence,
            "band": self.band.value if self.band else None,
            "components": {part.name: asdict(part) for part in self.parts},
            "unmeasured": list(self.unmeasured),
            "errors": list(self.errors),
            "feedback": list(self.feedback),
            "explanation": self.explanation,
        }

    @property
    def explanation(self) -> str:
        """A line for each part, and their sum."""
        lines = [str(part) for part in self.parts] + [f"error: {error}" for error in self.errors]
        if self.confidence is not None and self.band is not None:
            lines.append(f"confidence {self.confidence:.3f} ({self.band.value})")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One turn of the loop; ``response`` is ``None`` where the generator failed."""

    number: int
    response: str | None
    rated: Rated
    accepted: bool
    duration_seconds: float
    errors: tuple[str, ...] = ()
    sc_confidence: float | None = None
    sc_num_samples: int | None = None

    @property
    def confidence(self) -> float | None:
        """The confidence in its answer."""
        return self.rated.confidence

    def to_dict(self) -> dict[str, Any]:
        """A step of ``metadata["execution_steps"]``: JSON values, without the text."""
        return {
            "attempt": self.number,
            "confidence": self.confidence,
            "accepted": self.accepted,
            "components": {part.name: part.value for part in self.rated.parts},
            "unmeasured": list(self.rated.unmeasured),
            "errors": list(self.errors),
            "duration_seconds": self.duration_seconds,
            "sc_confidence": self.sc_confidence,
            "sc_num_samples": self.sc_num_samples,
        }


class Status(StrEnum):
    """How a run ended."""

    ACCEPTED = "accepted"
    """An answer reached the threshold."""
    FALLBACK = "fallback"
    """None did within the attempts; the fallback text stands for it."""
    FAILED = "failed"
    """No answer could be generated or rated at all; the fallback text stands for it."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """What another threshold would have said of the same attempts; ``accepted_on`` is the attempt that it accepts."""

    threshold: float
    accepted_on: int | None


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate lets through.

    ``content`` is the answer, or the fallback text where none was good enough. ``confidence`` is that of the best
    attempt in either case, ``None`` where none has one. ``best`` is that attempt.
    """

    success: bool
    content: str
    confidence: float | None
    execution_id: str
    status: Status
    kind: str
    threshold: float
    attempts: tuple[Attempt, ...]
    best: Attempt | None
    duration_seconds: float
    shadow: Shadow | None = None

    @property
    def errors(self) -> tuple[str, ...]:
        """All that went wrong, with the attempt in which it did."""
        return tuple(f"attempt {one.number}: {error}" for one in self.attempts for error in one.errors)

    @property
    def metadata(self) -> dict[str, Any]:
        """The design's fields; ``original_response`` stands in it where the fallback text replaced an answer."""
        found: dict[str, Any] = {
            "confidence_score": self.confidence,
            "validation_attempts": len(self.attempts),
            "execution_steps": [attempt.to_dict() for attempt in self.attempts],
            "errors": list(self.errors),
            "duration_seconds": self.duration_seconds,
            "low_confidence": not self.success,
            "kind": self.kind,
            "threshold": self.threshold,
            "unmeasured": list(self.best.rated.unmeasured) if self.best else [],
        }
        if not self.success and self.best is not None:
            found["original_response"] = self.best.response
        if self.shadow is not None:
            found["shadow"] = {"threshold": self.shadow.threshold, "accepted_on": self.shadow.accepted_on}
        return found

    def to_dict(self) -> Mapping[str, Any]:
        """JSON values only."""
        return {
            "success": self.success,
            "content": self.content,
            "confidence": self.confidence,
            "execution_id": self.execution_id,
            "status": self.status.value,
            "metadata": self.metadata,
        }
