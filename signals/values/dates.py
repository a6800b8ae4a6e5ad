"""Text at a position in, the date, period or time of day that stands there out, as fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from signals.values.spelled import ORDINALS
from signals.values.types import Date, Day, Quantity

__all__ = ["CALENDAR_WORD", "Calendar", "calendar_at", "clock_at"]

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_ANY_MONTH = rf"(?:{_MONTH}|{_MONTH.upper()}|{'|'.join(_MONTHS)})"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|ST|ND|RD|TH)?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)(?![\d.,]?\d)"
_DOT = r"(?:\.(?=,?\s+(?:of\s+)?\d))?"
"""The period of ``Sept. 2024``, not the one that ends a sentence."""
_TO = r"\s*(?:-|–|—|to|and|until|till|through)\s*"
CALENDAR_WORD = (
    rf"\b(?:{_ANY_MONTH}|(?i:{'|'.join(f'{day[:3]}(?:{day[3:]}s?)?' for day in _WEEKDAYS)})"
    r"|(?i:noon|midday|midnight|mid|early|late|spring|summer|autumn|winter|first|second|third|fourth))\b"
)
"""Words at which a date may begin, besides digits."""


class Calendar(NamedTuple):
    """A date as read: its readings and where it ends."""

    dates: tuple[Date, ...]
    end: int


def _month(word: str) -> int:
    low = word.lower().rstrip(".")[:3]
    return next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(low))


def _number(text: str | None) -> int | None:
    digits = re.sub(r"\D", "", text or "")
    return int(digits) if digits else None


def _valid(month: int | None, day: int | None) -> bool:
    lengths = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= lengths[(month or 1) - 1])


def _iso(match: re.Match[str]) -> tuple[Date, ...]:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    return (Date(Day(year, month, day)),) if _valid(month, day) else ()


def _numeric(match: re.Match[str]) -> tuple[Date, ...]:
    """``03/04/2024``: both readings where both are dates; one with dots is day first."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    orders = [(first, second)] if match[2] == "." else [(first, second), (second, first)]
    found = [Date(Day(year, month, day)) for day, month in orders if _valid(month, day)]
    return tuple(dict.fromkeys(found))


def _day_month(match: re.Match[str]) -> tuple[Date, ...]:
    month, year = _month(match["month"]), _number(match["year"])
    days = (_number(match["day"]), _number(match["last"]))
    if not all(_valid(month, day) for day in days):
        return ()
    start = Day(year, month, days[0])
    return (Date(start, Day(year, month, days[1]) if days[1] else None),)


def _month_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(_number(match["year"]), _month(match["month"]), part=(match["part"] or "").lower())),)


def _season(match: re.Match[str]) -> tuple[Date, ...]:
    part = match["season"].lower()
    return (Date(Day(_number(match["year"]), part="autumn" if part == "fall" else part)),)


def _quarter(match: re.Match[str]) -> tuple[Date, ...]:
    number = match["q"] or str(_QUARTERS[match["word"].lower()])
    return (Date(Day(_number(match["year"]), part=f"Q{number}")),)


def _decade(match: re.Match[str]) -> tuple[Date, ...]:
    year = int(match["decade"])
    year += 0 if year > 99 else 1900
    part = (match["part"] or "").strip("- ").lower()
    return (Date(Day(year, part=part, span=100 if year % 100 == 0 else 10)),)


def _century(match: re.Match[str]) -> tuple[Date, ...]:
    word = match["century"].lower()
    number = ORDINALS.get(word) or _number(word)
    tens, _, ones = word.partition("-")
    if ones and tens == "twenty":
        number = 20 + ORDINALS.get(ones, 0)
    if not number or number > 30:
        return ()
    return (Date(Day(100 * (number - 1), span=100, part=(match["part"] or "").strip("- ").lower())),)


def _season_years(match: re.Match[str]) -> tuple[Date, ...]:
    """``2023/24`` and ``2023-2024``."""
    start, last = int(match[1]), int(match[2])
    last += 0 if last > 99 else start // 100 * 100
    return (Date(Day(start), Day(last)),) if start < last else ()


