"""Two texts compared for polarity: negation, quantifiers, modality, conditions, order, cause and comparison."""

from __future__ import annotations

from verifier_signals.polarity.alignment import OPEN_FEATURES, PolarityClash, Thresholds, learnt_thresholds
from verifier_signals.polarity.clashes import PolarityComparison, compare

__all__ = [
    "OPEN_FEATURES",
    "PolarityClash",
    "PolarityComparison",
    "Thresholds",
    "compare",
    "learnt_thresholds",
]
