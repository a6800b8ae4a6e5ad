"""Text at a position in, the date or period that stands there out, as fields."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from verifier_signals.values.date_forms import (
    ANY_MONTH,
    BY_WORD,
    MONTH_WORDS,
    OF_CENTURIES,
    OF_DECADES,
    OF_DIGITS,
    WEEKDAY_WORDS,
    WEEKDAYS,
    YEAR,
    DateForm,
    month_of,
)
from verifier_signals.values.types import Date, Day
from verifier_signals.values.units import unit_after

__all__ = ["Calendar", "calendar_at"]


class Calendar(NamedTuple):
    """A date as read: its readings and where it ends."""

    dates: tuple[Date, ...]
    end: int


_LETTERS = re.compile(r"[A-Za-z]+")
_WEEKDAY = re.compile(
    rf"(?P<weekday>(?i:{'|'.join(WEEKDAYS)})|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)s?(?![\w-])"
)
_TO_ITS_DATE = re.compile(r"\.?,?\s+(?:the\s+)?(?=[\dA-Z])")
"""Between a day of the week and its date: ``Wednesday, 24 July``, ``Wed. the 24th of July``."""
_DAYS_OF_WEEK = re.compile(r"week(?:days?|(?P<end>ends?))\b(?![-'’])", re.IGNORECASE)
_MONTH_ALONE = re.compile(rf"(?P<month>{ANY_MONTH})\b(?![-'’])")
_YEAR_ALONE = re.compile(rf"(?P<year>{YEAR})(?!\w|['’]?s\b|[-–]\w)")
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
    if text[at : at + 1].isdecimal():
        return _ruled(text, at, OF_DIGITS) or _year_at(text, at)
    word = _LETTERS.match(text, at)
    if word is None:
        return _ruled(text, at, (OF_DECADES,))
    low = word[0].lower()
    if found := _ruled(text, at, BY_WORD.get(low, (OF_CENTURIES,))):
        return found
    return (
        (low in WEEKDAY_WORDS and _weekday_at(text, at))
        or (low in MONTH_WORDS and _month_at(text, at))
        or None
    )


def _ruled(text: str, at: int, rules: tuple[DateForm, ...]) -> Calendar | None:
    for pattern, build in rules:
        match = pattern.match(text, at)
        if match is not None and (dates := build(match)):
            return Calendar(dates, match.end())
    return None


def _weekday_at(text: str, at: int) -> Calendar | None:
    several = _DAYS_OF_WEEK.match(text, at)
    if several is not None:
        first, last = (5, 6) if several["end"] else (0, 4)
        return Calendar((Date(Day(weekday=first), Day(weekday=last)),), several.end())
    match = _WEEKDAY.match(text, at)
    if match is None:
        return None
    low = match["weekday"].lower()[:3]
    day = next(at for at, name in enumerate(WEEKDAYS) if name.startswith(low))
    joint = _TO_ITS_DATE.match(text, match.end())
    dated = calendar_at(text, joint.end()) if joint is not None else None
    if dated is not None and all(one.start.day is not None and one.end is None for one in dated.dates):
        both = tuple(replace(one, start=replace(one.start, weekday=day)) for one in dated.dates)
        return Calendar(both, dated.end)
    return Calendar((Date(Day(weekday=day)),), match.end())


def _month_at(text: str, at: int) -> Calendar | None:
    """A month without day or year; ``may`` and ``march`` only where a preposition of time leads to them."""
    match = _MONTH_ALONE.match(text, at)
    if match is None:
        return None
    word = match["month"]
    doubtful = word.lower() in ("may", "march", "mar", "jan", "sep", "dec", "oct")
    if doubtful and (word.islower() or not _LEADS_MONTH.search(text[max(0, at - 12) : at])):
        return None
    return Calendar((Date(Day(month=month_of(word))),), match.end())


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
