"""The keys of the ``[reader]`` table that every type of reader has; the others are options of the type."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from verifier.config.base import Section

__all__ = ["ReadingSettings"]


class ReadingSettings(Section):
    """Which claims a reader is asked about, with which evidence, and what is kept of its answers."""

    read: Literal["open", "all"] = Field(
        default="open",
        description="'open': the claims that the other signals do not settle; 'all': every claim",
    )
    evidence: Literal["windows", "passages", "source"] = Field(
        default="passages",
        description="sentence windows, retrieved passages, or whole documents where they fit the budget",
    )
    evidence_tokens: int = Field(
        default=2200, ge=100, le=1_000_000, description="about how many tokens of evidence one question holds"
    )
    quotations: Literal["wanted", "required"] = Field(
        default="wanted", description="'required' refuses a reader that quotes nothing"
    )
    fusion: str | None = Field(
        default=None, description="path of weights that `verifier calibrate` learnt with this reader"
    )
    cache: str | None = Field(
        default=None,
        description="an SQLite file, or redis://HOST:PORT/DB, that keeps answers; else they live with the process",
    )
    cache_size: int = Field(default=10_000, ge=0, description="answers kept; 0 for none")
    cache_ttl: float = Field(default=2_592_000.0, gt=0, description="seconds that an answer is kept; 30 days")
