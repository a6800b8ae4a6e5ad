"""What the user of an application is shown for a message, by what the gate decided: the layer above the gate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from verifier.guard.gate.gate import ConfidenceGate
from verifier.guard.gate.kinds import EMOTIONAL, INFORMATIONAL, UNCLEAR
from verifier.guard.gate.types import GateResult

__all__ = ["FALLBACKS", "Application", "Fallbacks", "Shown"]

FALLBACKS: Mapping[str, str] = {
    EMOTIONAL: (
        "That sounds hard, and I do not want to answer it carelessly. Would you like to talk to a person about it?"
    ),
    INFORMATIONAL: (
        "I am not sure enough of an answer to give you one. Please check with a person, or ask in other words."
    ),
    UNCLEAR: "I am not sure that I understand. Could you say in a sentence what you would like to know?",
}
"""What is said in the place of an answer that did not pass, by kind of message."""

Fallbacks = Callable[[str, GateResult], str]
"""A message and what the gate said of it in, what to say in the place of an answer out."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the user of a session is shown. ``confidence`` is the best attempt's, whether it is shown or not."""

    success: bool
    response: str
    confidence: float | None
    session_id: str
    metadata: Mapping[str, Any]
    timestamp: str

    def to_dict(self) -> Mapping[str, Any]:
        """JSON values only."""
        return {
            "success": self.success,
            "response": self.response,
            "confidence": self.confidence,
            "session_id": self.session_id,
            "metadata": dict(self.metadata),
            "timestamp": self.timestamp,
        }


class Application:
    """Decides what to show: the answer that passed, or something that suits the message.

    Args:
        gate: controls quality.
        agent: named in the metadata.
        below: what to show where nothing passed: ``fallback`` by kind of message, or the ``best`` answer with its
            low confidence flagged.
        fallbacks: replaces the texts of ``FALLBACKS``.
        now: replaced in tests.
    """

    def __init__(
        self,
        gate: ConfidenceGate,
        *,
        agent: str = "assistant",
        below: Literal["fallback", "best"] = "fallback",
        fallbacks: Fallbacks | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._gate, self._agent, self._below = gate, agent, below
        self._fallbacks: Fallbacks = fallbacks or by_kind
        self._now, self._clock = now, clock

    def respond(self, message: str, session_id: str, **asked: Any) -> Shown:
        """Answer one message; ``asked`` goes to :meth:`ConfidenceGate.run`."""
        started = self._clock()
        result = self._gate.run(message, **asked)
        best = result.best.response if result.best else None
        if result.success:
            text = result.content
        else:
            text = best if best and self._below == "best" else self._fallbacks(message, result)
        return Shown(
            success=result.success,
            response=text,
            confidence=result.confidence,
            session_id=session_id,
            metadata={
                "low_confidence": not result.success,
                "original_confidence": result.confidence,
                "original_response": best,
                "processing_time": self._clock() - started,
                "agent": self._agent,
                "execution_id": result.execution_id,
                "status": result.status.value,
            },
            timestamp=self._now().isoformat(),
        )


def by_kind(message: str, result: GateResult) -> str:
    """The text of ``FALLBACKS`` for the kind of the message; the gate's own for a kind without one."""
    del message
    return FALLBACKS.get(result.kind, result.content)
