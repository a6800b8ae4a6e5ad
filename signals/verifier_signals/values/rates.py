"""Numbers that relate to another: shares (``one in five``), multiples (``doubled``), rates (``twice a day``)."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from verifier.core.patterns import compiled_later
from verifier_signals.values.modifiers import cue_before
from verifier_signals.values.numerals import Numeral, numeral_at
from verifier_signals.values.types import Form, Quantity, Value
from verifier_signals.values.units import lookup, unit_after

__all__ = [
    "FREQUENCY_WORDS",
    "MULTIPLE_WORD",
    "TIME_WORD",
    "frequency_at",
    "rate_of",
    "ratio_at",
    "with_interval",
]

_RATIO = compiled_later(r"\s+(?:in|out\s+of|in\s+every|of\s+every)\s+(?=[\w])", re.IGNORECASE)
_LARGEST_BASE = 20
"""The largest number of which so many are a share, besides powers of ten: out of more, they were counted."""


def ratio_at(text: str, start: int, end: int, numeral: Numeral) -> Value | None:
    """The share that the number at ``start:end`` begins; in ``87 out of 96 pupils`` both are counts."""
    joint = _RATIO.match(text, end)
    if joint is None or numeral.kind != "cardinal":
        return None
    second = numeral_at(text, joint.end())
    if (
        second is None
        or second.kind != "cardinal"
        or second.value <= numeral.value
        or second.value != int(second.value)
    ):
        return None
    if (
        "of" in joint[0].split()
        and second.value > _LARGEST_BASE
        and not math.log10(second.value).is_integer()
    ):
        return None
    bare_in = joint[0].split() == ["in"]
    if bare_in and (1400 <= second.value <= 2100 or numeral.value > 10 or unit_after(text, second.end)[0]):
        return None
    share = numeral.value / second.value
    quantity = Quantity(
        "share", share, share, numeral.place / second.value, numeral.place / second.value, "ratio"
    )
    cue = cue_before(text, start)
    return Value(cue.at, second.end, (start, second.end), "number", cue.form, (quantity,), (), cue.approx)


TIME_WORD = "second|minute|hour|day|night|week|fortnight|month|quarter|year|annum|decade|century"
_PER = compiled_later(
    rf"(?:\s*/\s*|\s+(?:per|an?|each|every|in\s+any)\s+)(?P<unit>(?i:{TIME_WORD}))\b", re.IGNORECASE
)
_PER_MASS = compiled_later(
    r"(?:\s*/\s*|\s+(?:per|an?|each|every)\s+)(?:(?P<tonne>tonne)|(?P<kg>kg|kilo(?:gram(?:me)?)?)|(?P<gram>gram(?:me)?))\b",
    re.IGNORECASE,
)
"""``240 euros per tonne``; a ton is not everywhere the same."""
_PER_COUNTED = compiled_later(
    rf"\s+(?:[a-z-]+\s+){{1,2}}?(?:per|each|every|an?)\s+(?P<unit>(?i:{TIME_WORD}))\b"
    r"(?!\s+(?:ago|later|earlier|before|after|old|long|and\s+a\s+half)\b)"
)
"""``95,000 passengers a day``."""
_RATED = compiled_later(
    r"\b(?P<rate>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual)\s+(?:\w+\s+){1,2}(?:of|is|was|are|were)\s+\Z",
    re.IGNORECASE,
)
"""``An annual fee of 60 euros``."""
_REGULAR = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "night",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
_FACTORS = {"doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0}
_FOLD = {
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "ten": 10.0,
}
_COUNTS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_ONCE_COUNTS = compiled_later(
    r"\s+(?:an?|per|every|each|only|daily|weekly|monthly|more)\b|\s*[.,;]|\s*$", re.IGNORECASE
)
_AS_ADVERB = compiled_later(
    r"\s*(?:[.,;:)]|$)|\s+(?:on|in|at|from|by|to|and|or|until|during|for|since|between|with|when|if|but|except)\b"
)
"""``Paid monthly on the first``; not ``the monthly bill``."""
_EVERY = compiled_later(r"\bevery\s+\Z", re.IGNORECASE)
MULTIPLE_WORD = (
    rf"(?:doubl|tripl|trebl|quadrupl|halv)(?:ed|es|ing)|(?:{'|'.join(_FOLD)})-?fold|{'|'.join(_REGULAR)}"
    rf"|every\s(?:other\s)?(?:{TIME_WORD})"
)
"""Words at which such a value may begin, besides ``once``, ``twice`` and ``thrice``."""
FREQUENCY_WORDS = frozenset({*_COUNTS, *_REGULAR, "every", *(f"{number}fold" for number in _FOLD)}) | {
    stem + ending for stem in (*_FACTORS, "halv") for ending in ("ed", "es", "ing")
}
"""The first words, in lower case, of all of these."""


def frequency_at(text: str, start: int, end: int) -> Value | None:
    """The multiple or the interval that the words at ``start:end`` state. Weak, but for counts from two on.

    >>> frequency_at("Profits halved.", 8, 14).quantities[0].low
    0.5
    """
    word = text[start:end].lower()
    if word in _COUNTS:
        found = _counted(text, start, end, _COUNTS[word])
        return found and _with_cue(text, found)
    if word.startswith("every"):
        unit = word.split()[-1]
        return _weak_number(start, end, (_interval(unit, 0.5 if "other" in word else 1.0),))
    if word in _REGULAR:
        return (
            _weak_number(start, end, (_interval(_REGULAR[word], 1.0),))
            if _AS_ADVERB.match(text, end)
            else None
        )
    if word.startswith("halv"):
        return _weak_number(start, end, (_times(0.5), Quantity("share", 0.5, 0.5, 0.01, 0.01)))
    factors = _FOLD if word.endswith("fold") else _FACTORS
    return next(
        (
            _with_cue(text, _weak_number(start, end, (_times(factors[stem]),)))
            for stem in factors
            if word.startswith(stem)
        ),
        None,
    )


def rate_of(text: str, start: int, end: int) -> str:
    """The unit of time or mass that the quantity at ``start:end`` is stated for, ``""`` for none.

    >>> rate_of("an annual fee of 60 euros", 17, 25)
    'year'
    """
    per = _PER.match(text, end) or _PER_COUNTED.match(text, end)
    if per is not None:
        return per["unit"].lower()
    if (mass := _PER_MASS.match(text, end)) is not None:
        return mass.lastgroup or ""
    rated = _RATED.search(text, max(0, start - 40), start)
    return _REGULAR[rated["rate"].lower()] if rated else ""


def with_interval(text: str, value: Value) -> Value:
    """A duration behind ``every`` is also the interval of what happens so often."""
    first = value.quantities[0]
    if (
        first.dimension != "time"
        or value.form is not Form.POINT
        or not _EVERY.search(text[: value.start][-8:])
    ):
        return value
    return replace(
        value, quantities=(*value.quantities, Quantity("interval", first.low, first.high, 1.0, 1.0))
    )


def _with_cue(text: str, value: Value) -> Value:
    """With the comparing words in front: ``more than twice``, ``almost tripled``."""
    cue = cue_before(text, value.start)
    return replace(value, start=cue.at, form=cue.form, approx=cue.approx)


def _counted(text: str, start: int, end: int, count: float) -> Value | None:
    """``Twice a day`` counts times, and twelve hours lie between them."""
    if count == 1.0 and not _ONCE_COUNTS.match(text, end):
        return None
    per = _PER.match(text, end)
    unit = per["unit"].lower() if per else ""
    readings = (_times(count), *((_interval(unit, count),) if per else ()))
    return Value(start, end, (start, end), "number", Form.POINT, readings, per=unit, weak=count == 1.0)


def _times(count: float) -> Quantity:
    return Quantity("times", count, count, 1.0, 1.0, "times")


def _interval(unit: str, count: float) -> Quantity:
    """The time from one to the next of ``count`` in each ``unit``."""
    name = {"night": "day", "annum": "year", "quarter": "month"}.get(unit, unit)
    seconds = (3.0 if unit == "quarter" else 1.0) * lookup(name)[0].factor / count
    return Quantity("interval", seconds, seconds, 1.0, 1.0)


def _weak_number(start: int, end: int, readings: tuple[Quantity, ...]) -> Value:
    return Value(start, end, (start, end), "number", Form.POINT, readings, weak=True)
