"""The tables of the guard: ``[coherence]``, ``[judge]``, ``[cache]`` and ``[stream]``, with what each value means."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from verifier.config.base import Section

__all__ = ["CacheSettings", "CoherenceSettings", "JudgeSettings", "StreamSettings"]


class CoherenceSettings(Section):
    """How a review weighs logic against facts, and what it does where the facts are unknown."""

    threshold: float = Field(default=0.5, ge=0, le=1, description="approved from this coherence on")
    w_logic: float = Field(default=0.6, ge=0, le=1, description="weight of the logical divergence")
    w_fact: float = Field(default=0.4, ge=0, le=1, description="weight of the factual divergence")
    factual: Literal["worst", "mean"] = Field(
        default="worst", description="the divergence of a response: that of its worst claim, or the mean"
    )
    unknown: Literal["reject", "abstain", "logical_only"] = Field(
        default="reject", description="what to do with no knowledge base, or where nothing was retrieved"
    )
    veto: bool = Field(
        default=True, description="a claim with a verdict of decision.fail_on rejects, whatever the coherence"
    )
    max_pairs: int = Field(
        default=400, ge=0, le=100_000, description="pairs of the response's own claims that are compared"
    )
    max_chars: int = Field(
        default=100_000, ge=1, description="a longer response is refused whole, never cut; in code points"
    )

    @model_validator(mode="after")
    def _weights_are_shares(self) -> CoherenceSettings:
        if abs(self.w_logic + self.w_fact - 1.0) > 1e-9:
            raise ValueError(f"w_logic + w_fact = {self.w_logic + self.w_fact:g}: expected 1")
        return self


class JudgeSettings(Section):
    """Whether and when a language model (``[llm]``) is asked about a claim, and how much it weighs."""

    mode: Literal["off", "uncertain", "always"] = Field(
        default="off", description="'uncertain': where |divergence - 0.5| < margin; 'always' is hybrid mode"
    )
    margin: float = Field(default=0.3, ge=0, le=0.5, description="how far from 0.5 counts as uncertain")
    weight: float = Field(default=0.3, ge=0, le=1, description="share of the judge; the NLI has the rest")
    yes: float = Field(default=0.2, ge=0, le=1, description="divergence that a YES stands for")
    no: float = Field(default=0.8, ge=0, le=1, description="divergence that a NO stands for")


class CacheSettings(Section):
    """The cache of reviews."""

    size: int = Field(default=1024, ge=0, description="reviews kept; 0 for none")
    ttl: float = Field(default=300.0, gt=0, description="seconds that a review is kept")
    path: str | None = Field(
        default=None, description="an SQLite file that outlives the process, or redis://HOST:PORT/DB"
    )


class StreamSettings(Section):
    """When a stream is halted."""

    score: Literal["support", "not_contradicted", "not_refuted", "best_window", "coherence"] = Field(
        default="best_window", description="what of a sentence's worst claim is its score"
    )
    hard_limit: float = Field(default=0.5, ge=0, le=1)
    window_size: int = Field(default=10, ge=1, description="scores in the window mean")
    window_threshold: float = Field(default=0.55, ge=0, le=1)
    trend_window: int = Field(default=5, ge=2, description="scores that the line is fitted through")
    trend_threshold: float = Field(default=0.45, ge=0, le=1, description="fall over the window that halts")
    halt_mode: Literal["hard", "soft"] = "hard"
    soft_cap: int = Field(default=50, ge=1, description="tokens in which a soft halt finishes its sentence")
    every: Literal["sentence"] | Annotated[int, Field(ge=1)] = Field(
        default="sentence", description="a score for each sentence, or after so many tokens"
    )
    on_error: Literal["halt", "skip"] = Field(
        default="halt", description="what a score does that fails; skip lets unchecked text through"
    )
    time_limit: float | None = Field(default=30.0, gt=0, description="seconds for the score of a sentence")
    hold_tokens: int = Field(default=200, ge=1, description="tokens that release holds back at most")
    hold_seconds: float | None = Field(default=None, gt=0, description="seconds, likewise")
    context_chars: int = Field(
        default=1000, ge=0, description="text before a sentence by which it is understood"
    )
