"""Quantities: a number with its sign and unit or currency; an amount, a range or a compound (``1 hour 22 minutes``)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from verifier.core.patterns import compiled_later
from verifier_signals.values.modifiers import (
    BETWEEN,
    CHANGE,
    FROM,
    NumberCue,
    counted_back,
    cue_after,
    cue_before,
    with_age,
)
from verifier_signals.values.numerals import SCALES, Numeral, counts_after, numeral_at
from verifier_signals.values.rates import rate_of, ratio_at, with_interval
from verifier_signals.values.types import Date, Day, Form, Quantity, Value
from verifier_signals.values.units import (
    CURRENCY_CODE,
    CURRENCY_SIGN,
    MeasurementUnit,
    currency,
    in_unit,
    is_money,
    lookup,
    unit_after,
)

__all__ = [
    "in_brackets",
    "quantity_at",
    "says_negative",
]

_ONE_IS_A_PRONOUN = compiled_later(
    r"\s+(?:of|another|who|that|which|can|may|must|might|should|would|could|will|has|is|was|does|or\s+the\s+other|and|by\s+one)\b"
    r"|\s*[.,;:!?)]|\s*$",
    re.IGNORECASE,
)
_SUCH_ONE = compiled_later(r"\b(?:an?|the|this|that|each|every)\s+[a-z]+\s+\Z")
"""``An electric one``: the noun that it stands for was named before."""
_NO_ONE = compiled_later(
    r"\b(?:no|any|every|some|each|the|this|that|which|other|only|first|last|next|new|another)[\s-]+\Z",
    re.IGNORECASE,
)
_BARE_SCALE = compiled_later(r"\b(?:couple\s+of|few|several|many|some|of)\s+\Z", re.IGNORECASE)


def _says_no_number(text: str, start: int, numeral: Numeral, *, bare: bool) -> bool:
    """Whether the numeral that begins at ``start`` is a pronoun, or a scale of which it is not said how many.

    ``bare`` is whether it has no unit.
    """
    return (bare and _is_pronoun(text, start, numeral)) or _is_vague(text, start, numeral)


def _is_pronoun(text: str, start: int, numeral: Numeral) -> bool:
    """``One of them``, ``the one``: no count."""
    if text[start : numeral.end].lower() != "one":
        return False
    return bool(
        _ONE_IS_A_PRONOUN.match(text, numeral.end)
        or _NO_ONE.search(text[max(0, start - 9) : start])
        or _SUCH_ONE.search(text[max(0, start - 30) : start])
    )


def _is_vague(text: str, start: int, numeral: Numeral) -> bool:
    """``A couple of million``: how many of them is not said."""
    scale = text[start : numeral.end].lower() in SCALES
    return scale and bool(_BARE_SCALE.search(text[max(0, start - 12) : start]))


_SIGN = compiled_later(r"(?:^|[\s(|:<>=~])(?P<sign>[-−–]|(?:minus|negative|plus)\s)\Z", re.IGNORECASE)
_LONGEST = 10
"""Code points: of a sign in words, with what stands before it."""
_MONEY_BEFORE = compiled_later(rf"(?:{CURRENCY_SIGN}|{CURRENCY_CODE})[ \u00a0\u202f]?\(\Z")
_BESIDE_ZERO = compiled_later(r"\s+(?P<side>below|above)\s+(?:zero|freezing)\b", re.IGNORECASE)
_LESS = compiled_later(
    r"\b(?:loss(?:es)?|lost|los(?:es|ing)|deficits?|shortfalls?|outflows?|negative|minus|below|under|beneath|overdr\w+|deduct\w+"
    r"|depreciation|amorti[sz]ation|expenses?|costs?|charges?|write-?(?:off|down)s?|debits?|liabilit\w+|decreas\w+|declin\w+"
    r"|reduc\w+|fell|falls?|fallen|drop\w*|down)\b",
    re.IGNORECASE,
)


def _sign_start(text: str, start: int) -> int:
    """Where the sign (a minus or ``plus``) in front of the number at ``start`` begins; ``start`` where there is none.

    >>> _sign_start("at minus 18 degrees", 9), _sign_start("at 18 degrees", 3)
    (3, 3)
    """
    low = max(0, start - _LONGEST)
    sign = _SIGN.search(text[low:start])
    return low + sign.start("sign") if sign is not None else start


def in_brackets(text: str, start: int, end: int) -> bool:
    """Whether the number at ``start:end`` stands alone in brackets, as accounts write what is below zero."""
    return text[start - 1 : start] == "(" and text[end : end + 1] == ")"


def _money_before_bracket(text: str, start: int) -> int | None:
    """Where the currency begins in front of the bracket that opens before ``start`` (``€(340)``)."""
    low = max(0, start - _LONGEST)
    sign = _MONEY_BEFORE.search(text[low:start])
    return low + sign.start() if sign is not None else None


def _beside_zero(text: str, end: int) -> tuple[int, bool] | None:
    """Where ``below zero`` or ``above zero`` ends behind the number that ends at ``end``, and whether it is below.

    >>> _beside_zero("18 degrees below zero", 10)
    (21, True)
    """
    told = _BESIDE_ZERO.match(text, end)
    return (told.end(), told["side"].lower() == "below") if told is not None else None


def says_negative(text: str) -> bool:
    """Whether words say that a figure is one of less: a loss of 340 is what a table writes as ``(340)``."""
    return _LESS.search(text) is not None


_AND_A_PART = compiled_later(
    r"\s+and\s+(?=(?:an?|one|two|three|four)[\s-](?:hal(?:f|ves)|quarters?)\b(?!\s+of\b))", re.IGNORECASE
)
"""``An hour and a quarter``: the part is one of the unit before it."""
_OTHER_LIMIT = compiled_later(
    r"\s+(?:and|or|but)\s+(?:at\s+(?:most|least)|(?:no|not)\s+(?:more|less|fewer|higher|lower|longer)\s+than|up\s+to)\s+(?=\S)",
    re.IGNORECASE,
)
"""``No less than 5 and no more than 8 kg``: the unit stands only at the second limit."""
_OF_A = compiled_later(r"\s+(?:of\s+)?an?(?=\s)", re.IGNORECASE)
_TO = compiled_later(r"\s?[-–—]\s?(?=[\d$£€½¼¾])|\s+(?:to|through)\s+(?=\S)", re.IGNORECASE)
_AND = compiled_later(r"\s+and\s+(?=\S)", re.IGNORECASE)
_OR = compiled_later(r"\s+or\s+(?=\S)", re.IGNORECASE)
_TIMES_SIGN = compiled_later(r"(?:\s*[x×]\s*\d[\d.,]*\d?)+")
_LEADS_TIME = compiled_later(
    r"\b(?:within|after|for|in|least|than|over|under|nearly|almost|about|lasts?|takes?|is|half|before|until|by)\s+\Z",
    re.IGNORECASE,
)
_THEN = compiled_later(r"\s+(?:after|before|later|earlier|ago|from\s+now)\b", re.IGNORECASE)
_CURRENCY_HERE = compiled_later(rf"(?:{CURRENCY_SIGN}|{CURRENCY_CODE})[ \u00a0\u202f]?")
_SIGNS = ("-", "−")
_CENTS = 100.0
_MILLION = 1e6
_M = compiled_later(r"m\s+(?:(?P<times>times\b)|(?=[a-z]))")
_NO_NOUN = compiled_later(
    r"\s*(?:[.,;:)]|\Z)|\s+(?:per|an?|each|every|for|in|on|to|at|from)\b", re.IGNORECASE
)
_ARTICLE = compiled_later(r"(?i:an?)(?=\s)")
_JOINT = compiled_later(r"(?P<comma>,)?\s*(?:and\s+)?(?=\w)")
_APART = compiled_later(
    r"\s+(?:below|above|ahead|behind|short|away|more|less|fewer|further|beyond|before|after|later|earlier|\w+er)\b",
    re.IGNORECASE,
)
"""``6 m, 40 cm below the mark``: the second figure says how far from something else."""
_HALF_OF_A_NAME = compiled_later(
    r"half[ -](?!of|the|an?|all|as|that|this|those|these|price|fare|its|their|his|her|our|my|your|and|to"
    r"|or|in|on|is)\w",
    re.IGNORECASE,
)
"""``Half board``, ``half marathon``."""
_NAMED_YEAR = compiled_later(r"[ \u00a0](?:Year|Day|Week|Month|Quarter|Grade|Stage) \d")
"""``Five Year 7 classes``: the name of something, no length of time."""
_KNOWN = compiled_later(r"\b(?:the|these|those)\s+\Z", re.IGNORECASE)
"""``The two terminals``: how many there are is taken as known, and not asserted."""
_YEARS = range(1400, 2100)
"""Four bare digits in this range may also be a year."""


class _Amount(NamedTuple):
    """A number with its unit, before the words around it are read."""

    start: int
    end: int
    numeral: Numeral
    units: tuple[MeasurementUnit, ...]
    negative: bool = False
    money_first: bool = False
    """Whether its currency stands in front of it."""
    of_millions: bool = False
    """Whether an ``m`` behind it may be millions, too."""


def quantity_at(text: str, start: int) -> Value | None:
    """The number at a position with its unit, or the range that begins there."""
    first = _amount(text, start)
    if first is None:
        return None
    second = _range_end(text, first)
    if second is None:
        return _single(text, first)
    low = _readings(_with_shared_unit(first, second))
    high = _readings(second._replace(units=second.units or first.units))
    pairs = tuple(
        replace(one, high=two.high)
        for one in low
        for two in high
        if one.dimension == two.dimension and one.low < two.high
    )
    if not pairs:
        return _single(text, first)
    return _with_modifiers(text, first.start, second.end, pairs, Form.RANGE, "")


def _with_shared_unit(first: _Amount, second: _Amount) -> _Amount:
    """The first end of a range with the unit and scale that stand only at the second (``2 to 3 million euros``)."""
    numeral, scale = first.numeral, second.numeral.scale
    if numeral.scale == 1.0 and numeral.value < second.numeral.value / scale:
        numeral = _scaled(numeral, scale)
    return first._replace(numeral=numeral, units=first.units or second.units)


def _scaled(numeral: Numeral, scale: float) -> Numeral:
    return numeral._replace(
        value=numeral.value * scale, place=numeral.place * scale, coarse=numeral.coarse * scale
    )


def _amount(text: str, start: int) -> _Amount | None:
    """The number at a position with the currency before it or the unit behind it."""
    sign = _CURRENCY_HERE.match(text, start)
    before = currency(sign[0].rstrip(" \u00a0\u202f.")) if sign else ()
    at = sign.end() if sign and before else start
    below = at > start and text[at : at + 1] in _SIGNS
    at += below
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
    million = None if before else _M.match(text, numeral.end)
    if million is not None and million["times"]:
        numeral, units, end = _scaled(numeral, _MILLION), lookup("times"), million.end()
    if units and _NAMED_YEAR.match(text, numeral.end):
        units, end = (), numeral.end
    if units and (part := _part_after(text, end)):
        numeral, end = numeral._replace(value=numeral.value + part.value), part.end
    return _with_sign(
        text,
        _Amount(
            start, end, numeral, units, below, bool(before), million is not None and counts_after(text, end)
        ),
    )


def _with_sign(text: str, amount: _Amount) -> _Amount:
    """The amount as one below zero where a minus stands before it, ``below zero`` behind it, or brackets around it."""
    start, end = _sign_start(text, amount.start), amount.end
    if start < amount.start:
        return amount._replace(start=start, negative=not text.startswith("plus", start))
    if amount.negative or amount.numeral.kind != "cardinal":
        return amount
    if (side := _beside_zero(text, end)) is not None and _is_temperature(amount.units):
        return amount._replace(end=side[0], negative=side[1])
    if not in_brackets(text, start, end):
        return amount
    money = _money_before_bracket(text, start)
    sign = currency(text[money : start - 1]) if money is not None else ()
    units, end = (sign, end + 1) if sign else unit_after(text, end + 1)
    if not any(is_money(unit) for unit in units):
        return amount
    return amount._replace(start=start - 1 if money is None else money, end=end, units=units, negative=True)


def _is_temperature(units: tuple[MeasurementUnit, ...]) -> bool:
    return any(unit.dimension == "temperature" for unit in units)


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
    signed = joint.end() + (text[joint.end()] in "-−" and text[joint.end() + 1 : joint.end() + 2].isdecimal())
    second = _amount(text, signed)
    if second is None or second.numeral.kind not in ("cardinal", "fraction"):
        return None
    if first.units and not first.money_first and not second.units:
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
    if not amount.units and (share := ratio_at(text, amount.start, amount.end, amount.numeral)) is not None:
        return share
    if _says_no_number(text, amount.start, numeral, bare=not amount.units):
        return None
    if not amount.units and (joint := _OTHER_LIMIT.match(text, amount.end)):
        other = _amount(text, joint.end())
        amount = amount._replace(units=other.units if other else ())
    amount, total = _with_cents(text, amount) or _compound(text, amount)
    middle = cue_after(text, amount.end)
    if not amount.units and middle.at > amount.end:
        units, end = unit_after(text, middle.at)
        if units:
            quantities = _readings(amount._replace(units=units))
            value = _with_modifiers(text, amount.start, end, quantities, Form.POINT, "")
            return replace(value, form=middle.form, approx=middle.approx)
    quantities = _readings(amount)
    if total is not None:
        quantities = total
    kind = "fraction" if numeral.kind == "fraction" and not amount.units else ""
    weak = (numeral.value == 1.0 and not numeral.digits) or numeral.kind == "article"
    weak = weak or (not numeral.digits and bool(_KNOWN.search(text[max(0, amount.start - 6) : amount.start])))
    weak = weak or (kind == "fraction" and bool(_HALF_OF_A_NAME.match(text, amount.start)))
    value = _with_modifiers(text, amount.start, amount.end, quantities, Form.POINT, kind)
    return replace(value, weak=weak, dates=_as_year(text, amount))


def _as_year(text: str, amount: _Amount) -> tuple[Date, ...]:
    digits = text[amount.start : amount.end]
    bare = len(digits) == 4 and digits.isdecimal() and not amount.units
    return (Date(Day(int(digits))),) if bare and int(digits) in _YEARS else ()


_FEET = frozenset({"ft", "foot", "feet"})
_INCHES = compiled_later(r"\s?in\b(?!\s+(?:the|an?|its|his|her|their)\b)")
"""Behind feet and a figure, ``in`` are inches."""


def _with_cents(text: str, amount: _Amount) -> tuple[_Amount, tuple[Quantity, ...]] | None:
    """``2 dollars and 50 cents``, ``twelve euros and fifty``: one sum of money."""
    whole = [unit for unit in amount.units if is_money(unit) and unit.factor == 1.0]
    joint = _AND.match(text, amount.end) if whole and amount.numeral.value.is_integer() else None
    second = _amount(text, joint.end()) if joint else None
    if second is None or second.numeral.kind != "cardinal" or not 0 <= second.numeral.value < _CENTS:
        return None
    parts = {unit.dimension for unit in second.units if unit.factor == 1.0 / _CENTS}
    alone = not second.units and not amount.money_first and _NO_NOUN.match(text, second.end)
    sums = []
    for unit in whole:
        if alone or unit.dimension in parts:
            total = amount.numeral.value + second.numeral.value / _CENTS
            sums.append(Quantity(unit.dimension, total, total, 0.01, 0.01, unit.spelling, total))
    return (amount._replace(end=second.end), tuple(sums)) if sums else None


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
    figures = [(number, numeral.place, numeral.coarse), *_doubtful(amount)]
    dimension = "share" if numeral.kind == "fraction" else ""
    bare = [
        Quantity(dimension, figure, figure, place, coarse, sure=not at)
        for at, (figure, place, coarse) in enumerate(figures)
    ]
    if not amount.units:
        return tuple(bare)
    return (*_in_millions(amount), *(in_unit(one, unit) for one in bare for unit in amount.units))


def _in_millions(amount: _Amount) -> tuple[Quantity, ...]:
    """``5.1m voters`` are rather millions than metres."""
    if not amount.of_millions:
        return ()
    numeral = _scaled(amount.numeral, _MILLION)
    return (Quantity("", numeral.value, numeral.value, numeral.place, numeral.coarse),)


def _doubtful(amount: _Amount) -> list[tuple[float, float, float]]:
    """The figures that are doubtful readings, with the worth of their last digits."""
    sign = -1.0 if amount.negative else 1.0
    return [(sign * figure, place, place) for figure, place in amount.numeral.doubtful]


def _with_modifiers(
    text: str, start: int, end: int, quantities: tuple[Quantity, ...], form: Form, kind: str
) -> Value:
    """Read the comparing words and the rate around a number."""
    before, after = counted_back(text, cue_before(text, start), start, end), cue_after(text, end)
    cue = before if before.form is not Form.POINT or before.approx else after
    if form is Form.RANGE:
        cue = NumberCue(Form.RANGE, cue.approx, before.at if before.approx else start)
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
    return with_interval(text, with_age(text, value))
