"""Units of measurement and currencies: the table ``units.tsv``, and the unit behind a number."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from verifier.core.lexicon import table_rows
from verifier_signals.values.types import Quantity

__all__ = [
    "CURRENCY_CODE",
    "CURRENCY_SIGN",
    "MeasurementUnit",
    "currency",
    "in_unit",
    "is_currency",
    "is_money",
    "lookup",
    "unit_after",
    "units",
]


class MeasurementUnit(NamedTuple):
    """``value_in_base = (value + offset) * factor``; ``dimension`` names the base (see ``units.tsv``)."""

    dimension: str
    factor: float
    offset: float
    spelling: str


CURRENCY_SIGN = r"(?:US|C|CA|A|AU|NZ|HK|S|R)?\$|[£€¥₹₽₩₺₪₿]"
CURRENCY_CODE = r"(?:USD|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|Rs\.?)"
_CURRENCY_LENGTH = 3
"""Letters of a currency's code (ISO 4217), which is the dimension of a sum of money."""
_TIGHT = frozenset({"p", "in."})
"""Spellings that are units only when nothing stands between them and the number (``50p``)."""

_NEXT = re.compile(
    r"[ \u00a0\u202f\u2009]?[-‑]?"
    r"(?P<unit>%|％|‰|[¢€£$¥₹₽₩₺₪₿](?!\d)|°[CFcf]?(?![A-Za-z])|[℃℉]|in\.(?=\s|$)"
    r"|[A-Za-zµμł]+(?:[²³]|[23](?!\w)|/[a-z]+)?(?:[- ][A-Za-z]+){0,2})"
)


@cache
def units() -> dict[str, tuple[MeasurementUnit, ...]]:
    """The unit table: spelling to readings, ambiguous spellings with several. Read once."""
    table: dict[str, list[MeasurementUnit]] = {}
    for dimension, factor, offset, spellings in table_rows("verifier_signals.values", "units.tsv"):
        for spelling in spellings.split():
            name = spelling.replace("_", " ")
            table.setdefault(name, []).append(MeasurementUnit(dimension, float(factor), float(offset), name))
    return {spelling: tuple(readings) for spelling, readings in table.items()}


@cache
def _folded() -> dict[str, tuple[MeasurementUnit, ...]]:
    """Spellings in lower case, where case does not tell two units apart (``GWH``, ``Days``)."""
    found: dict[str, set[tuple[MeasurementUnit, ...]]] = {}
    for spelling, readings in units().items():
        if len(spelling) > 1:
            bare = tuple(reading._replace(spelling="") for reading in readings)
            found.setdefault(spelling.lower(), set()).add(bare)
    return {
        low: tuple(unit._replace(spelling=low) for unit in next(iter(seen)))
        for low, seen in found.items()
        if len(seen) == 1
    }


def lookup(spelling: str) -> tuple[MeasurementUnit, ...]:
    """Readings of a spelling, ``()`` when it is no unit.

    >>> [unit.dimension for unit in lookup("pounds")]
    ['mass', 'GBP']
    """
    return units().get(spelling) or _folded().get(spelling.lower(), ())


def currency(sign: str) -> tuple[MeasurementUnit, ...]:
    """Readings of a currency's sign or code, ``()`` for any other unit."""
    return tuple(unit for unit in lookup(sign.strip()) if is_money(unit))


def is_money(unit: MeasurementUnit) -> bool:
    """Whether a unit is one of a currency."""
    return is_currency(unit.dimension)


def is_currency(dimension: str) -> bool:
    """Whether what has a dimension is money.

    >>> is_currency("EUR"), is_currency("length")
    (True, False)
    """
    return len(dimension) == _CURRENCY_LENGTH and dimension.isupper()


def in_unit(bare: Quantity, unit: MeasurementUnit, scale: float = 1.0) -> Quantity:
    """A bare figure, times a scale, as one of a unit.

    >>> in_unit(Quantity("", 5.0, 5.0, 1.0, 1.0), lookup("km")[0]).low
    5000.0
    """
    low, high = (figure * scale + unit.offset for figure in (bare.low, bare.high))
    return replace(
        bare,
        dimension=unit.dimension,
        low=low * unit.factor,
        high=high * unit.factor,
        place=bare.place * scale * unit.factor,
        coarse=bare.coarse * scale * unit.factor,
        unit=unit.spelling,
        written=bare.low * scale,
    )


def unit_after(text: str, at: int) -> tuple[tuple[MeasurementUnit, ...], int]:
    """The unit that begins behind the number which ends at ``at``: its readings and where it ends.

    >>> readings, end = unit_after("30 business days", 2)
    >>> readings[0].dimension, end
    ('workdays', 16)
    """
    match = _NEXT.match(text, at)
    if match is None:
        return (), at
    found, start = match["unit"], match.start("unit")
    joined = found.replace("-", " ").replace("‑", " ")
    hyphenated = joined != found
    while joined:
        readings = lookup(joined) or (lookup(found[: len(joined)]) if hyphenated else ())
        if readings and not (joined in _TIGHT and start > at):
            return readings, start + len(joined)
        cut = joined.rfind(" ")
        if cut < 0:
            break
        joined = joined[:cut]
    return (), at
