"""Show the value of a cell as its number format does in a spreadsheet."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

__all__ = ["shown"]

_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|[_*].|([#0?.,/]+|E[+-]0+)|(%)|(.)'
)
"""Literal, escaped character, currency, condition or colour, padding, digits, percent, any other character."""
_GENERAL = frozenset({"", "general", "@"})
_DIGITS = 15
"""Significant digits that a spreadsheet keeps."""
_MOST_DECIMALS = 30


def shown(value: object, number_format: str = "") -> str:
    """What a cell shows, on one line.

    Percentages, currencies, thousands and units stand as the format has them, a negative number always with a minus.
    Dates and times are written as ISO 8601 has them, so that none is read with day and month exchanged.

    >>> shown(0.125, "0.0%"), shown(-1234.5, '#,##0.00 "EUR";[Red](#,##0.00 "EUR")'), shown(3.0), shown(0.1 + 0.2)
    ('12.5%', '-1,234.50 EUR', '3', '0.3')
    >>> shown(datetime(2024, 3, 5)), shown(datetime(2024, 3, 5, 9, 30)), shown(True), shown(2_500_000, '0.0,,"M"')
    ('2024-03-05', '2024-03-05 09:30', 'TRUE', '2.5M')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, number_format)
    if isinstance(value, datetime):
        return (
            _day(value, number_format)
            if value.time() == time()
            else f"{value:%Y-%m-%d %H:%M}" + _seconds(value)
        )
    if isinstance(value, time):
        return f"{value:%H:%M}" + _seconds(value)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
    return str(value) if isinstance(value, date) else " ".join(str(value).split())


def _day(value: datetime, number_format: str) -> str:
    """A date as precise as its format is: a day, a month of a year, or a year.

    >>> _day(datetime(2024, 3, 1), "mmm-yy"), _day(datetime(2024, 1, 1), "yyyy"), _day(datetime(2024, 3, 5), "")
    ('March 2024', '2024', '2024-03-05')
    """
    parts = set(re.sub(r'"[^"]*"|\\[.]|\[[^\]]*\]', "", number_format).lower())
    if "d" in parts or "y" not in parts:
        return str(value.date())
    return f"{value:%B %Y}" if "m" in parts else f"{value:%Y}"


def _seconds(value: datetime | time) -> str:
    return f":{value.second:02}" if value.second else ""


class _Format(NamedTuple):
    """A section of a number format: what stands before and after the digits, the digits, how often it says ``%``."""

    before: str
    digits: str
    after: str
    percents: int


def _number(value: float, number_format: str) -> str:
    sections = _sections(number_format)
    section = sections[1] if value < 0 and len(sections) > 1 else sections[0]
    if value == 0 and len(sections) > 2:
        section = sections[2]
    plain = f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)
    if section.strip().lower() in _GENERAL:
        return plain if "e" not in plain else f"{Decimal(plain):f}"
    read = _read(section)
    if read is None:
        return plain
    before, after = read.before.replace("(", "").strip(), read.after.replace(")", "").rstrip()
    sign = "-" if value < 0 else ""
    before = before.removeprefix("-")
    return f"{sign}{before}{' ' if before[-1:].isalpha() else ''}{_digits(abs(value), read)}{after}"


def _sections(number_format: str) -> list[str]:
    """The sections of a format, which semicolons part outside of quotation marks.

    >>> _sections('0;"a;b"0')
    ['0', '"a;b"0']
    """
    return re.findall(r'(?:"[^"]*"|\\.|[^;"\\])+', number_format) or [""]


def _read(section: str) -> _Format | None:
    """A section taken apart; ``None`` for one that shows no plain number: a fraction, an exponent, only words."""
    before, digits, after = "", "", ""
    percents = 0
    for found in _TOKEN.finditer(section):
        literal, escaped, currency, placeholders, percent, other = found.groups()
        if placeholders is not None:
            if digits or "/" in placeholders or "E" in placeholders:
                return None
            digits = placeholders
            continue
        text = literal or escaped or currency or percent or other or ""
        percents += percent is not None
        before, after = (before, after + text) if digits else (before + text, after)
    return _Format(before, digits, after, percents) if digits else None


def _digits(value: float, form: _Format) -> str:
    whole, _, fraction = form.digits.partition(".")
    scaled = len(form.digits) - len(form.digits.rstrip(","))
    least = fraction.count("0")
    most = min(len(fraction.rstrip(",")), _MOST_DECIMALS)
    number = Decimal(f"{value:.{_DIGITS}g}" if isinstance(value, float) else value)
    number = number.scaleb(2 * form.percents - 3 * scaled)
    number = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
    separator = "," if "," in whole.rstrip(",") else ""
    text = f"{number:{separator}f}"
    spare = most - least
    while spare and text.endswith("0") and "." in text:
        text, spare = text[:-1], spare - 1
    return text.removesuffix(".")
