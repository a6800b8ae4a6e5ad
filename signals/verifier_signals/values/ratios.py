"""Text behind a number in, the share that both state together out: ``one in five``, ``9 out of 10``."""

from __future__ import annotations

import math
import re

from verifier_signals.values.cues import cue_before
from verifier_signals.values.numerals import Numeral, numeral_at
from verifier_signals.values.types import Quantity, Value
from verifier_signals.values.units import unit_after

__all__ = ["ratio_at"]

_RATIO = re.compile(r"\s+(?:in|out\s+of|in\s+every|of\s+every)\s+(?=[\w])", re.IGNORECASE)
_LARGEST_BASE = 20
"""The largest number of which so many are a share, besides powers of ten: out of more, they were counted."""


def ratio_at(text: str, start: int, end: int, numeral: Numeral) -> Value | None:
    """The share that the number at ``start:end`` begins; in ``87 out of 96 pupils`` both are counts."""
    joint = _RATIO.match(text, end)
    if joint is None or numeral.kind != "cardinal":
        return None
    second = numeral_at(text, joint.end())
    if (
        second is None
        or second.kind != "cardinal"
        or second.value <= numeral.value
        or second.value != int(second.value)
    ):
        return None
    if (
        "of" in joint[0].split()
        and second.value > _LARGEST_BASE
        and not math.log10(second.value).is_integer()
    ):
        return None
    bare_in = joint[0].split() == ["in"]
    if bare_in and (1400 <= second.value <= 2100 or numeral.value > 10 or unit_after(text, second.end)[0]):
        return None
    share = numeral.value / second.value
    quantity = Quantity(
        "share", share, share, numeral.place / second.value, numeral.place / second.value, "ratio"
    )
    cue = cue_before(text, start)
    return Value(cue.at, second.end, (start, second.end), "number", cue.form, (quantity,), (), cue.approx)
