"""Text at a position in, the date or period that stands there out, as fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from signals.values.spelled import ORDINALS
from signals.values.types import Date, Day
from signals.values.units import unit_after

__all__ = ["CALENDAR_WORD", "Calendar", "calendar_at"]

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
_TENS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_ANY_MONTH = rf"(?:{_MONTH}|{_MONTH.upper()}|{'|'.join(_MONTHS)})"
_VERB_FOLLOWS = re.compile(r"\s+[a-z]")
"""``Kiln 1 may be closed`` names no day."""
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|ST|ND|RD|TH)?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)(?![\d.,]?\d)"
_DOT = r"(?:\.(?=,?\s+(?:of\s+)?\d))?"
"""The period of ``Sept. 2024``, not the one that ends a sentence."""
_TO = r"\s*(?:-|–|—|to|and|until|till|through)\s*"
CALENDAR_WORD = (
    rf"\b(?:{_ANY_MONTH}|(?i:{'|'.join(f'{day[:3]}(?:{day[3:]}s?)?' for day in _WEEKDAYS)})"
    r"|(?i:weekdays?|weekends?|noon|midday|midnight|mid|early|late|latter|middle|beginning|start|end|spring|summer|autumn|winter|first|second|third|fourth"
    rf"|{'|'.join(_TENS)}))\b"
)
"""Words at which a date may begin, besides digits."""


class Calendar(NamedTuple):
    """A date as read: its readings and where it ends."""

    dates: tuple[Date, ...]
    end: int


def _month(word: str) -> int:
    low = word.lower().rstrip(".")[:3]
    return next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(low))


_PARTS = {
    "first": "H1",
    "second": "H2",
    "latter": "H2",
    "middle": "mid",
    "beginning": "early",
    "start": "early",
    "end": "late",
}


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
    if match["month"] == "may" and _VERB_FOLLOWS.match(match.string, match.end()):
        return ()
    month, year = _month(match["month"]), _number(match["year"])
    days = (_number(match["day"]), _number(match["last"]))
    if not all(_valid(month, day) for day in days):
        return ()
    start = Day(year, month, days[0])
    return (Date(start, Day(year, month, days[1]) if days[1] else None),)


def _month_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(_number(match["year"]), _month(match["month"]), part=_part_of(match["part"]))),)


def _part_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(int(match["year"]), part=_part_of(match["part"]))),)


def _season(match: re.Match[str]) -> tuple[Date, ...]:
    part = match["season"].lower()
    return (Date(Day(_number(match["year"]), part="autumn" if part == "fall" else part)),)


def _quarter(match: re.Match[str]) -> tuple[Date, ...]:
    number = match["q"] or str(_QUARTERS[match["word"].lower()])
    return (Date(Day(_number(match["year"]), part=f"Q{number}")),)


def _decade(match: re.Match[str]) -> tuple[Date, ...]:
    year = int(match["decade"])
    year += 0 if year > 99 else 1900
    part = _part_of(match["part"])
    return (Date(Day(year, part=part, span=100 if year % 100 == 0 else 10)),)


def _decade_in_words(match: re.Match[str]) -> tuple[Date, ...]:
    """``The seventies`` are those of the last century."""
    year = 1920 + 10 * _TENS.index(match["tens"].lower())
    return (Date(Day(year, part=_part_of(match["part"]), span=10)),)


def _century(match: re.Match[str]) -> tuple[Date, ...]:
    """``The 18th century``, ``the seventh and sixth centuries BC``: years below zero count downwards."""
    ends = [_first_year(match[name], bool(match["before"])) for name in ("from", "century") if match[name]]
    if None in ends:
        return ()
    part = _part_of(match["part"])
    days = [Day(year, span=100, part=part) for year in ends]
    return (Date(days[0], days[1] if len(days) > 1 else None),)


def _first_year(ordinal: str, before: bool) -> int | None:
    """The first year of the century with that number, ``None`` when the word is no number of a century."""
    word = ordinal.lower()
    tens, _, ones = word.partition("-")
    number = 20 + ORDINALS.get(ones, 0) if ones and tens == "twenty" else ORDINALS.get(word) or _number(word)
    if not number or number > 30:
        return None
    return -100 * number if before else 100 * (number - 1)


def _part_of(word: str | None) -> str:
    """``early``, ``mid`` or ``late``; ``H1`` and ``H2`` for the halves of a period."""
    low = (word or "").strip("- ").lower()
    return _PARTS.get(low.split(" ")[0], low)


def _season_years(match: re.Match[str]) -> tuple[Date, ...]:
    """``2023/24`` and ``2023-2024``."""
    start, last = int(match[1]), int(match[2])
    last += 0 if last > 99 else start // 100 * 100
    return (Date(Day(start), Day(last)),) if start < last else ()


def _era(match: re.Match[str]) -> tuple[Date, ...]:
    """``85 BC`` is a year below zero; in ``640 to 510 BC`` both are."""
    year = int(match["before"] or match["after"] or match["anno"])
    last = Day(-year if match["before"] else year)
    return (Date(Day(-int(match["from"])), last),) if match["from"] else (Date(last),)


def _weekday(match: re.Match[str]) -> tuple[Date, ...]:
    low = match["weekday"].lower()[:3]
    return (Date(Day(weekday=next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(low)))),)


_THE_PART = (
    r"(?P<part>[Mm]id|[Ee]arly|[Ll]ate|(?:(?i:first|second|latter)\shalf|middle|beginning|start|end) of)"
)
_PART = rf"(?:{_THE_PART}(?:[- ]+in)?(?:[- ]+the)?[- ]+)?"
_OF_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))?"
_ORDINAL_WORD = r"(?:\d{1,2}(?:st|nd|rd|th)|[A-Za-z]+(?:-[a-z]+)?)"
_ERA = re.compile(
    r"(?:(?P<from>\d{1,4})(?:\s*[-–]\s*|\s+(?:and|to|until)\s+(?:about\s+|around\s+|c\.\s*)?))?"
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
        re.compile(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<month>{_ANY_MONTH})\b(?P<year>)"),
        _month_year,
    ),
    (re.compile(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<year>{_YEAR})(?!\w|['’]?s\b)"), _part_year),
    (re.compile(rf"(?P<season>(?i:{'|'.join(_SEASONS)}))\s+(?:of\s+|in\s+)?(?P<year>{_YEAR})"), _season),
    (
        re.compile(
            rf"(?:[Qq](?P<q>[1-4])\b|(?P<word>(?i:first|second|third|fourth))\s+(?i:quarter)){_OF_YEAR}"
        ),
        _quarter,
    ),
    (re.compile(rf"{_PART}['’]?(?P<decade>(?:1\d|20)?\d0)['’]?s\b"), _decade),
    (re.compile(rf"{_PART}(?<=the )(?P<tens>(?i:{'|'.join(_TENS)}))\b"), _decade_in_words),
    (
        re.compile(
            rf"{_PART}(?:(?P<from>{_ORDINAL_WORD})\s*(?:and|to|or|-|–)\s*(?:the\s+)?)?(?P<century>{_ORDINAL_WORD})"
            r"[\s-]+(?i:centur(?:y|ies))\b(?P<before>\s+(?:BCE?\b|B\.C\.(?:E\.)?))?"
        ),
        _century,
    ),
)
_WEEKDAY = re.compile(
    rf"(?P<weekday>(?i:{'|'.join(_WEEKDAYS)})|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)s?(?![\w-])"
)
_DAYS_OF_WEEK = re.compile(r"week(?:days?|(?P<end>ends?))\b(?![-'’])", re.IGNORECASE)
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
_FIRST_YEAR = 1400
"""Four digits below are a year only behind a preposition of time."""
_IN_TIME = frozenset({"in", "since", "until", "till", "before", "after", "during"})
_SHORTEST_WORD = 3
"""Letters; a unit in fewer is a sign, and no word that goes on with the sentence (``the 2019 bar exam``)."""
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
    several = _DAYS_OF_WEEK.match(text, at)
    if several is not None:
        first, last = (5, 6) if several["end"] else (0, 4)
        return Calendar((Date(Day(weekday=first), Day(weekday=last)),), several.end())
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
    if match is None:
        return None
    counted = _COUNTS.match(text, match.end())
    leads = _LEADS_YEAR.search(text[max(0, at - 14) : at])
    word = leads[0].strip().lower() if leads else ""
    if int(match["year"]) < _FIRST_YEAR and (counted or word not in _IN_TIME):
        return None
    if leads is None or (counted and word in ("of", "and", "to", "or", "for", "than", "its")):
        return None
    if word not in _IN_TIME and _measured(text, match.end()):
        return None
    return Calendar((Date(Day(int(match["year"]))),), match.end())


def _measured(text: str, end: int) -> bool:
    """Whether the sign of a unit or its plural follows: the digits are a figure (``altitude: 1840 m``), unless a sum
    begins there (``2024: EUR 5 million``)."""
    found, after = unit_after(text, end)
    word = text[end:after].strip()
    if all(unit.dimension == "time" for unit in found) or text[after : after + 2].lstrip()[:1].isdigit():
        return False
    return len(word) < _SHORTEST_WORD or not word.islower() or word.endswith("s")
