"""A text in, its values out, left to right, with exact spans: numbers with units, dates, times and codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from signals.values.cues import BETWEEN, CHANGE, FROM, LABEL, Cue, cue_after, cue_before
from signals.values.dates import CALENDAR_WORD, Calendar, calendar_at, clock_at
from signals.values.numerals import Numeral, numeral_at
from signals.values.spelled import NUMBER_WORDS
from signals.values.types import Form, Quantity, Value
from signals.values.units import CURRENCY_SIGN, Unit, currency, unit_after

__all__ = ["parse"]

_TIME_WORD = "second|minute|hour|day|night|week|fortnight|month|quarter|year|annum|decade|century"
_CURRENCY_CODE = r"(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|Rs\.?)"
_CANDIDATE = re.compile(
    r"(?P<marker>^[ \t]*(?:[-*+•][ \t]+)?\(?\d{1,3}[.)](?=[ \t]))"
    r"|(?P<chain>(?<![\w.])(?:\+\d[\d ()-]{8,}\d|v?\d+(?:\.\d+){2,}[\w.-]*|\(?\d{3}\)?[ -]\d{3}-\d{4}"
    r"|\d{4,}[-/]\d{3,}[-/\d]*)(?!\w))"
    rf"|(?P<money>(?<![A-Za-z\d])(?:{CURRENCY_SIGN}|{_CURRENCY_CODE})[ \u00a0\u202f]?)(?=[\d½¼¾])"
    r"|(?P<code>\b(?!(?:mid|pre|post|sub|non|under|over|early|late|c|ca|p|pp|no|fig|to|a|an|the|of|in)-?\d)"
    r"[A-Za-z]{1,12}[-‑–]?\d[\w-]*(?:\.\d+)*)"
    r"|(?P<digit>\d+|[¼½¾⅐-⅞])"
    rf"|(?P<word>\b(?i:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))}|twice|thrice|once)\b"
    rf"|\b(?i:an?)\s(?i:hundred|thousand|million|billion|trillion|dozen|half|quarter|third|fifth|tenth|{_TIME_WORD})\b"
    rf"|{CALENDAR_WORD})",
    re.MULTILINE,
)
_DIGIT_CODE = re.compile(r"\d+(?:[A-Za-z]+\d[\w-]*|[A-Z]{1,3}(?![\w/]))")
_QUARTER = re.compile(r"[Qq][1-4]\b")
_MINUS = re.compile(r"(?:^|[\s(|:<>=~])([-−–]|minus )\Z", re.IGNORECASE)
_RATIO = re.compile(r"\s+(?:in|out\s+of|in\s+every|of\s+every)\s+(?=[\w])", re.IGNORECASE)
_COLON_RATIO = re.compile(r"(\d{1,3}):(\d{1,3})(?![\d:])")
_SCORE = re.compile(r"(\d{1,3})[-–](\d{1,3})(?![\w-]|[.,]\d|\s?%)")
_PER = re.compile(
    rf"(?:\s*/\s*|\s+(?:per|an?|each|every|in\s+any)\s+)(?P<unit>(?i:{_TIME_WORD}))\b", re.IGNORECASE
)
_OF_A = re.compile(r"\s+(?:of\s+)?an?(?=\s)", re.IGNORECASE)
_TO = re.compile(r"\s?[-–—]\s?(?=[\d$£€½¼¾])|\s+(?:to|through)\s+(?=\S)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=\S)", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+(?=\S)", re.IGNORECASE)
_TIMES_SIGN = re.compile(r"(?:\s*[x×]\s*\d[\d.,]*\d?)+")
_LEADS_TIME = re.compile(
    r"\b(?:within|after|for|in|least|than|over|under|nearly|almost|about|lasts?|takes?|is|half|before|until|by)\s+\Z",
    re.IGNORECASE,
)
_ONE_IS_A_PRONOUN = re.compile(
    r"\s+(?:of|another|who|that|which|can|may|must|might|should|would|could|will|has|is|was|does|or\s+the\s+other|and|by\s+one)\b"
    r"|\s*[.,;:!?)]|\s*$",
    re.IGNORECASE,
)
_NO_ONE = re.compile(
    r"\b(?:no|any|every|some|each|the|this|that|which|other|only|first|last|next|new|another)[\s-]+\Z",
    re.IGNORECASE,
)
_ADVERBS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_ONCE_COUNTS = re.compile(
    r"\s+(?:an?|per|every|each|only|daily|weekly|monthly|more)\b|\s*[.,;]|\s*$", re.IGNORECASE
)
_CODE_PARTS = re.compile(r"(?P<prefix>.*?[A-Za-z#.])[\s‑–-]*(?P<number>\d.*)\Z", re.DOTALL)
_CURRENCY_HERE = re.compile(rf"(?:{CURRENCY_SIGN}|{_CURRENCY_CODE})[ \u00a0\u202f]?")
_ARTICLE = re.compile(r"(?i:an?)(?=\s)")
_JOINT = re.compile(r",?\s*(?:and\s+)?(?=\w)")
_LABEL_NUMBER = re.compile(r"\d+(?:[.-]\d+)*[a-z]?(?![\w%°]|,\d)")


class _Amount(NamedTuple):
    """A number with its unit, before the words around it are read."""

    start: int
    end: int
    numeral: Numeral
    units: tuple[Unit, ...]
    negative: bool = False


@lru_cache(maxsize=2048)
def parse(text: str) -> tuple[Value, ...]:
    """The values of a text in reading order, without overlaps. Cached: signals read the same texts in turn.

    >>> text = "At least 5 kg by 3 May 2024"
    >>> [(text[value.start : value.end], value.kind) for value in parse(text)]
    [('At least 5 kg', 'unit'), ('by 3 May 2024', 'date')]
    """
    return tuple(_values(text))


def _values(text: str) -> Iterator[Value]:
    at = 0
    while (match := _CANDIDATE.search(text, at)) is not None:
        at = match.end()
        if match.lastgroup == "marker":
            continue
        found = _value_at(text, match)
        for value in found:
            yield value
            at = max(at, value.end)


def _value_at(text: str, match: re.Match[str]) -> list[Value]:
    start, group = match.start(), match.lastgroup
    if group == "chain":
        return [_code(text, start, match.end())]
    if group == "code" and not _QUARTER.match(text, start):
        return [_code(text, start, match.end())]
    if group in ("digit", "code", "word"):
        dated = _dated(text, start)
        if dated is not None:
            return [dated]
    if group == "digit" and (labelled := _labelled(text, start)) is not None:
        return [labelled]
    if group == "word" and (adverb := _adverb(text, start, match.end())) is not None:
        return [adverb]
    if group == "digit" and (special := _special(text, start)) is not None:
        return [special]
    return _quantities(text, start)


def _code(text: str, start: int, end: int) -> Value:
    parts = _CODE_PARTS.match(text[start:end])
    prefix = re.sub(r"[\s‑–-]+", "", parts["prefix"]).lower().rstrip(".") if parts else ""
    number = (parts["number"] if parts else text[start:end]).lower()
    unit = re.sub(r"[\s‑–-]+", "-", number).rstrip(".-")
    quantity = Quantity(f"code:{prefix}", 0.0, 0.0, 0.0, 0.0, unit)
    return Value(start, end, (start, end), "code", Form.POINT, (quantity,))


def _labelled(text: str, start: int) -> Value | None:
    """``version 3``, ``ISO 27001``: the label belongs to the value."""
    low = max(0, start - 24)
    label = LABEL.search(text[low:start])
    number = _LABEL_NUMBER.match(text, start) if label else None
    if label is None or number is None or unit_after(text, number.end())[0]:
        return None
    return _code(text, low + label.start("label"), number.end())


def _dated(text: str, start: int) -> Value | None:
    """A date, or a period between two, or a time of day."""
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


_BEFORE_DATE = re.compile(
    r"\b(?:(?P<below>before|prior\s+to|earlier\s+than)|(?P<above>after|later\s+than|following)"
    r"|(?P<most>until|till|up\s+to|by|no\s+later\s+than|not\s+later\s+than)"
    r"|(?P<least>since|from|starting|on\s+or\s+after|not\s+before|no\s+earlier\s+than)"
    r"|(?P<about>around|about|circa|ca\.|c\.))\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_DATE_FORMS = {"below": Form.BELOW, "above": Form.ABOVE, "most": Form.AT_MOST, "least": Form.AT_LEAST}


def _date_cue(text: str, start: int) -> Cue:
    low = max(0, start - 24)
    match = _BEFORE_DATE.search(text[low:start])
    if match is None:
        return Cue(Form.POINT, "", start)
    name = match.lastgroup or ""
    return Cue(_DATE_FORMS.get(name, Form.POINT), "about" if name == "about" else "", low + match.start())


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
    return second


def _clocked(text: str, start: int, readings: tuple[Quantity, ...], end: int) -> Value:
    cue = _date_cue(text, start)
    return Value(cue.at, end, (start, end), "time", cue.form, readings, (), cue.approx)


def _adverb(text: str, start: int, end: int) -> Value | None:
    """``twice a day`` counts times."""
    count = _ADVERBS.get(text[start:end].lower())
    if count is None or (count == 1.0 and not _ONCE_COUNTS.match(text, end)):
        return None
    per = _PER.match(text, end)
    quantity = Quantity("times", count, count, 1.0, 1.0, "times")
    return Value(
        start,
        end,
        (start, end),
        "number",
        Form.POINT,
        (quantity,),
        per=per["unit"].lower() if per else "",
        weak=count == 1.0,
    )


def _special(text: str, start: int) -> Value | None:
    """Ratios, scores and tokens such as ``3D`` that only look like quantities."""
    score = _SCORE.match(text, start)
    if score is not None and int(score[1]) > int(score[2]) and not unit_after(text, score.end())[0]:
        quantity = Quantity("code:score", 0.0, 0.0, 0.0, 0.0, f"{score[1]}-{score[2]}")
        return Value(start, score.end(), score.span(), "code", Form.POINT, (quantity,))
    ratio = _COLON_RATIO.match(text, start)
    if ratio is not None and int(ratio[2]):
        value = int(ratio[1]) / int(ratio[2])
        return Value(
            start,
            ratio.end(),
            ratio.span(),
            "number",
            Form.POINT,
            (Quantity("ratio", value, value, 0.01, 0.01),),
        )
    code = _DIGIT_CODE.match(text, start)
    if code is not None:
        numeral = numeral_at(text, start)
        if numeral is None or (numeral.end < code.end() and unit_after(text, numeral.end)[1] < code.end()):
            return _code(text, start, code.end())
    return None


def _quantities(text: str, start: int) -> list[Value]:
    first = _amount(text, start)
    if first is None:
        return []
    second = _range_end(text, first)
    if second is None:
        single = _single(text, first)
        return [single] if single else []
    low = _readings(_sharing(first, second))
    high = _readings(second._replace(units=second.units or first.units))
    pairs = tuple(
        replace(one, high=two.high)
        for one in low
        for two in high
        if one.dimension == two.dimension and one.low < two.high
    )
    if not pairs:
        single = _single(text, first)
        return [single] if single else []
    return [_finished(text, first.start, second.end, pairs, Form.RANGE, "")]


def _sharing(first: _Amount, second: _Amount) -> _Amount:
    """The first end of a range with the unit and scale that stand only at the second (``2 to 3 million euros``)."""
    numeral, scale = first.numeral, second.numeral.scale
    if numeral.scale == 1.0 and numeral.value < second.numeral.value / scale:
        numeral = numeral._replace(
            value=numeral.value * scale, place=numeral.place * scale, coarse=numeral.coarse * scale
        )
    return first._replace(numeral=numeral, units=first.units or second.units)


def _amount(text: str, start: int) -> _Amount | None:
    """The number at a position with the currency before it or the unit behind it."""
    sign = _CURRENCY_HERE.match(text, start)
    before = currency(sign[0].rstrip(" \u00a0\u202f.")) if sign else ()
    at = sign.end() if sign and before else start
    if at >= len(text):
        return None
    numeral = numeral_at(text, at, money=bool(before))
    if numeral is None:
        return _article(text, start)
    units, end = ((), numeral.end) if numeral.kind == "ordinal" else unit_after(text, numeral.end)
    if before:
        units, end = before, numeral.end
    elif not units and numeral.kind == "fraction" and (article := _OF_A.match(text, numeral.end)):
        units, end = unit_after(text, article.end())
        units, end = (units, end) if units else ((), numeral.end)
    elif not units and (product := _TIMES_SIGN.match(text, numeral.end)):
        units = unit_after(text, product.end())[0]
        end = numeral.end
    negative = bool(_MINUS.search(text[max(0, start - 7) : start]))
    return _Amount(start, end, numeral, units, negative)


def _article(text: str, start: int) -> _Amount | None:
    """``within an hour``: the article counts where a preposition of time leads to it."""
    article = _ARTICLE.match(text, start)
    if article is None or not _LEADS_TIME.search(text[max(0, start - 10) : start]):
        return None
    units, end = unit_after(text, article.end())
    return (
        _Amount(start, end, Numeral(1.0, 1.0, 1.0, article.end(), "article", False), units) if units else None
    )


def _range_end(text: str, first: _Amount) -> _Amount | None:
    if first.numeral.kind == "ordinal":
        return None
    low = text[max(0, first.start - 16) : first.start]
    joint = _TO.match(text, first.end)
    if joint is None and BETWEEN.search(low):
        joint = _AND.match(text, first.end)
    if joint is None and not first.units and first.numeral.value < 100 and first.numeral.kind == "cardinal":
        joint = _OR.match(text, first.end)
    if joint is None:
        return None
    second = _amount(text, joint.end())
    if second is None or second.numeral.kind not in ("cardinal", "fraction"):
        return None
    if FROM.search(low) and CHANGE.search(text[max(0, first.start - 60) : first.start - len("from ")]):
        return None
    if (
        first.units
        and second.units
        and not {u.dimension for u in first.units} & {u.dimension for u in second.units}
    ):
        return None
    return second


def _single(text: str, amount: _Amount) -> Value | None:
    numeral = amount.numeral
    if numeral.kind == "ordinal":
        quantity = Quantity("ordinal", numeral.value, numeral.value, 1.0, 1.0)
        return Value(
            amount.start,
            amount.end,
            (amount.start, amount.end),
            "ordinal",
            Form.POINT,
            (quantity,),
            weak=True,
        )
    if not amount.units and (share := _ratio(text, amount)) is not None:
        return share
    if _is_pronoun(text, amount):
        return None
    amount, total = _compound(text, amount)
    middle = cue_after(text, amount.end)
    if not amount.units and middle.at > amount.end:
        units, end = unit_after(text, middle.at)
        if units:
            quantities = _readings(amount._replace(units=units))
            value = _finished(text, amount.start, end, quantities, Form.POINT, "")
            return replace(value, form=middle.form, approx=middle.approx)
    quantities = _readings(amount)
    if total is not None:
        quantities = total
    kind = "fraction" if numeral.kind == "fraction" and not amount.units else ""
    weak = (numeral.value == 1.0 and not numeral.digits) or numeral.kind == "article"
    value = _finished(text, amount.start, amount.end, quantities, Form.POINT, kind)
    return replace(value, weak=weak)


def _is_pronoun(text: str, amount: _Amount) -> bool:
    """``one of them``, ``the one``: no count."""
    if (
        amount.numeral.digits
        or amount.numeral.value != 1.0
        or amount.units
        or amount.numeral.kind != "cardinal"
    ):
        return False
    word = text[amount.start : amount.end].lower()
    return word == "one" and bool(
        _ONE_IS_A_PRONOUN.match(text, amount.end)
        or _NO_ONE.search(text[max(0, amount.start - 9) : amount.start])
    )


def _ratio(text: str, amount: _Amount) -> Value | None:
    """``one in five``, ``9 out of 10``."""
    joint = _RATIO.match(text, amount.end)
    numeral = amount.numeral
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
    bare_in = joint[0].split() == ["in"]
    if bare_in and (1400 <= second.value <= 2100 or numeral.value > 10 or unit_after(text, second.end)[0]):
        return None
    share = numeral.value / second.value
    quantity = Quantity(
        "share", share, share, numeral.place / second.value, numeral.place / second.value, "ratio"
    )
    cue = cue_before(text, amount.start)
    return Value(
        cue.at, second.end, (amount.start, second.end), "number", cue.form, (quantity,), (), cue.approx
    )


def _compound(text: str, amount: _Amount) -> tuple[_Amount, tuple[Quantity, ...] | None]:
    """``1 hour 22 minutes``, ``2 years and 3 months``, ``5 ft 10 inches``: one value."""
    unit = amount.units[0] if amount.units else None
    if unit is None or unit.dimension not in ("time", "length", "mass") or amount.numeral.kind == "article":
        return amount, None
    joint = _JOINT.match(text, amount.end)
    second = (
        _amount(text, joint.end())
        if joint and joint.end() < len(text) and text[joint.end()].isalnum()
        else None
    )
    if second is None or not second.units or second.numeral.kind != "cardinal":
        return amount, None
    small = second.units[0]
    if (
        small.dimension != unit.dimension
        or small.factor >= unit.factor
        or second.numeral.value * small.factor >= unit.factor
    ):
        return amount, None
    total = amount.numeral.value * unit.factor + second.numeral.value * small.factor
    quantity = Quantity(unit.dimension, total, total, small.factor, small.factor, unit.spelling)
    return amount._replace(end=second.end), (quantity,)


def _readings(amount: _Amount) -> tuple[Quantity, ...]:
    numeral = amount.numeral
    number = -numeral.value if amount.negative else numeral.value
    if not amount.units:
        dimension = "share" if numeral.kind == "fraction" else ""
        return (Quantity(dimension, number, number, numeral.place, numeral.coarse),)
    found = []
    for unit in amount.units:
        value = (number + unit.offset) * unit.factor
        place, coarse = numeral.place * unit.factor, numeral.coarse * unit.factor
        found.append(Quantity(unit.dimension, value, value, place, coarse, unit.spelling))
    return tuple(found)


def _finished(
    text: str, start: int, end: int, quantities: tuple[Quantity, ...], form: Form, kind: str
) -> Value:
    """Read the comparing words and the rate around a number."""
    if (
        start
        and text[start - 1] in "-−–"
        and any(quantity.low < 0 or quantity.dimension == "temperature" for quantity in quantities)
    ):
        start -= 1 if _MINUS.search(text[max(0, start - 7) : start]) else 0
    before, after = cue_before(text, start), cue_after(text, end)
    cue = before if before.at < start else after
    if form is Form.RANGE:
        cue = Cue(Form.RANGE, cue.approx, before.at if before.approx else start)
    per = _PER.match(text, end)
    outer = after.at if cue is after else end
    kind = kind or ("unit" if quantities[0].dimension else "number")
    return Value(
        min(cue.at, start) if cue is not after else start,
        outer,
        (start, end),
        kind,
        cue.form,
        quantities,
        (),
        cue.approx,
        per["unit"].lower() if per else "",
    )
