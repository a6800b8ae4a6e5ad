"""A position in a text in, the quantity that stands there out: amounts, ranges, ratios, compound units."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import NamedTuple

from signals.values.ages import aged
from signals.values.cues import BETWEEN, CHANGE, FROM, Cue, counted_back, cue_after, cue_before
from signals.values.intervals import rate_of, repeated
from signals.values.numerals import Numeral, numeral_at
from signals.values.spelled import SCALES
from signals.values.types import Date, Day, Form, Quantity, Value
from signals.values.units import CURRENCY_CODE, CURRENCY_SIGN, Unit, currency, lookup, unit_after

__all__ = ["quantity_at"]

_MINUS = re.compile(r"(?:^|[\s(|:<>=~])([-−–]|minus )\Z", re.IGNORECASE)
_RATIO = re.compile(r"\s+(?:in|out\s+of|in\s+every|of\s+every)\s+(?=[\w])", re.IGNORECASE)
_AND_A_PART = re.compile(
    r"\s+and\s+(?=(?:an?|one|two|three|four)[\s-](?:hal(?:f|ves)|quarters?)\b(?!\s+of\b))", re.IGNORECASE
)
"""``An hour and a quarter``: the part is one of the unit before it."""
_OTHER_LIMIT = re.compile(
    r"\s+(?:and|or|but)\s+(?:at\s+(?:most|least)|(?:no|not)\s+(?:more|less|fewer|higher|lower|longer)\s+than|up\s+to)\s+(?=\S)",
    re.IGNORECASE,
)
"""``No less than 5 and no more than 8 kg``: the unit stands only at the second limit."""
_BARE_SCALE = re.compile(r"\b(?:couple\s+of|few|several|many|some|of)\s+\Z", re.IGNORECASE)
_OF_A = re.compile(r"\s+(?:of\s+)?an?(?=\s)", re.IGNORECASE)
_TO = re.compile(r"\s?[-–—]\s?(?=[\d$£€½¼¾])|\s+(?:to|through)\s+(?=\S)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=\S)", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+(?=\S)", re.IGNORECASE)
_TIMES_SIGN = re.compile(r"(?:\s*[x×]\s*\d[\d.,]*\d?)+")
_LEADS_TIME = re.compile(
    r"\b(?:within|after|for|in|least|than|over|under|nearly|almost|about|lasts?|takes?|is|half|before|until|by)\s+\Z",
    re.IGNORECASE,
)
_THEN = re.compile(r"\s+(?:after|before|later|earlier|ago|from\s+now)\b", re.IGNORECASE)
_ONE_IS_A_PRONOUN = re.compile(
    r"\s+(?:of|another|who|that|which|can|may|must|might|should|would|could|will|has|is|was|does|or\s+the\s+other|and|by\s+one)\b"
    r"|\s*[.,;:!?)]|\s*$",
    re.IGNORECASE,
)
_SUCH_ONE = re.compile(r"\b(?:an?|the|this|that|each|every)\s+[a-z]+\s+\Z")
"""``An electric one``: the noun that it stands for was named before."""
_NO_ONE = re.compile(
    r"\b(?:no|any|every|some|each|the|this|that|which|other|only|first|last|next|new|another)[\s-]+\Z",
    re.IGNORECASE,
)
_CURRENCY_HERE = re.compile(rf"(?:{CURRENCY_SIGN}|{CURRENCY_CODE})[ \u00a0\u202f]?")
_ARTICLE = re.compile(r"(?i:an?)(?=\s)")
_JOINT = re.compile(r"(?P<comma>,)?\s*(?:and\s+)?(?=\w)")
_APART = re.compile(
    r"\s+(?:below|above|ahead|behind|short|away|more|less|fewer|further|beyond|before|after|later|earlier|\w+er)\b",
    re.IGNORECASE,
)
"""``6 m, 40 cm below the mark``: the second figure says how far from something else."""
_HALF_OF_A_NAME = re.compile(
    r"half[ -](?!of|the|an?|all|as|that|this|those|these|price|fare|its|their|his|her|our|my|your|and|to"
    r"|or|in|on|is)\w",
    re.IGNORECASE,
)
"""``Half board``, ``half marathon``."""
_NAMED_YEAR = re.compile(r"[ \u00a0](?:Year|Day|Week|Month|Quarter|Grade|Stage) \d")
"""``Five Year 7 classes``: the name of something, no length of time."""
_KNOWN = re.compile(r"\b(?:the|these|those)\s+\Z", re.IGNORECASE)
"""``The two terminals``: how many there are is taken as known, and not asserted."""
_YEARS = range(1400, 2100)
"""Four bare digits in this range may also be a year."""


_LARGEST_BASE = 20
"""The largest number of which so many are a share, besides powers of ten: out of more, they were counted."""


class _Amount(NamedTuple):
    """A number with its unit, before the words around it are read."""

    start: int
    end: int
    numeral: Numeral
    units: tuple[Unit, ...]
    negative: bool = False


def quantity_at(text: str, start: int) -> Value | None:
    """The number at a position with its unit, or the range that begins there."""
    first = _amount(text, start)
    if first is None:
        return None
    second = _range_end(text, first)
    if second is None:
        return _single(text, first)
    low = _readings(_sharing(first, second))
    high = _readings(second._replace(units=second.units or first.units))
    pairs = tuple(
        replace(one, high=two.high)
        for one in low
        for two in high
        if one.dimension == two.dimension and one.low < two.high
    )
    if not pairs:
        return _single(text, first)
    return _finished(text, first.start, second.end, pairs, Form.RANGE, "")


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
    if units and _NAMED_YEAR.match(text, numeral.end):
        units, end = (), numeral.end
    if units and (part := _part_after(text, end)):
        numeral, end = numeral._replace(value=numeral.value + part.value), part.end
    negative = bool(_MINUS.search(text[max(0, start - 7) : start]))
    return _Amount(start, end, numeral, units, negative)


def _article(text: str, start: int) -> _Amount | None:
    """``within an hour``, ``a month after``: the article counts where a word of time stands beside it."""
    article = _ARTICLE.match(text, start)
    if article is None:
        return None
    units, end = unit_after(text, article.end())
    part = _part_after(text, end)
    told = part or _LEADS_TIME.search(text[max(0, start - 10) : start]) or _THEN.match(text, end)
    if not units or not told:
        return None
    number, kind = (1.0 + part.value, "cardinal") if part else (1.0, "article")
    one = Numeral(number, 1.0, 1.0, article.end(), kind, False)
    return _Amount(start, part.end if part else end, one, units)


def _part_after(text: str, end: int) -> Numeral | None:
    """The part of the unit that ends at ``end`` which is added to it: ``and three quarters``."""
    joint = _AND_A_PART.match(text, end)
    part = numeral_at(text, joint.end()) if joint else None
    return part if part is not None and part.kind == "fraction" else None


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
    if _is_pronoun(text, amount) or _is_vague(text, amount):
        return None
    if not amount.units and (joint := _OTHER_LIMIT.match(text, amount.end)):
        other = _amount(text, joint.end())
        amount = amount._replace(units=other.units if other else ())
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
    weak = weak or (not numeral.digits and bool(_KNOWN.search(text[max(0, amount.start - 6) : amount.start])))
    weak = weak or (kind == "fraction" and bool(_HALF_OF_A_NAME.match(text, amount.start)))
    value = _finished(text, amount.start, amount.end, quantities, Form.POINT, kind)
    return replace(value, weak=weak, dates=_as_year(text, amount))


def _as_year(text: str, amount: _Amount) -> tuple[Date, ...]:
    digits = text[amount.start : amount.end]
    bare = len(digits) == 4 and digits.isdecimal() and not amount.units
    return (Date(Day(int(digits))),) if bare and int(digits) in _YEARS else ()


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
        or _SUCH_ONE.search(text[max(0, amount.start - 30) : amount.start])
    )


def _is_vague(text: str, amount: _Amount) -> bool:
    """``A couple of million``: how many of them is not said."""
    scale = text[amount.start : amount.numeral.end].lower() in SCALES
    return scale and bool(_BARE_SCALE.search(text[max(0, amount.start - 12) : amount.start]))


def _ratio(text: str, amount: _Amount) -> Value | None:
    """``one in five``, ``9 out of 10``; in ``87 out of 96 pupils`` both are counts."""
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
    cue = cue_before(text, amount.start)
    return Value(
        cue.at, second.end, (amount.start, second.end), "number", cue.form, (quantity,), (), cue.approx
    )


_FEET = frozenset({"ft", "foot", "feet"})
_INCHES = re.compile(r"\s?in\b(?!\s+(?:the|an?|its|his|her|their)\b)")
"""Behind feet and a figure, ``in`` are inches."""


def _compound(text: str, amount: _Amount) -> tuple[_Amount, tuple[Quantity, ...] | None]:
    """``1 hour 22 minutes``, ``2 years and 3 months``, ``5 ft 10 inches``: one value."""
    unit = amount.units[0] if amount.units else None
    if unit is None or unit.dimension not in ("time", "length", "mass") or amount.numeral.kind == "article":
        return amount, None
    joint = None if amount.numeral.value % 1 else _JOINT.match(text, amount.end)
    second = (
        _amount(text, joint.end())
        if joint and joint.end() < len(text) and text[joint.end()].isalnum()
        else None
    )
    if second is not None and unit.spelling in _FEET and (inches := _INCHES.match(text, second.end)):
        second = second._replace(units=lookup("inches"), end=inches.end())
    if second is None or not second.units or second.numeral.kind != "cardinal":
        return amount, None
    small = second.units[0]
    if (
        small.dimension != unit.dimension
        or small.factor >= unit.factor
        or second.numeral.value * small.factor >= unit.factor
        or (joint is not None and joint["comma"] and _APART.match(text, second.end))
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
        found.append(Quantity(unit.dimension, value, value, place, coarse, unit.spelling, number))
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
    before, after = counted_back(text, cue_before(text, start), start, end), cue_after(text, end)
    cue = before if before.form is not Form.POINT or before.approx else after
    if form is Form.RANGE:
        cue = Cue(Form.RANGE, cue.approx, before.at if before.approx else start)
    outer = after.at if cue is after else end
    kind = kind or ("unit" if quantities[0].dimension else "number")
    value = Value(
        min(cue.at, start) if cue is not after else start,
        outer,
        (start, end),
        kind,
        cue.form,
        quantities,
        (),
        cue.approx,
        rate_of(text, min(start, before.at), end),
        named=cue.named and form is not Form.RANGE,
    )
    return repeated(text, aged(text, value))
