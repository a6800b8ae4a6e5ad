"""Draw values for the slots of a fact sheet, each of which can be written in several ways.

The kinds stand in :data:`KINDS`: integer and decimal ranges, years, percentages, sums of money, dates, times, months,
weekdays, and the lists of names.
"""

from __future__ import annotations

import ast
import operator
import random
import re
import tomllib
from calendar import day_name, month_name
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path

from training.errors import StepError

__all__ = ["CURRENCIES", "SHEETS", "SheetError", "Value", "computed", "draw"]

SHEETS = Path(__file__).parent / "bank"
"""The folder of the fact sheets."""

CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds"}

UNITS = "one two three four five six seven eight nine"
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
ONES = ["zero", *UNITS.split(), *TEENS.split()]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

_RANGE = re.compile(r"(?:(year|percent|money) )?(-?\d+(?:\.\d)?)\.\.(-?\d+(?:\.\d)?)(?: step (\d+))?")
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class SheetError(StepError):
    """A fact sheet that cannot be used; the message names the file, the fact and what is wrong."""


@dataclass(frozen=True)
class Value:
    """One value of a slot: what it is compared by, and its ways of being written."""

    key: float | str
    kind: str
    unit: str = ""
    """The currency of a sum of money."""

    def text(self, rng: random.Random, *, words: bool = False) -> str:
        """One way to write it; ``words`` spells a whole number out."""
        if isinstance(self.key, str):
            return self.key
        if words and float(self.key).is_integer() and 0 <= self.key < 1000:
            return in_words(int(self.key))
        return _WRITERS[self.kind](self, rng)


def in_words(number: int) -> str:
    """``42`` -> ``forty-two``, below a thousand."""
    if number >= 100:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{ONES[number // 100]} hundred{rest}"
    if number < 20:
        return ONES[number]
    return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")


def _plain(value: Value, rng: random.Random) -> str:
    number = float(value.key)
    if not number.is_integer():
        return f"{number:,.2f}".rstrip("0")
    return (
        f"{number:,.0f}" if number >= 10_000 or (number >= 1000 and rng.random() < 0.7) else f"{number:.0f}"
    )


def _year(value: Value, _: random.Random) -> str:
    return f"{value.key:.0f}"


def _percent(value: Value, rng: random.Random) -> str:
    return _plain(value, rng) + rng.choice(("%", "%", " percent", " per cent"))


def _money(value: Value, rng: random.Random) -> str:
    amount = _plain(value, rng)
    return f"{value.unit}{amount}" if rng.random() < 0.6 else f"{amount} {CURRENCIES[value.unit]}"


def _date(value: Value, rng: random.Random) -> str:
    day = date.fromordinal(int(value.key))
    month = month_name[day.month]
    return rng.choice(
        (
            f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{day.day} {month[:3]} {day.year}",
        )
    )


def _time(value: Value, rng: random.Random) -> str:
    hour, minute = divmod(int(value.key), 60)
    if rng.random() < 0.4:
        return f"{hour:02d}:{minute:02d}"
    half = "am" if hour < 12 else "pm"
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {half}" if minute else f"{(hour - 1) % 12 + 1} {half}"


_WRITERS: dict[str, Callable[[Value, random.Random], str]] = {
    "number": _plain,
    "year": _year,
    "percent": _percent,
    "money": _money,
    "date": _date,
    "time": _time,
}


@cache
def _lists() -> dict[str, list[str]]:
    return tomllib.loads((SHEETS / "_lists.toml").read_text(encoding="utf-8"))


def _joined(rng: random.Random, head: str, tail: str, between: str = " ") -> Value:
    return Value(rng.choice(_lists()[head]) + between + rng.choice(_lists()[tail]), "name")


def _day(rng: random.Random) -> Value:
    return Value((date(2012, 1, 1) + timedelta(days=rng.randrange(5400))).toordinal(), "date")


KINDS: Mapping[str, Callable[[random.Random], Value]] = {
    "person": partial(_joined, head="first", tail="last"),
    "company": partial(_joined, head="company_stem", tail="company_kind"),
    "town": partial(_joined, head="town_head", tail="town_tail", between=""),
    "country": lambda rng: Value(rng.choice(_lists()["country"]), "name"),
    "date": _day,
    "time": lambda rng: Value(rng.randrange(7 * 60, 21 * 60, 15), "time"),
    "month": lambda rng: Value(rng.choice(list(month_name)[1:]), "name"),
    "weekday": lambda rng: Value(rng.choice(list(day_name)), "name"),
}
"""Slot kinds without a range."""


def draw(kind: str | Sequence[str], rng: random.Random, currency: str = "$") -> Value:
    """One value of a slot kind, or of a list of names; sums of money are in ``currency``.

    Raises:
        SheetError: there is no such kind.
    """
    if not isinstance(kind, str):
        return Value(rng.choice(list(kind)), "name")
    if kind in KINDS:
        return KINDS[kind](rng)
    match = _RANGE.fullmatch(kind)
    if match is None or float(match[2]) >= float(match[3]):
        raise SheetError(f"no slot kind: {kind!r}")
    if "." in match[2]:
        tenths = rng.randrange(round(float(match[2]) * 10), round(float(match[3]) * 10) + 1)
        return Value(tenths / 10, match[1] or "number")
    number = rng.randrange(int(match[2]), int(float(match[3])) + 1, int(match[4] or 1))
    return Value(number, match[1] or "number", currency if match[1] == "money" else "")


def computed(expression: str, values: Mapping[str, Value]) -> Value:
    """The value of ``= low + high``: + - * / and brackets over slots and numbers; of the kind of its first slot.

    Raises:
        SheetError: it is no such expression, or speaks of a slot without a number.
    """

    def of(node: ast.expr) -> float:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.Name) and isinstance(values[node.id].key, int | float):
            return float(values[node.id].key)
        raise SheetError(f"cannot compute {expression!r}")

    try:
        tree = ast.parse(expression.removeprefix("=").strip(), mode="eval").body
        number = of(tree)
    except (SyntaxError, KeyError, ZeroDivisionError) as error:
        raise SheetError(f"cannot compute {expression!r}: {error}") from error
    first = next(values[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name))
    is_year = first.kind == "year" and 1000 < number < 2200
    kind = (
        "number" if first.kind in ("date", "time") or (first.kind == "year" and not is_year) else first.kind
    )
    return Value(round(number, 2), kind, first.unit)
