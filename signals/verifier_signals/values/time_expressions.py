"""Temporal expressions: times of day, dates, and periods from one to another, with the words that limit them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from verifier.core.patterns import compiled_later
from verifier_signals.values.dates import CalendarMatch, calendar_at
from verifier_signals.values.modifiers import BETWEEN, CHANGE, FROM, NumberCue, is_denied
from verifier_signals.values.types import Date, Form, Quantity, Value
from verifier_signals.values.units import unit_after

__all__ = ["moment_at"]

_CLOCK = compiled_later(
    r"(?P<hour>[01]?\d|2[0-4])(?:(?:[:.]|h(?=\d\d\b))(?P<minute>[0-5]\d)(?::[0-5]\d)?)?(?P<unit>\s*(?:[AaPp]\.\s?[Mm]\b\.?|[AaPp]\s?[Mm]\b|o['’]clock|h\b))?(?![\d:%])"
    r"(?P<day>\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)\b)?"
)
_OPENS_PERIOD = compiled_later(
    r"(?:1[0-2]|[1-9])\s?(?:[-–]|to|until|till|and)\s?(?:1[0-2]|[1-9])(?:[:.][0-5]\d)?\s*[AaPp]\.?[Mm]\b"
)
"""``7 to 10.30 am``: only the end of the period says that both are times of day."""
_DOTTED = r"(?:[01]?\d|2[0-4])\.[0-5]\d"
_DOTTED_PERIOD = compiled_later(
    rf"(?P<opens>{_DOTTED})\s?(?:[-–—]|\b(?:to|until|till|and)\b)\s?(?P<closes>{_DOTTED})(?![\w%]|\.\d)"
)
_PLACE = compiled_later(r"\b(?:at|by|from|before|after|until|till)\s+(?:about\s+)?\Z", re.IGNORECASE)
_ROUND = 5
"""Minutes; times of a timetable that is written with dots are multiples of it."""
_QUARTER, _NOON = 15, 12
_NIGHT_ENDS = 360
"""Minutes: up to six, ``at night`` is after midnight."""
_DAYS = compiled_later(
    r"\b(?:daily|every\s+day|weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|holidays?|mornings?|afternoons?"
    r"|evenings?|hours|(?:open|clos|serv|staff)\w*|takes?\s+place)\b",
    re.IGNORECASE,
)
_TO_24_HOURS = compiled_later(r"\s?(?:[-–—]|\b(?:to|until|till|and)\b)\s?(?:1[3-9]|2[0-4])[:.][0-5]\d(?!\d)")
"""What stands behind ``9:00`` in ``9:00 to 21:00``: a text that counts the hours to 24 means the morning."""
_CLOCK_WORDS = {"noon": 720, "midday": 720, "midnight": 0}
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
_HOURS = {word: hour for hour, word in enumerate(_NUMBERS.split(), start=1)}
_MINUTES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_IN_WORDS = compiled_later(
    rf"(?:(?P<half>half)\s+past\s+|(?:a\s+)?(?P<quarter>quarter)\s+(?P<side>past|to)\s+"
    rf"|(?P<some>five|ten|twenty-five|twenty)\s+(?:minutes\s+)?past\s+|(?P<less>five|ten|twenty-five|twenty)\s+minutes\s+to\s+)"
    rf"{_HOUR}(?![\w:.]\w)(?!\w)(?P<day>\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)|\s*[ap]\.?m\b)?"
    rf"|(?P<full>{'|'.join(_HOURS)}|1[0-2]|[1-9])(?:\s+o['’]clock(?P<part>\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night))?"
    rf"|(?P<also>\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)))",
    re.IGNORECASE,
)
"""``Half past nine``, ``a quarter to ten``, ``nine in the evening``; ``ten to five`` may be a range and is left out."""
_LETTERS = compiled_later(r"[A-Za-z]+")
_FIRST_WORDS = frozenset({*_CLOCK_WORDS, *_HOURS, *_MINUTES, "a"})
"""The words, in lower case, that a time of day may begin with."""

_SCHEDULED = compiled_later(
    r"\b(?:open|clos|shut|start|begin|began|begun|end|finish|leave|left|depart|arriv|sail|meet|met)\w*\b[^.;:]{0,40}?"
    r"\b(?:at|until|till|from|between)\s+(?:about\s+)?(?:\w+\s+(?:to|and|until|till)\s+)?\Z",
    re.IGNORECASE,
)
_ALONE = compiled_later(
    rf"(?P<hour>{'|'.join(_HOURS)})(?=\s*(?:[.,;)]|\Z)|\s+(?:on|every|each|and|or|but|from|for|daily|sharp|to|until|till)\b)"
    r"|(?P<figure>1[0-2]|[1-9])(?=\s*(?:[.;)](?!\d)|,\s|\Z)|\s+(?:on|every|each|daily|sharp)\b)",
    re.IGNORECASE,
)
"""``Opens at nine``, ``meets from two to five``: an hour with nothing behind it that it could count."""
_LOOK_BACK = 72
_PERIOD_LENGTH = 16
"""Code points that a period in dotted times takes at most."""


_MILITARY = compiled_later(
    r"(?P<hour>[01]\d|2[0-4])(?P<minute>[0-5]\d)(?P<unit>\s?(?:hours|hrs|h)\b)?(?![\w:]|[.,]\d)"
)


def _is_military(text: str, match: re.Match[str]) -> bool:
    """``At 0615``, ``1805 hours``, which without a preposition of time may be so many hours."""
    placed = _PLACE.search(text, 0, match.start()) is not None
    zero = match["hour"].startswith("0")
    return (placed and (zero or match["unit"] is not None)) or (zero and match["unit"] is not None)


def _scheduled(text: str, at: int) -> tuple[tuple[Quantity, ...], int] | None:
    """An hour that only a verb before it shows to be one; it may also be a count."""
    alone = _ALONE.match(text, at)
    if alone is None or _SCHEDULED.search(text, max(0, at - _LOOK_BACK), at) is None:
        return None
    hour = int(alone["figure"] or _HOURS[alone["hour"].lower()])
    count = Quantity("", float(hour), float(hour), 1.0, 1.0)
    return (*(_clock(60 * one) for one in (hour % 12, hour % 12 + 12)), count), alone.end()


_ZONES: Mapping[str, int] = {
    **dict.fromkeys(("UTC", "GMT"), 0),
    **dict.fromkeys(("CET", "BST"), 60),
    **dict.fromkeys(("CEST", "EET"), 120),
    "EEST": 180,
    "JST": 540,
    **{f"{zone}DT": -60 * hours for zone, hours in zip("ECMP", (4, 5, 6, 7), strict=True)},
    **{f"{zone}ST": -60 * hours for zone, hours in zip("ECMP", (5, 6, 7, 8), strict=True)},
}
"""Minutes before Greenwich: the zones of Europe and of North America, and Japan's, as the IANA database has them."""
_ZONE = compiled_later(rf"\s?(?P<zone>{'|'.join(_ZONES)})(?![\w+-])")


