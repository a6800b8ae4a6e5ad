"""The forms in which dates are written: by the digit or word that they begin with, a pattern and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from verifier.core.lexicon import lexicon
from verifier_signals.values.spelled import ORDINALS
from verifier_signals.values.types import Date, Day

__all__ = [
    "ANY_MONTH",
    "BY_WORD",
    "CALENDAR_WORD",
    "CALENDAR_WORDS",
    "MONTHS",
    "MONTH_WORDS",
    "OF_CENTURIES",
    "OF_DECADES",
    "OF_DIGITS",
    "WEEKDAYS",
    "WEEKDAY_WORDS",
    "YEAR",
    "DateForm",
    "month_of",
]

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
_TENS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
ANY_MONTH = rf"(?:{_MONTH}|{_MONTH.upper()}|{'|'.join(MONTHS)})"
_VERB_FOLLOWS = re.compile(r"\s+[a-z]")
"""``Kiln 1 may be closed`` names no day."""
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|ST|ND|RD|TH)?"
YEAR = r"(?:1[0-9]\d\d|20\d\d)(?![\d.,]?\d)"
_DOT = r"(?:\.(?=,?\s+(?:of\s+)?\d))?"
"""The period of ``Sept. 2024``, not the one that ends a sentence."""
_TO = r"\s*(?:-|–|—|to|and|until|till|through)\s*"
CALENDAR_WORD = (
    rf"\b(?:{ANY_MONTH}|(?i:{'|'.join(f'{day[:3]}(?:{day[3:]}s?)?' for day in WEEKDAYS)})"
    r"|(?i:weekdays?|weekends?|noon|midday|midnight|mid|early|late|latter|middle|beginning|start|end|spring|summer|autumn|winter|first|second|third|fourth"
    rf"|{'|'.join(_TENS)}))\b"
)
"""Words at which a date may begin, besides digits."""
MONTH_WORDS = frozenset({*MONTHS, *(name[:3] for name in MONTHS), "sept"})
_PART_WORDS = lexicon("mid early late first second latter middle beginning start end")
WEEKDAY_WORDS = frozenset(
    {day[:3] + rest for day in WEEKDAYS for rest in ("", "s", day[3:], f"{day[3:]}s")}
) | lexicon("tues thur thurs weekday weekdays weekend weekends")
CALENDAR_WORDS = (
    MONTH_WORDS
    | _PART_WORDS
    | WEEKDAY_WORDS
    | {*_SEASONS, *_TENS, *_QUARTERS}
    | lexicon("noon midday midnight")
)
"""The same words in lower case."""


def month_of(word: str) -> int:
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
    month, year = month_of(match["month"]), _number(match["year"])
    days = (_number(match["day"]), _number(match["last"]))
    if not all(_valid(month, day) for day in days):
        return ()
    start = Day(year, month, days[0])
    return (Date(start, Day(year, month, days[1]) if days[1] else None),)


def _month_year(match: re.Match[str]) -> tuple[Date, ...]:
    return (Date(Day(_number(match["year"]), month_of(match["month"]), part=_part_of(match["part"]))),)


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
_OF_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>{YEAR}))?"
_ORDINAL_WORD = r"(?:\d{1,2}(?:st|nd|rd|th)|[A-Za-z]+(?:-[a-z]+)?)"
_ERA = re.compile(
    r"(?:(?P<from>\d{1,4})(?:\s*[-–]\s*|\s+(?:and|to|until)\s+(?:about\s+|around\s+|c\.\s*)?))?"
    r"(?P<before>\d{1,4})\s+(?:BCE?|B\.C\.(?:E\.)?)(?!\w)|(?P<after>\d{1,4})\s+(?:AD|CE|A\.D\.)(?!\w)"
    r"|(?<=AD )(?P<anno>\d{1,4})(?!\w)"
)
DateForm = tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Date, ...]]]
OF_DECADES: DateForm = (re.compile(rf"{_PART}['’]?(?P<decade>(?:1\d|20)?\d0)['’]?s\b"), _decade)
OF_CENTURIES: DateForm = (
    re.compile(
        rf"{_PART}(?:(?P<from>{_ORDINAL_WORD})\s*(?:and|to|or|-|–)\s*(?:the\s+)?)?(?P<century>{_ORDINAL_WORD})"
        r"[\s-]+(?i:centur(?:y|ies))\b(?P<before>\s+(?:BCE?\b|B\.C\.(?:E\.)?))?"
    ),
    _century,
)
_OF_QUARTERS: DateForm = (
    re.compile(
        r"(?:[Qq](?P<q>[1-4])\b|(?P<word>(?i:first|second|third|fourth|1st|2nd|3rd|4th))\s+(?i:quarter)\b)"
        rf"(?:(?:[,/-]?\s*|[\s,]+(?:of|in)\s+)(?P<year>{YEAR}))?"
    ),
    _quarter,
)
OF_DIGITS: tuple[DateForm, ...] = (
    (re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d|[-/.]\d)"), _iso),
    (_ERA, _era),
    (re.compile(r"(\d{1,2})([/.]|-(?=\d{1,2}-\d{4}))(\d{1,2})\2(\d{4}|\d\d)(?![\d/]|[.-]\d)"), _numeric),
    (
        re.compile(
            r"(?P<year>(?:19|20)\d\d)(?:[ /-]|, ?)?[Qq](?P<of>[1-4])(?!\w)"
            r"|(?P<q>[1-4])[Qq][ /-]?'?(?P<late>(?:19|20)\d\d|\d\d)(?!\w)"
        ),
        _quarter_in_figures,
    ),
    (re.compile(r"((?:1\d|20)\d\d)(?:[/–]|-)(\d{4}|\d\d)(?![\d/–-]|[.,]\d)"), _season_years),
    (
        re.compile(
            rf"(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?[\s-]+(?:of\s+|OF\s+)?(?P<month>{ANY_MONTH})\b{_DOT}(?:(?:,?\s+(?:of\s+)?|-)(?P<year>{YEAR}))?"
        ),
        _day_month,
    ),
    _OF_QUARTERS,
    OF_DECADES,
    OF_CENTURIES,
)
"""What a date is written like that begins with a digit."""
_OF_WORDS: tuple[tuple[frozenset[str], DateForm], ...] = (
    (
        MONTH_WORDS,
        (
            re.compile(
                rf"(?P<month>{ANY_MONTH})\.?\s+(?P<day>{_DAY})(?:{_TO}(?P<last>{_DAY}))?(?![\w%:]|[.,]\d){_OF_YEAR}"
            ),
            _day_month,
        ),
    ),
    (
        MONTH_WORDS | _PART_WORDS,
        (
            re.compile(rf"{_PART}(?P<month>{ANY_MONTH})\b{_DOT}(?:,?\s+(?:of\s+)?(?P<year>{YEAR}))"),
            _month_year,
        ),
    ),
    (
        _PART_WORDS,
        (re.compile(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<month>{ANY_MONTH})\b(?P<year>)"), _month_year),
    ),
    (
        _PART_WORDS,
        (re.compile(rf"{_THE_PART}[- ]+(?:in\s+)?(?P<year>{YEAR})(?!\w|['’]?s\b)"), _part_year),
    ),
    (
        frozenset(_SEASONS),
        (re.compile(rf"(?P<season>(?i:{'|'.join(_SEASONS)}))\s+(?:of\s+|in\s+)?(?P<year>{YEAR})"), _season),
    ),
    (frozenset({"q", *_QUARTERS}), _OF_QUARTERS),
    (
        frozenset({"h"}),
        (re.compile(rf"(?P<part>[Hh][12])\s+(?:of\s+)?(?P<year>{YEAR})"), _half),
    ),
    (_PART_WORDS, OF_DECADES),
    (
        _PART_WORDS.union(_TENS),
        (re.compile(rf"{_PART}(?<=the )(?P<tens>(?i:{'|'.join(_TENS)}))\b"), _decade_in_words),
    ),
)
"""What a date is written like that begins with one of these words."""
BY_WORD: Mapping[str, tuple[DateForm, ...]] = {
    word: (*(rule for words, rule in _OF_WORDS if word in words), OF_CENTURIES)
    for word in frozenset().union(*(words for words, _ in _OF_WORDS))
}
