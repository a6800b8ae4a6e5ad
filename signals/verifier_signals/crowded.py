"""The note on a claim or evidence with too much in it to compare everything with everything."""

from __future__ import annotations

__all__ = ["NEAREST_ONLY", "NOT_COMPARED"]

NOT_COMPARED = "not compared: the claim has too many of these"
"""Of what counts as absent since it is beyond the bound of a claim."""
NEAREST_ONLY = "compared only with the closest ones"
"""Of what was held against the nearest of the evidence, since there are too many for all of them."""
