"""A number word in its text in; whether it says no number there out: ``one of them``, ``a couple of million``."""

from __future__ import annotations

import re

from verifier_signals.values.numerals import Numeral
from verifier_signals.values.spelled import SCALES

__all__ = ["says_no_number"]

_ONE_IS_A_PRONOUN = re.compile(
    r"\s+(?:of|another|who|that|which|can|may|must|might|should|would|could|will|has|is|was|does|or\s+the\s+other|and|by\s+one)\b"
    r"|\s*[.,;:!?)]|\s*$",
    re.IGNORECASE,
)
_SUCH_ONE = re.compile(r"\b(?:an?|the|this|that|each|every)\s+[a-z]+\s+\Z")
"""``An electric one``: the noun that it stands for was named before."""
_NO_ONE = re.compile(
    r"\b(?:no|any|every|some|each|the|this|that|which|other|only|first|last|next|new|another)[\s-]+\Z",
    re.IGNORECASE,
)
_BARE_SCALE = re.compile(r"\b(?:couple\s+of|few|several|many|some|of)\s+\Z", re.IGNORECASE)


def says_no_number(text: str, start: int, numeral: Numeral, *, bare: bool) -> bool:
    """Whether the numeral that begins at ``start`` is a pronoun, or a scale of which it is not said how many.

    ``bare`` is whether it has no unit.
    """
    return (bare and _is_pronoun(text, start, numeral)) or _is_vague(text, start, numeral)


def _is_pronoun(text: str, start: int, numeral: Numeral) -> bool:
    """``One of them``, ``the one``: no count."""
    if text[start : numeral.end].lower() != "one":
        return False
    return bool(
        _ONE_IS_A_PRONOUN.match(text, numeral.end)
        or _NO_ONE.search(text[max(0, start - 9) : start])
        or _SUCH_ONE.search(text[max(0, start - 30) : start])
    )


def _is_vague(text: str, start: int, numeral: Numeral) -> bool:
    """``A couple of million``: how many of them is not said."""
    scale = text[start : numeral.end].lower() in SCALES
    return scale and bool(_BARE_SCALE.search(text[max(0, start - 12) : start]))
