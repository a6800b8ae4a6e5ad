"""``Half as many as the Tarn team`` in, and ``twice as many as the Fell team``; that both say one thing out."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier_signals.values.context import ValueText
from verifier_signals.values.types import Form, Value

__all__ = ["told_inversely"]

_AS = re.compile(r"(?:\s+times)?\s+as\s+\w+\b[^.;]*?\bas\s", re.IGNORECASE)
_SAME = 0.01
"""How far the product of the two factors may lie from one: a third is ``33 %`` as well."""


class _Ratio(NamedTuple):
    """``one`` is ``factor`` times as much as ``other``; both as the words that only this side has."""

    factor: float
    one: frozenset[str]
    other: frozenset[str]


def told_inversely(claim: ValueText, value: Value, evidence: ValueText) -> Value | None:
    """The multiple of the evidence that says of the same two, named in the other order, what the claim's says.

    >>> from verifier_signals.values.context import values_of
    >>> mine, theirs = values_of("Fell has half as many as Tarn."), values_of("Tarn has twice as many as Fell.")
    >>> told_inversely(mine, mine.values[0], theirs) == theirs.values[0]
    True
    """
    mine = _ratio(claim, value)
    if mine is None:
        return None
    for told in evidence.values:
        theirs = _ratio(evidence, told)
        if theirs is None or abs(mine.factor * theirs.factor - 1.0) > _SAME:
            continue
        turned = mine.one & theirs.other and mine.other & theirs.one
        if turned and not (mine.one & theirs.one or mine.other & theirs.other):
            return told
    return None


def _ratio(text: ValueText, value: Value) -> _Ratio | None:
    """What a multiple or a share compares, where ``as ... as`` stands behind it."""
    factors = [one.low for one in value.quantities if one.dimension in ("times", "share") and one.low > 0]
    behind = _AS.match(text.text, value.core[1]) if factors and value.form is Form.POINT else None
    if behind is None:
        return None
    start, end = text.sentence(value)
    before = frozenset(word.key for word in text.words if start <= word.start < value.core[0])
    after = frozenset(word.key for word in text.words if behind.end() <= word.start < end)
    return _Ratio(factors[0], before - after, after - before)
