"""A claim and the pieces of its evidence in; whether figures and dates that stand in different places bear it out."""

from __future__ import annotations

from verifier_signals.ranking.editions import Revision, revised_in, settled_by_editions
from verifier_signals.ranking.lookup import looked_up
from verifier_signals.ranking.settle import asks, settle
from verifier_signals.ranking.types import Piece, Settled, Shown

__all__ = [
    "Piece",
    "Revision",
    "Settled",
    "Shown",
    "asks",
    "looked_up",
    "revised_in",
    "settle",
    "settled_by_editions",
]
