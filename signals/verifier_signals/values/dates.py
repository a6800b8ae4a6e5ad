"""Calendar dates and periods: the forms in which they are written, and the date at a position, as fields.

Dates in figures may have the day or the month first. ``Due on 24/5/2019 and on 2/6/2019`` puts the day first, so the
second date is not in February. Where nothing shows the order both readings stay, and neither is sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier_signals.lexicon.calendar import MONTH_FORMS, MONTHS, SEASONS, WEEKDAY_FORMS, WEEKDAYS
from verifier_signals.values.numerals import ORDINALS
from verifier_signals.values.types import Date, Day, Value
from verifier_signals.values.units import unit_after

__all__ = [
    "CALENDAR_WORD",
    "CALENDAR_WORDS",
    "CalendarMatch",
    "calendar_at",
    "day_month_orders",
    "resolve_day_month_order",
]

_TENS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_ANY_MONTH = rf"(?:{_MONTH}|{_MONTH.upper()}|{'|'.join(MONTHS)})"
_VERB_FOLLOWS = compiled_later(r"\s+[a-z]")
"""``Kiln 1 may be closed`` names no day."""
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|ST|ND|RD|TH)?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)(?![\d.,]?\d)"
_DOT = r"(?:\.(?=,?\s+(?:of\s+)?\d))?"
"""The period of ``Sept. 2024``, not the one that ends a sentence."""
_TO = r"\s*(?:-|–|—|to|and|until|till|through)\s*"
CALENDAR_WORD = (
    rf"\b(?:{_ANY_MONTH}|(?i:{'|'.join(f'{day[:3]}(?:{day[3:]}s?)?' for day in WEEKDAYS)})"
    r"|(?i:weekdays?|weekends?|noon|midday|midnight|mid|early|late|latter|middle|beginning|start|end|spring|summer|autumn|winter|first|second|third|fourth"
    rf"|{'|'.join(_TENS)}))\b"
)
"""Words at which a date may begin, besides digits."""
_PART_WORDS = lexicon("mid early late first second latter middle beginning start end")
CALENDAR_WORDS = (
    MONTH_FORMS
    | _PART_WORDS
    | WEEKDAY_FORMS
    | {*SEASONS, *_TENS, *_QUARTERS}
    | lexicon("noon midday midnight")
)
"""The same words in lower case."""


def _month_of(word: str) -> int:
    low = word.lower().rstrip(".")[:3]
    return next(number for number, name in enumerate(MONTHS, start=1) if name.startswith(low))


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
    year, month, day = int(match[1]), int(match[3]), int(match[4])
    return (Date(Day(year, month, day)),) if _valid(month, day) else ()


def _numeric(match: re.Match[str]) -> tuple[Date, ...]:
    """``03/04/2024``: both readings where both are dates, of which none is sure; one with dots is day first."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    if match[2] == ".":
        return (Date(Day(year, second, first)),) if _valid(second, first) else ()
    if first == second and _valid(first, second):
        return (Date(Day(year, first, second)),)
    days = [("dm", Day(year, second, first)), ("md", Day(year, first, second))]
    days = [(order, day) for order, day in days if _valid(day.month, day.day)]
    return tuple(Date(day, order=order, sure=len(days) == 1) for order, day in days)


def _day_month(match: re.Match[str]) -> tuple[Date, ...]:
    if match["month"] == "may" and _VERB_FOLLOWS.match(match.string, match.end()):
        return ()
    month, year = _month_of(match["month"]), _number(match["year"])
    days = (_number(match["day"]), _number(match["last"]))
    if not all(_valid(month, day) for day in days):
        return ()
    start = Day(year, month, days[0])
    return (Date(start, Day(year, month, days[1]) if days[1] else None),)


def _month_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(_number(match["year"]), _month_of(match["month"]), part=_part_of(match["part"]))),)


def _part_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(int(match["year"]), part=_part_of(match["part"]))),)


def _season(match: re.Match[str]) -> tuple[Date, ...]:
    part = match["season"].lower()
    return (Date(Day(_number(match["year"]), part="autumn" if part == "fall" else part)),)


