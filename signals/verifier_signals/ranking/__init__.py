"""Claims that rank, compare, date or look up, settled by figures that stand in different places of the evidence."""

from __future__ import annotations

from verifier_signals.ranking.lookup import look_up
from verifier_signals.ranking.settle import has_ranking, settle_ranking
from verifier_signals.ranking.types import EvidencePiece, LookupResult, ShownValue

__all__ = [
    "EvidencePiece",
    "LookupResult",
    "ShownValue",
    "has_ranking",
    "look_up",
    "settle_ranking",
]
