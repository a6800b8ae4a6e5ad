"""A position in a text in, the telephone number that stands there out, as its digits; two of them in, whether one."""

from __future__ import annotations

import re

from verifier_signals.values.types import Form, Quantity, Value

__all__ = ["PHONE", "PHONE_NUMBERS", "phone", "same_phone"]

PHONE_NUMBERS = "code:phone"
"""The dimension of telephone numbers."""

_GAP = r"[ \u00a0./‑–-]?"
PHONE = (
    rf"(?<![\w.])(?:(?:\+|00(?=[1-9]))\d{{1,3}}(?:{_GAP}\(?\d{{1,10}}\)?){{2,6}}"
    r"|\(?0[1-9]\d{1,3}\)?(?:[ \u00a0‑–-]?\d{2,8}){1,4}|\(?\d{3}\)?[ .‑–-]\d{3}[ .‑–-]\d{4})(?![\w])"
)
"""With a country's prefix, with the 0 of a national number, or in the groups of North America."""
_DATE_OR_DECIMAL = re.compile(r"\d{1,2}([-/.])\d{1,2}\1\d{4}|\d+\.\d+(?![ .‑–-]\d)")
_FEWEST, _MOST = 9, 15
"""Digits: of national numbers in Europe, and of the longest that ITU-T E.164 allows."""
_SHORTEST_OWN = 8
"""Digits that two numbers must share at their ends where one of them leaves out the country."""


def phone(text: str, start: int, end: int) -> Value | None:
    """The telephone number at ``start:end``, ``None`` where the digits are too few or too many, or a date.

    >>> text = "+44 20 7946 0123"
    >>> phone(text, 0, len(text)).quantities[0].unit
    '442079460123'
    """
    written = text[start:end].replace("(0)", "")
    digits = re.sub(r"\D", "", written).removeprefix("00")
    if not _FEWEST <= len(digits) <= _MOST or _DATE_OR_DECIMAL.match(text, start):
        return None
    number = Quantity(PHONE_NUMBERS, 0.0, 0.0, 0.0, 0.0, digits)
    return Value(start, end, (start, end), "code", Form.POINT, (number,))


def same_phone(one: str, two: str) -> bool:
    """Whether two numbers, as digits, are one, though one may leave out the country's prefix.

    >>> same_phone("442079460123", "02079460123"), same_phone("2025550147", "2025550174")
    (True, False)
    """
    short, long = sorted((one.lstrip("0"), two.lstrip("0")), key=len)
    return short == long or (len(short) >= _SHORTEST_OWN and long.endswith(short))
