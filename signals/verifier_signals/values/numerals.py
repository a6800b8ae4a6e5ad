"""A position in a text in, the plain number written there out, in digits or in words, with its precision."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from verifier_signals.values.powers import power_after, power_at
from verifier_signals.values.separators import counts_after, decimal_mark, is_grouped
from verifier_signals.values.spelled import SCALES, spelled_at

__all__ = ["Numeral", "numeral_at"]


class Numeral(NamedTuple):
    """``place`` is the worth of the last written digit, ``coarse`` that of the last digit that is not zero.

    ``kind`` is ``cardinal``, ``fraction`` or ``ordinal``; ``digits`` tells ``2`` from ``two``.
    """

    value: float
    place: float
    coarse: float
    end: int
    kind: str
    digits: bool
    scale: float = 1.0
    """The scale word or suffix at its end: 1e6 in ``3 million``."""
    doubtful: tuple[tuple[float, float], ...] = ()
    """Other readings, each with the worth of its last digit: 1234 of a ``1.234`` that is rather a decimal."""


_SPACE = "\u00a0\u202f\u2009 "
_DIGITS = re.compile(
    rf"(?P<comma>\d{{1,3}}(?:,\d{{3}})+(?![\d])(?:\.\d+)?|\d{{1,2}}(?:,\d\d)+,\d{{3}}(?!\d)(?:\.\d+)?)"
    rf"|(?P<apostrophe>\d{{1,3}}(?:['’]\d{{3}})+(?!\d)(?:\.\d+)?)"
    rf"|(?P<european>\d{{1,3}}(?:\.\d{{3}})+,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d))"
    rf"|(?P<spaced>\d{{1,3}}(?:[{_SPACE}]\d{{3}})+(?![\d])(?:[.,]\d+)?)"
    rf"|(?P<tail>\d+,\d{{1,2}}(?![\d]|,\d))"
    rf"|(?P<plain>\d+(?:\.\d+)?)"
)
_FRACTION = re.compile(
    rf"(?:(?P<whole>\d{{1,3}})[{_SPACE}-])?(?P<num>\d{{1,3}})[/⁄](?P<den>\d{{1,3}})(?![\d/.,]\d|[\w/])"
)
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_ORDINAL = re.compile(r"(?:st|nd|rd|th|ST|ND|RD|TH)(?![A-Za-z])")
_SCALE = re.compile(
    rf"[{_SPACE}-]?(?P<word>(?i:{'|'.join(SCALES)}))(?![\w])"
    rf"|[{_SPACE}]?(?P<short>bn|Bn|BN|mn|mln|mio|tn|trn)(?![\w/])"
    r"|(?P<letter>[kKMB])(?![\w/²³])"
)
_MONEY_SCALE = re.compile(rf"[{_SPACE}]?(?P<letter>[mMbBkKT])(?![\w/²³])")
_SHORT = {"bn": 1e9, "mn": 1e6, "mln": 1e6, "mio": 1e6, "tn": 1e12, "trn": 1e12}
_LETTER = {"k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6, "b": 1e9, "B": 1e9, "T": 1e12}
_LONGEST = 24
"""Digits beyond this are an identifier, not a quantity."""


def numeral_at(text: str, at: int, money: bool = False) -> Numeral | None:
    """The number at a position. ``money``: a currency stands in front, so that ``3m`` is three million.

    >>> numeral_at("1.2k users", 0).value, numeral_at("2 1/2 cups", 0).value
    (1200.0, 2.5)
    """
    if text[at].isalpha():
        return _spelled(text, at)
    if text[at] in _VULGAR:
        return Numeral(unicodedata.numeric(text[at]), 0.01, 0.01, at + 1, "fraction", True)
    fraction = _FRACTION.match(text, at)
    if fraction is not None and 0 < int(fraction["num"]) < int(fraction["den"]):
        part = int(fraction["num"]) / int(fraction["den"])
        whole = int(fraction["whole"] or 0)
        return Numeral(whole + part, 0.01, 0.01, fraction.end(), "cardinal" if whole else "fraction", True)
    return _digits(text, at, money)


def _spelled(text: str, at: int) -> Numeral | None:
    found = spelled_at(text, at)
    if found is None:
        return None
    coarse = _trailing(found.value)
    place = 1e-6 if found.kind == "fraction" else (coarse if coarse >= 1e3 else min(coarse, 1.0))
    return Numeral(
        found.value,
        place,
        0.01 if found.kind == "fraction" else coarse,
        found.end,
        found.kind,
        False,
        coarse if coarse >= 1e3 else 1.0,
    )


def _digits(text: str, at: int, money: bool) -> Numeral | None:
    match = _DIGITS.match(text, at)
    if match is None or match.end() - at > _LONGEST:
        return None
    if (alone := power_at(text, at)) is not None:
        return Numeral(alone.factor, alone.factor, alone.factor, alone.end, "cardinal", True)
    style = match.lastgroup
    figures = _readings(text, match, money) if _ONE_MARK.fullmatch(match[0]) else [_plain(match[0], style)]
    raw, end = figures[0], match.end()
    value = float(raw)
    decimals = len(raw.partition(".")[2])
    place = 10.0**-decimals
    coarse = place if decimals else _trailing(value)
    if end < len(text) and text[end] in _VULGAR:
        return Numeral(value + unicodedata.numeric(text[end]), 0.01, 0.01, end + 1, "cardinal", True)
    ordinal = None if decimals else _ORDINAL.match(text, end)
    if ordinal is not None:
        return Numeral(value, 1.0, 1.0, ordinal.end(), "ordinal", True)
    factor, end = _scale(text, end, money)
    others = tuple((float(one) * factor, 10.0 ** -len(one.partition(".")[2]) * factor) for one in figures[1:])
    return Numeral(value * factor, place * factor, coarse * factor, end, "cardinal", True, factor, others)


_ONE_MARK = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
"""``1.234``: one mark before three digits, which may be either."""


def _readings(text: str, match: re.Match[str], money: bool) -> list[str]:
    """What a figure with one mark before its last three digits may be, as plain digits, the likelier first."""
    decimal, mark = decimal_mark(text), "," if "," in match[0] else "."
    parts, grouped = match[0].replace(",", "."), re.sub("[.,]", "", match[0])
    if decimal and decimal != mark:
        return [grouped]
    if decimal:
        return [parts, grouped] if is_grouped(text, match.end(), money=money) else [parts]
    if mark == ",":
        return [grouped]
    if counts_after(text, match.end()) and not money:
        return [grouped]
    return [grouped, parts] if is_grouped(text, match.end(), money=money) else [parts, grouped]


def _plain(raw: str, style: str | None) -> str:
    """A figure without its marks of thousands, with a point before its decimals."""
    if style in ("european", "tail"):
        raw = raw.replace(".", "").replace(",", ".")
    elif style == "spaced":
        raw = raw.replace(",", ".")
    return re.sub(rf"[,'’{_SPACE}]", "", raw)


def _scale(text: str, end: int, money: bool) -> tuple[float, int]:
    factor = 1.0
    if (power := power_after(text, end)) is not None:
        factor, end = power.factor, power.end
    while (match := _SCALE.match(text, end)) is not None:
        word, short, letter = match["word"], match["short"], match["letter"]
        factor *= SCALES[word.lower()] if word else _SHORT[short.lower()] if short else _LETTER[letter]
        end = match.end()
    if money and factor == 1.0 and (match := _MONEY_SCALE.match(text, end)) is not None:
        return _LETTER[match["letter"]], match.end()
    return factor, end


def _trailing(value: float) -> float:
    """Worth of the last digit that is not zero: 100 for 4100."""
    if value <= 0 or value != int(value):
        return 1.0 if value == int(value) else 0.01
    place = 1.0
    while value % (place * 10) == 0:
        place *= 10
    return place