def _clock_at(text: str, at: int) -> tuple[tuple[Quantity, ...], int] | None:
    """The time of day at a position (:func:`_local_clock`) with its zone. One with a zone has ``UTC`` for its unit."""
    found = _local_clock(text, at)
    zone = _ZONE.match(text, found[1]) if found is not None else None
    if found is None or zone is None:
        return found
    ahead = _ZONES[zone["zone"]]
    moved = [(one.low - ahead) % 1440 for one in found[0]]
    readings = (
        replace(one, low=low, high=low, unit="UTC", written=one.low)
        for one, low in zip(found[0], moved, strict=True)
    )
    return tuple(readings), zone.end()


def _local_clock(text: str, at: int) -> tuple[tuple[Quantity, ...], int] | None:
    """The time of day at a position, in minutes after midnight; ``9:30`` alone may be morning or evening.

    >>> [reading.low for reading in _clock_at("9:30 pm", 0)[0]]
    [1290.0]
    """
    if (word := _LETTERS.match(text, at)) is not None:
        low, end = word[0].lower(), word.end()
        if low not in _FIRST_WORDS:
            return None
        if low in _CLOCK_WORDS and not text[end : end + 1].isalnum():
            return (_clock(_CLOCK_WORDS[low]),), end
    told = _IN_WORDS.match(text, at)
    if told is not None and not ((told["full"] or "").isdecimal() and _PLACE.search(text, 0, at) is None):
        return _in_words(told), told.end()
    if (military := _MILITARY.match(text, at)) is not None and _is_military(text, military):
        return (_clock(60 * int(military["hour"]) % 1440 + int(military["minute"])),), military.end()
    match = _CLOCK.match(text, at)
    if match is None:
        return _scheduled(text, at)
    if match["unit"] is None and match["minute"] is None and _OPENS_PERIOD.match(text, at):
        hour = int(match["hour"])
        return tuple(_clock(60 * one) for one in (hour, (hour + 12) % 24)), match.end()
    unit = (match["unit"] or "").strip().lower().replace(".", "").replace(" ", "")
    dotted = "." in text[match.start() : match.end("minute")] if match["minute"] else False
    if match["day"] and (match["minute"] or unit) and unit not in ("am", "pm"):
        minutes = int(match["hour"]) % _NOON * 60 + int(match["minute"] or 0)
        return (
            _clock(minutes + (0 if _is_before_noon(match["day"].lower(), minutes) else 720)),
        ), match.end()
    if match["minute"] is None and unit in ("", "h"):
        return _scheduled(text, at) if not unit else None
    if dotted and unit not in ("am", "pm"):
        return _dotted(text, match)
    if unit in ("am", "pm"):
        hour = int(match["hour"]) % 12 + (12 if unit == "pm" else 0)
        return (_clock(60 * hour + int(match["minute"] or 0)),), match.end()
    if "h" in match[0].lower() and match["minute"] and unit != "h":
        return (*_readings(text, match), _length(match)), match.end()
    if match["minute"] and (hours := _HOURS_LONG.match(text, match.end())) is not None:
        return (_length(match),), hours.end()
    return _readings(text, match), match.end()


