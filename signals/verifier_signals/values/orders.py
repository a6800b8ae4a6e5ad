"""The values of a text in; the same with the order of day and month that the text itself shows out.

``Due on 24/5/2019 and on 2/6/2019`` puts the day first: so the second is no day of February. Where nothing shows
the order both readings stay, and none is sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from verifier_signals.values.types import Date, Value

__all__ = ["in_order", "orders_of"]


_SAID = re.compile(
    r"\b(dd?|mm?|day|month)\s?[-/.]\s?(dd?|mm?|day|month)\s?[-/.]\s?y(?:y|yyy|ear)\b", re.IGNORECASE
)


def orders_of(values: Iterable[Value]) -> frozenset[str]:
    """The orders (``dm``, ``md``) that dates in figures show by a number which can only be a day.

    >>> from verifier_signals.values.grammar import parse
    >>> sorted(orders_of(parse("Due on 24/5/2019 and on 2/6/2019.")))
    ['dm']
    """
    return frozenset(date.order for value in values for date in value.dates if date.order and date.sure)


def in_order(text: str, values: list[Value]) -> list[Value]:
    """Leave out the readings of dates in the order that the text does not have, where it shows one alone."""
    shown = _told(text) or orders_of(values)
    if len(shown) != 1:
        return values
    order = next(iter(shown))
    return [_in(value, order) for value in values]


def _told(text: str) -> frozenset[str]:
    """What a text says of its dates: ``DD/MM/YYYY``, ``month/day/year``."""
    said = {match[1][0].lower() + match[2][0].lower() for match in _SAID.finditer(text)}
    return frozenset(said & {"dm", "md"})


def _in(value: Value, order: str) -> Value:
    readings = value.dates
    if all(date.sure or date.order != order for date in readings):
        return value
    return replace(value, dates=tuple(_sure(date) for date in readings if date.order in ("", order)))


def _sure(date: Date) -> Date:
    return replace(date, sure=True)
