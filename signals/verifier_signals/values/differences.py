"""Which check says that two values differ: by what they measure, or by how much."""

from __future__ import annotations

from verifier_signals.values.types import Form, Value

__all__ = ["difference"]

_OF_KIND = {"date": "number.other-date", "code": "number.other-code"}
_MONEY = 3
"""Letters of a currency's code, which is the dimension of a sum of money."""


def difference(value: Value, other: Value) -> str:
    """The id of the check that tells a value of the claim from another one of the evidence."""
    if value.kind in _OF_KIND:
        return _OF_KIND[value.kind]
    mine = {one.dimension for one in value.quantities}
    theirs = {one.dimension for one in other.quantities}
    if mine.isdisjoint(theirs):
        return _of_dimensions(mine | theirs)
    if value.per != other.per:
        return "number.other-rate"
    return "number.other-value" if other.form is Form.POINT else "number.outside-limits"


def _of_dimensions(dimensions: set[str]) -> str:
    if all(len(one) == _MONEY and one.isupper() for one in dimensions):
        return "number.currency-mismatch"
    return "number.percentage-points" if "points" in dimensions else "number.unit-mismatch"
