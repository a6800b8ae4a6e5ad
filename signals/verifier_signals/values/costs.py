"""Sums of money for several: for whom or what, and for how long, a text says that one is paid."""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier_signals.stems import content_words
from verifier_signals.values.context import ValueText
from verifier_signals.values.ellipsis import is_verb
from verifier_signals.values.types import Form, Quantity, Value
from verifier_signals.values.units import is_currency

__all__ = ["announces_sum", "counts_for", "is_for_several"]

_SUM = re.compile(
    r"\b(?:total(?:s|led|ling)?|altogether|together|in\s+all|combined|overall|both|sum|took\s+part)\b",
    re.IGNORECASE,
)


def _money_of(value: Value) -> Quantity | None:
    """A value in the reading in which it is an amount of money."""
    for one in value.quantities:
        if is_currency(one.dimension):
            return one
    return None


def counts_for(text: ValueText, value: Value) -> list[Value]:
    """The counts in front of a sum of money that it is paid for: ``two adults and a child pay 31 euros``."""
    if _money_of(value) is None:
        return []
    start, _ = text.sentence(value)
    before = [one for one in text.values if start <= one.start < value.start and not one.may_be_age]
    counts = [one for one in before if one.kind == "number" and one.form is Form.POINT and text.head(one)]
    return counts if len(counts) == len(before) and any(one.quantities[0].low > 1 for one in counts) else []


def announces_sum(text: ValueText, value: Value) -> bool:
    """Whether the sentence of a value says that it is a total (``altogether``, ``in all``)."""
    return bool(value.quantities) and _SUM.search(text.text, *text.sentence(value)) is not None


_ARTICLE = re.compile(
    r"(?<!\bin )(?<!\bof )(?<!\bat )(?<!\bon )(?<!\bto )(?<!\bfor )(?<!\bfrom )\b(?:an?|the)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""What a sum is paid for, and not where or in what company."""
_PHRASE_END = re.compile(r"[,;]|\b(?:and|with|plus|of|for|in|on|at|to|or|who|that|which|is|are|has|have)\b")
_COSTS = lexicon("cost costs price prices fare fares fee fees charge charges surcharge fine sum amount total")
_COST = re.compile(r"\b(?:costs?|costing)\b", re.IGNORECASE)
_PERIODS = lexicon("day night hour week minute month")
"""What prices are stated for."""


def _things_paid_for(text: ValueText, value: Value) -> int:
    """How many things or kinds of people a sum of money is said to be for, in front of it: ``two adults and a child``.

    What stands in front of another sum before it is paid with that one, and who stands behind a verb that costs pays
    it (``the roof cost the club 900 euros``).
    """
    counts = counts_for(text, value)
    start, _ = text.sentence(value)
    others = [one.end for one in text.values if start <= one.start < value.start and _money_of(one)]
    start = max([start, *others])
    if not _has_verb(text.text[start : value.start]):
        return len(counts)
    verb = next(reversed(list(_COST.finditer(text.text, start, value.start))), None)
    articles = _ARTICLE.finditer(text.text, start, verb.start() if verb else value.start)
    return len(counts) + sum(
        _names_a_thing(text.text[one.end() : value.start])
        and not any(one.start() <= count.start <= one.end() for count in counts)
        for one in articles
    )


def _has_verb(before: str) -> bool:
    """Whether a sum has a verb before it; ``and the course 35 euros`` takes that of another one up."""
    words = before.split()
    return any(is_verb(word) or word in _COSTS for word in words)


def _names_a_thing(text: str) -> bool:
    """Whether a text begins with a noun phrase, and not with the period of a rate (``a day``)."""
    stop = _PHRASE_END.search(text)
    first = next(iter(content_words(text[: stop.start() if stop else len(text)])), None)
    surface = text[first.start : first.end] if first else ""
    return bool(surface) and surface not in _PERIODS | _COSTS and not is_verb(surface)


def is_for_several(text: ValueText, value: Value) -> bool:
    """Whether a sum of money is said to be for more than one, or for a length of time."""
    return _money_of(value) is not None and (
        _things_paid_for(text, value) > 1 or bool(_lengths_for(text, value))
    )


def _lengths_for(text: ValueText, value: Value) -> list[Value]:
    """The lengths of time that a sum of money is said to be paid for (``three days cost 6 euros``)."""
    if _money_of(value) is None or value.per:
        return []
    start, end = text.sentence(value)
    return [
        one
        for one in text.values
        if start <= one.start < end
        and one.form is Form.POINT
        and one.quantities
        and one.quantities[0].dimension == "time"
    ]
