"""Text at a position in, the power of ten that stands there out: ``× 10⁶``, ``x 10^-3``, ``e6``; ``10⁵`` alone."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Power", "power_after", "power_at"]


class Power(NamedTuple):
    """A power of ten and where it ends."""

    factor: float
    end: int


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_UP = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_EXPONENT = rf"(?:\s?(?:\^|\*\*)\s?[({{]?(?P<after>[-−+]?\d{{1,3}})[)}}]?|(?P<raised>[⁻⁺]?[{_UP}]{{1,3}}))(?![\d{_UP}])"
_ALONE = re.compile(rf"10{_EXPONENT}")
_BEHIND = re.compile(rf"\s?[×x·⋅*]\s?10{_EXPONENT}|[eE](?P<e>[-−+]?\d{{1,3}})(?![\w.]\w|\w)")
_LARGEST = 300
"""The largest power that a float holds, roughly; none is written that is not a slip."""


def power_at(text: str, at: int) -> Power | None:
    """The power of ten that begins at a position, ``None`` for a plain 10.

    >>> power_at("10⁵ cells", 0)
    Power(factor=100000.0, end=3)
    """
    return _power(_ALONE.match(text, at))


def power_after(text: str, end: int) -> Power | None:
    """The power of ten by which the number that ends at ``end`` is multiplied.

    >>> power_after("3 x 10^6 cells", 1), power_after("3e6", 1), power_after("3 eggs", 1)
    (Power(factor=1000000.0, end=8), Power(factor=1000000.0, end=3), None)
    """
    return _power(_BEHIND.match(text, end))


def _power(match: re.Match[str] | None) -> Power | None:
    if match is None:
        return None
    raised = next(found for found in match.groupdict().values() if found)
    exponent = int(raised.translate(_RAISED))
    return Power(10.0**exponent, match.end()) if abs(exponent) <= _LARGEST else None
