"""The forms in which English documents write values: dates, times, numbers, money, units, bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["FORMS", "Form", "Forms", "spelled"]

Form = Callable[[Any], str | None]
"""A value in, its words out; ``None`` where the form cannot say that value."""

Forms = Mapping[str, Form]


def _listed(words: str) -> list[str]:
    return words.split()


_SMALL: Final = _listed("""zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen""")
_TENS: Final = _listed("zero ten twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS: Final = _listed("""zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""")
_MONTHS: Final = _listed("""January February March April May June July August September October November
    December""")
_ROMAN: Final = _listed("0 I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX")
_SHARES: Final = {
    20: "a fifth",
    25: "a quarter",
    40: "two fifths",
    50: "half",
    60: "three fifths",
    75: "three quarters",
    80: "four fifths",
}
_SIGNS: Final = {"EUR": "€", "USD": "$", "GBP": "£"}
_NAMES: Final = {"EUR": "euros", "USD": "dollars", "GBP": "pounds"}
_SUPERSCRIPTS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def spelled(n: int) -> str:
    """A whole number below ten million in words.

    >>> spelled(32), spelled(1204), spelled(3_400_000)
    ('thirty-two', 'one thousand two hundred and four', 'three million four hundred thousand')
    """
    for size, name in ((1_000_000, "million"), (1000, "thousand")):
        if n >= size:
            rest = n % size
            joint = " and " if 0 < rest < 100 else " " if rest else ""
            return f"{spelled(n // size)} {name}{joint}{spelled(rest) if rest else ''}"
    if n >= 100:
        return f"{_SMALL[n // 100]} hundred" + (f" and {spelled(n % 100)}" if n % 100 else "")
    if n >= 20:
        return _TENS[n // 10] + (f"-{_SMALL[n % 10]}" if n % 10 else "")
    return _SMALL[n]


def _nth(n: int) -> str:
    last = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{last}"


def _nth_spelled(n: int) -> str:
    if n <= 20:
        return _ORDINALS[n]
    return f"{_TENS[n // 10]}-{_ORDINALS[n % 10]}" if n % 10 else f"{_TENS[n // 10][:-1]}ieth"


def _short(month: int) -> str:
    return "Sept" if month == 9 else _MONTHS[month - 1][:3]


_DATES: Forms = {
    "24 July 2019": lambda d: f"{d.day} {_MONTHS[d.month - 1]} {d.year}",
    "24th July 2019": lambda d: f"{_nth(d.day)} {_MONTHS[d.month - 1]} {d.year}",
    "the 24th of July 2019": lambda d: f"the {_nth(d.day)} of {_MONTHS[d.month - 1]} {d.year}",
    "July 24, 2019": lambda d: f"{_MONTHS[d.month - 1]} {d.day}, {d.year}",
    "July 24th, 2019": lambda d: f"{_MONTHS[d.month - 1]} {_nth(d.day)}, {d.year}",
    "24 Jul 2019": lambda d: f"{d.day} {_short(d.month)} {d.year}",
    "24 Jul. 2019": lambda d: None if d.month == 5 else f"{d.day} {_short(d.month)}. {d.year}",
    "Jul 24, 2019": lambda d: f"{_short(d.month)} {d.day}, {d.year}",
    "24.07.2019": lambda d: f"{d.day:02}.{d.month:02}.{d.year}",
    "24.7.2019": lambda d: f"{d.day}.{d.month}.{d.year}",
    "24/07/2019": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "07/24/2019": lambda d: f"{d.month:02}/{d.day:02}/{d.year}",
    "2019-07-24": lambda d: f"{d.year}-{d.month:02}-{d.day:02}",
    "24-Jul-2019": lambda d: f"{d.day}-{_short(d.month)}-{d.year}",
    "Wednesday, 24 July 2019": lambda d: f"{d:%A}, {d.day} {_MONTHS[d.month - 1]} {d.year}",
}

_BY_ORDER: Forms = {
    "2/5/2019, day first": lambda d: f"{d.day}/{d.month}/{d.year}",
    "02/05/2019, day first": lambda d: f"{d.day:02}/{d.month:02}/{d.year}",
    "5/2/2019, month first": lambda d: f"{d.month}/{d.day}/{d.year}",
    "05/02/2019, month first": lambda d: f"{d.month:02}/{d.day:02}/{d.year}",
}
_BY_NAME: Forms = {
    name: _DATES[name] for name in ("24 July 2019", "July 24, 2019", "2019-07-24", "24 Jul 2019")
}


def _of_day(hour: int) -> str:
    return "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"


def _told(time: tuple[int, int]) -> str | None:
    hour, minute = time
    name = _SMALL[(hour - 1) % 12 + 1]
    following = _SMALL[hour % 12 + 1]
    said = {0: f"{name} o'clock", 15: f"a quarter past {name}", 30: f"half past {name}"}
    said |= {45: f"a quarter to {following}", 5: f"five past {name}", 20: f"twenty past {name}"}
    return f"{said[minute]} {_of_day(hour)}" if minute in said else None


def _half(hour: int) -> str:
    return "p.m." if hour >= 12 else "a.m."


_TIMES: Forms = {
    "18:05": lambda t: f"{t[0]:02}:{t[1]:02}",
    "6:05 p.m.": lambda t: f"{(t[0] - 1) % 12 + 1}:{t[1]:02} {_half(t[0])}",
    "6:05 pm": lambda t: f"{(t[0] - 1) % 12 + 1}:{t[1]:02} {_half(t[0]).replace('.', '')}",
    "6.05pm": lambda t: f"{(t[0] - 1) % 12 + 1}.{t[1]:02}{_half(t[0]).replace('.', '')}",
    "6:05 PM": lambda t: f"{(t[0] - 1) % 12 + 1}:{t[1]:02} {_half(t[0]).replace('.', '').upper()}",
    "18.05": lambda t: f"{t[0]:02}.{t[1]:02}",
    "1805 hours": lambda t: f"{t[0]:02}{t[1]:02} hours",
    "18h05": lambda t: f"{t[0]:02}h{t[1]:02}",
    "five past six in the evening": _told,
    "6 p.m.": lambda t: f"{(t[0] - 1) % 12 + 1} {_half(t[0])}" if t[1] == 0 else None,
}

_COUNTS: Forms = {
    "32": str,
    "thirty-two": spelled,
    "thirty two": lambda n: spelled(n).replace("-", " "),
    "two dozen": lambda n: {12: "a dozen", 24: "two dozen", 36: "three dozen"}.get(n),
}
_THOUSANDS: Forms = {
    "1,234": lambda n: f"{n:,}",
    "1234": str,
    "1 234": lambda n: f"{n:,}".replace(",", "\u202f"),
    "1'234": lambda n: f"{n:,}".replace(",", "'"),
    "one thousand two hundred": spelled,
}
_POINTED: Forms = {"1.234": lambda n: f"{n:,}".replace(",", ".")}
_MILLIONS: Forms = {
    "3,400,000": lambda n: f"{n:,}",
    "3400000": str,
    "3.4 million": lambda n: f"{n / 1e6:g} million",
    "3.4m": lambda n: f"{n / 1e6:g}m",
    "3.4 mn": lambda n: f"{n / 1e6:g} mn",
    "3 million 400 thousand": spelled,
    "3.4 × 10^6": lambda n: f"{n / 1e6:g} × 10^6",
    "3.4 × 10⁶": lambda n: f"{n / 1e6:g} × 10⁶",
    "3.4e6": lambda n: f"{n / 1e6:g}e6",
}
_POWERS: Forms = {
    "4.2 × 10^5": lambda v: f"{v[0]:g} × 10^{v[1]}",
    "4.2 × 10⁵": lambda v: f"{v[0]:g} × 10{str(v[1]).translate(_SUPERSCRIPTS)}",
    "4.2 x 10^5": lambda v: f"{v[0]:g} x 10^{v[1]}",
    "4.2·10⁵": lambda v: f"{v[0]:g}·10{str(v[1]).translate(_SUPERSCRIPTS)}",
    "4.2e5": lambda v: f"{v[0]:g}e{v[1]}",
    "4.2E5": lambda v: f"{v[0]:g}E{v[1]}",
    "420,000": lambda v: f"{round(v[0] * 10 ** v[1]):,}" if v[1] > 0 else None,
}

_SUMS: Forms = {
    "EUR 1,250,000": lambda v: f"{v[1]} {v[0]:,}",
    "€1,250,000": lambda v: f"{_SIGNS[v[1]]}{v[0]:,}",
    "1,250,000 euros": lambda v: f"{v[0]:,} {_NAMES[v[1]]}",
    "1,250,000 EUR": lambda v: f"{v[0]:,} {v[1]}",
    "€1.25 million": lambda v: f"{_SIGNS[v[1]]}{v[0] / 1e6:g} million",
    "EUR 1.25 million": lambda v: f"{v[1]} {v[0] / 1e6:g} million",
    "1.25 million euros": lambda v: f"{v[0] / 1e6:g} million {_NAMES[v[1]]}",
    "€1.25m": lambda v: f"{_SIGNS[v[1]]}{v[0] / 1e6:g}m",
    "EUR 1.25M": lambda v: f"{v[1]} {v[0] / 1e6:g}M",
}


def _with_cents(value: tuple[int, str], say: Callable[[int], str]) -> str:
    (cents, currency), small = value, "pence" if value[1] == "GBP" else "cents"
    return f"{say(cents // 100)} {_NAMES[currency]} and {say(cents % 100)} {small}"


_PRICES: Forms = {
    "€2.50": lambda v: f"{_SIGNS[v[1]]}{v[0] / 100:.2f}",
    "2.50 €": lambda v: f"{v[0] / 100:.2f} {_SIGNS[v[1]]}",
    "EUR 2.50": lambda v: f"{v[1]} {v[0] / 100:.2f}",
    "2.50 EUR": lambda v: f"{v[0] / 100:.2f} {v[1]}",
    "2.50 euros": lambda v: f"{v[0] / 100:.2f} {_NAMES[v[1]]}",
    "2,50 €": lambda v: f"{v[0] / 100:.2f} €".replace(".", ",") if v[1] == "EUR" else None,
    "2 euros and 50 cents": lambda v: _with_cents(v, str),
    "two euros and fifty cents": lambda v: _with_cents(v, spelled),
}

_LENGTHS: Forms = {
    "1.5 km": lambda m: f"{m / 1000:g} km",
    "1.5 kilometres": lambda m: f"{m / 1000:g} kilometres",
    "1.5 kilometers": lambda m: f"{m / 1000:g} kilometers",
    "1,500 m": lambda m: f"{m:,} m",
    "1500 metres": lambda m: f"{m} metres",
    "1,500 meters": lambda m: f"{m:,} meters",
}
_WEIGHTS: Forms = {
    "1.5 kg": lambda g: f"{g / 1000:g} kg",
    "1.5 kilograms": lambda g: f"{g / 1000:g} kilograms",
    "1.5 kilos": lambda g: f"{g / 1000:g} kilos",
    "1,500 g": lambda g: f"{g:,} g",
    "1500 grams": lambda g: f"{g} grams",
}
_ROUNDED: Forms = {
    "10 miles": lambda miles: f"{miles} miles",
    "16 km": lambda miles: f"{miles * 1.609344:.0f} km",
    "16.1 kilometres": lambda miles: f"{miles * 1.609344:.1f} kilometres",
    "ten miles": lambda miles: f"{spelled(miles)} miles",
}


def _hours(minutes: int) -> str | None:
    halves = {30: "and a half", 15: "and a quarter", 45: "and three quarters"}
    part = halves.get(minutes % 60)
    return f"{spelled(minutes // 60)} {part} hours" if part and minutes > 60 else None


_LASTING: Forms = {
    "90 minutes": lambda m: f"{m} minutes",
    "90 min": lambda m: f"{m} min",
    "ninety minutes": lambda m: f"{spelled(m)} minutes",
    "1.5 hours": lambda m: f"{m / 60:g} hours",
    "1 hour 30 minutes": lambda m: f"{m // 60} hour{'s' * (m >= 120)} {m % 60} minutes",
    "1 h 30 min": lambda m: f"{m // 60} h {m % 60} min",
    "one and a half hours": _hours,
}
_RANGES: Forms = {
    "5 to 10": lambda v: f"{v[0]} to {v[1]}",
    "5-10": lambda v: f"{v[0]}-{v[1]}",
    "5–10": lambda v: f"{v[0]}–{v[1]}",
    "between 5 and 10": lambda v: f"between {v[0]} and {v[1]}",
    "from 5 to 10": lambda v: f"from {v[0]} to {v[1]}",
    "five to ten": lambda v: f"{spelled(v[0])} to {spelled(v[1])}",
}


_YEARS: Forms = {
    "from 2010 to 2020": lambda v: f"from {v[0]} to {v[1]}",
    "between 2010 and 2020": lambda v: f"between {v[0]} and {v[1]}",
    "in the years 2010–2020": lambda v: f"in the years {v[0]}–{v[1]}",
    "from 2010 until 2020": lambda v: f"from {v[0]} until {v[1]}",
}


def _clock(hour: int, minute: int, mark: str = ":") -> str:
    return f"{(hour - 1) % 12 + 1}" + (f"{mark}{minute:02}" if minute else "")


_OPEN: Forms = {
    "from 9:00 to 17:30": lambda v: f"from {v[0]}:{v[1]:02} to {v[2]}:30",
    "from 9 a.m. to 5:30 p.m.": lambda v: f"from {_clock(v[0], v[1])} a.m. to {_clock(v[2], 30)} p.m.",
    "between 9:00 and 17:30": lambda v: f"between {v[0]:02}:{v[1]:02} and {v[2]}:30",
    "between 9am and 5.30pm": lambda v: f"between {_clock(v[0], v[1], '.')}am and {_clock(v[2], 30, '.')}pm",
}
_GROWTH: tuple[Forms, Forms] = (
    {
        "grew from 40 to 80 tonnes": lambda v: f"grew from {v[0]} to {v[0] * v[1]:g} tonnes",
        "rose from 40 tonnes to 80 tonnes": lambda v: f"rose from {v[0]} tonnes to {v[0] * v[1]:g} tonnes",
    },
    {
        "doubled": lambda v: {2: "doubled", 3: "tripled"}.get(v[1]),
        "grew by 100%": lambda v: f"grew by {100 * (v[1] - 1):g}%",
        "grew by 40 tonnes": lambda v: f"grew by {v[0] * (v[1] - 1):g} tonnes",
        "grew by half": lambda v: "grew by half" if v[1] == 1.5 else None,
    },
)
_PARTS: tuple[Forms, Forms] = (
    {
        "of 40 sailors, 10 are": lambda v: f"of {v[0]} sailors, {v[0] * v[1]:g} are volunteers",
        "10 of the 40 sailors are": lambda v: f"{v[0] * v[1]:g} of the {v[0]} sailors are volunteers",
    },
    {
        "a quarter of the sailors are": lambda v: f"{_SHARES[int(100 * v[1])]} of the sailors are volunteers",
        "25% of the sailors are": lambda v: f"{100 * v[1]:g}% of the sailors are volunteers",
        "30 of the sailors are not": lambda v: f"{v[0] * (1 - v[1]):g} of the sailors are not volunteers",
    },
)


def _by_side(above: str, below: str) -> Form:
    """A form of a limit (figure, whether it is a lower one)."""
    return lambda v: (above if v[1] else below).format(n=v[0], word=spelled(v[0]))


_BOUNDS: Forms = {
    "at most 8": _by_side("at least {n}", "at most {n}"),
    "no more than 8": _by_side("no fewer than {n}", "no more than {n}"),
    "not more than 8": _by_side("not less than {n}", "not more than {n}"),
    "a maximum of 8": _by_side("a minimum of {n}", "a maximum of {n}"),
    "8 or fewer": _by_side("{n} or more", "{n} or fewer"),
    "at most eight": _by_side("at least {word}", "at most {word}"),
}
_STRICT: Forms = {
    "fewer than 300": _by_side("more than {n}", "fewer than {n}"),
    "under 300": _by_side("over {n}", "under {n}"),
    "less than 300": _by_side("in excess of {n}", "less than {n}"),
    "below 300": _by_side("above {n}", "below {n}"),
}
_NEARLY: Forms = {
    "nearly 300": _by_side("just over {n}", "nearly {n}"),
    "almost 300": _by_side("slightly more than {n}", "almost {n}"),
    "just under 300": _by_side("a little over {n}", "just under {n}"),
}
_SIGNED: Forms = {
    "−18 °C": lambda n: f"{n} °C".replace("-", "−"),
    "-18 °C": lambda n: f"{n} °C",
    "-18°C": lambda n: f"{n}°C",
    "minus 18 °C": lambda n: f"minus {-n} °C" if n < 0 else f"plus {n} °C",
    "minus 18 degrees Celsius": lambda n: f"minus {-n} degrees Celsius" if n < 0 else f"{n} degrees Celsius",
    "18 °C below zero": lambda n: f"{abs(n)} °C {'below' if n < 0 else 'above'} zero",
    "minus eighteen degrees": lambda n: f"{'minus ' * (n < 0)}{spelled(abs(n))} degrees Celsius",
}
_BALANCES: Forms = {
    "-12,500 euros": lambda n: f"{n:,} euros",
    "−12,500 euros": lambda n: f"{n:,} euros".replace("-", "−"),
    "minus 12,500 euros": lambda n: f"minus {-n:,} euros" if n < 0 else f"{n:,} euros",
    "(12,500) euros": lambda n: f"({-n:,}) euros" if n < 0 else f"{n:,} euros",
    "EUR -12,500": lambda n: f"EUR {n:,}",
}
_PERCENT: Forms = {
    "45%": lambda n: f"{n}%",
    "45 %": lambda n: f"{n} %",
    "45 percent": lambda n: f"{n} percent",
    "45 per cent": lambda n: f"{n} per cent",
    "forty-five percent": lambda n: f"{spelled(n)} percent",
    "a quarter": _SHARES.get,
}
_POINTS: Forms = {
    "5 percentage points": lambda v: f"{v[0]} percentage points" if v[1] else f"{v[0]}%",
    "five percentage points": lambda v: f"{spelled(v[0])} percentage points" if v[1] else f"{v[0]} per cent",
    "5 pp": lambda v: f"{v[0]} pp" if v[1] else f"{spelled(v[0])} percent",
}
_QUARTERS: Forms = {
    "Q1 2025": lambda v: f"Q{v[1]} {v[0]}",
    "2025Q1": lambda v: f"{v[0]}Q{v[1]}",
    "2025-Q1": lambda v: f"{v[0]}-Q{v[1]}",
    "Q1/2025": lambda v: f"Q{v[1]}/{v[0]}",
    "1Q 2025": lambda v: f"{v[1]}Q {v[0]}",
    "the first quarter of 2025": lambda v: f"the {_ORDINALS[v[1]]} quarter of {v[0]}",
    "the 1st quarter of 2025": lambda v: f"the {_nth(v[1])} quarter of {v[0]}",
}
_PLACES: Forms = {"21st": _nth, "twenty-first": _nth_spelled}
_CHAPTERS: Forms = {
    "chapter IV": lambda n: f"chapter {_ROMAN[n]}",
    "chapter 4": lambda n: f"chapter {n}",
    "chapter four": lambda n: f"chapter {spelled(n)}",
    "the fourth chapter": lambda n: f"the {_nth_spelled(n)} chapter",
}
_KINGS: Forms = {
    "King Aldric IV": lambda n: f"King Aldric {_ROMAN[n]}",
    "King Aldric the Fourth": lambda n: f"King Aldric the {_nth_spelled(n).capitalize()}",
}
_FRACTIONS: Forms = {
    "two thirds": lambda v: f"{spelled(v[0])} {_ORDINALS[v[1]]}s",
    "two-thirds": lambda v: f"{spelled(v[0])}-{_ORDINALS[v[1]]}s",
    "2/3": lambda v: f"{v[0]}/{v[1]}",
    "67%": lambda v: f"{100 * v[0] / v[1]:.0f}%",
}
_PHONES: Forms = {
    "+44 20 7946 0123": lambda n: f"+44 20 {n[:4]} {n[4:]}",
    "+442079460123": lambda n: f"+4420{n}",
    "+44-20-7946-0123": lambda n: f"+44-20-{n[:4]}-{n[4:]}",
    "+44 (20) 7946 0123": lambda n: f"+44 (20) {n[:4]} {n[4:]}",
    "+44 20 7946-0123": lambda n: f"+44 20 {n[:4]}–{n[4:]}",
}

FORMS: Mapping[str, tuple[Forms, Forms]] = {
    name: found if isinstance(found, tuple) else (found, found)
    for name, found in {
        "date": _DATES,
        "date, order inferred": (_BY_ORDER, _BY_NAME),
        "date, order said": (_BY_ORDER, _BY_NAME),
        "time": _TIMES,
        "count": _COUNTS,
        "thousands": _THOUSANDS,
        "thousands, with a point": (_POINTED, _THOUSANDS),
        "millions": _MILLIONS,
        "power of ten": _POWERS,
        "sum of money": _SUMS,
        "price": _PRICES,
        "length": _LENGTHS,
        "weight": _WEIGHTS,
        "length, rounded": (_ROUNDED, {one: _ROUNDED[one] for one in ("10 miles", "16 km", "ten miles")}),
        "duration": _LASTING,
        "range": _RANGES,
        "years": _YEARS,
        "hours": _OPEN,
        "derived growth": _GROWTH,
        "derived share": _PARTS,
        "bound": _BOUNDS,
        "strict bound": _STRICT,
        "nearly": _NEARLY,
        "sign": _SIGNED,
        "balance": _BALANCES,
        "percentage": _PERCENT,
        "percentage points": _POINTS,
        "quarter": _QUARTERS,
        "ordinal": _PLACES,
        "chapter": _CHAPTERS,
        "king": _KINGS,
        "fraction": _FRACTIONS,
        "phone": _PHONES,
    }.items()
}
"""By kind of value: the forms that the evidence is written in, and those of the claim."""
