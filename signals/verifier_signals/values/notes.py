"""Nothing in; what a finding notes of a value that is borne out and does not stand in the evidence, out."""

from __future__ import annotations

__all__ = ["FOLLOWS", "LEFT", "NONE", "RECKONED", "WITHIN"]

RECKONED = "reckoned from what the evidence states"
LEFT = "reckoned as what is left of it"
"""``30 are not volunteers``, of 40 of whom 10 are."""
NONE = "none and 0 are one"
WITHIN = "within what the evidence states"
"""``At 840 °C``, of ``at 820 to 860 °C``."""
FOLLOWS = frozenset({RECKONED, LEFT, NONE, WITHIN})
"""What follows from the evidence by more than reading: a model that cannot reckon does not see it."""
