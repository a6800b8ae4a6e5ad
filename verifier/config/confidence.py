"""The ``[consistency]`` and ``[relevance]`` tables: how answers are compared with each other and with their context."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from verifier.config.base import Section

__all__ = ["ConsistencySettings", "RelevanceSettings"]


class RelevanceSettings(Section):
    """Relevance of a text to its context, by meaning."""

    encoder: dict[str, Any] = Field(
        default_factory=lambda: {"type": "minilm"}, description="table of the encoder that compares texts"
    )
    previous_steps: int = Field(
        default=0, ge=0, le=2, description="how many of the steps before count as context"
    )


class ConsistencySettings(Section):
    """Several answers to one question, and which to take."""

    use_self_consistency: bool = Field(
        default=False, description="ask for several answers in `ask` and the gate"
    )
    sc_num_samples: int = Field(default=5, ge=1, le=20, description="answers that are asked for")
    sc_temperature: float = Field(default=0.7, ge=0, le=2, description="of the model, for each of them")
    adaptive: bool = Field(default=False, description="stop early when unanimous, ask for more when not")
    first: int = Field(default=3, ge=2, le=20, description="answers of the first round, when adaptive")
    most: int = Field(default=10, ge=1, le=20, description="answers of all rounds together, when adaptive")
    warmer_temperature: float | None = Field(default=None, ge=0, le=2, description="of the last round")
    parallel: int = Field(default=5, ge=1, le=20, description="requests under way at a time")
    similarity: Literal["embedding", "entailment", "characters", "words", "command"] = Field(
        default="embedding", description="how two answers are compared"
    )
    encoder: dict[str, Any] = Field(
        default_factory=lambda: {"type": "minilm"}, description="table of the encoder, for 'embedding'"
    )
    command: tuple[str, ...] = Field(default=(), description="program and arguments, for 'command'")
    same_at: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="similarity from which two answers count as one; the measure's own",
    )
    choose: Literal["all", "largest", "coherent"] = Field(
        default="all",
        description="where the best is sought: among all, in the largest or most coherent cluster",
    )
    ambiguous_below: float = Field(
        default=0.5, ge=0, le=1, description="confidence below which a warning is given"
    )

    @model_validator(mode="after")
    def _has_its_program(self) -> ConsistencySettings:
        if (self.similarity == "command") != bool(self.command):
            raise ValueError("similarity 'command' and command go together")
        return self
