"""Two texts go in, where one denies, limits or hedges what the other says comes out."""

from __future__ import annotations

from signals.polarity.clash import Clash
from signals.polarity.compare import Comparison, compare

__all__ = ["Clash", "Comparison", "compare"]
