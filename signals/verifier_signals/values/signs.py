"""The place of a number in, the sign that stands at it out: ``−18``, ``minus 18``, ``(88) euros``, ``below zero``."""

from __future__ import annotations

import re

from verifier_signals.values.units import CURRENCY_CODE, CURRENCY_SIGN

__all__ = ["beside_zero", "in_brackets", "money_before_bracket", "speaks_of_less", "where_signed"]

_SIGN = re.compile(r"(?:^|[\s(|:<>=~])(?P<sign>[-−–]|(?:minus|negative|plus)\s)\Z", re.IGNORECASE)
_LONGEST = 10
"""Code points: of a sign in words, with what stands before it."""
_MONEY_BEFORE = re.compile(rf"(?:{CURRENCY_SIGN}|{CURRENCY_CODE})[ \u00a0\u202f]?\(\Z")
_BESIDE_ZERO = re.compile(r"\s+(?P<side>below|above)\s+(?:zero|freezing)\b", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:loss(?:es)?|lost|los(?:es|ing)|deficits?|shortfalls?|outflows?|negative|minus|below|under|beneath|overdr\w+|deduct\w+"
    r"|depreciation|amorti[sz]ation|expenses?|costs?|charges?|write-?(?:off|down)s?|debits?|liabilit\w+|decreas\w+|declin\w+"
    r"|reduc\w+|fell|falls?|fallen|drop\w*|down)\b",
    re.IGNORECASE,
)


def where_signed(text: str, start: int) -> int:
    """Where the sign (a minus or ``plus``) in front of the number at ``start`` begins; ``start`` where there is none.

    >>> where_signed("at minus 18 degrees", 9), where_signed("at 18 degrees", 3)
    (3, 3)
    """
    low = max(0, start - _LONGEST)
    sign = _SIGN.search(text[low:start])
    return low + sign.start("sign") if sign is not None else start


def in_brackets(text: str, start: int, end: int) -> bool:
    """Whether the number at ``start:end`` stands alone in brackets, as accounts write what is below zero."""
    return text[start - 1 : start] == "(" and text[end : end + 1] == ")"


def money_before_bracket(text: str, start: int) -> int | None:
    """Where the currency begins in front of the bracket that opens before ``start`` (``€(340)``)."""
    low = max(0, start - _LONGEST)
    sign = _MONEY_BEFORE.search(text[low:start])
    return low + sign.start() if sign is not None else None


def beside_zero(text: str, end: int) -> tuple[int, bool] | None:
    """Where ``below zero`` or ``above zero`` ends behind the number that ends at ``end``, and whether it is below.

    >>> beside_zero("18 degrees below zero", 10)
    (21, True)
    """
    told = _BESIDE_ZERO.match(text, end)
    return (told.end(), told["side"].lower() == "below") if told is not None else None


def speaks_of_less(text: str) -> bool:
    """Whether words say that a figure is one of less: a loss of 340 is what a table writes as ``(340)``."""
    return _LESS.search(text) is not None
