"""The ``[gate]`` table: what a confidence is made of, and from where an answer is accepted."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from verifier.config.base import Section

__all__ = ["GateNeutral", "GateSettings", "GateWeights"]


class GateWeights(Section):
    """Weights of the parts of a confidence; they are divided by their sum."""

    rules: float = Field(default=0.3, ge=0)
    llm: float = Field(default=0.7, ge=0)
    relevance: float = Field(default=0.0, ge=0)
    coherence: float = Field(default=0.0, ge=0)
    groundedness: float = Field(default=0.0, ge=0)


class GateNeutral(Section):
    """What stands for a part that does not apply or was not measured; results flag it."""

    relevance: float = Field(default=0.5, ge=0, le=1)
    coherence: float = Field(default=0.7, ge=0, le=1)
    groundedness: float = Field(
        default=0.0, ge=0, le=1, description="of an answer without a claim that could be checked"
    )


class GateSettings(Section):
    """Acceptance of generated answers."""

    weights: GateWeights = GateWeights()
    neutral: GateNeutral = GateNeutral()
    threshold: float = Field(
        default=0.75, ge=0, le=1, description="confidence from which an answer is accepted"
    )
    thresholds: dict[str, float] = Field(
        default_factory=dict, description="others by kind of message: emotional, informational, unclear"
    )
    shadow_threshold: float | None = Field(
        default=None, ge=0, le=1, description="another threshold, watched and recorded only"
    )
    max_attempts: int = Field(default=5, ge=1, le=20)
    fallback: str | None = Field(
        default=None, min_length=1, description="text in the place of a refused answer"
    )
    previous_chars: int = Field(default=500, ge=0, description="how much of its last answer a retry is shown")
    refusals: Literal["anywhere", "opening"] = Field(
        default="anywhere",
        description="where the rules look for a refusal; 'opening' spares answers that quote one",
    )
    rules_full_scale: bool = Field(
        default=False, description="let the rules reach 1; by the plain formula they give 0.5 at most"
    )
    temperature: float = Field(default=0.7, ge=0, le=2, description="of the answers")
    max_tokens: int | None = Field(default=None, ge=1, description="of the answers")
    evaluators: tuple[dict[str, Any], ...] = Field(
        default=(), description="tables like [llm], each an evaluator; their median counts. Default: [llm]"
    )
    coherence: Literal["llm", "local"] = Field(
        default="llm",
        description="by the model of COHERENCE_CHECK_MODEL, or by contradictions among own claims",
    )
    history: str | None = Field(
        default=None,
        description="SQLite file that records decisions without their texts, for `verifier gate`",
    )

    @field_validator("thresholds")
    @classmethod
    def _in_range(cls, value: dict[str, float]) -> dict[str, float]:
        wrong = [kind for kind, threshold in value.items() if not 0 <= threshold <= 1]
        if wrong:
            raise ValueError(f"threshold of {wrong[0]!r}: expected 0 to 1")
        return value