def _era(match: re.Match[str]) -> tuple[Date, ...]:
    """``85 BC`` is a year below zero."""
    year = int(match["before"] or match["after"] or match["anno"])
    return (Date(Day(-year if match["before"] else year)),)


def _weekday(match: re.Match[str]) -> tuple[Date, ...]:
    low = match["weekday"].lower()[:3]
    return (Date(Day(weekday=next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(low)))),)


_PART = r"(?:(?P<part>[Mm]id|[Ee]arly|[Ll]ate)(?:[- ]+in)?(?:[- ]+the)?[- ]+)?"
_OF_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))?"
_ORDINAL_WORD = r"(?:\d{1,2}(?:st|nd|rd|th)|[A-Za-z]+(?:-[a-z]+)?)"
_ERA = re.compile(
    r"(?P<before>\d{1,4})\s+(?:BCE?|B\.C\.(?:E\.)?)(?!\w)|(?P<after>\d{1,4})\s+(?:AD|CE|A\.D\.)(?!\w)"
    r"|(?<=AD )(?P<anno>\d{1,4})(?!\w)"
)
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Date, ...]]], ...] = (
    (re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)"), _iso),
    (_ERA, _era),
    (re.compile(r"(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d\d)(?![\d/]|\.\d)"), _numeric),
    (re.compile(r"((?:1\d|20)\d\d)(?:[/–]|-)(\d{4}|\d\d)(?![\d/–-]|[.,]\d)"), _season_years),
    (
        re.compile(
            rf"(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?[\s-]+(?:of\s+|OF\s+)?(?P<month>{_ANY_MONTH})\b{_DOT}{_OF_YEAR}"
        ),
        _day_month,
    ),
    (
        re.compile(
            rf"(?P<month>{_ANY_MONTH})\.?\s+(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?(?![\w%:]|[.,]\d){_OF_YEAR}"
        ),
        _day_month,
    ),
    (re.compile(rf"{_PART}(?P<month>{_ANY_MONTH})\b{_DOT}(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))"), _month_year),
    (
        re.compile(rf"(?P<part>[Mm]id|[Ee]arly|[Ll]ate)[- ]+(?:in\s+)?(?P<month>{_ANY_MONTH})\b(?P<year>)"),
        _month_year,
    ),
    (re.compile(rf"(?P<season>(?i:{'|'.join(_SEASONS)}))\s+(?:of\s+|in\s+)?(?P<year>{_YEAR})"), _season),
    (
        re.compile(
            rf"(?:[Qq](?P<q>[1-4])\b|(?P<word>(?i:first|second|third|fourth))\s+(?i:quarter)){_OF_YEAR}"
        ),
        _quarter,
    ),
    (re.compile(rf"{_PART}['’]?(?P<decade>(?:1\d|20)?\d0)['’]?s\b"), _decade),
    (re.compile(rf"{_PART}(?P<century>{_ORDINAL_WORD})[\s-]+(?i:centur(?:y|ies))\b"), _century),
)
_CLOCK = re.compile(
    r"(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?)?(?P<unit>\s*(?:[AaPp]\.?\s?[Mm]\b\.?|o['’]clock|h\b))?(?![\d:%])"
)
_CLOCK_WORDS = {"noon": 720, "midday": 720, "midnight": 0}
_WEEKDAY = re.compile(
    rf"(?P<weekday>(?i:{'|'.join(_WEEKDAYS)})|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)s?(?![\w-])"
)
_MONTH_ALONE = re.compile(rf"(?P<month>{_ANY_MONTH})\b(?![-'’])")
_YEAR_ALONE = re.compile(rf"(?P<year>{_YEAR})(?!\w|['’]?s\b|[-–]\w)")
_LEADS_MONTH = re.compile(
    r"(?:\b(?:in|of|by|until|till|since|before|after|during|from|to|and|or|through|between|every|each|last|next|this)"
    r"|[,|:(–-]|\bmid[- ]|\blate|\bearly)\s*$",
    re.IGNORECASE,
)
_LEADS_YEAR = re.compile(
    r"(?:\b(?:an?|in|since|by|from|until|till|during|after|before|between|year|early|late|mid|circa|ca\.?|c\.|for|the|through"
    r"|season|fy|fiscal|spring|summer|autumn|winter|and|to|or|of|on|edition|copyright|than|its|their|our|throughout)"
    r"|[(\[|:,;–—/-]|©|^)\s*$",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\s+(?!was|has|as|its|his|is|this|thus|sales|results|accounts)[a-z]{3,}s\b|\s*(?:%|per\s?cent)"
)


