"""Two texts go in, where one denies, limits or hedges what the other says comes out."""

from __future__ import annotations

from verifier_signals.polarity.clash import OPEN, Clash
from verifier_signals.polarity.compare import Comparison, compare
from verifier_signals.polarity.ties import Ties, learnt_ties

__all__ = ["OPEN", "Clash", "Comparison", "Ties", "compare", "learnt_ties"]