def _quarter(match: re.Match[str]) -> tuple[Date, ...]:
    word = (match["word"] or "").lower()
    number = match["q"] or str(_QUARTERS.get(word) or word[0])
    return (Date(Day(_number(match["year"]), part=f"Q{number}")),)


def _quarter_in_figures(match: re.Match[str]) -> tuple[Date, ...]:
    """``2025Q1``, ``1Q25``."""
    year = int(match["year"] or match["late"])
    return (Date(Day(year if year > 99 else 2000 + year, part=f"Q{match['of'] or match['q']}")),)


def _half(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(int(match["year"]), part=match["part"].upper())),)


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


_THE_PART = (
    r"(?P<part>[Mm]id|[Ee]arly|[Ll]ate|(?:(?i:first|second|latter)\shalf|middle|beginning|start|end) of)"
)
_PART = rf"(?:{_THE_PART}(?:[- ]+in)?(?:[- ]+the)?[- ]+)?"
_OF_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))?"
_ORDINAL_WORD = r"(?:\d{1,2}(?:st|nd|rd|th)|[A-Za-z]+(?:-[a-z]+)?)"
_ERA = compiled_later(
    r"(?:(?P<from>\d{1,4})(?:\s*[-–]\s*|\s+(?:and|to|until)\s+(?:about\s+|around\s+|c\.\s*)?))?"
    r"(?P<before>\d{1,4})\s+(?:BCE?|B\.C\.(?:E\.)?)(?!\w)|(?P<after>\d{1,4})\s+(?:AD|CE|A\.D\.)(?!\w)"
    r"|(?<=AD )(?P<anno>\d{1,4})(?!\w)"
)
_DateForm = tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Date, ...]]]
_OF_DECADES: _DateForm = (compiled_later(rf"{_PART}['’]?(?P<decade>(?:1\d|20)?\d0)['’]?s\b"), _decade)
_OF_CENTURIES: _DateForm = (
    compiled_later(
        rf"{_PART}(?:(?P<from>{_ORDINAL_WORD})\s*(?:and|to|or|-|–)\s*(?:the\s+)?)?(?P<century>{_ORDINAL_WORD})"
        r"[\s-]+(?i:centur(?:y|ies))\b(?P<before>\s+(?:BCE?\b|B\.C\.(?:E\.)?))?"
    ),
    _century,
)
_OF_QUARTERS: _DateForm = (
    compiled_later(
        r"(?:[Qq](?P<q>[1-4])\b|(?P<word>(?i:first|second|third|fourth|1st|2nd|3rd|4th))\s+(?i:quarter)\b)"
        rf"(?:(?:[,/-]?\s*|[\s,]+(?:of|in)\s+)(?P<year>{_YEAR}))?"
    ),
    _quarter,
)
_OF_DIGITS: tuple[_DateForm, ...] = (
    (compiled_later(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d|[-/.]\d)"), _iso),
    (_ERA, _era),
    (compiled_later(r"(\d{1,2})([/.]|-(?=\d{1,2}-\d{4}))(\d{1,2})\2(\d{4}|\d\d)(?![\d/]|[.-]\d)"), _numeric),
    (
        compiled_later(
            r"(?P<year>(?:19|20)\d\d)(?:[ /-]|, ?)?[Qq](?P<of>[1-4])(?!\w)"
            r"|(?P<q>[1-4])[Qq][ /-]?'?(?P<late>(?:19|20)\d\d|\d\d)(?!\w)"
        ),
        _quarter_in_figures,
    ),
    (compiled_later(r"((?:1\d|20)\d\d)(?:[/–]|-)(\d{4}|\d\d)(?![\d/–-]|[.,]\d)"), _season_years),
    (
        compiled_later(
            rf"(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?[\s-]+(?:of\s+|OF\s+)?(?P<month>{_ANY_MONTH})\b{_DOT}(?:(?:,?\s+(?:of\s+)?|-)(?P<year>{_YEAR}))?"
        ),
        _day_month,
    ),
    _OF_QUARTERS,
    _OF_DECADES,
    _OF_CENTURIES,
)
"""What a date is written like that begins with a digit."""
_OF_WORDS: tuple[tuple[frozenset[str], _DateForm], ...] = (
    (
        MONTH_FORMS,
        (
            compiled_later(
                rf"(?P<month>{_ANY_MONTH})\.?\s+(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?(?![\w%:]|[.,]\d){_OF_YEAR}"
            ),
            _day_month,
        ),
    ),
    (
        MONTH_FORMS | _PART_WORDS,
        (
            compiled_later(rf"{_PART}(?P<month>{_ANY_MONTH})\b{_DOT}(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))"),
            _month_year,
        ),
    ),
    (
        _PART_WORDS,
        (compiled_later(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<month>{_ANY_MONTH})\b(?P<year>)"), _month_year),
    ),
    (
        _PART_WORDS,
        (compiled_later(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<year>{_YEAR})(?!\w|['’]?s\b)"), _part_year),
    ),
    (
        frozenset(SEASONS),
        (
            compiled_later(rf"(?P<season>(?i:{'|'.join(SEASONS)}))\s+(?:of\s+|in\s+)?(?P<year>{_YEAR})"),
            _season,
        ),
    ),
    (frozenset({"q", *_QUARTERS}), _OF_QUARTERS),
    (
        frozenset({"h"}),
        (compiled_later(rf"(?P<part>[Hh][12])\s+(?:of\s+)?(?P<year>{_YEAR})"), _half),
    ),
    (_PART_WORDS, _OF_DECADES),
    (
        _PART_WORDS.union(_TENS),
        (compiled_later(rf"{_PART}(?<=the )(?P<tens>(?i:{'|'.join(_TENS)}))\b"), _decade_in_words),
    ),
)
"""What a date is written like that begins with one of these words."""
_BY_WORD: Mapping[str, tuple[_DateForm, ...]] = {
    word: (*(rule for words, rule in _OF_WORDS if word in words), _OF_CENTURIES)
    for word in frozenset().union(*(words for words, _ in _OF_WORDS))
}


class CalendarMatch(NamedTuple):
    """A date as read: its readings and where it ends."""

    dates: tuple[Date, ...]
    end: int


_LETTERS = compiled_later(r"[A-Za-z]+")
_WEEKDAY = compiled_later(
    rf"(?P<weekday>(?i:{'|'.join(WEEKDAYS)})|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)s?(?![\w-])"
)
_TO_ITS_DATE = compiled_later(r"\.?,?\s+(?:the\s+)?(?=[\dA-Z])")
"""Between a day of the week and its date: ``Wednesday, 24 July``, ``Wed. the 24th of July``."""
_DAYS_OF_WEEK = compiled_later(r"week(?:days?|(?P<end>ends?))\b(?![-'’])", re.IGNORECASE)
_MONTH_ALONE = compiled_later(rf"(?P<month>{_ANY_MONTH})\b(?![-'’])")
_YEAR_ALONE = compiled_later(rf"(?P<year>{_YEAR})(?!\w|['’]?s\b|[-–]\w)")
_LEADS_MONTH = compiled_later(
    r"(?:\b(?:in|of|by|until|till|since|before|after|during|from|to|and|or|through|between|every|each|last|next|this)"
    r"|[,|:(–-]|\bmid[- ]|\blate|\bearly)\s*$",
    re.IGNORECASE,
)
_LEADS_YEAR = compiled_later(
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
_COUNTS = compiled_later(
    r"\s+(?!was|has|as|its|his|is|this|thus|sales|results|accounts)[a-z]{3,}s\b|\s*(?:%|per\s?cent)"
)


def calendar_at(text: str, at: int) -> CalendarMatch | None:
    """The date at a position: full, partial, a period, a quarter, decade or century; ``None`` when none stands there.

    >>> calendar_at("3 March 2024", 0).dates[0].start
    Day(year=2024, month=3, day=3, weekday=None, part='', span=1)
    """
    if text[at : at + 1].isdecimal():
        return _first_form(text, at, _OF_DIGITS) or _year_at(text, at)
    word = _LETTERS.match(text, at)
    if word is None:
        return _first_form(text, at, (_OF_DECADES,))
    low = word[0].lower()
    if found := _first_form(text, at, _BY_WORD.get(low, (_OF_CENTURIES,))):
        return found
    return (
        (low in WEEKDAY_FORMS and _weekday_at(text, at))
        or (low in MONTH_FORMS and _month_at(text, at))
        or None
    )


def _first_form(text: str, at: int, rules: tuple[_DateForm, ...]) -> CalendarMatch | None:
    for pattern, build in rules:
        match = pattern.match(text, at)
        if match is not None and (dates := build(match)):
            return CalendarMatch(dates, match.end())
    return None


def _weekday_at(text: str, at: int) -> CalendarMatch | None:
    several = _DAYS_OF_WEEK.match(text, at)
    if several is not None:
        first, last = (5, 6) if several["end"] else (0, 4)
        return CalendarMatch((Date(Day(weekday=first), Day(weekday=last)),), several.end())
    match = _WEEKDAY.match(text, at)
    if match is None:
        return None
    low = match["weekday"].lower()[:3]
    day = next(at for at, name in enumerate(WEEKDAYS) if name.startswith(low))
    joint = _TO_ITS_DATE.match(text, match.end())
    dated = calendar_at(text, joint.end()) if joint is not None else None
    if dated is not None and all(one.start.day is not None and one.end is None for one in dated.dates):
        both = tuple(replace(one, start=replace(one.start, weekday=day)) for one in dated.dates)
        return CalendarMatch(both, dated.end)
    return CalendarMatch((Date(Day(weekday=day)),), match.end())


def _month_at(text: str, at: int) -> CalendarMatch | None:
    """A month without day or year; ``may`` and ``march`` only where a preposition of time leads to them."""
    match = _MONTH_ALONE.match(text, at)
    if match is None:
        return None
    word = match["month"]
    doubtful = word.lower() in ("may", "march", "mar", "jan", "sep", "dec", "oct")
    if doubtful and (word.islower() or not _LEADS_MONTH.search(text[max(0, at - 12) : at])):
        return None
    return CalendarMatch((Date(Day(month=_month_of(word))),), match.end())


def _year_at(text: str, at: int) -> CalendarMatch | None:
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
    return CalendarMatch((Date(Day(int(match["year"]))),), match.end())


def _measured(text: str, end: int) -> bool:
    """Whether the sign of a unit or its plural follows: the digits are a figure (``altitude: 1840 m``), unless a sum
    begins there (``2024: EUR 5 million``)."""
    found, after = unit_after(text, end)
    word = text[end:after].strip()
    if all(unit.dimension == "time" for unit in found) or text[after : after + 2].lstrip()[:1].isdigit():
        return False
    return len(word) < _SHORTEST_WORD or not word.islower() or word.endswith("s")


_SAID = compiled_later(
    r"\b(dd?|mm?|day|month)\s?[-/.]\s?(dd?|mm?|day|month)\s?[-/.]\s?y(?:y|yyy|ear)\b", re.IGNORECASE
)


def day_month_orders(values: Iterable[Value]) -> frozenset[str]:
    """The orders (``dm``, ``md``) that dates in figures show by a number which can only be a day.

    >>> from verifier_signals.values.extraction import parse
    >>> sorted(day_month_orders(parse("Due on 24/5/2019 and on 2/6/2019.")))
    ['dm']
    """
    return frozenset(date.order for value in values for date in value.dates if date.order and date.sure)


def resolve_day_month_order(text: str, values: list[Value]) -> list[Value]:
    """Leave out the readings of dates in the order that the text does not have, where it shows one alone."""
    shown = _stated_orders(text) or day_month_orders(values)
    if len(shown) != 1:
        return values
    order = next(iter(shown))
    return [_in_order(value, order) for value in values]


def _stated_orders(text: str) -> frozenset[str]:
    """What a text says of its dates: ``DD/MM/YYYY``, ``month/day/year``."""
    said = {match[1][0].lower() + match[2][0].lower() for match in _SAID.finditer(text)}
    return frozenset(said & {"dm", "md"})


def _in_order(value: Value, order: str) -> Value:
    readings = value.dates
    if all(date.sure or date.order != order for date in readings):
        return value
    return replace(value, dates=tuple(_sure(date) for date in readings if date.order in ("", order)))


def _sure(date: Date) -> Date:
    return replace(date, sure=True)