_HOURS_LONG = compiled_later(r"\s?(?:hours|hrs)\b")


def _length(match: re.Match[str]) -> Quantity:
    """``Took 1h30``, ``1:30 hours``: the time that something takes."""
    seconds = 3600.0 * int(match["hour"]) + 60.0 * int(match["minute"])
    return Quantity("time", seconds, seconds, 60.0, 60.0, "hours")


def _readings(text: str, match: re.Match[str]) -> tuple[Quantity, ...]:
    """The times that an hour without a part of the day may be."""
    hour = int(match["hour"])
    sure = match["hour"].startswith("0") or not 1 <= hour <= _NOON
    sure = sure or "h" in match[0].lower().partition(match["minute"] or "-")[0]
    sure = sure or _TO_24_HOURS.match(text, match.end()) is not None
    hours = [hour % 24] if sure else [hour % 24, (hour + 12) % 24]
    minutes = int(match["minute"] or 0)
    return tuple(_clock(60 * one + minutes, sure=not at) for at, one in enumerate(hours))


def _dotted(text: str, match: re.Match[str]) -> tuple[tuple[Quantity, ...], int] | None:
    """``From 6.30 to 21.45``, ``closes at 18.30``: a time, which may also be a decimal fraction.

    It takes the other end of a period, or a verb before it that tells of times, and nothing that it could measure.
    """
    begin, end = match.start(), match.end("minute")
    if match["minute"] is None or int(match["minute"]) % _ROUND or text[begin - 1 : begin] in ("$", "£", "€"):
        return None
    if not _in_dotted_period(text, begin) and not _is_scheduled(text, begin, end):
        return None
    figure = float(text[begin:end])
    return (*_readings(text, match), Quantity("", figure, figure, 0.01, 0.01)), end


def _in_dotted_period(text: str, at: int) -> bool:
    """Whether a period between two dotted times begins or ends at a position, and no change from one to the other."""
    for period in _DOTTED_PERIOD.finditer(text, max(0, at - _PERIOD_LENGTH), at + _PERIOD_LENGTH):
        if at in (period.start("opens"), period.start("closes")):
            lead = text[max(0, period.start() - _LOOK_BACK) : period.start()]
            return (
                _is_timed(period, lead)
                and not unit_after(text, period.end())[0]
                and CHANGE.search(lead) is None
            )
    return False


def _is_timed(period: re.Match[str], lead: str) -> bool:
    """Quarters of an hour up to the afternoon; by day words before them, other times."""
    minutes = [int(period[end][-2:]) for end in ("opens", "closes")]
    late = int(period["closes"].split(".")[0]) > _NOON
    step = _ROUND if _DAYS.search(lead) else _QUARTER if late else 0
    return step > 0 and not any(minute % step for minute in minutes)


def _is_scheduled(text: str, at: int, end: int) -> bool:
    lead = max(0, at - _LOOK_BACK)
    told = _SCHEDULED.search(text, lead, at) is not None and _PLACE.search(text, lead, at) is not None
    return told and not unit_after(text, end)[0] and text[end : end + 1] != "%"


def _clock(minutes: int, *, sure: bool = True) -> Quantity:
    return Quantity("clock", float(minutes), float(minutes), 1.0, 1.0, sure=sure)


def _in_words(match: re.Match[str]) -> tuple[Quantity, ...]:
    """A time in words; without a part of the day it may be morning or evening."""
    word = (match["hour"] or match["full"]).lower()
    hour = _HOURS.get(word) or int(word)
    minutes = next(
        (_MINUTES[match[key].lower()] for key in ("half", "quarter", "some", "less") if match[key]), 0
    )
    before = bool(match["less"]) or (match["side"] or "").lower() == "to"
    at = (hour % 12) * 60 + (-minutes if before else minutes)
    part = (match["day"] or match["part"] or match["also"] or "").lower().strip().replace(".", "")
    halves = [0 if _is_before_noon(part, at) else 720] if part else [0, 720]
    return tuple(_clock((at + half) % 1440) for half in halves)


