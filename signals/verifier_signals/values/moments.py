"""A position in a text in, the moment or period that stands there out, with the words that limit it."""

from __future__ import annotations

import re
from dataclasses import replace

from verifier_signals.values.clock import clock_at
from verifier_signals.values.cues import BETWEEN, CHANGE, FROM, Cue, is_denied
from verifier_signals.values.dates import Calendar, calendar_at
from verifier_signals.values.types import Date, Form, Quantity, Value

__all__ = ["moment_at"]

_TO = re.compile(
    r"\s?[-–—]\s?(?=\w)|\s+(?:to|through|until|till)\s+(?:the\s+(?:end|start|beginning|middle)\s+of\s+)?(?=\S)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+and\s+(?=\S)", re.IGNORECASE)
_BEFORE_DATE = re.compile(
    r"\b(?:(?P<below>before|prior\s+to|earlier\s+than)|(?P<above>after|later\s+than|following)"
    r"|(?P<most>until|till|up\s+to|by|no\s+later\s+than|not\s+later\s+than)"
    r"|(?P<least>since|starting|on\s+or\s+after|not\s+before|no\s+earlier\s+than)"
    r"|(?P<about>around|about|circa|ca\.|c\.))\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_DATE_FORMS = {"below": Form.BELOW, "above": Form.ABOVE, "most": Form.AT_MOST, "least": Form.AT_LEAST}
_TURNED = {Form.BELOW: Form.AT_LEAST, Form.AT_MOST: Form.AT_LEAST, Form.ABOVE: Form.AT_MOST}
"""``It did not open until 1994``, nor before."""
_UNTIL = re.compile(r"until|till", re.IGNORECASE)
_LIFE = re.compile(r"[A-Z][\w.’'-]*,?\s+\((?:[^()]{1,60}[;,]\s*)?\Z")
_LIFETIME = range(12, 111)
"""Years from birth to death; a shorter period in brackets is a term of office or the like."""


def moment_at(text: str, start: int) -> Value | None:
    """A date, a period between two, or a time of day."""
    clock = clock_at(text, start)
    if clock is not None:
        return _clocked(text, start, *clock)
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


def _date_cue(text: str, start: int) -> Cue:
    low = max(0, start - 24)
    match = _BEFORE_DATE.search(text[low:start])
    if match is None:
        return Cue(Form.POINT, "", start)
    name, at = match.lastgroup or "", low + match.start()
    form = _DATE_FORMS.get(name, Form.POINT)
    if (name != "most" or _UNTIL.match(text, at)) and is_denied(text, at):
        form = _TURNED.get(form, form)
    return Cue(form, "about" if name == "about" else "", at)


def _period(text: str, start: int, first: Calendar) -> Calendar | None:
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


def _is_life(text: str, start: int, born: Date, second: Calendar) -> bool:
    """``Ada Byron (10 December 1815 – 27 November 1852)``: two dates of a life, no period."""
    years = (born.start.year, second.dates[0].start.year)
    if years[0] is None or years[1] is None or years[1] - years[0] not in _LIFETIME:
        return False
    return text.startswith(")", second.end) and bool(_LIFE.search(text[max(0, start - 90) : start]))


def _clocked(text: str, start: int, readings: tuple[Quantity, ...], end: int) -> Value:
    cue = _date_cue(text, start)
    return Value(cue.at, end, (start, end), "time", cue.form, readings, (), cue.approx)