def calendar_at(text: str, at: int) -> Calendar | None:
    """The date at a position: full, partial, a period, a quarter, decade or century; ``None`` when none stands there.

    >>> calendar_at("3 March 2024", 0).dates[0].start
    Day(year=2024, month=3, day=3, weekday=None, part='', span=1)
    """
    for pattern, build in _RULES:
        match = pattern.match(text, at)
        if match is not None and (dates := build(match)):
            return Calendar(dates, match.end())
    return _weekday_at(text, at) or _month_at(text, at) or _year_at(text, at)


def _weekday_at(text: str, at: int) -> Calendar | None:
    match = _WEEKDAY.match(text, at)
    return Calendar(_weekday(match), match.end()) if match else None


def _month_at(text: str, at: int) -> Calendar | None:
    """A month without day or year; ``may`` and ``march`` only where a preposition of time leads to them."""
    match = _MONTH_ALONE.match(text, at)
    if match is None:
        return None
    word = match["month"]
    doubtful = word.lower() in ("may", "march", "mar", "jan", "sep", "dec", "oct")
    if doubtful and (word.islower() or not _LEADS_MONTH.search(text[max(0, at - 12) : at])):
        return None
    return Calendar((Date(Day(month=_month(word))),), match.end())


def _year_at(text: str, at: int) -> Calendar | None:
    match = _YEAR_ALONE.match(text, at)
    if match is None or int(match["year"]) < 1400:
        return None
    counted = _COUNTS.match(text, match.end())
    leads = _LEADS_YEAR.search(text[max(0, at - 14) : at])
    if leads is None or (
        counted and leads[0].strip().lower() in ("of", "and", "to", "or", "for", "than", "its")
    ):
        return None
    return Calendar((Date(Day(int(match["year"]))),), match.end())


def clock_at(text: str, at: int) -> tuple[tuple[Quantity, ...], int] | None:
    """The time of day at a position, in minutes after midnight; ``9:30`` alone may be morning or evening.

    >>> [reading.low for reading in clock_at("9:30 pm", 0)[0]]
    [1290.0]
    """
    word = text[at : at + 8].lower()
    for name, minutes in _CLOCK_WORDS.items():
        if word.startswith(name) and not text[at + len(name) : at + len(name) + 1].isalnum():
            return (_clock(minutes),), at + len(name)
    match = _CLOCK.match(text, at)
    if match is None:
        return None
    unit = (match["unit"] or "").strip().lower().replace(".", "").replace(" ", "")
    dotted = "." in text[match.start() : match.end("minute")] if match["minute"] else False
    if (match["minute"] is None and unit in ("", "h")) or (dotted and unit not in ("am", "pm")):
        return None
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if unit in ("am", "pm"):
        hours = [hour % 12 + (12 if unit == "pm" else 0)]
    elif match["hour"].startswith("0") or not 1 <= hour <= 12:
        hours = [hour % 24]
    else:
        hours = [hour % 24, (hour + 12) % 24]
    return tuple(_clock(60 * one + minute) for one in hours), match.end()


def _clock(minutes: int) -> Quantity:
    return Quantity("clock", float(minutes), float(minutes), 1.0, 1.0)