def _is_before_noon(part: str, minutes: int) -> bool:
    """Whether a time with the part of the day behind it is one before noon."""
    return part == "am" or part.endswith("morning") or (part.endswith("night") and minutes < _NIGHT_ENDS)


_TO = compiled_later(
    r"\s?[-–—]\s?(?=\w)|\s+(?:to|through|until|till)\s+(?:the\s+(?:end|start|beginning|middle)\s+of\s+)?(?=\S)",
    re.IGNORECASE,
)
_AND = compiled_later(r"\s+and\s+(?=\S)", re.IGNORECASE)
_BEFORE_DATE = compiled_later(
    r"\b(?:(?P<below>before|prior\s+to|earlier\s+than)|(?P<above>after|later\s+than|following)"
    r"|(?P<most>until|till|up\s+to|by|no\s+later\s+than|not\s+later\s+than)"
    r"|(?P<least>since|starting|on\s+or\s+after|not\s+before|no\s+earlier\s+than)"
    r"|(?P<about>around|about|circa|ca\.|c\.))\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_DATE_FORMS = {"below": Form.BELOW, "above": Form.ABOVE, "most": Form.AT_MOST, "least": Form.AT_LEAST}
_TURNED = {Form.BELOW: Form.AT_LEAST, Form.AT_MOST: Form.AT_LEAST, Form.ABOVE: Form.AT_MOST}
"""``It did not open until 1994``, nor before."""
_UNTIL = compiled_later(r"until|till", re.IGNORECASE)
_LIFE = compiled_later(r"[A-Z][\w.’'-]*,?\s+\((?:[^()]{1,60}[;,]\s*)?\Z")
_LIFETIME = range(12, 111)
"""Years from birth to death; a shorter period in brackets is a term of office or the like."""


def moment_at(text: str, start: int) -> Value | None:
    """A date, a period between two, or a time of day."""
    clock = _clock_at(text, start)
    if clock is not None:
        return _time_of_day(text, start, *clock)
    first = calendar_at(text, start)
    if first is None:
        return None
    dates, end = first.dates, first.end
    second = _period(text, start, first)
    if second is not None:
        end = second.end
        dates = tuple(replace(one, end=two.start) for one in dates for two in second.dates)
    weak = all(day.start.day is None and day.start.month is None and day.start.year is None for day in dates)
    cue = _date_cue(text, start)
    form = Form.RANGE if any(date.end for date in dates) else cue.form
    return Value(
        cue.at, end, (start, end), "date", form, (), dates, cue.approx, weak=weak and not dates[0].start.part
    )


def _date_cue(text: str, start: int) -> NumberCue:
    low = max(0, start - 24)
    match = _BEFORE_DATE.search(text[low:start])
    if match is None:
        return NumberCue(Form.POINT, "", start)
    name, at = match.lastgroup or "", low + match.start()
    form = _DATE_FORMS.get(name, Form.POINT)
    if (name != "most" or _UNTIL.match(text, at)) and is_denied(text, at):
        form = _TURNED.get(form, form)
    return NumberCue(form, "about" if name == "about" else "", at)


def _period(text: str, start: int, first: CalendarMatch) -> CalendarMatch | None:
    """The second half of ``2021 to 2024`` or ``between May and July 2024``."""
    if any(date.end for date in first.dates):
        return None
    low = text[max(0, start - 16) : start]
    joint = _TO.match(text, first.end) or (BETWEEN.search(low) and _AND.match(text, first.end))
    if not joint:
        return None
    second = calendar_at(text, joint.end())
    if second is None or any(date.end for date in second.dates):
        return None
    if FROM.search(low) and CHANGE.search(text[max(0, start - 60) : start - len("from ")]):
        return None
    return None if _is_life(text, start, first.dates[0], second) else second


def _is_life(text: str, start: int, born: Date, second: CalendarMatch) -> bool:
    """``Ada Byron (10 December 1815 – 27 November 1852)``: two dates of a life, no period."""
    years = (born.start.year, second.dates[0].start.year)
    if years[0] is None or years[1] is None or years[1] - years[0] not in _LIFETIME:
        return False
    return text.startswith(")", second.end) and bool(_LIFE.search(text[max(0, start - 90) : start]))


def _time_of_day(text: str, start: int, readings: tuple[Quantity, ...], end: int) -> Value:
    cue = _date_cue(text, start)
    return Value(cue.at, end, (start, end), "time", cue.form, readings, (), cue.approx)
